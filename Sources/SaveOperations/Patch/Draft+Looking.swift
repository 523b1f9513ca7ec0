import KeyedArchives
package import SaveCodec

/// What patches ask of a draft.
extension Draft {
    /// Whether a value is a container.
    func isContainer(_ id: ID) -> Bool { scalar(id) == nil }

    /// Whether a value is a dictionary or an object.
    mutating func isKeyed(_ id: ID) -> Bool {
        switch value(id).form {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }

    /// Whether a value is an array.
    mutating func isArray(_ id: ID) -> Bool {
        guard case .array = value(id).form else { return false }
        return true
    }

    /// How many values have been added since there were so many, with what they hold.
    func size(ofAddedFrom start: Int) -> Int {
        added[start...].reduce(0) { sum, new in
            guard case .container(let number) = new else { return sum + 1 }
            return sum + 1 + containers[number].count
        }
    }

    /// The key that a form such as `=5` stands for; nil if it stands for none.
    mutating func add(keyOfForm form: [UInt16]) -> ID? {
        JSONPointer.key(ofForm: form).map { add($0[$0.root]) }
    }

    // MARK: Classes

    /// The class that a JSON value describes: a name, a chain of names, or the members of a record.
    func readClass(_ id: ObjectID, of document: Document) throws(Problem) -> ArchiveClass {
        switch document[id] {
        case .string(let name): return try knownClass(name)
        case .array(let elements):
            let chain = document.names(elements)
            guard let chain, let name = chain.first else { break }
            return ArchiveClass(name: name, chain: chain)
        case .dictionary(let pairs):
            guard let name = pairs.value(for: "name".utf16).flatMap({ document.text($0) }) else { break }
            return ArchiveClass(
                name: Array(name), chain: document.names(pairs.value(for: "chain".utf16)),
                hints: document.names(pairs.value(for: "hints".utf16)))
        default: break
        }
        throw .patchClassValue(document[id].kind)
    }

    private func knownClass(_ text: StoredString) throws(Problem) -> ArchiveClass {
        let name = Array(text)
        if let number = newNames[name] { return archiveClass(number) }
        guard knownNames[name] != nil || KeyedArchive.chain(ofClass: name) != nil else {
            throw .patchUnknownClass(text, Suggestion.sentence(nearestClass(to: name)))
        }
        return classNamed(name)
    }

    // MARK: Words

    /// A value in a few words: a scalar itself, of a container what it is.
    package mutating func brief(_ id: ID) -> String {
        let value = value(id)
        switch value.form {
        case .scalar(let node): return Self.brief(node)
        case .array, .set, .dictionary:
            let kind = value.form.kind
            return "\(kind.withArticle) of \(Phrase.count(value.count, kind.contentNoun))"
        case .object:
            let name = SafeText.escaping((classOf(id)?.name ?? []).prefix(80))
            return "an object of class \(name) with \(Phrase.count(value.count, "field"))"
        }
    }

    /// A value in a few words, told apart from another one that reads the same.
    mutating func brief(_ id: ID, besides other: ID) -> String {
        let (text, found) = (brief(id), brief(other))
        return text == found ? text + " that holds something else" : text
    }

    private static func brief(_ node: Node) -> String {
        switch node {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let integer): "\(integer.value)"
        case .real32(let value): ScalarText.real(value)
        case .real64(let value): ScalarText.real(value)
        case .string(let text): "\"\(SafeText.escaping(text.prefix(40)))\(text.count > 40 ? "…" : "")\""
        case .date(let seconds): ScalarText.date(seconds).map { "the date \($0)" } ?? "a date"
        case .data(let bytes): "data of \(Phrase.count(bytes.count, "byte"))"
        case .uid(let uid): "UID \(uid.value)"
        case .array, .set, .dictionary: "a container"
        }
    }
}

extension Document {
    /// The strings of an array; nil if it holds anything else.
    fileprivate func names(_ elements: Elements) -> [[UInt16]]? {
        let names = elements.compactMap { text($0) }.map { Array($0) }
        return names.count == elements.count ? names : nil
    }

    fileprivate func names(_ id: ObjectID?) -> [[UInt16]]? {
        guard let id, case .array(let elements) = self[id] else { return nil }
        return names(elements)
    }
}

extension JSONPointer {
    /// The key that a form such as `=5` stands for, as a document; nil if it stands for none.
    package static func key(ofForm form: [UInt16]) -> Document? {
        guard form.first == UInt16(UInt8(ascii: "=")) else { return nil }
        let text = String(decoding: form.dropFirst(), as: UTF16.self)
        for json in [text, "{\"$date\": \"\(text)\"}"] {
            guard let document = try? JSON.readTyped(Array(json.utf8)),
                !document.object(document.root).kind.isContainer,
                JSONPointer.form(ofKey: document[document.root], at: 0).utf16.elementsEqual(form)
            else { continue }
            return document
        }
        return nil
    }
}
