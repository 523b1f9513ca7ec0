/// A value that a format holds, and that other readers of the format cannot take.
package enum ForeignValue: Sendable, Hashable {
    /// An integer beyond 64 bits: not from −2⁶³ to 2⁶⁴ − 1.
    case integer(Int128)
    /// A null, which no writer of property lists writes.
    case null

    /// The kinds of such values.
    package enum Kind: Sendable {
        case wideInteger, null
    }

    fileprivate var problem: (kind: String, sentence: String) {
        switch self {
        case .integer(let value):
            ("foreign.integer", "\(value) is an integer beyond 64 bits, which other readers cannot hold")
        case .null: ("foreign.null", "null is nothing that other readers of property lists know")
        }
    }
}

extension Document {
    /// The values that other readers of a format cannot take, with their addresses, wherever they stand.
    ///
    /// - Parameter original: a document whose values are not listed, as often as each stands there; nil for none.
    package func foreignValues(as format: Format, besides original: Document? = nil) -> [Problem] {
        let kinds = format.definition.foreignValues
        var known: [ForeignValue: Int] = [:]
        original?.forEachForeignValue(kinds) { value, _ in known[value, default: 0] += 1 }
        var list = LossList()
        forEachForeignValue(kinds) { value, address in
            if let count = known[value], count > 0 {
                known[value] = count - 1
                return
            }
            let (kind, sentence) = value.problem
            list.add { Problem(kind, sentence, address: address()) }
        }
        return list.problems
    }

    /// Goes through such values in the order of the document. The address is only valid while it is asked for.
    private func forEachForeignValue(
        _ kinds: Set<ForeignValue.Kind>, _ body: (ForeignValue, _ address: () -> JSONPointer) -> Void
    ) {
        guard mayHold(kinds) else { return }
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            guard visit.object.kind.isContainer else {
                if visit.role == .root, let value = foreignValue(visit.object, kinds) { body(value) { .root } }
                continue
            }
            for position in 0..<visit.object.referenceCount {
                guard let value = foreignValue(object(reference(position, of: visit.object)), kinds) else { continue }
                body(value) {
                    var address = walk.address
                    append(step: position, of: visit.object, to: &address)
                    return address
                }
            }
        }
    }

    /// Whether the table has any, reached by the root or not, which is quicker to tell than where they stand.
    private func mayHold(_ kinds: Set<ForeignValue.Kind>) -> Bool {
        !kinds.isEmpty && (0..<count).contains { foreignValue(object(ObjectID($0)), kinds) != nil }
    }

    private func foreignValue(_ object: StoredObject, _ kinds: Set<ForeignValue.Kind>) -> ForeignValue? {
        switch object.kind {
        case .null: return kinds.contains(.null) ? .null : nil
        case .integer where object.count == 16 && kinds.contains(.wideInteger):
            let value = integer(object)
            return XMLLoss.integers.contains(value) ? nil : .integer(value)
        default: return nil
        }
    }
}
