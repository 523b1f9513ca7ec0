import SaveCodec

extension GraphJSON {
    /// What an address in graph JSON leads to as the view of the archive names it, as far as it leads to something there.
    ///
    ///     /$top/root/level/$entries/0/1      /root/level/name
    ///     /$top/root/fog/NS.data/$inline     /root/fog
    static func shownAddress(_ address: JSONPointer, in text: Document) -> JSONPointer {
        var way = ShownWay(text)
        for depth in address.tokens.indices {
            guard way.go(address, depth) else { return way.shown.appending(address, from: depth) }
        }
        return way.shown
    }
}

/// A way down graph JSON, a step at a time.
private struct ShownWay {
    private let text: Document
    private var id: ObjectID
    private(set) var shown = JSONPointer.root
    /// Whether it stands at the pairs of a dictionary, or of an object whose names repeat.
    private var isAtPairs = false
    /// The key of the pair that it stands at.
    private var pairKey: ObjectID?

    init(_ text: Document) {
        (self.text, id) = (text, text.root)
    }

    /// Goes one step down; returns false for a step that leads nowhere.
    mutating func go(_ address: JSONPointer, _ depth: Int) -> Bool {
        let (token, object) = (address.tokens[depth], text.object(id))
        guard !address.isForm(at: depth), object.kind.isContainer else { return false }
        guard object.kind == .dictionary else { return goToElement(token, of: object) }
        guard let position = position(of: token, in: object) else { return false }
        isAtPairs = false
        if !isForm(token) {
            let name = token.first == 0x24 ? token.dropFirst() : token[...]
            if !isContents(token, of: object) { shown.append(key: name) }
        } else {
            let name = String(decoding: token, as: UTF16.self)
            isAtPairs = name == "$entries" || name == "$fields"
            let isSilent = depth == 0 ? name == "$top" : Self.silent.contains(name)
            if !isSilent { shown.append(key: token) }
        }
        id = text.value(position, of: object)
        return true
    }

    private mutating func goToElement(_ token: [UInt16], of list: StoredObject) -> Bool {
        guard let position = Int(String(decoding: token, as: UTF16.self)), (0..<list.count).contains(position) else {
            return false
        }
        let element = text.reference(position, of: list)
        let pair = text.object(element)
        if isAtPairs, pair.kind == .array, pair.count == 2 {
            let key = text[text.reference(0, of: pair)]
            if case .string(let name) = key {
                shown.append(key: name)
            } else {
                shown.append(form: JSONPointer.form(ofKey: key, at: position))
            }
            pairKey = element
        } else if pairKey != id {
            shown.append(index: position)
        }
        (id, isAtPairs) = (element, false)
        return true
    }

    /// Forms that are no step in the view.
    private static let silent: Set<String> = [
        "$elements", "$entries", "$fields", "$inline", "$object", "$raw",
    ]

    private func isForm(_ token: [UInt16]) -> Bool {
        token.first == 0x24 && (token.count == 1 || token[1] != 0x24)
    }

    /// Whether a field holds all that an object of Foundation's is shown as.
    private func isContents(_ token: [UInt16], of object: StoredObject) -> Bool {
        guard ["NS.data", "NS.bytes", "NS.string", "NS.time"].contains(String(decoding: token, as: UTF16.self)),
            let name = text.value(for: "$class", of: object).flatMap(text.text)
        else { return false }
        return name.starts(with: "NS".utf16)
    }

    private func position(of token: [UInt16], in dictionary: StoredObject) -> Int? {
        (0..<dictionary.count).last { position in
            text.text(text.key(position, of: dictionary)).map { $0.elementsEqual(token) } ?? false
        }
    }
}
