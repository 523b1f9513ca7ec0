import KeyedArchives
import SaveCodec

/// How much of a container is what: hashes of its slots, by which two containers are found to be alike.
///
///     {"name": "Ada", "pos": {…}}    "name" "Ada"     "pos" and all of {…}
///                                                     "pos" and the scalars of {…}
///                                                     "pos" and what {…} is
///
/// Of large containers the least hashes stand for all.
struct Sketch {
    /// The features in rising order.
    let features: [UInt64]

    private static let most = 192

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
        self.features = features.count > Self.most ? Array(features.prefix(Self.most)) : features
    }

    /// How much two containers have in common, from 0 to 1000. Those without contents are the same.
    func similarity(to other: Sketch) -> Int {
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

    /// From here on two containers are taken for one that has changed.
    static let alike = 333
}
