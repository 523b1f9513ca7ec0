import KeyedArchives
import SaveCodec

/// Hashes of the values of a view. They guide a comparison, but never decide whether values are equal.
///
/// Each container has three hashes:
///
/// - its *shape*: its kind and class;
/// - its *local* hash: its shape, its scalars, and the shapes of the containers in it;
/// - its *full* hash: like the local hash, but with the full hashes of the containers that are one step farther from
///   the root.
///
/// Limiting full hashes to containers farther from the root ends cycles, keeps the hash of a child independent of the
/// rest of its parent, and gives equal graphs equal hashes, regardless of numbering. The order of keys does not matter.
struct ValueHashes {
    /// The full hash of every value in a slot, by ``ViewID/index``; zero before it is computed.
    private var full: [UInt64]
    /// The local hash of every container, by number.
    private(set) var local: [UInt64]
    private let hashOptions: HashOptions
    /// The hashes of long keys. In archives they are not in ``full``, because a key and an equal string that is a value
    /// have different hashes.
    private var keys = ScalarHashes()

    /// The parts of values that hashes leave out, since the options may ignore them.
    struct HashOptions {
        /// Whether both views are archives, so that storage counts.
        let areArchives: Bool
        let looseNumbers: Bool
        /// Whether numbers in text are compared as numbers, if all scalars of a format are text.
        let readsText: Bool
        let leavesOutReals: Bool
        /// Whether the order of elements is left out.
        let ignoresOrder: Bool
        /// The hashes of keys whose values are left out.
        let ignoredKeys: Set<UInt64>

        init(areArchives: Bool, _ options: DifferenceOptions) {
            self.areArchives = areArchives
            looseNumbers = options.looseNumbers
            readsText = options.looseNumbers || options.toleratesSome
            leavesOutReals = options.toleratesSome
            ignoresOrder = !options.unordered.isEmpty
            ignoredKeys = Set(options.ignored.compactMap(\.lastName).map(ValueHashes.hash(ofName:)))
        }
    }

    init(_ side: ComparedSide, _ hashOptions: HashOptions) {
        self.hashOptions = hashOptions
        full = [UInt64](repeating: 0, count: side.view.count)
        local = [UInt64](repeating: 0, count: side.graph.containers.count)
        for number in side.graph.containers.indices.reversed() { addContainer(number, of: side) }
    }

    /// The full hash of a value in a slot of the graph.
    @inline(__always)
    subscript(id: ViewID) -> UInt64 { full[id.index] }

    // MARK: Containers

    private mutating func addContainer(_ number: Int, of side: ComparedSide) {
        let container = side.graph.containers[number]
        var full = shape(of: container, in: side)
        var local = full
        let isOrdered = container.kind == .array && !hashOptions.ignoresOrder
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
                    (deep, flat) = Self.mix(key, full: deep, local: flat)
                }
                (deep, flat) = Self.mix(1, full: deep, local: flat)
                (full, local) = (full &+ deep, local &+ flat)
            }
        }
        self.full[container.id.index] = full | 1
        self.local[number] = local
    }

    /// Mixes the same hash with the full and the local hash of a value, which are the same for a scalar.
    @inline(__always)
    private static func mix(_ hash: UInt64, full: UInt64, local: UInt64) -> (full: UInt64, local: UInt64) {
        let mixed = ScalarHash.mix(hash, local)
        return (full == local ? mixed : ScalarHash.mix(hash, full), mixed)
    }

    /// Whether values under a key with this hash are left out.
    func isIgnored(_ key: UInt64) -> Bool { hashOptions.ignoredKeys.contains(key) }

    /// Returns the contributions of a value to the full and the local hash of its container.
    private mutating func hashes(
        of value: ViewID, in container: ContainerGraph.Container, of side: ComparedSide
    ) -> (full: UInt64, local: UInt64) {
        guard let number = side.graph.number(of: value) else {
            let hash = hash(ofScalar: value, of: side)
            return (hash, hash)
        }
        let inner = side.graph.containers[number]
        let shape = shape(of: inner, in: side)
        return (inner.depth > container.depth ? full[value.index] : shape, shape)
    }

    /// Returns a hash of the kind and the class of a container. Unless both views are archives, the hash only tells
    /// containers with keys from those without, since a dictionary may be compared with an object.
    func shape(of container: ContainerGraph.Container, in side: ComparedSide) -> UInt64 {
        guard hashOptions.areArchives else { return container.kind.isKeyed ? 0x11 : 0x12 }
        return ScalarHash.mix(
            UInt64(container.kind.rawValue), UInt64(bitPattern: Int64(side.classes.number(of: container))))
    }

    // MARK: Scalars

    /// Returns the hash of a key, which is equal for equal keys with any options.
    mutating func hash(ofKey key: ViewID, of side: ComparedSide) -> UInt64 {
        if full[key.index] != 0, side.graph.number(of: key) == nil, !hashOptions.areArchives, !hashOptions.readsText {
            return full[key.index]
        }
        guard side.graph.number(of: key) == nil else { return full[key.index] | 1 }
        guard let object = side.view.scalarObject(key) else { return 3 }
        if number(of: object, in: side) != nil { return side.view.document.hash(ofScalar: object) | 1 }
        let hash = keys.hash(of: object, key, in: side) | 1
        if !hashOptions.areArchives, !(object.isNumber) { full[key.index] = hash }
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
        if let number = number(of: object, in: side) {
            let isInteger = if case .integer = number { true } else { false }
            let isLeftOut = hashOptions.leavesOutReals && (hashOptions.looseNumbers || !isInteger)
            return isLeftOut ? 7 : Self.hash(of: number.rounded)
        }
        if object.isNumber, hashOptions.looseNumbers || (hashOptions.leavesOutReals && object.kind == .real) {
            guard !hashOptions.leavesOutReals else { return 7 }
            return Self.hash(of: side.view.document.number(object))
        }
        let hash = side.view.document.hash(ofScalar: object)
        guard hashOptions.areArchives else { return hash }
        let uid = side.view.uid(id)
        let isObject: UInt64 = object.kind == .null || uid != nil ? 1 : 0
        let classNumber = UInt64(bitPattern: Int64(side.classes.number(ofScalar: uid)))
        return ScalarHash.mix(hash, ScalarHash.mix(classNumber, isObject))
    }

    private static func hash(of number: Double) -> UInt64 {
        ScalarHash.mix(9, number == 0 ? 0 : number.bitPattern)
    }

    /// Returns the number in a text, if the options compare it as a number.
    private func number(of object: StoredObject, in side: ComparedSide) -> Number? {
        guard hashOptions.readsText, side.view.hasTextScalars, object.kind.isString else { return nil }
        return side.view.document.number(object, inText: true)
    }

    fileprivate static func hash(ofName units: [UInt16]) -> UInt64 {
        var builder = DocumentBuilder()
        builder.add(utf16: units.span)
        guard let document = try? builder.finish() else { return 0 }
        return document.hash(ofScalar: document.object(document.root)) | 1
    }
}

/// A cache of the hashes of long scalars in one graph, since many slots and dictionaries may refer to one long string.
struct ScalarHashes {
    private let seed: UInt64
    private var long: [ViewID: UInt64] = [:]

    /// The length from which looking up the hash of a scalar is faster than computing it.
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

/// Hashes of the slots of a container, its *features*, for estimating how similar two containers are. For full hashes,
/// local hashes and shapes, see ``ValueHashes``.
///
///     {"name": "Ada", "pos": {…}}    "name" and "Ada"    "pos" and the full hash of {…}
///                                                        "pos" and the local hash of {…}
///                                                        "pos" and the shape of {…}
///
/// A large container is represented by its smallest features.
struct SimilaritySketch {
    /// The features in ascending order.
    let features: [UInt64]

    private static let maxCount = 192

    init(of number: Int, in side: ComparedSide, _ hashes: inout ValueHashes) {
        let graph = side.graph
        let container = graph.containers[number]
        var features: [UInt64] = []
        features.reserveCapacity(container.count)
        let classSlot = side.classes.slot(of: container)
        for position in 0..<container.count where position != classSlot {
            let key =
                container.kind.isKeyed ? hashes.hash(ofKey: graph.key(position, of: container), of: side) : 0
            if hashes.isIgnored(key) { continue }
            let value = graph.value(position, of: container)
            features.append(ScalarHash.mix(key, hashes[value]))
            guard let inner = graph.number(of: value) else { continue }
            features.append(ScalarHash.mix(key, hashes.local[inner] ^ 1))
            features.append(ScalarHash.mix(key, hashes.shape(of: graph.containers[inner], in: side) ^ 2))
        }
        features.sort()
        self.features = features.count > Self.maxCount ? Array(features.prefix(Self.maxCount)) : features
    }

    /// Returns the similarity of two containers, from 0 to 1000. Two empty containers have a similarity of 1000.
    func similarity(to other: SimilaritySketch) -> Int {
        let most = max(features.count, other.features.count)
        guard most > 0 else { return 1000 }
        var (i, j, common) = (0, 0, 0)
        while i < features.count, j < other.features.count {
            if features[i] == other.features[j] { common += 1 }
            let (x, y) = (features[i], other.features[j])
            if x <= y { i += 1 }
            if y <= x { j += 1 }
        }
        return common * 1000 / most
    }

    /// The smallest similarity at which a container counts as a changed version of another.
    static let alike = 333
}
