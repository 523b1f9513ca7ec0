import KeyedArchives
import SaveCodec

/// Hashes of the values of a view, by which comparisons are guided and never decided.
///
/// Of each container there are three: its *shape* (what it is, and of which class), its *local* hash (that, its scalars,
/// and the shapes of the containers in it) and its *full* hash. Keys count in any order.
///
/// A full hash takes a container in it by its full hash if that is one step farther from the root, and by its shape
/// otherwise: so cycles end, the hash of a child does not change with everything that its parent holds, and equal graphs
/// have equal hashes whatever their numbers.
struct ValueHashes {
    /// The full hash of every value that a slot holds, by identity; zero where it has not been asked for.
    private var full: [UInt64]
    /// The local hash of every container, by number.
    private(set) var local: [UInt64]
    private let coarseness: Coarseness
    /// The hashes of keys, of those that are long: in archives they count otherwise than values.
    private var keys = ScalarHashes()

    /// What is left out of the hashes, since it may be forgiven.
    struct Coarseness {
        /// Whether both views are archives, so that it matters how values are stored.
        let areArchives: Bool
        let looseNumbers: Bool
        let leavesOutReals: Bool
        /// Whether elements count in any order.
        let ignoresOrder: Bool
        /// The hashes of keys whose values are left out.
        let ignoredKeys: Set<UInt64>

        init(areArchives: Bool, _ options: DifferenceOptions) {
            self.areArchives = areArchives
            looseNumbers = options.looseNumbers
            leavesOutReals = options.toleratesSome
            ignoresOrder = !options.unordered.isEmpty
            ignoredKeys = Set(options.ignored.compactMap(\.lastName).map(ValueHashes.hash(ofName:)))
        }
    }

    init(_ side: ComparedSide, _ coarseness: Coarseness) {
        self.coarseness = coarseness
        full = [UInt64](repeating: 0, count: side.view.count)
        local = [UInt64](repeating: 0, count: side.graph.containers.count)
        for number in side.graph.containers.indices.reversed() { addContainer(number, of: side) }
    }

    /// The full hash of a value that a slot of the graph holds.
    @inline(__always)
    subscript(id: ViewID) -> UInt64 { full[id.index] }

    // MARK: Containers

    private mutating func addContainer(_ number: Int, of side: ComparedSide) {
        let container = side.graph.containers[number]
        var full = shape(of: container, in: side)
        var local = full
        let isOrdered = container.kind == .array && !coarseness.ignoresOrder
        let classSlot = side.classes.slot(of: container)
        for position in 0..<container.count where position != classSlot {
            let value = side.graph.value(position, of: container)
            var (deep, flat) = hashes(of: value, in: container, of: side)
            if isOrdered {
                (full, local) = (ScalarHash.mix(full, deep), ScalarHash.mix(local, flat))
            } else {
                if container.kind.isKeyed {
                    let key = hash(ofKey: side.graph.key(position, of: container), of: side)
                    if isIgnored(key) { continue }
                    (deep, flat) = (ScalarHash.mix(key, deep), ScalarHash.mix(key, flat))
                }
                (full, local) = (full &+ ScalarHash.mix(1, deep), local &+ ScalarHash.mix(1, flat))
            }
        }
        self.full[container.id.index] = full | 1
        self.local[number] = local
    }

    /// Whether the values of a key with this hash are left out.
    func isIgnored(_ key: UInt64) -> Bool { coarseness.ignoredKeys.contains(key) }

    /// What a slot counts in the full and in the local hash of its container.
    private mutating func hashes(
        of value: ViewID, in container: ObjectGraph.Container, of side: ComparedSide
    ) -> (full: UInt64, local: UInt64) {
        guard let number = side.graph.number(of: value) else {
            let hash = hash(ofScalar: value, of: side)
            return (hash, hash)
        }
        let inner = side.graph.containers[number]
        let shape = shape(of: inner, in: side)
        return (inner.depth > container.depth ? full[value.index] : shape, shape)
    }

    /// What a container is. What may be compared with each other has one shape.
    func shape(of container: ObjectGraph.Container, in side: ComparedSide) -> UInt64 {
        guard coarseness.areArchives else { return container.kind.isKeyed ? 0x11 : 0x12 }
        return ScalarHash.mix(
            UInt64(container.kind.rawValue), UInt64(bitPattern: Int64(side.classes.number(of: container))))
    }

    // MARK: Scalars

    /// The hash of a key, equal for equal keys whatever is forgiven.
    mutating func hash(ofKey key: ViewID, of side: ComparedSide) -> UInt64 {
        if full[key.index] != 0, side.graph.number(of: key) == nil, !coarseness.areArchives { return full[key.index] }
        guard side.graph.number(of: key) == nil else { return full[key.index] | 1 }
        guard let object = side.view.scalarObject(key) else { return 3 }
        let hash = keys.hash(of: object, key, in: side) | 1
        if !coarseness.areArchives, !(object.isNumber) { full[key.index] = hash }
        return hash
    }

    private mutating func hash(ofScalar id: ViewID, of side: ComparedSide) -> UInt64 {
        if full[id.index] != 0 { return full[id.index] }
        guard let object = side.view.scalarObject(id) else { return 5 }
        let hash = hash(of: object, id, of: side) | 1
        full[id.index] = hash
        return hash
    }

    private func hash(of object: StoredObject, _ id: ViewID, of side: ComparedSide) -> UInt64 {
        if object.isNumber, coarseness.looseNumbers || (coarseness.leavesOutReals && object.kind == .real) {
            guard !coarseness.leavesOutReals else { return 7 }
            let number = side.view.document.number(object)
            return ScalarHash.mix(9, number == 0 ? 0 : number.bitPattern)
        }
        let hash = side.view.document.hash(ofScalar: object)
        guard coarseness.areArchives else { return hash }
        let uid = side.view.uid(id)
        let isObject: UInt64 = object.kind == .null || uid != nil ? 1 : 0
        let classNumber = UInt64(bitPattern: Int64(side.classes.number(ofScalar: uid)))
        return ScalarHash.mix(hash, ScalarHash.mix(classNumber, isObject))
    }

    fileprivate static func hash(ofName units: [UInt16]) -> UInt64 {
        var builder = DocumentBuilder()
        builder.add(utf16: units.span)
        guard let document = try? builder.finish() else { return 0 }
        return document.hash(ofScalar: document.object(document.root)) | 1
    }
}

/// Hashes of scalars of one graph, those of long ones made once: many slots and dictionaries may hold one long text.
struct ScalarHashes {
    private let seed: UInt64
    private var long: [ViewID: UInt64] = [:]

    /// From here on it takes longer to go through a text than to look up its hash.
    static let longCount = 64

    init(seed: UInt64 = 0) {
        self.seed = seed
    }

    mutating func hash(of object: StoredObject, _ id: ViewID, in side: ComparedSide) -> UInt64 {
        guard object.count > Self.longCount else { return side.view.document.hash(ofScalar: object, seed: seed) }
        if let hash = long[id] { return hash }
        let hash = side.view.document.hash(ofScalar: object, seed: seed)
        long[id] = hash
        return hash
    }
}
