/// The order in which the pairs of dictionaries are written: by the UTF-16 code units of their keys, or as stored.
///
/// The orders found last are kept for dictionaries with the same keys.
struct KeyOrder {
    private let document: Document
    private let order: WriteOptions.KeyOrder
    private let dropsRepeats: Bool
    private var keySets: RecentKeySets
    private var known = [[UInt32]](repeating: [], count: RecentKeySets.slotCount)

    /// - Parameter dropsRepeats: whether of a repeated key only the pair that counts is written.
    package init(_ document: Document, _ order: WriteOptions.KeyOrder, dropsRepeats: Bool) {
        self.document = document
        self.order = order
        self.dropsRepeats = dropsRepeats
        keySets = RecentKeySets(document)
    }

    /// The positions of the pairs of a dictionary, in the order in which they are to be written.
    mutating func positions(of dictionary: StoredObject) -> [UInt32] {
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown { return known[slot.number] }
        let positions = sorted(dictionary)
        known[slot.number] = positions
        return positions
    }

    /// The same with nothing kept.
    func emptied() -> KeyOrder {
        KeyOrder(document, order, dropsRepeats: dropsRepeats)
    }

    private func sorted(_ dictionary: StoredObject) -> [UInt32] {
        let known = document.storage.sortedKeys.order(of: dictionary)
        if order == .sorted, let known { return known }
        if order == .stored, !dropsRepeats || known != nil || document.firstRepeatedKey(of: dictionary) == nil {
            return Array(0..<UInt32(truncatingIfNeeded: dictionary.count))
        }
        var sort = KeySort(document, dictionary)
        var positions = sort.positions(dropsRepeats: dropsRepeats)
        if order == .stored { positions.sort() }
        return positions
    }
}

extension Document {
    /// The positions of keys, all strings, in the order of their code units; those of equal keys stay as they are.
    package func sortedPositions(ofKeys keys: [ObjectID]) -> [UInt32] {
        var sort = KeySort(self, count: keys.count) { keys[$0] }
        return sort.positions(dropsRepeats: false)
    }

    /// Whether the keys of all dictionaries stand in the order of their code units.
    var hasSortedKeys: Bool {
        var order = KeyOrder(self, .sorted, dropsRepeats: false)
        return (0..<count).allSatisfy { index in
            let object = object(ObjectID(index))
            guard object.kind == .dictionary else { return true }
            return order.positions(of: object).elementsEqual(0..<UInt32(truncatingIfNeeded: object.count))
        }
    }

    /// Whether two dictionaries refer to the same key objects in the same order.
    @inline(__always)
    package func hasSameKeys(_ a: StoredObject, _ b: StoredObject) -> Bool {
        guard a.count == b.count else { return false }
        if a.start == b.start { return true }
        return image.span.holdsSame(a.count &* table.referenceSize, at: a.start, and: b.start)
    }
}
