import KeyedArchive
import SaveCodec

extension ObjectView {
    /// A value that is stored as the scalar that it is; nil for all others. Most values are, so this is for speed.
    func storedScalar(_ id: ViewID) -> Node? {
        let object = document.object(stored(id))
        // "$null" in an object of its own is nil.
        guard !object.kind.isContainer, id.index < document.count || !document.text(object, equals: "$null") else {
            return nil
        }
        return document.node(object)
    }

    /// Goes one step down, in an address: by its key, of which no more is taken than `longest` units, or by the position
    /// where there is none or it is no string.
    func append(_ step: Outline.PathStep, longest: Int = .max, to address: inout Address) {
        if let key = step.key.flatMap(text) {
            address.append(key: key.prefix(longest))
        } else {
            address.append(index: step.position)
        }
    }
}
