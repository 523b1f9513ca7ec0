/// Finds for new scalars the equal ones that a file has already, so that they become one object, as the writers of such
/// files would have it.
struct ScalarDuplicates {
    private struct Size: Hashable {
        let kind: StoredObject.Kind
        let count: Int
    }

    /// For each new scalar that the source has already, the object there.
    private(set) var twins: [Int: Int] = [:]

    init(of graph: EditedGraph, kept: Bitmap) {
        guard let scalars = graph.scalars else { return }
        var wanted: [ArraySlice<UInt8>: Int] = [:]
        var sizes: Set<Size> = []
        for (position, object) in graph.added.enumerated() {
            let index = graph.source.count + position
            guard case .scalar(let id) = object, kept.contains(index), let bytes = scalars.bytes(of: id) else {
                continue
            }
            let stored = scalars.object(id)
            sizes.insert(Size(kind: stored.kind, count: stored.count))
            wanted[bytes] = index
        }
        // Where objects overlap, there may be far more bytes to compare than the file has.
        var budget = 2 * graph.source.imageSize
        for index in 0..<graph.source.count where kept.contains(index) {
            let stored = graph.source.object(ObjectID(index))
            guard sizes.contains(Size(kind: stored.kind, count: stored.count)) else { continue }
            budget -= stored.ownSize
            guard budget >= 0, !wanted.isEmpty else { return }
            guard let bytes = graph.source.bytes(of: ObjectID(index)), let new = wanted.removeValue(forKey: bytes)
            else {
                continue
            }
            twins[new] = index
        }
    }
}

extension Document {
    /// The bytes of an object, its marker included.
    fileprivate func bytes(of id: ObjectID) -> ArraySlice<UInt8>? {
        guard let offset = offset(of: id), let object = checkedObject(id) else { return nil }
        return image[offset..<end(of: object)]
    }
}
