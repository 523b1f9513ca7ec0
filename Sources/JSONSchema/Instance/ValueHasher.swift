import SaveCodec

/// Hashes of whole values, equal for equal values; each value is looked at once.
///
///     {"a": 1, "b": [2.0]}  and  {"b": [2], "a": 1.0}   one hash
///
/// The hash is seeded at random by the standard library, so that no file can be made to collide. A value that contains
/// itself counts as nothing but that within others.
struct ValueHasher {
    private struct Frame {
        let id: InstanceID
        let isObject: Bool
        let count: Int
        var next = 0
        var sum: Int
        var isCyclic = false
    }

    private enum Entry {
        case open
        case done(Int, isCyclic: Bool)
    }

    private let instance: any Instance
    private var entries: [InstanceID: Entry] = [:]
    private var frames: [Frame] = []

    init(_ instance: any Instance) {
        self.instance = instance
    }

    /// The hash of a value.
    mutating func hash(_ id: InstanceID) -> Int {
        if let (hash, _) = known(id) { return hash }
        while let frame = frames.last {
            let top = frames.count - 1
            guard frame.next < frame.count else {
                close()
                continue
            }
            let (name, child) = content(frame)
            guard let (hash, isCyclic) = known(child) else { continue }
            frames[top].next += 1
            frames[top].isCyclic = frame.isCyclic || isCyclic
            let counted = isCyclic ? 0 : hash
            // Elements count in their order, members in any.
            if let name {
                frames[top].sum = frame.sum &+ Self.mix(self.hash(ofName: name), counted)
            } else {
                frames[top].sum = Self.mix(frame.sum, counted)
            }
        }
        return known(id)?.hash ?? 0
    }

    /// The hash of a value if it can be told at once; else the value is opened.
    private mutating func known(_ id: InstanceID) -> (hash: Int, isCyclic: Bool)? {
        let isLarge = instance.isLarge(id)
        if isLarge, let entry = entries[id] {
            if case .done(let hash, let isCyclic) = entry { return (hash, isCyclic) }
            return (0, true)
        }
        let value = instance.value(id)
        switch value {
        case .array(let count): open(id, isObject: false, count: count)
        case .object(let count): open(id, isObject: true, count: count)
        default:
            let hash = Self.hash(scalar: value)
            if isLarge { entries[id] = .done(hash, isCyclic: false) }
            return (hash, false)
        }
        return nil
    }

    private mutating func open(_ id: InstanceID, isObject: Bool, count: Int) {
        entries[id] = .open
        frames.append(Frame(id: id, isObject: isObject, count: count, sum: Self.mix(isObject ? 6 : 5, count)))
    }

    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        entries[frame.id] = .done(frame.sum, isCyclic: frame.isCyclic)
    }

    private func content(_ frame: Frame) -> (name: InstanceID?, value: InstanceID) {
        guard frame.isObject else { return (nil, instance.element(frame.next, of: frame.id)) }
        let member = instance.member(frame.next, of: frame.id)
        return (member.name, member.value)
    }

    /// Names are strings, so that their hash is known at once.
    private mutating func hash(ofName name: InstanceID) -> Int {
        known(name)?.hash ?? 0
    }

    private static func hash(scalar value: InstanceValue) -> Int {
        switch value {
        case .boolean(let value): mix(1, value ? 1 : 0)
        case .number(let number): hash(number)
        case .string(let text): mix(4, text.units.hashValue)
        case .null, .array, .object: mix(0, 0)
        }
    }

    private static func hash(_ number: Number) -> Int {
        switch number.normal {
        case .integer(let value): mix(2, value.hashValue)
        case .real(let value): mix(3, value.hashValue)
        case .single(let value): mix(3, Double(value).hashValue)
        }
    }

    private static func mix(_ a: Int, _ b: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(a)
        hasher.combine(b)
        return hasher.finalize()
    }
}
