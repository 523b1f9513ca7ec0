import KeyedArchives
import SaveCodec

/// A cache of the hashes of values including their contents. Values that are equal as JSON have equal hashes.
///
///     {"a": 1, "b": [2.0]}  and  {"b": [2], "a": 1.0}   one hash
///
/// Each value is read once. The standard library seeds the hash at random, so that a file cannot provoke collisions. In
/// the hash of its container, a value from which a cycle can be reached counts as 0.
struct ValueHasher {
    private struct Frame {
        let id: ViewID
        let value: JSONValue
        var next = 0
        var sum: Int
        var isCyclic = false
    }

    private enum Entry {
        case open
        case done(Int, isCyclic: Bool)
    }

    private let view: ObjectView
    private var entries: [ViewID: Entry] = [:]
    /// The hashes of names, by key or class record.
    private var names: [ViewID: Int] = [:]
    private var frames: [Frame] = []

    init(_ view: ObjectView) {
        self.view = view
    }

    mutating func hash(_ id: ViewID) -> Int {
        if let (hash, _) = known(Subject(id)) { return hash }
        while let frame = frames.last {
            let top = frames.count - 1
            guard let (key, child) = content(frame) else {
                close()
                continue
            }
            guard let (hash, isCyclic) = known(child) else { continue }
            frames[top].next += 1
            frames[top].isCyclic = frame.isCyclic || isCyclic
            let counted = isCyclic ? 0 : hash
            // The order of elements affects the sum; the order of members does not.
            if let key {
                frames[top].sum = frame.sum &+ Self.mix(self.hash(nameOf: key), counted)
            } else {
                frames[top].sum = Self.mix(frame.sum, counted)
            }
        }
        return known(Subject(id))?.hash ?? 0
    }

    /// Returns the hash of a name or of a value whose hash is known. Otherwise opens the value and returns nil.
    private mutating func known(_ subject: Subject) -> (hash: Int, isCyclic: Bool)? {
        let id = subject.id
        if subject.isName { return (hash(nameOf: id), false) }
        let isLarge = view.isLarge(id)
        if isLarge, let entry = entries[id] {
            if case .done(let hash, let isCyclic) = entry { return (hash, isCyclic) }
            return (0, true)
        }
        let value = view.json(id)
        switch value {
        case .array(let contents): open(id, value, sum: Self.mix(5, contents.count))
        case .object(let members): open(id, value, sum: Self.mix(6, members.count))
        case .scalar(let scalar):
            let hash = Self.hash(scalar)
            if isLarge { entries[id] = .done(hash, isCyclic: false) }
            return (hash, false)
        }
        return nil
    }

    private mutating func open(_ id: ViewID, _ value: JSONValue, sum: Int) {
        entries[id] = .open
        frames.append(Frame(id: id, value: value, sum: sum))
    }

    private mutating func close() {
        guard let frame = frames.popLast() else { return }
        entries[frame.id] = .done(frame.sum, isCyclic: frame.isCyclic)
    }

    /// Returns the next content, or nil after the last one.
    private func content(_ frame: Frame) -> (key: ViewID?, value: Subject)? {
        switch frame.value {
        case .array(let contents) where frame.next < contents.count:
            return (nil, Subject(view.element(frame.next, of: contents)))
        case .object(let members) where frame.next < members.count:
            return view.member(frame.next, of: members)
        default: return nil
        }
    }

    private mutating func hash(nameOf key: ViewID) -> Int {
        if let known = names[key] { return known }
        let hash = Self.hash(.string(view.name(of: key)))
        names[key] = hash
        return hash
    }

    /// Returns the hash of a scalar, which is the same for all value graphs.
    static func hash(_ scalar: JSONScalar) -> Int {
        switch scalar {
        case .boolean(let value): mix(1, value ? 1 : 0)
        case .number(let number): hash(number)
        case .string(let text): mix(4, text.units.hashValue)
        case .null: mix(0, 0)
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
