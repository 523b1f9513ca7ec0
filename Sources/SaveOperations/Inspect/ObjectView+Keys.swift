public import KeyedArchive
public import SaveCodec

extension ObjectView {
    /// The text of a key, or nil if it is no string.
    ///
    /// Unlike ``ObjectView/text(_:)`` it does not look into collections, which may be large, and keys of many dictionaries.
    public func keyText(_ key: ViewID) -> Text? {
        guard let position = uid(key).flatMap({ archive?.classPosition(of: $0) }) else { return text(key) }
        guard let name = archive?.classes[position].name, name.suffix(6).elementsEqual("String".utf16) else {
            return nil
        }
        return text(key)
    }

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
        if let key = step.key.flatMap(keyText) {
            address.append(key: key.prefix(longest))
        } else {
            address.append(index: step.position)
        }
    }
}
