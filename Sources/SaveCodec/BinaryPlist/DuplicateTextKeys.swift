/// The duplicate keys of dictionaries read from a text format.
///
/// In a text format the last value is the effective one; in a binary file it would be the first.
package enum DuplicateTextKeys {
    /// Returns one loss for each dictionary with duplicate keys that is reachable from the root.
    package static func losses(in document: Document) -> [Problem] {
        guard !document.facts.dictionariesWithDuplicates.isEmpty else { return [] }
        let duplicates = Set(document.facts.dictionariesWithDuplicates)
        var losses = LossList()
        var walk = DocumentWalk(document)
        while let visit = walk.next() {
            guard duplicates.contains(visit.id), let key = document.shownDuplicateKey(of: visit.object) else {
                continue
            }
            losses.add(.init("loss.repeated-key")) { .duplicateTextKey(key, at: walk.address) }
        }
        return losses.problems
    }

    /// Returns the document with only the effective pairs, or the document itself if it has no duplicate keys.
    static func removed(from document: Document) throws(Problem) -> Document {
        guard !document.facts.dictionariesWithDuplicates.isEmpty else { return document }
        return try document.keepingEffectivePairs(of: Set(document.facts.dictionariesWithDuplicates))
    }
}

extension Document {
    private struct Frame {
        let container: StoredObject
        /// The positions of the references to follow, in the order that a builder expects.
        let positions: [Int]
        var next = 0
    }

    /// Returns a copy in which the given dictionaries hold only the last pair of each key.
    fileprivate func keepingEffectivePairs(of dictionaries: Set<ObjectID>) throws(Problem) -> Document {
        var builder = DocumentBuilder(expectedSize: imageSize)
        var copies: [ObjectID: ObjectID] = [:]
        var path: [Frame] = []
        var open: [ObjectID] = []
        var next: ObjectID? = root
        repeat {
            if let id = next {
                let object = object(id)
                if let copy = copies[id] {
                    builder.add(copy)
                } else if object.kind.isContainer {
                    builder.open(object.kind.container)
                    path.append(Frame(container: object, positions: positions(of: object, dictionaries.contains(id))))
                    open.append(id)
                } else {
                    copies[id] = builder.add(object, of: self, shared: true)
                }
            }
            next = nil
            guard let frame = path.last else { break }
            if frame.next < frame.positions.count {
                path[path.count - 1].next += 1
                next = reference(frame.positions[frame.next], of: frame.container)
            } else {
                path.removeLast()
                copies[open.removeLast()] = builder.close()
            }
        } while true
        return try builder.finish(format: sourceFormat, sourceSize: sourceSize)
    }

    /// Returns the positions of a container's references in the order that a builder expects, in which keys and values
    /// alternate. If `onlyEffective` is set, only the last pair of each key is included.
    private func positions(of container: StoredObject, _ onlyEffective: Bool) -> [Int] {
        guard container.kind == .dictionary else { return Array(0..<container.count) }
        var later: Set<ObjectID> = []
        var pairs: [Int] = []
        for pair in (0..<container.count).reversed() {
            if onlyEffective, !later.insert(key(pair, of: container)).inserted { continue }
            pairs.append(pair)
        }
        return pairs.reversed().flatMap { [$0, container.count + $0] }
    }
}

extension StoredObject.Kind {
    /// The kind of container that a builder opens for a copy.
    var container: DocumentBuilder.Container {
        switch self {
        case .dictionary: .dictionary
        case .set: .set
        default: .array
        }
    }
}

extension Problem {
    fileprivate static func duplicateTextKey(_ key: String, at address: JSONPointer) -> Problem {
        Problem(
            "loss.repeated-key",
            "duplicate key \"\(key)\"; text formats keep its last value, binary files the first", address: address)
    }
}
