import KeyedArchives
package import SaveCodec

/// Addresses in a draft, as ``ObjectView/find(_:nesting:)`` has them in a view.
extension Draft {
    /// The value at an address; nil if it leads nowhere.
    package mutating func find(_ address: JSONPointer) -> ID? { path(of: address)?.last }

    /// The value that was at an address before anything was edited; nil if it led nowhere.
    func presentValue(at address: JSONPointer) -> ID? {
        guard case .found(let found, let place) = view.find(address), place === view else { return nil }
        return id(of: found)
    }

    /// The values that an address leads through, from the root to the one that it leads to; nil if it leads nowhere.
    mutating func path(of address: JSONPointer) -> [ID]? {
        var path = [root]
        var id = root
        for (depth, token) in address.tokens.enumerated() {
            guard let position = position(of: token, isForm: address.isForm(at: depth), at: id),
                let item = item(position, of: id)
            else { return nil }
            id = item.value
            path.append(id)
        }
        return path
    }

    /// The position that a token of an address names in a container; nil if there is none.
    ///
    /// - Parameter isForm: whether the token is a form such as `=5` or `#3`, see ``JSONPointer``.
    package mutating func position(of token: [UInt16], isForm: Bool, at container: ID) -> Int? {
        guard let number = open(container) else { return nil }
        guard containers[number].kind.isKeyed else {
            return isForm ? nil : Self.number(token[...], below: containers[number].count)
        }
        guard isForm else { return position(of: token, in: container) }
        return token.first == UInt16(UInt8(ascii: "#"))
            ? Self.number(token.dropFirst(), below: containers[number].count) : position(ofForm: token, in: container)
    }

    /// Goes one step down in an address, to a slot of a container.
    package mutating func append(slot position: Int, of container: ID, to address: inout JSONPointer) {
        guard let key = item(position, of: container)?.key else { return address.append(index: position) }
        if let text = text(key) {
            if self.position(of: text, in: container) == position { return address.append(key: text) }
        } else if let form = form(ofKey: key), self.position(ofForm: Array(form.utf16), in: container) == position {
            return address.append(form: form)
        }
        address.append(form: "#\(position)")
    }

    /// The position of the pair that a form such as `=5` stands for.
    private mutating func position(ofForm form: [UInt16], in container: ID) -> Int? {
        position(ofKeyHash: Self.hash(form), in: container) { draft, key in
            draft.form(ofKey: key)?.utf16.elementsEqual(form) ?? false
        }
    }

    /// The form that a key has whatever its position: that of a number, a boolean or a date.
    func form(ofKey key: ID) -> String? {
        guard let node = scalar(key), case let form = JSONPointer.form(ofKey: node, at: 0), form.hasPrefix("=") else {
            return nil
        }
        return form
    }

    /// The end of a sentence about an address that leads nowhere: the nearest one that leads somewhere in the view.
    func advice(for address: JSONPointer, within base: JSONPointer = .root) -> String {
        guard case .missing(let missing) = view.find(address) else { return "" }
        return missing.within(base).advice
    }

    /// A position as RFC 6901 writes it: decimal digits without a leading zero.
    static func number(_ token: ArraySlice<UInt16>, below count: Int) -> Int? {
        guard token.count == 1 || token.first != 0x30, token.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: token, as: UTF16.self)).flatMap { $0 < count ? $0 : nil }
    }
}
