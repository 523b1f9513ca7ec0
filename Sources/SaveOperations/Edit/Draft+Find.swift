import KeyedArchives
package import SaveCodec

/// Addresses in a draft, as ``ObjectView/find(_:)`` has them in a view.
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
        for depth in address.tokens.indices {
            guard let next = step(by: address.token(at: depth), from: id) else { return nil }
            id = next
            path.append(id)
        }
        return path
    }

    /// The value that a token of an address leads to from another one; nil if it leads nowhere.
    mutating func step(by token: AddressToken, from id: ID) -> ID? {
        position(of: token, at: id).flatMap { item($0, of: id) }?.value
    }

    /// The position of the slot that a token of an address leads to in a container, as ``ObjectView/position(of:in:)``; nil
    /// if it leads to none.
    mutating func position(of token: AddressToken, at container: ID) -> Int? {
        guard let number = open(container) else { return nil }
        switch token.meaning(in: containers[number].kind, count: containers[number].count) {
        case .position(let position): return position
        case .key where token.isForm: return position(ofForm: token.units, in: container)
        case .key: return position(of: token.units, in: container)
        case .className, nil: return nil
        }
    }

    /// Goes one step down in an address, to a slot of a container.
    mutating func append(slot position: Int, of container: ID, to address: inout JSONPointer) {
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
    func form(ofKey key: ID) -> String? { scalar(key).flatMap { JSONPointer.form(ofKey: $0) } }

    /// The end of a sentence about an address that leads nowhere: the nearest one that leads somewhere in the view.
    func advice(for address: JSONPointer, within base: JSONPointer = .root) -> String {
        guard case .missing(let missing) = view.find(address) else { return "" }
        return missing.within(base).advice
    }
}
