import Synchronization

/// The order in which the pairs of dictionaries are written: by the UTF-16 code units of their keys, or as stored.
///
/// The most recent orders are cached for dictionaries with the same keys.
struct PairOrder {
    private let document: Document
    private let order: WriteOptions.KeyOrder
    private let dropsDuplicates: Bool
    private var keySets: RecentKeySets
    private var known = [[UInt32]](repeating: [], count: RecentKeySets.slotCount)

    /// - Parameters:
    ///   - document: The document with the dictionaries.
    ///   - order: The order to use.
    ///   - dropsDuplicates: Whether only the effective pair of duplicate keys is written.
    init(_ document: Document, _ order: WriteOptions.KeyOrder, dropsDuplicates: Bool) {
        self.document = document
        self.order = order
        self.dropsDuplicates = dropsDuplicates
        keySets = RecentKeySets(document)
    }

    /// Returns the positions of a dictionary's pairs in the order in which they are written.
    mutating func positions(of dictionary: StoredObject) -> [UInt32] {
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown { return known[slot.number] }
        let positions = sorted(dictionary)
        known[slot.number] = positions
        return positions
    }

    /// Returns a pair order with the same options and an empty cache.
    func emptied() -> PairOrder {
        PairOrder(document, order, dropsDuplicates: dropsDuplicates)
    }

    private func sorted(_ dictionary: StoredObject) -> [UInt32] {
        let known = document.storage.keyOrderCache.order(of: dictionary)
        if order == .sorted, let known { return known }
        if order == .stored, !dropsDuplicates || known != nil || document.firstDuplicateKey(of: dictionary) == nil {
            return Array(0..<UInt32(truncatingIfNeeded: dictionary.count))
        }
        var sort = KeySort(document, dictionary)
        var positions = sort.positions(dropsDuplicates: dropsDuplicates)
        if order == .stored { positions.sort() }
        return positions
    }
}

extension Document {
    /// Returns the positions of string keys in the order of their code units. Equal keys stay in the given order.
    package func sortedPositions(ofKeys keys: [ObjectID]) -> [UInt32] {
        var sort = KeySort(self, count: keys.count) { keys[$0] }
        return sort.positions(dropsDuplicates: false)
    }

    /// Whether the keys of all dictionaries are in the order of their code units.
    var hasSortedKeys: Bool {
        var order = PairOrder(self, .sorted, dropsDuplicates: false)
        return (0..<count).allSatisfy { index in
            let object = object(ObjectID(index))
            guard object.kind == .dictionary else { return true }
            return order.positions(of: object).elementsEqual(0..<UInt32(truncatingIfNeeded: object.count))
        }
    }

    /// Whether two dictionaries refer to the same key objects in the same order.
    @inline(__always)
    func hasSameKeys(_ a: StoredObject, _ b: StoredObject) -> Bool {
        guard a.count == b.count else { return false }
        if a.start == b.start { return true }
        return image.span.holdsSame(a.count &* table.referenceSize, at: a.start, and: b.start)
    }
}

// MARK: Known orders

/// A cache of the key orders of wide dictionaries. The search for duplicate keys computes them, and the writer uses
/// them again.
final class KeyOrderCache: Sendable {
    private struct State {
        /// The orders, by the offset of the dictionary's contents.
        var orders: [Int: [UInt32]] = [:]
        /// The total number of keys.
        var count = 0
    }

    /// The smallest number of keys to cache. Dictionaries with fewer are searched faster than sorted.
    fileprivate static let fewKeys = 256
    /// The maximum number of keys cached per document. Each takes four bytes.
    private static let capacity = 1 << 21

    private let state = Mutex(State())

    /// Returns the positions of a dictionary's pairs in key order, or nil if they are not cached.
    ///
    /// Only dictionaries without duplicate keys are cached.
    func order(of dictionary: StoredObject) -> [UInt32]? {
        guard dictionary.count >= Self.fewKeys else { return nil }
        let order = state.withLock { $0.orders[dictionary.start] }
        // Objects of a file may overlap, so two dictionaries can have the same start but different sizes.
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
    /// Whether a dictionary has a duplicate key. Caches the order of its keys for callers that then write it sorted.
    func hasDuplicateKey(sorting dictionary: StoredObject) -> Bool {
        let keyOrderCache = storage.keyOrderCache
        if keyOrderCache.order(of: dictionary) != nil { return false }
        guard dictionary.count >= KeyOrderCache.fewKeys, keyOrderCache.hasRoom(for: dictionary) else {
            return firstDuplicateKey(of: dictionary) != nil
        }
        var sort = KeySort(self, dictionary)
        let order = sort.positions(dropsDuplicates: true)
        guard order.count == dictionary.count else { return true }
        keyOrderCache.keep(order, of: dictionary)
        return false
    }
}
