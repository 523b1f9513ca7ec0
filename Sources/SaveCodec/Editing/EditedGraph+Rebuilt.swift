extension EditedGraph {
    private struct Frame {
        let index: Int
        let container: Object
        var next = 0
    }

    /// The edited document of a source that is no binary file: composed anew, as a reader would have.
    ///
    /// The root reaches no cycle, see ``EditCheck``.
    func rebuilt() throws(Problem) -> Document {
        var builder = DocumentBuilder(expectedSize: source.imageSize)
        var copies = [UInt32?](repeating: nil, count: count)
        var path: [Frame] = []
        var next: Int? = root.index
        repeat {
            if let index = next {
                let object = self[index]
                if let copy = copies[index] {
                    builder.add(ObjectID(Int(copy)))
                } else if object.kind.isContainer {
                    builder.open(container(object.kind))
                    path.append(Frame(index: index, container: object))
                } else if let stored = object.stored {
                    copies[index] = UInt32(
                        truncatingIfNeeded: builder.add(stored, of: document(of: index)).index)
                }
            }
            next = nil
            guard let frame = path.last else { break }
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                next = reference(step(frame), of: frame.container)
            } else {
                path.removeLast()
                copies[frame.index] = UInt32(truncatingIfNeeded: builder.close().index)
            }
        } while true
        let document = try builder.finish(editing: source)
        return document.noting { $0.derivation = derivation(copies, count: document.count) }
    }

    /// - Parameter copies: the numbers that objects have in the new document.
    private func derivation(_ copies: [UInt32?], count: Int) -> Derivation {
        var origins = [UInt32](repeating: Derivation.none, count: count)
        for index in 0..<source.count {
            if let copy = copies[index] { origins[Int(copy)] = UInt32(truncatingIfNeeded: index) }
        }
        var members: [Int: [Int?]] = [:]
        for (index, origins) in memberOrigins {
            if let copy = copies[index] { members[Int(copy)] = origins }
        }
        return Derivation(from: source, origins: origins, members: members)
    }

    /// A builder takes keys and values in turn.
    private func step(_ frame: Frame) -> Int {
        let pairs = frame.container.keyCount
        guard pairs > 0 else { return frame.next }
        return frame.next % 2 == 0 ? frame.next / 2 : pairs + frame.next / 2
    }

    private func container(_ kind: StoredObject.Kind) -> DocumentBuilder.Container {
        switch kind {
        case .dictionary: source.lastRepeatedKeyWins ? .textDictionary : .dictionary
        case .set: .set
        default: .array
        }
    }
}
