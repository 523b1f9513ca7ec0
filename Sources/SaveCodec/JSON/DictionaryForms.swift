/// How a container is written in JSON.
enum ContainerForm {
    /// `[…]`
    case array
    /// `{…}`
    case object
    /// `{"$set": […]}`
    case set
    /// `{"$dict": [[key, value], …]}`
    case pairs
}

/// Decides which dictionaries can be written as objects, and which must be lists of pairs so as to be read as what they
/// are.
struct DictionaryForms {
    private let document: Document
    private let root: ObjectID
    /// The dictionary looked at last, and its form: records of a list often refer to the very same keys.
    private var last: (dictionary: StoredObject, form: ContainerForm)?

    init(_ document: Document, root: ObjectID) {
        self.document = document
        self.root = root
    }

    /// The form of a dictionary.
    mutating func form(of id: ObjectID, _ dictionary: StoredObject) -> ContainerForm {
        if id == root && isEnvelope(dictionary) { return .pairs }
        if let last, document.hasSameKeys(last.dictionary, dictionary) { return last.form }
        let form = isObject(dictionary) ? ContainerForm.object : .pairs
        last = (dictionary, form)
        return form
    }

    /// Whether all keys are strings, none repeats, and no reader would take the object for a tagged value.
    private func isObject(_ dictionary: StoredObject) -> Bool {
        let keys = (0..<dictionary.count).lazy.map { document.object(document.key($0, of: dictionary)) }
        guard keys.allSatisfy(\.kind.isString) else { return false }
        if keys.count == 1 { return JSONTag(Text(document, keys[0])) == nil }
        return document.firstRepeatedKey(of: dictionary) == nil
    }

    /// Whether a root looks like the envelope of an exact document or of graph JSON (design.md §5.2 and §5.3).
    private func isEnvelope(_ dictionary: StoredObject) -> Bool {
        var (hasArchiver, hasTop, hasObjects) = (false, false, false)
        for position in 0..<dictionary.count {
            let key = document.object(document.key(position, of: dictionary))
            if document.text(key, equals: "$savetool") { return true }
            if document.text(key, equals: "$archiver") { hasArchiver = true }
            if document.text(key, equals: "$top") { hasTop = true }
            if document.text(key, equals: "$objects") { hasObjects = true }
        }
        return hasArchiver && hasTop && !hasObjects
    }
}
