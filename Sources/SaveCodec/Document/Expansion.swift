extension Document {
    /// Refuses a document whose shared objects, written out, would make it far larger than its file ("billion laughs").
    ///
    /// - Throws: A problem if the expanded size exceeds the limit for a file of this size.
    package func checkExpansion(_ limits: Limits) throws(Problem) {
        let allowed = limits.maxExpandedSize(of: self)
        if facts.expansionBound <= allowed { return }
        try limits.check(expandedSize: expandedSize, of: self)
    }

    /// Whether a container may be shared. False only if the reader has ruled it out.
    package var mayShareContainers: Bool { facts.expansionBound == .max }

    /// Whether the document is small enough to be written as a tree.
    func canExpand(_ limits: Limits) -> Bool {
        let allowed = limits.maxExpandedSize(of: self)
        return facts.expansionBound <= allowed || expandedSize <= allowed
    }

    /// Returns an upper bound of the expanded size of a document without shared containers.
    ///
    /// The bound assumes that each reference is to the largest scalar.
    static func expansionBound(references: Int, largestScalar: Int) -> Int {
        let (size, overflow) = references.multipliedReportingOverflow(by: largestScalar + 1)
        return overflow ? .max : size.addingSaturated(largestScalar + 1)
    }

    /// The size of the value as a tree: the number of objects plus the bytes of scalars, counted once per reference.
    ///
    /// The value is `Int.max` if it would overflow. The time is linear in the number of references.
    var expandedSize: Int { sizeOfTree ?? sizeOfGraph }

    /// The expanded size of a document without shared containers, or nil for any other document.
    private var sizeOfTree: Int? {
        var seen = Bitmap(count: count)
        var path: [(container: StoredObject, next: Int)] = []
        var size = 0
        var child: ObjectID? = root
        while true {
            if let id = child {
                let object = object(id)
                size = size.addingSaturated(1 + object.ownSize)
                if object.kind.isContainer {
                    if seen.contains(id.index) { return nil }
                    seen.insert(id.index)
                    path.append((object, 0))
                }
            }
            guard let (container, next) = path.last else { return size }
            if next < container.referenceCount {
                path[path.count - 1].next += 1
                child = reference(next, of: container)
            } else {
                path.removeLast()
                child = nil
            }
        }
    }

    /// The expanded size of any document. The size of each container is computed once.
    private var sizeOfGraph: Int {
        var sizes = [Int](repeating: 0, count: count)
        for id in contentsFirst {
            let object = object(id)
            sizes[id.index] = (0..<object.referenceCount).reduce(1 + object.ownSize) {
                $0.addingSaturated(sizes[reference($1, of: object).index])
            }
        }
        return sizes[root.index]
    }
}

extension Limits {
    /// Throws a problem if the expanded size of an output exceeds the limit for the document that it is made from (see
    /// ``Document/checkExpansion(_:)``).
    package func check(expandedSize size: Int, of document: Document) throws(Problem) {
        let allowed = maxExpandedSize(of: document)
        guard size > allowed else { return }
        let found = size == .max ? "over 2^63" : "\(size)"
        throw Problem(
            "limit.expansion",
            "with its shared objects written out in full, the file would have the size \(found), in bytes plus objects; "
                + "the limit for this file is \(allowed)"
        )
    }

    /// Returns the maximum expanded size of a document that is written as a tree (see ``Document/expandedSize``).
    package func maxExpandedSize(of document: Document) -> Int {
        expansionFactor.multipliedSaturated(by: document.sourceSize).addingSaturated(expansionFloor)
            .multipliedSaturated(by: workFactor)
    }
}

// MARK: Trees

extension Document {
    /// Returns the document as a tree, with a separate copy of a shared container for each reference, so that each can
    /// be edited alone.
    ///
    /// Returns the document itself if it has no shared containers.
    ///
    /// - Throws: A problem if the tree would exceed the `limits`.
    package func unshared(_ limits: Limits) throws(Problem) -> Document {
        guard sizeOfTree == nil else { return self }
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
                // A builder expects alternating keys and values.
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
}
