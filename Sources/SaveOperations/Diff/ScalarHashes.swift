import KeyedArchives
import SaveCodec

/// Hashes of scalars of one graph, those of long ones made once: many slots and dictionaries may hold one long text.
struct ScalarHashes {
    private let seed: UInt64
    private var long: [ViewID: UInt64] = [:]

    /// From here on it takes longer to go through a text than to look up its hash.
    static let longCount = 64

    init(seed: UInt64 = 0) {
        self.seed = seed
    }

    mutating func hash(of object: StoredObject, _ id: ViewID, in graph: ComparedGraph) -> UInt64 {
        guard object.count > Self.longCount else { return graph.document.hash(ofScalar: object, seed: seed) }
        if let hash = long[id] { return hash }
        let hash = graph.document.hash(ofScalar: object, seed: seed)
        long[id] = hash
        return hash
    }
}
