/// Sorts the keys of one dictionary by their UTF-16 code units.
///
/// Keys of a dictionary often begin alike (`com.apple.…`), so they are not compared from the start again and again, but
/// four code units at a time: all keys by their first four, those that are equal in them by the next four, and so on.
///
///     offset 0    offset 4
///     "leve|l"  ┐ "l"
///     "leve|ls" ┘ "ls"
///     "scor|e"
struct KeySort {
    /// Sixteen bytes, as a dictionary may have millions; the key itself is looked up when it is needed.
    private struct Key {
        let position: UInt32
        /// The code units at the offset as one number that has their order.
        var units: UInt64 = 0
        /// How many of these units there are; five if there are more behind them. Keys that are no strings have six.
        var length: UInt8 = 0
        /// Whether the key in front of this one is the same.
        var isRepeat = false
    }

    /// Neighbours that are equal up to an offset.
    private struct Run {
        let range: Range<Int>
        let offset: Int
    }

    private let document: Document
    private let dictionary: StoredObject
    private var keys: [Key] = []

    init(_ document: Document, _ dictionary: StoredObject) {
        self.document = document
        self.dictionary = dictionary
        keys.reserveCapacity(dictionary.count)
        for position in 0..<dictionary.count {
            keys.append(Key(position: UInt32(truncatingIfNeeded: position)))
        }
    }

    /// The positions of the pairs in the order of their keys, those of equal keys in stored order.
    ///
    /// - Parameter dropsRepeats: whether of pairs with the same key only the one is among them that a reader of the
    ///   document's format takes.
    mutating func positions(dropsRepeats: Bool) -> [UInt32] {
        var runs = [Run(range: keys.indices, offset: 0)]
        while let run = runs.popLast() {
            for index in run.range { load(index, run.offset) }
            keys[run.range].sort(by: Self.isBefore)
            divide(run, into: &runs)
        }
        var positions: [UInt32] = []
        positions.reserveCapacity(keys.count)
        for key in keys {
            if !key.isRepeat || !dropsRepeats {
                positions.append(key.position)
            } else if document.lastRepeatedKeyWins {
                positions[positions.count - 1] = key.position
            }
        }
        return positions
    }

    private mutating func load(_ index: Int, _ offset: Int) {
        let object = document.object(document.key(Int(keys[index].position), of: dictionary))
        guard object.kind.isString else {
            (keys[index].units, keys[index].length) = (.max, 6)
            return
        }
        var units: UInt64 = 0
        for position in offset..<offset + 4 {
            units = units << 16 | UInt64(position < object.count ? document.codeUnit(position, of: object) : 0)
        }
        (keys[index].units, keys[index].length) = (units, UInt8(truncatingIfNeeded: min(object.count - offset, 5)))
    }

    /// Equal keys keep their stored order.
    private static func isBefore(_ a: Key, _ b: Key) -> Bool {
        if a.units != b.units { return a.units < b.units }
        return a.length != b.length ? a.length < b.length : a.position < b.position
    }

    /// Finds the keys of a sorted run that are not told apart yet.
    private mutating func divide(_ run: Run, into runs: inout [Run]) {
        var start = run.range.lowerBound
        while start < run.range.upperBound {
            let first = keys[start]
            var end = start + 1
            while end < run.range.upperBound, keys[end].units == first.units, keys[end].length == first.length {
                end += 1
            }
            if end - start > 1 {
                switch first.length {
                case 5: runs.append(Run(range: start..<end, offset: run.offset + 4))
                case 6: sortOthers(start..<end)
                default: for index in start + 1..<end { keys[index].isRepeat = true }
                }
            }
            start = end
        }
    }

    // MARK: Keys that are no strings

    /// Sorts keys that are no strings by their kind and bytes.
    private mutating func sortOthers(_ range: Range<Int>) {
        let (document, dictionary) = (document, dictionary)
        func order(_ a: Key, _ b: Key) -> Int {
            Self.compare(
                document.object(document.key(Int(a.position), of: dictionary)),
                document.object(document.key(Int(b.position), of: dictionary)), in: document.image)
        }
        keys[range].sort { a, b in
            let order = order(a, b)
            return order == 0 ? a.position < b.position : order < 0
        }
        for index in range.dropFirst() { keys[index].isRepeat = order(keys[index - 1], keys[index]) == 0 }
    }

    private static func compare(_ a: StoredObject, _ b: StoredObject, in image: [UInt8]) -> Int {
        if a.kind != b.kind { return Int(a.kind.rank) - Int(b.kind.rank) }
        if a.count != b.count { return a.count - b.count }
        for offset in 0..<a.count where image[a.start + offset] != image[b.start + offset] {
            return Int(image[a.start + offset]) - Int(image[b.start + offset])
        }
        return 0
    }
}
