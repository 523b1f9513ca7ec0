/// A sort algorithm for the keys of a dictionary, or other keys, by their UTF-16 code units.
///
/// Keys of a dictionary often have long common prefixes (`com.apple.…`), so comparing them from the start would be
/// slow. Instead, all keys are sorted by their first sixteen bytes, equal ones by the next sixteen, and so on. The
/// bytes are an encoding of the code units that preserves their order and needs one byte for nearly all characters:
///
///     unit up to 0x00EE    the unit plus one
///     unit from 0x00EF     F0, and the unit in two bytes
///     end                  zeros
struct KeySort {
    /// The sort entry of a key. It is small, since a dictionary may have millions of keys; the key's text is read from
    /// the document's image when needed.
    private struct Key {
        /// Sixteen bytes of the key's encoding from the run's ``Run/offset`` on, the first byte most significant;
        /// ``Prefix/nonStringKey`` for a non-string key.
        var prefix = Prefix()
        /// The offset of the key's object in the image, or zero for a damaged object outside it.
        ///
        /// It is kept because the random memory accesses of another lookup would take longer than the rest of the sort.
        let offset: Int
        let position: UInt32
        /// Whether this key equals the preceding one.
        var isDuplicate = false
    }

    private struct Prefix: Equatable {
        var head: UInt64 = 0
        var tail: UInt64 = 0

        /// The prefix of non-string keys. No code unit's encoding begins with this byte.
        static let nonStringKey = Prefix(head: .max, tail: .max)

        @inline(__always)
        static func < (a: Prefix, b: Prefix) -> Bool { a.head == b.head ? a.tail < b.tail : a.head < b.head }

        @inline(__always)
        subscript(position: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: (position < 8 ? head : tail) >> UInt64(56 &- 8 &* (position & 7)))
        }
    }

    /// A range of consecutive keys that are equal up to an offset in code units.
    private struct Run {
        let range: Range<Int>
        let offset: Int
    }

    /// The first byte of a code unit that is encoded in three bytes.
    private static let wide: UInt64 = 0xF0

    private let document: Document
    private let id: (Int) -> ObjectID
    private var keys: [Key] = []

    init(_ document: Document, _ dictionary: StoredObject) {
        self.init(document, count: dictionary.count) { document.key($0, of: dictionary) }
    }

    init(_ document: Document, count: Int, id: @escaping (Int) -> ObjectID) {
        self.document = document
        self.id = id
        keys.reserveCapacity(count)
        for position in 0..<count {
            let offset = document.offset(of: id(position)) ?? 0
            keys.append(Key(offset: offset, position: UInt32(truncatingIfNeeded: position)))
        }
    }

    /// Returns the positions of the pairs in key order. Pairs with equal keys stay in stored order.
    ///
    /// - Parameter dropsDuplicates: Whether to return only the effective pair of duplicate keys.
    mutating func positions(dropsDuplicates: Bool) -> [UInt32] {
        var runs = [Run(range: keys.indices, offset: 0)]
        while let run = runs.popLast() {
            for index in run.range { keys[index].prefix = prefix(of: keys[index], from: run.offset) }
            sort(run.range)
            divide(run, into: &runs)
        }
        var positions: [UInt32] = []
        positions.reserveCapacity(keys.count)
        for key in keys {
            if !key.isDuplicate || !dropsDuplicates {
                positions.append(key.position)
            } else if document.lastDuplicateWins {
                positions[positions.count - 1] = key.position
            }
        }
        return positions
    }

    // MARK: Prefixes

    private func prefix(of key: Key, from offset: Int) -> Prefix {
        guard key.offset > 0,
            let object = ObjectMarker.object(in: document.image, at: key.offset, table: document.table),
            object.kind.isString
        else { return .nonStringKey }
        let count = object.count - offset
        guard count > 0 else { return Prefix() }
        if object.kind == .oneByteString {
            let image = document.image.span
            let head = EightBytes(image, at: object.start + offset).first(count)
            let tail = count > 8 ? EightBytes(image, at: object.start + offset + 8).first(count - 8) : EightBytes(0)
            // Adding one to an ASCII byte carries into no other byte. Most keys are ASCII.
            if (head.nonASCII | tail.nonASCII) == 0 {
                let ones = EightBytes(0x0101_0101_0101_0101)
                return Prefix(
                    head: (head.word + ones.first(count).word).byteSwapped,
                    tail: (tail.word + ones.first(max(count - 8, 0)).word).byteSwapped)
            }
        }
        return prefixOfUnits(object, from: offset)
    }

    private func prefixOfUnits(_ string: StoredObject, from offset: Int) -> Prefix {
        var (prefix, left, position) = (UInt128(0), 128, offset)
        while left > 0, position < string.count {
            let unit = UInt64(document.codeUnit(position, of: string))
            let (code, size) = unit < Self.wide - 1 ? (unit + 1, 8) : (Self.wide << 16 | unit, 24)
            left -= size
            // If a unit does not fit, its first bytes are included. The next prefix starts with the whole unit.
            prefix |= left >= 0 ? UInt128(code) << UInt128(left) : UInt128(code >> UInt64(-left))
            position += 1
        }
        return Prefix(head: UInt64(prefix >> 64), tail: UInt64(truncatingIfNeeded: prefix))
    }

    /// Returns the number of code units that a prefix encodes completely, or nil if the prefix includes the end of the
    /// key.
    private static func unitCount(_ prefix: Prefix) -> Int? {
        var (count, position) = (0, 0)
        while position < 16 {
            let lead = prefix[position]
            if lead == 0 { return nil }
            position += lead == UInt8(wide) ? 3 : 1
            if position <= 16 { count += 1 }
        }
        return count
    }

    // MARK: Order

    /// The greatest number of keys to sort by comparison. More are first distributed by a byte.
    private static let fewKeys = 24

    /// Sorts by the first byte in which the keys differ, then keys with the same byte by the next one, and so on.
    private mutating func sort(_ range: Range<Int>) {
        var parts = [range]
        while let part = parts.popLast() {
            if part.count <= Self.fewKeys {
                insert(part)
            } else if let byte = firstDifference(part) {
                Self.distribute(&keys, part, by: byte, into: &parts)
            } else {
                keys[part].sort { $0.position < $1.position }
            }
        }
    }

    /// Sorts a few keys by insertion. Equal keys stay in stored order.
    private mutating func insert(_ part: Range<Int>) {
        var keys = keys.mutableSpan
        for index in part.dropFirst() {
            let key = keys[index]
            var target = index
            while target > part.lowerBound, Self.isBefore(key, keys[target - 1]) {
                keys[target] = keys[target - 1]
                target -= 1
            }
            keys[target] = key
        }
    }

    @inline(__always)
    private static func isBefore(_ a: Key, _ b: Key) -> Bool {
        a.prefix == b.prefix ? a.position < b.position : a.prefix < b.prefix
    }

    /// Returns the position of the first byte that is not the same in all prefixes of the keys, or nil if the prefixes
    /// are equal.
    private func firstDifference(_ part: Range<Int>) -> Int? {
        let first = keys[part.lowerBound].prefix
        var (head, tail) = (UInt64(0), UInt64(0))
        for index in part {
            head |= keys[index].prefix.head ^ first.head
            tail |= keys[index].prefix.tail ^ first.tail
        }
        if head != 0 { return head.leadingZeroBitCount >> 3 }
        return tail == 0 ? nil : 8 + tail.leadingZeroBitCount >> 3
    }

    /// Distributes the keys of a part in place by the byte at a position (American flag sort).
    private static func distribute(
        _ keys: inout [Key], _ part: Range<Int>, by position: Int, into parts: inout [Range<Int>]
    ) {
        var keys = keys.mutableSpan
        // For each byte value, the position of its next key, and the end of its keys.
        var starts = [Int](repeating: 0, count: 256)
        var ends = starts
        var (least, greatest) = (255, 0)
        for index in part {
            let byte = Int(keys[index].prefix[position])
            ends[byte] += 1
            least = min(least, byte)
            greatest = max(greatest, byte)
        }
        var end = part.lowerBound
        for byte in least...greatest {
            starts[byte] = end
            end += ends[byte]
            ends[byte] = end
            if end - starts[byte] > 1 { parts.append(starts[byte]..<end) }
        }
        for byte in least...greatest {
            while starts[byte] < ends[byte] {
                var key = keys[starts[byte]]
                while case let target = Int(key.prefix[position]), target != byte {
                    let start = starts[target]
                    starts[target] += 1
                    (key, keys[start]) = (keys[start], key)
                }
                keys[starts[byte]] = key
                starts[byte] += 1
            }
        }
    }

    /// Divides a sorted run into runs of keys with the same prefix, which are sorted further, and marks duplicate keys.
    private mutating func divide(_ run: Run, into runs: inout [Run]) {
        var start = run.range.lowerBound
        while start < run.range.upperBound {
            let prefix = keys[start].prefix
            var end = start + 1
            while end < run.range.upperBound, keys[end].prefix == prefix { end += 1 }
            if end - start > 1 {
                if prefix == .nonStringKey {
                    sortNonStringKeys(start..<end)
                } else if let count = Self.unitCount(prefix) {
                    runs.append(Run(range: start..<end, offset: run.offset + count))
                } else {
                    for index in start + 1..<end { keys[index].isDuplicate = true }
                }
            }
            start = end
        }
    }

    // MARK: Non-string keys

    /// Sorts non-string keys by kind. Within a kind, integers and UIDs are sorted by value, other keys by size and
    /// bytes.
    private mutating func sortNonStringKeys(_ range: Range<Int>) {
        let (document, id) = (document, id)
        func order(_ a: Key, _ b: Key) -> Int {
            document.compare(document.object(id(Int(a.position))), document.object(id(Int(b.position))))
        }
        keys[range].sort { a, b in
            let order = order(a, b)
            return order == 0 ? a.position < b.position : order < 0
        }
        for index in range.dropFirst() { keys[index].isDuplicate = order(keys[index - 1], keys[index]) == 0 }
    }

}

extension Document {
    /// Returns a negative number, zero or a positive number if the non-string key `a` precedes, equals or follows `b`.
    fileprivate func compare(_ a: StoredObject, _ b: StoredObject) -> Int {
        if a.kind != b.kind { return Int(a.kind.rank) - Int(b.kind.rank) }
        // Text has no stored widths, so the width only decides the order of equal values.
        switch (node(a), node(b)) {
        case (.integer(let x), .integer(let y)) where x.value != y.value: return x.value < y.value ? -1 : 1
        case (.uid(let x), .uid(let y)) where x.value != y.value: return x.value < y.value ? -1 : 1
        default: break
        }
        if a.count != b.count { return a.count - b.count }
        for offset in 0..<a.count where image[a.start + offset] != image[b.start + offset] {
            return Int(image[a.start + offset]) - Int(image[b.start + offset])
        }
        return 0
    }
}
