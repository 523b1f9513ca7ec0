/// The sets of keys that dictionaries had last, each with the number of a slot.
///
/// Dictionaries of one kind come in crowds (players, scores) whose keys are the same objects in the same order. What has
/// been found out about the keys of one holds for all: its user keeps that in an array, at the number of the slot.
package struct RecentKeySets {
    /// The number of slots.
    package static let slotCount = 64

    private let document: Document
    /// For each slot the dictionary that took it last.
    private var dictionaries = [StoredObject?](repeating: nil, count: slotCount)

    package init(_ document: Document) {
        self.document = document
    }

    /// Finds the slot of a dictionary's keys. Other keys that have it lose it to these.
    ///
    /// - Returns: The number of the slot, and whether the last dictionary that had it has the same keys.
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
