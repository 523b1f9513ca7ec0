package import KeyedArchives
import SaveCodec

/// Tells which keys lead to another pair than the one that they stand in, as a container has them twice:
///
///     {"a": 1, "a": 2}     /a is 2, and /~#0 is 1
///
/// Such a pair has its position for an address.
package struct RepeatedKeys {
    /// Whether stored dictionaries of the documents of views may repeat keys.
    private var documents: [ObjectIdentifier: Bool] = [:]

    package init() {}

    /// Whether a container may have a key twice. It takes a pass through the document once.
    package mutating func mayOccur(in container: ViewValue, of view: ObjectView) -> Bool {
        guard container.form.isKeyed, container.contents.count > 1 else { return false }
        // Keys that are objects of an archive are in arrays, which have the same one twice.
        if case .dictionary = container.form, container.classPosition != nil { return true }
        if let known = documents[ObjectIdentifier(view)] { return known }
        let mayOccur = view.document.mayRepeatKeys
        documents[ObjectIdentifier(view)] = mayOccur
        return mayOccur
    }
}

extension ObjectView {
    /// Goes one step down in an address, to the slot at a position of a container.
    func append(slot position: Int, of container: ViewID, to address: inout JSONPointer) {
        let key = item(position, of: self[container].contents).key
        if let key, leadsElsewhere(key, at: position, of: container) { return address.append(form: "#\(position)") }
        append(Outline.PathStep(key: key, position: position), to: &address)
    }

    /// Whether a key of a container leads to another pair than the one at its position.
    package func leadsElsewhere(_ key: ViewID, at position: Int, of container: ViewID) -> Bool {
        guard let text = text(key) else { return false }
        return self.position(of: AddressToken(text.units), in: container) != position
    }
}
