import SaveCodec

extension GraphJSON {
    /// Translates an address in graph JSON to the archive's, as far as it leads to a value there.
    ///
    ///     /$top/root/level/$entries/0/1      /root/level/name
    ///     /$top/root/fog/NS.data/$inline     /root/fog
    static func shownAddress(_ address: JSONPointer, in text: Document) -> JSONPointer {
        var translator = AddressTranslator(text)
        for depth in address.tokens.indices {
            guard translator.step(address.token(at: depth), isFirst: depth == 0) else {
                return translator.shown.appending(address, from: depth)
            }
        }
        return translator.shown
    }
}

/// A cursor that follows an address down graph JSON and collects the steps that lead to the same value in the archive.
private struct AddressTranslator {
    private let text: ObjectView
    private var id: ViewID
    private(set) var shown = JSONPointer.root
    /// The contents of the value at the cursor, if a step to these is no step in the archive.
    private var contents: GraphContents?
    /// The pair at the cursor, whose value is the next step.
    private var pair: ViewID?
    /// Whether the cursor is in `$raw`.
    private var isRaw = false

    init(_ text: Document) {
        self.text = ObjectView(text)
        id = self.text.root
    }

    private var document: Document { text.document }

    /// Goes one step down; returns false for a step that leads nowhere.
    mutating func step(_ token: AddressToken, isFirst: Bool) -> Bool {
        guard !token.isForm, let position = text.position(of: token, in: id) else { return false }
        let item = text.item(position, of: text[id].contents)
        if item.key == nil {
            stepToElement(item.id, at: position)
        } else {
            stepToMember(token.units, isFirst: isFirst)
        }
        id = item.id
        return true
    }

    private mutating func stepToMember(_ name: [UInt16], isFirst: Bool) {
        contents = nil
        if isRaw { return shown.append(key: name) }
        if let stored = GraphName.unescaped(name) {
            if !isContents(name) { shown.append(key: stored) }
            return
        }
        switch GraphName(name) {
        case .elements, .inline, .object: break
        case .entries, .fields: contents = GraphObject(text.stored(id), in: document).contents
        case .raw: isRaw = true
        case .top where isFirst: break
        default: shown.append(key: name)
        }
    }

    private mutating func stepToElement(_ element: ViewID, at position: Int) {
        if let contents, contents.arePairs, let (key, _) = document.graphPair(text.stored(element)) {
            append(key, at: position, of: contents)
            pair = element
        } else if pair != id {
            shown.append(index: position)
        }
        contents = nil
    }

    private mutating func append(_ key: ObjectID, at position: Int, of pairs: GraphContents) {
        guard let name = document.text(key) else {
            return shown.append(AddressToken(key: document[key], at: position))
        }
        if let name = pairs.storedName(name) { shown.append(key: name) }
    }

    /// Whether a field holds all that an object of Foundation's is shown as.
    private func isContents(_ name: [UInt16]) -> Bool {
        guard ["NS.data", "NS.bytes", "NS.string", "NS.time"].contains(String(decoding: name, as: UTF16.self)),
            case .instance(let label) = GraphObject(text.stored(id), in: document).form,
            let className = document.text(label)
        else { return false }
        return className.starts(with: "NS".utf16)
    }
}
