import KeyedArchives
package import SaveCodec

/// Addresses in a draft, with the same meaning as in ``ObjectView/find(_:)``.
extension Draft {
    /// Returns the value at an address; nil if the address does not exist.
    package mutating func find(_ address: JSONPointer) -> ID? { path(of: address)?.last }

    /// Returns the value that was at an address before any edit; nil if the address did not exist, or is in a nested
    /// save.
    func presentValue(at address: JSONPointer) -> ID? {
        guard case .found(let found, let foundView) = view.find(address), foundView === view else { return nil }
        return id(of: found)
    }

    /// Returns the values on the path of an address, from the root to the value at the address; nil if the address does
    /// not exist.
    mutating func path(of address: JSONPointer) -> [ID]? {
        var path = [root]
        for depth in address.tokens.indices {
            guard let next = step(by: address.token(at: depth), from: path[depth]) else { return nil }
            path.append(next)
        }
        return path
    }

    /// Returns the value that an address token selects in a container, or nil.
    mutating func step(by token: AddressToken, from id: ID) -> ID? {
        position(of: token, at: id).flatMap { item($0, of: id) }?.value
    }

    /// Returns the position that an address token selects in a container, or nil. See also
    /// ``ObjectView/position(of:in:)``.
    ///
    /// If ``findsPlainNames`` is true, a name without a string key leads to the key that plain JSON shows so: 5 as `5`,
    /// and an NSURL as its text.
    ///
    /// - Parameter isExact: Whether only a string key counts.
    mutating func position(of token: AddressToken, at container: ID, exactly isExact: Bool = false) -> Int? {
        guard let number = open(container) else { return nil }
        switch token.meaning(in: values.containers[number].kind, count: values.containers[number].count) {
        case .position(let position): return position
        case .key where token.isExtension: return position(ofExtension: token.units, in: container)
        case .key:
            let position = position(of: token.units, in: container)
            return position == nil && findsPlainNames && !isExact
                ? self.position(ofPlainName: token.units, in: container) : position
        case .className, nil: return nil
        }
    }

    /// Appends the token of a slot to the address of its container.
    mutating func append(slot position: Int, of container: ID, to address: inout JSONPointer) {
        guard let key = item(position, of: container)?.key else { return address.append(index: position) }
        if let text = text(key) {
            if self.position(of: text, in: container) == position { return address.append(key: text) }
        } else if let form = extensionToken(ofKey: key),
            self.position(ofExtension: Array(form.utf16), in: container) == position
        {
            return address.append(extensionToken: form)
        }
        address.append(extensionToken: "#\(position)")
    }

    /// Returns the position of the pair that a token such as `=5` names.
    private mutating func position(ofExtension form: [UInt16], in container: ID) -> Int? {
        position(ofKeyHash: Self.hash(form), in: container) { draft, key in
            draft.extensionToken(ofKey: key)?.utf16.elementsEqual(form) ?? false
        }
    }

    private mutating func position(ofPlainName name: [UInt16], in container: ID) -> Int? {
        position(ofExtension: Array("=".utf16) + name, in: container)
            ?? position(ofKeyHash: Self.hash(name), in: container) { draft, key in
                draft.annotation(ofKey: key)?.utf16.elementsEqual(name) ?? false
            }
    }

    /// Returns the text that plain JSON shows for a key that is an object, such as an NSURL.
    func annotation(ofKey key: ID) -> String? { viewID(of: key).flatMap(view.annotation) }

    /// Returns the address token of a key that is a number, a Boolean or a date, such as `=5`; nil for any other key.
    /// The token does not depend on the position.
    func extensionToken(ofKey key: ID) -> String? { scalar(key).flatMap { JSONPointer.extensionToken(ofKey: $0) } }

    /// Returns the end of a message about a missing address: the closest address that exists in the view.
    package func advice(for address: JSONPointer, within base: JSONPointer = .root) -> String {
        guard case .missing(let missing) = view.find(address) else { return "" }
        return missing.within(base).advice
    }
}
