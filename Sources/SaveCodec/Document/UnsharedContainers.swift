extension Document {
    /// The document as a tree: with a container of its own wherever one is referred to, so that each can be changed
    /// alone. Itself if it is one already.
    ///
    /// - Throws: a problem if it would become far larger than `limits` allow.
    package func unshared(_ limits: Limits) throws(Problem) -> Document {
        guard sharesContainers else { return self }
        try checkExpansion(limits)
        var builder = DocumentBuilder()
        var path: [(container: StoredObject, next: Int)] = []
        var next: ObjectID? = root
        repeat {
            if let id = next {
                let object = object(id)
                if object.kind.isContainer {
                    builder.open(object.kind.container)
                    path.append((object, 0))
                } else {
                    builder.add(object, of: self)
                }
            }
            next = nil
            guard let (container, position) = path.last else { break }
            if position < container.referenceCount {
                path[path.count - 1].next += 1
                // A builder takes keys and values in turn.
                let isPair = container.kind == .dictionary
                let slot = isPair ? position / 2 + position % 2 * container.count : position
                next = reference(slot, of: container)
            } else {
                path.removeLast()
                builder.close()
            }
        } while true
        return try builder.finish(editing: self)
    }

    /// Whether a container is referred to from more than one place.
    private var sharesContainers: Bool {
        var seen = Bitmap(count: count)
        var pending = [root]
        while let id = pending.popLast() {
            let container = object(id)
            guard container.kind.isContainer else { continue }
            if seen.contains(id.index) { return true }
            seen.insert(id.index)
            for position in 0..<container.referenceCount { pending.append(reference(position, of: container)) }
        }
        return false
    }
}
