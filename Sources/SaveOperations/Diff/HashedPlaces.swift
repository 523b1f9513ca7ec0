/// Where hashes stand in a list: the first place of each, to be taken, then the second, and so on.
struct HashedPlaces {
    private var first: [UInt64: Int32]
    private var next: [Int32]

    /// Notes places of a list.
    init(_ hashes: [UInt64], at places: some BidirectionalCollection<Int>) {
        first = Dictionary(minimumCapacity: places.count)
        next = [Int32](repeating: -1, count: hashes.count)
        for place in places.reversed() {
            let number = Int32(truncatingIfNeeded: place)
            if let old = first.updateValue(number, forKey: hashes[place]) { next[place] = old }
        }
    }

    /// The first place of a hash that has not been taken; nil if there is none.
    mutating func take(_ hash: UInt64) -> Int? {
        guard let place = first[hash], place >= 0 else { return nil }
        first[hash] = next[Int(place)]
        return Int(place)
    }
}
