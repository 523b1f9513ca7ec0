import KeyedArchives
import SaveCodec

/// The keys of the dictionary that a property list consists of, each with the pair that counts.
///
/// Keys are the same if they have the same address: strings by code units, numbers, booleans and dates by what their form
/// tells. Any other key has no address but its position, and is the same as no key of another file.
struct RootKeys: Sendable {
    /// The keys in the order in which they come first, each once, and the position of the pair that counts.
    private(set) var pairs: [(key: AddressToken?, position: Int)] = []
    /// The numbers of the keys in ``pairs``.
    private var numbers: [AddressToken: Int] = [:]

    /// The keys of the root of a view that is no archive.
    init(of view: ObjectView) {
        let document = view.document
        let contents = view[view.root].contents
        // One more than the number of each key, by identity: a large one may stand in a million pairs and is looked at once.
        var known = [UInt32](repeating: 0, count: view.count)
        numbers.reserveCapacity(contents.count)
        for position in 0..<contents.count {
            guard let id = view.item(position, of: contents).key else { continue }
            let number =
                known[id.index] > 0
                ? Int(known[id.index]) - 1 : add(view.scalar(id).flatMap { AddressToken(key: $0) }, at: position)
            if document.lastRepeatedKeyWins { pairs[number].position = position }
            if pairs[number].key != nil { known[id.index] = UInt32(truncatingIfNeeded: number + 1) }
        }
    }

    /// The position of the pair that counts of those with a key; nil if there is none.
    func position(of key: AddressToken) -> Int? {
        numbers[key].map { pairs[$0].position }
    }

    /// The number of a key, a new one if it is met for the first time.
    private mutating func add(_ key: AddressToken?, at position: Int) -> Int {
        if let key, let number = numbers[key] { return number }
        pairs.append((key, position))
        if let key { numbers[key] = pairs.count - 1 }
        return pairs.count - 1
    }
}
