import KeyedArchives
import SaveCodec

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
