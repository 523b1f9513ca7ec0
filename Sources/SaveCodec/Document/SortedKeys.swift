import Synchronization

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
