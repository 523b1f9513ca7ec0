package import KeyedArchives
import SaveCodec

/// Finds containers that may have duplicate keys. An address with a duplicate key leads only to its effective value:
///
///     {"a": 1, "a": 2}     /a is 2, and /~#0 is 1
///
/// The address of any other pair contains its position.
package struct DuplicateKeys {
    /// Whether the stored dictionaries of each view's document may have duplicate keys.
    private var documents: [ObjectIdentifier: Bool] = [:]

    package init() {}

    /// Whether a container may have duplicate keys. The first call for a view takes one pass over its document.
    package mutating func mayOccur(in container: ViewValue, of view: ObjectView) -> Bool {
        guard container.form.isKeyed, container.contents.count > 1 else { return false }
        // An archived dictionary stores its keys in an array, which may contain an object twice.
        if case .dictionary = container.form, container.classPosition != nil { return true }
        if let known = documents[ObjectIdentifier(view)] { return known }
        let mayOccur = view.document.mayHaveDuplicateKeys
        documents[ObjectIdentifier(view)] = mayOccur
        return mayOccur
    }
}

extension ObjectView {
    /// Appends to an address the token of the slot at a position of a container.
    func append(slot position: Int, of container: ViewID, to address: inout JSONPointer) {
        let key = item(position, of: self[container].contents).key
        if let key, leadsElsewhere(key, at: position, of: container) { return address.append(form: "#\(position)") }
        append(Outline.PathStep(key: key, position: position), to: &address)
    }

    /// Whether the address token of a key leads to another pair than the one at its position.
    package func leadsElsewhere(_ key: ViewID, at position: Int, of container: ViewID) -> Bool {
        guard let text = text(key) else { return false }
        return self.position(of: AddressToken(text.units), in: container) != position
    }
}
