/// A foreign value: one that a format can store but other readers of the format cannot read.
package enum ForeignValue: Sendable, Hashable {
    /// An integer beyond 64 bits: not from −2⁶³ to 2⁶⁴ − 1.
    case integer(Int128)
    /// A null, which other property-list writers never store.
    case null

    /// The kinds of foreign values.
    package enum Kind: Sendable {
        case wideInteger, null
    }

    fileprivate var problem: (kind: String, sentence: String) {
        switch self {
        case .integer(let value):
            ("foreign.integer", "\(value) is an integer beyond 64 bits; other readers cannot represent it")
        case .null: ("foreign.null", "null is unknown to other property-list readers")
        }
    }
}

extension Document {
    /// Returns a loss for each occurrence of a value that other readers of a format cannot read, with its address.
    ///
    /// - Parameters:
    ///   - format: The format that the document is written in.
    ///   - original: A document whose foreign values are exempt. If this document contains a value more often than the
    ///     original does, only the excess is reported. Occurrences without an equal counterpart in the original are
    ///     reported first.
    package func foreignValues(as format: Format, besides original: Document? = nil) -> [Problem] {
        guard let kinds = format.writing?.foreignValues, mayHold(kinds) else { return [] }
        var list = LossList()
        func add(_ value: ForeignValue, _ address: () -> JSONPointer) {
            let (kind, sentence) = value.problem
            list.add(.init(kind)) { Problem(kind, sentence, address: address()) }
        }
        guard let original else {
            forEachForeignValue(kinds) { value, _, address in add(value, address) }
            return list.problems
        }
        var added = occurrences(of: kinds)
        for (value, count) in original.occurrences(of: kinds) { added[value]? &-= count }
        added = added.filter { $0.value > 0 }
        for isInPlace in [false, true] where !added.isEmpty {
            forEachForeignValue(kinds, beside: original) { value, counterpart, address in
                let wasThere = counterpart.flatMap { original.foreignValue(original.object($0), kinds) } == value
                guard wasThere == isInPlace, let count = added[value] else { return }
                added[value] = count > 1 ? count - 1 : nil
                add(value, address)
            }
        }
        return list.problems
    }

    /// Returns the number of occurrences of each foreign value in the tree, counting shared objects once per address.
    ///
    /// An edit can split a shared container, so both documents have to be counted as trees. With nested shared
    /// containers the counts can be huge. They wrap modulo 2⁶⁴, which keeps their differences correct.
    private func occurrences(of kinds: Set<ForeignValue.Kind>) -> [ForeignValue: Int] {
        guard mayHold(kinds) else { return [:] }
        var pathCounts = [Int](repeating: 0, count: count)
        pathCounts[root.index] = 1
        var occurrences: [ForeignValue: Int] = [:]
        for id in contentsFirst.reversed() {
            let object = object(id)
            if let value = foreignValue(object, kinds) { occurrences[value, default: 0] &+= pathCounts[id.index] }
            for position in 0..<object.referenceCount {
                pathCounts[reference(position, of: object).index] &+= pathCounts[id.index]
            }
        }
        return occurrences
    }

    /// Calls `body` for each foreign value in document order, with its counterpart in another document.
    ///
    /// The address closure is valid only during the call.
    private func forEachForeignValue(
        _ kinds: Set<ForeignValue.Kind>, beside original: Document? = nil,
        _ body: (ForeignValue, _ counterpart: ObjectID?, _ address: () -> JSONPointer) -> Void
    ) {
        var walk = DocumentWalk(self)
        var counterparts = original.map { Counterparts(of: self, in: $0) }
        while let visit = walk.next() {
            guard visit.object.kind.isContainer else {
                if visit.role == .root, let value = foreignValue(visit.object, kinds) {
                    body(value, original?.root) { .root }
                }
                continue
            }
            counterparts?.enter(visit.id)
            for position in 0..<visit.object.referenceCount {
                let content = reference(position, of: visit.object)
                let counterpart = counterparts?.next(position, content)
                guard let value = foreignValue(object(content), kinds) else { continue }
                body(value, counterpart) {
                    var address = walk.address
                    append(step: position, of: visit.object, to: &address)
                    return address
                }
            }
        }
    }

    /// Whether the table may hold a foreign value, reachable or not. This is faster than finding its address.
    private func mayHold(_ kinds: Set<ForeignValue.Kind>) -> Bool {
        let plain = facts.losslessKinds
        if plain.contains(marker: ObjectMarker.null), plain.contains(marker: ObjectMarker.integer) { return false }
        return !kinds.isEmpty && (0..<count).contains { foreignValue(object(ObjectID($0)), kinds) != nil }
    }

    private func foreignValue(_ object: StoredObject, _ kinds: Set<ForeignValue.Kind>) -> ForeignValue? {
        switch object.kind {
        case .null: return kinds.contains(.null) ? .null : nil
        case .integer where object.count == 16 && kinds.contains(.wideInteger):
            let value = integer(object)
            return TextLoss.integers.contains(value) ? nil : .integer(value)
        default: return nil
        }
    }
}

/// The counterparts, in the original document, of the references on a walk.
///
/// An element's counterpart is the element at the same position. The counterpart of a dictionary's value is the value
/// for the same key.
private struct Counterparts {
    private let document: Document
    private let original: Document
    /// The counterpart, in the original, of each container visited so far.
    private var containers: [ObjectID?]
    private var container: StoredObject
    private var counterpart: StoredObject?
    /// The values in the counterpart of the current dictionary, by key.
    private var values: [[UInt16]: ObjectID] = [:]
    /// The maximum number of code units of a key that are compared, because many dictionaries can share one long key.
    private static let longestKey = 200

    init(of document: Document, in original: Document) {
        (self.document, self.original) = (document, original)
        containers = Array(repeating: nil, count: document.count)
        containers[document.root.index] = original.root
        container = document.object(document.root)
    }

    mutating func enter(_ id: ObjectID) {
        container = document.object(id)
        let other = containers[id.index].map(original.object)
        counterpart = other?.kind == container.kind ? other : nil
        values = [:]
        guard let counterpart, counterpart.kind == .dictionary else { return }
        for pair in 0..<counterpart.count {
            guard let key = original.text(original.key(pair, of: counterpart)) else { continue }
            values[Array(key.prefix(Self.longestKey))] = original.value(pair, of: counterpart)
        }
    }

    /// Returns the counterpart of a reference of the current container, or nil for keys and for missing counterparts.
    mutating func next(_ position: Int, _ content: ObjectID) -> ObjectID? {
        guard let found = find(position) else { return nil }
        if containers[content.index] == nil { containers[content.index] = found }
        return found
    }

    private func find(_ position: Int) -> ObjectID? {
        guard let counterpart else { return nil }
        guard container.kind == .dictionary else {
            return position < counterpart.count ? original.reference(position, of: counterpart) : nil
        }
        guard position >= container.count else { return nil }
        let key = document.text(document.key(position - container.count, of: container))
        return key.flatMap { values[Array($0.prefix(Self.longestKey))] }
    }
}
