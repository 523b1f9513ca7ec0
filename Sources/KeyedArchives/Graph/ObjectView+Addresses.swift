package import SaveCodec

/// The tokens of addresses: which one leads to a slot of a container. What a token leads to, see ``AddressTarget``.
extension ObjectView {
    /// Appends the token that leads to the value at a position of a container, and to no other: the key, the field's name,
    /// or the index. A non-string key, and a duplicate key that is not the effective one, have a form such as `=5`
    /// or `#3`.
    package func append(_ position: Int, of id: ViewID, to address: inout JSONPointer) {
        guard let key = item(position, of: id).key else { return address.append(index: position) }
        let token = token(ofKey: key, at: position)
        address.append(target(of: token, in: id) == .slot(position) ? token : .pair(at: position))
    }

    /// The token of an address that leads to a pair with a key if no other pair has that key.
    package func token(ofKey key: ViewID, at position: Int) -> AddressToken {
        AddressToken(key: scalar(key), at: position)
    }
}
