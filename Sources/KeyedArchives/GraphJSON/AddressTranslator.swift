import SaveCodec

extension GraphJSON {
    /// Translates an address in graph JSON to the archive's, as far as it leads to a value there.
    ///
    ///     /$top/root/level/$entries/0/1      /root/level/name
    ///     /$top/root/fog/NS.data/$inline     /root/fog
    static func shownAddress(_ address: JSONPointer, in text: Document) -> JSONPointer {
        var translator = AddressTranslator(text)
        for depth in address.tokens.indices {
            guard translator.step(address, depth) else { return translator.shown.appending(address, from: depth) }
        }
        return translator.shown
    }
}

/// A cursor that follows an address down graph JSON and collects the steps that lead to the same value in the archive.
private struct AddressTranslator {
    private let text: Document
    private var id: ObjectID
    private(set) var shown = JSONPointer.root
    /// The contents of the value at the cursor, if a step to these is no step in the archive.
    private var contents: GraphContents?
    /// The pair at the cursor, whose value is the next step.
    private var pair: ObjectID?
    /// Whether the cursor is in `$raw`.
    private var isRaw = false

    init(_ text: Document) {
        (self.text, id) = (text, text.root)
    }

    /// Goes one step down; returns false for a step that leads nowhere.
    mutating func step(_ address: JSONPointer, _ depth: Int) -> Bool {
        let (token, object) = (address.tokens[depth], text.object(id))
        guard !address.isForm(at: depth), object.kind.isContainer else { return false }
        guard object.kind == .dictionary else { return stepToElement(token, of: object) }
        guard let position = position(of: token, in: object) else { return false }
        contents = nil
        if isRaw {
            shown.append(key: token)
        } else if let name = GraphName.unescaped(token) {
            if !isContents(token) { shown.append(key: name) }
        } else {
            switch GraphName(token) {
            case .elements, .inline, .object: break
            case .entries, .fields: contents = GraphObject(id, in: text).contents
            case .raw: isRaw = true
            case .top where depth == 0: break
            default: shown.append(key: token)
            }
        }
        id = text.value(position, of: object)
        return true
    }

    private mutating func stepToElement(_ token: [UInt16], of list: StoredObject) -> Bool {
        guard let position = Int(String(decoding: token, as: UTF16.self)), (0..<list.count).contains(position) else {
            return false
        }
        let element = text.reference(position, of: list)
        if let contents, contents.arePairs, let (key, _) = text.graphPair(element) {
            append(key, at: position, of: contents)
            pair = element
        } else if pair != id {
            shown.append(index: position)
        }
        (id, contents) = (element, nil)
        return true
    }

    private mutating func append(_ key: ObjectID, at position: Int, of pairs: GraphContents) {
        guard let name = text.text(key) else {
            return shown.append(form: JSONPointer.form(ofKey: text[key], at: position))
        }
        if let name = pairs.storedName(name) { shown.append(key: name) }
    }

    /// Whether a field holds all that an object of Foundation's is shown as.
    private func isContents(_ token: [UInt16]) -> Bool {
        guard ["NS.data", "NS.bytes", "NS.string", "NS.time"].contains(String(decoding: token, as: UTF16.self)),
            case .instance(let label) = GraphObject(id, in: text).form, let name = text.text(label)
        else { return false }
        return name.starts(with: "NS".utf16)
    }

    private func position(of token: [UInt16], in dictionary: StoredObject) -> Int? {
        (0..<dictionary.count).last { position in
            text.text(text.key(position, of: dictionary)).map { $0.elementsEqual(token) } ?? false
        }
    }
}
