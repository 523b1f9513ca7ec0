package import SaveCodec

/// The steps of addresses: which token leads to a position of a container, and which position a token leads to.
extension ObjectView {
    /// Appends the token that leads to the value at a position of a container, and to no other: the key, the field's name,
    /// or the index. A non-string key, and a duplicate key that is not the effective one, have a form such as `=5`
    /// or `#3`.
    package func append(_ position: Int, of id: ViewID, to address: inout JSONPointer) {
        let value = self[id]
        guard let key = item(position, of: value.contents).key else { return address.append(index: position) }
        if let text = text(key) {
            let units = text.units
            if !isClassName(units, isForm: false, of: value),
                self.position(of: units, isForm: false, in: id) == position
            {
                return address.append(key: units)
            }
        } else {
            let form = form(ofKey: key, at: position)
            if self.position(of: Array(form.utf16), isForm: true, in: id) == position {
                return address.append(form: form)
            }
        }
        address.append(form: "#\(position)")
    }

    /// The token of an address that leads to a pair with a non-string key.
    package func form(ofKey key: ViewID, at position: Int) -> String {
        scalar(key).map { JSONPointer.form(ofKey: $0, at: position) } ?? "#\(position)"
    }

    /// Whether a token leads to the class of an object.
    package func isClassName(_ token: [UInt16], isForm: Bool, of value: ViewValue) -> Bool {
        guard case .object = value.form else { return false }
        return !isForm && token.elementsEqual("$class".utf16)
    }

    /// The position that a token of an address leads to in a container; nil if it leads nowhere.
    package func position(of token: [UInt16], isForm: Bool, in id: ViewID) -> Int? {
        let value = self[id]
        let contents = value.contents
        switch value.form {
        case .scalar: return nil
        case .array, .set: return isForm ? nil : Self.number(token, below: contents.count)
        case .dictionary, .object:
            return isForm ? position(ofForm: token, in: contents) : position(of: token, in: id)
        }
    }

    /// The position of the pair that a form such as `=5` or `#3` stands for.
    private func position(ofForm form: [UInt16], in contents: ViewContents) -> Int? {
        if form.first == UInt16(UInt8(ascii: "#")) {
            return Self.number(Array(form.dropFirst()), below: contents.count)
        }
        func matches(_ position: Int) -> Bool {
            guard let key = item(position, of: contents).key, text(key) == nil else { return false }
            return self.form(ofKey: key, at: position).utf16.elementsEqual(form)
        }
        return counting(matches, in: 0..<contents.count)
    }

    /// Returns the position of a key, compared by code units; with duplicate keys, the effective one.
    private func position(of key: [UInt16], in id: ViewID) -> Int? {
        let contents = self[id].contents
        func matches(_ position: Int) -> Bool {
            item(position, of: contents).key.flatMap(text)?.elementsEqual(key) ?? false
        }
        guard let positions = keyIndex.positions(of: key, in: id, of: self) else {
            return counting(matches, in: 0..<contents.count)
        }
        return counting(matches, in: positions)
    }

    /// Returns the position of the effective pair among pairs with the same key.
    private func counting(_ matches: (Int) -> Bool, in positions: some BidirectionalCollection<Int>) -> Int? {
        document.lastRepeatedKeyWins ? positions.last(where: matches) : positions.first(where: matches)
    }

    /// A position as RFC 6901 writes it: decimal digits without a leading zero.
    package static func number(_ token: [UInt16], below count: Int) -> Int? {
        guard token.count == 1 || token.first != 0x30, token.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: token, as: UTF16.self)).flatMap { $0 < count ? $0 : nil }
    }
}
