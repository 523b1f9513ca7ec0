import Synchronization

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

// MARK: Known orders

/// The order of the keys of wide dictionaries, which is found when it is asked whether a key repeats, and needed again to
/// write them.
final class SortedKeys: Sendable {
    private struct State {
        /// By where the contents of the dictionary start.
        var orders: [Int: [UInt32]] = [:]
        /// How many keys they have in all.
        var count = 0
    }

    /// To look through fewer keys takes less.
    fileprivate static let fewKeys = 256
    /// So many keys are kept of a document, in four bytes each.
    private static let capacity = 1 << 21

    private let state = Mutex(State())

    /// The positions of the pairs of a dictionary in the order of their keys, none of which repeats; nil if it is not known.
    func order(of dictionary: StoredObject) -> [UInt32]? {
        guard dictionary.count >= Self.fewKeys else { return nil }
        let order = state.withLock { $0.orders[dictionary.start] }
        // Objects of a file may overlap: two dictionaries can start alike and be of different size.
        return order?.count == dictionary.count ? order : nil
    }

    fileprivate func hasRoom(for dictionary: StoredObject) -> Bool {
        state.withLock { dictionary.count <= Self.capacity - $0.count }
    }

    fileprivate func keep(_ order: [UInt32], of dictionary: StoredObject) {
        state.withLock {
            $0.orders[dictionary.start] = order
            $0.count += order.count
        }
    }
}

extension Document {
    /// Whether a key stands more than once in a dictionary that is then to be written with sorted keys.
    func hasRepeatedKey(sorting dictionary: StoredObject) -> Bool {
        let sortedKeys = storage.sortedKeys
        if sortedKeys.order(of: dictionary) != nil { return false }
        guard dictionary.count >= SortedKeys.fewKeys, sortedKeys.hasRoom(for: dictionary) else {
            return firstRepeatedKey(of: dictionary) != nil
        }
        var sort = KeySort(self, dictionary)
        let order = sort.positions(dropsRepeats: true)
        guard order.count == dictionary.count else { return true }
        sortedKeys.keep(order, of: dictionary)
        return false
    }
}
