/// A cache of the most recent key sets of dictionaries. It has a fixed number of slots, each for one key set.
///
/// Dictionaries of one kind (players, scores) have the same key objects in the same order, so a result computed from
/// the keys of one is valid for all. The user of the cache keeps the results in an array indexed by slot.
package struct RecentKeySets {
    /// The number of slots.
    package static let slotCount = 64

    private let document: Document
    /// The last dictionary in each slot.
    private var dictionaries = [StoredObject?](repeating: nil, count: slotCount)

    package init(_ document: Document) {
        self.document = document
    }

    /// Finds the slot for the keys of a dictionary, and stores the keys there in place of any other key set.
    ///
    /// - Parameter dictionary: The dictionary, or the array that holds the keys of an archived one.
    /// - Returns: The slot number, and whether the slot already held the same keys.
    package mutating func slot(of dictionary: StoredObject) -> (number: Int, isKnown: Bool) {
        let count = dictionary.count
        guard count > 0 else { return take(0, dictionary) }
        return take((document.key(0, of: dictionary).index &* 7 &+ count) & (Self.slotCount - 1), dictionary)
    }

    private mutating func take(_ number: Int, _ dictionary: StoredObject) -> (number: Int, isKnown: Bool) {
        if let last = dictionaries[number], document.hasSameKeys(last, dictionary) { return (number, true) }
        dictionaries[number] = dictionary
        return (number, false)
    }
}
