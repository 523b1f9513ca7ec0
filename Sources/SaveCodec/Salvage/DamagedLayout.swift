/// The layout of a damaged binary property list: the values of its trailer and its offset table, as far as they can be
/// found.
///
///     trailer           fits the bytes before it                            taken as it is
///                       one number contradicts the others                   that number is computed from the others
///                       all but the table's start fit                       bytes were inserted or removed before it
///                       cannot be used                                      the table is searched before the trailer
///
/// Each candidate is judged by the number of objects that end where the next one begins (``confirmedCount(in:_:)``), and
/// then by the keys of dictionaries, which have to be strings (``keyFaults(in:)``). If two are equal in both, neither
/// is proved. A candidate that contradicts a trailer that fits needs far more evidence, and is not proved either unless
/// it explains all objects.
struct DamagedLayout {
    /// The offset at which the objects end in the damaged file.
    var objectsEnd: Int
    /// The number of bytes that were inserted before the later objects: their offset in the damaged file minus their
    /// offset in the table. Negative if bytes were removed.
    var shift = 0
    var offsetSize: Int
    var referenceSize: Int
    /// The offset of each object before the damage. Offsets outside the file are -1.
    var entries: [Int]
    /// The root's number, or nil if the trailer is damaged where it gives the number.
    var root: Int?
    /// Whether other offsets have the same evidence.
    var isAmbiguous = false
    /// Whether objects are out of order, even if most entries ascend.
    var isPermuted = false

    var count: Int { entries.count }

    /// The table for reading objects of the damaged file.
    var table: OffsetTable {
        OffsetTable(start: objectsEnd, count: count, offsetSize: offsetSize, referenceSize: referenceSize)
    }

    /// Returns the object at an offset, or nil if the bytes are not an object.
    func object(of bytes: [UInt8], at offset: Int) -> StoredObject? {
        guard offset >= 8, offset < objectsEnd else { return nil }
        return ObjectMarker.object(in: bytes, at: offset, table: table)
    }

    /// Returns the end of the object at an offset, or nil if the bytes are not an object.
    func end(of bytes: [UInt8], at offset: Int) -> Int? { object(of: bytes, at: offset)?.end(in: table) }

    /// Returns the array at an offset if it is long and its references make sense. Another version of the file may have
    /// had a few more objects.
    ///
    /// - Parameter stepsLeft: The number of references that may still be read.
    func arrayOfOtherVersion(in bytes: [UInt8], at offset: Int, _ stepsLeft: inout Int) -> StoredObject? {
        guard let array = object(of: bytes, at: offset), array.kind == .array, array.count >= 12 else { return nil }
        for position in 0..<array.count {
            stepsLeft -= 1
            let number = bytes.bigEndian(at: array.start + position * referenceSize, width: referenceSize)
            guard stepsLeft > 0, number < UInt64(count + count / 8) else { return nil }
        }
        return array
    }

    /// Returns the object of a kind that fills a range after `header` bytes for its marker and count; nil if the size
    /// does not allow one.
    func object(_ kind: StoredObject.Kind, filling range: Range<Int>, header: Int) -> StoredObject? {
        let unit = StoredObject(kind: kind, start: 0, count: 1).end(in: table)
        let size = range.count - header
        guard size > 0, size % unit == 0 else { return nil }
        let count = size / unit
        let isPossible =
            switch kind {
            case .null, .false, .true: false
            case .integer: header == 1 && [1, 2, 4, 8, 16].contains(count)
            case .real: header == 1 && [4, 8].contains(count)
            case .date: header == 1 && count == 8
            case .uid: header == 1 && count <= 4
            case .data, .oneByteString, .utf16String, .array, .set, .dictionary:
                count < 15 ? header == 1 : header == 2 + BinaryPlistWriter.size(for: count)
            }
        return isPossible ? StoredObject(kind: kind, start: range.lowerBound + header, count: count) : nil
    }

    /// Returns the scalar that fills a range although another marker or count is there: at most one byte of them
    /// differs and, if the kind does, only one bit. If there are several, the one with the fewest changed bits counts.
    ///
    /// Nil if two have equally few, if other programs do not read the contents, and for a marker of zero.
    func scalar(filling range: Range<Int>, in bytes: [UInt8]) -> StoredObject? {
        // Zeros may have replaced the whole object.
        guard bytes[range.lowerBound] != 0 else { return nil }
        var found: StoredObject?
        var fewest = Int.max
        for kind in [StoredObject.Kind.integer, .real, .date, .uid, .data, .oneByteString, .utf16String] {
            for header in [1, 3, 4, 6] {
                guard let object = object(kind, filling: range, header: header) else { continue }
                let changes = changes(range.lowerBound, object, in: bytes)
                let bits = changes.reduce(0) { $0 + $1.nonzeroBitCount }
                guard changes.count(where: { $0 != 0 }) < 2, changes[0] & 0xF0 == 0 || bits == 1, bits <= fewest,
                    isPortable(object, in: bytes)
                else { continue }
                found = bits < fewest ? object : nil
                fewest = bits
            }
        }
        return found
    }

    /// Whether other programs read the contents of an object. Many refuse a file with an invalid text or date.
    private func isPortable(_ object: StoredObject, in bytes: [UInt8]) -> Bool {
        switch object.kind {
        case .oneByteString: !RecoveredObjects.isOddString(bytes, object)
        case .utf16String:
            !(0..<object.count).map { UInt16(bytes.bigEndian(at: object.start + 2 * $0, width: 2)) }.hasLoneSurrogate
        case .date:
            CalendarDate(secondsSince2001: Double(bitPattern: bytes.bigEndian(at: object.start, width: 8)))
                .map { (1...9999).contains($0.year) } ?? false
        default: true
        }
    }

    /// Returns the number of bits in which the bytes at an offset differ from the marker and the count of an object.
    func changedBits(_ offset: Int, _ object: StoredObject, in bytes: [UInt8]) -> Int {
        changes(offset, object, in: bytes).reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Returns the changed bits in each byte of the marker and the count of an object.
    private func changes(_ offset: Int, _ object: StoredObject, in bytes: [UInt8]) -> [UInt8] {
        var header = ByteWriter()
        BinaryPlistWriter.writeMarker(of: object, &header)
        return zip(header.takeBytes(), bytes[offset..<object.start]).map { $0 ^ $1 }
    }

    /// Whether `count` objects, read one after another from `start`, end at `end`.
    func chains(from start: Int, count: Int, to end: Int, in bytes: [UInt8]) -> Bool {
        var position = start
        for _ in 0..<count {
            guard let next = self.end(of: bytes, at: position) else { return false }
            position = next
        }
        return position == end
    }
}

// MARK: - Candidates

extension DamagedLayout {
    /// Returns the layout with the most evidence, or nil if the bytes have no usable offset table.
    static func find(in bytes: [UInt8]) -> DamagedLayout? {
        guard bytes.count >= Trailer.size + 10 else { return nil }
        let trailer = Trailer(of: bytes)
        let isTrailerSound = Trailer.fits(bytes, endingAt: bytes.count)
        var best: (layout: DamagedLayout, score: Int)?
        // Each candidate is built only when it is tried, because it stores an offset for every object.
        for numbers in corrected(trailer, bytes.count - Trailer.size) + searched(in: bytes) {
            for size in referenceSizes(trailer, count: numbers.count) {
                var layout = numbers.layout(of: bytes, referenceSize: size)
                if trailer.root < UInt64(numbers.count), trailer.objectCount == UInt64(numbers.count) {
                    layout.root = Int(trailer.root)
                }
                let score = layout.confirmedCount(in: bytes, layout.fileOrder(in: bytes))
                if score == layout.count { return layout }
                guard let found = best else {
                    if score > 0 { best = (layout, score) }
                    continue
                }
                if isTrailerSound, found.layout.agrees(with: trailer), !layout.agrees(with: trailer) {
                    let isBetter = score > found.score + chanceCount
                    if isBetter { best = (layout, score) }
                    if isBetter || score >= found.score { best?.layout.isAmbiguous = true }
                    continue
                }
                guard score <= found.score else {
                    best = (layout, score)
                    continue
                }
                guard score == found.score, layout.entries != found.layout.entries else { continue }
                let (faults, others) = (layout.keyFaults(in: bytes), found.layout.keyFaults(in: bytes))
                if faults < others { best = (layout, score) }
                if faults == others { best?.layout.isAmbiguous = true }
            }
        }
        guard let best else { return nil }
        // If the trailer and the table are sound, most objects may have been overwritten.
        let isStated = best.layout.objectsEnd == trailer.tableStart && isTrailerSound
        guard best.score * 5 >= best.layout.count * 2 || isStated && best.score > 1 else { return nil }
        return best.layout
    }

    /// Creates the layout that the trailer of a file gives; nil if the trailer does not fit the bytes before it.
    init?(trailerOf file: [UInt8]) {
        guard Trailer.fits(file, endingAt: file.count) else { return nil }
        let trailer = Trailer(of: file)
        self.init(of: file, trailer, tableStart: Int(trailer.tableStart))
        root = Int(trailer.root)
    }

    /// Creates the layout of a file whose table is not at the offset in the trailer.
    ///
    /// The caller checks that the file has room for as many table entries as the trailer states.
    init(of file: [UInt8], _ trailer: Trailer, tableStart: Int, shift: Int = 0) {
        self = Numbers(
            tableStart: tableStart, shift: shift, count: Int(trailer.objectCount), offsetSize: trailer.offsetSize
        ).layout(of: file, referenceSize: trailer.referenceSize)
    }

    /// Returns up to three possible reference sizes for `count` objects: the size in the trailer, if it is valid, and
    /// common sizes that are large enough.
    private static func referenceSizes(_ trailer: Trailer, count: Int) -> [Int] {
        var sizes = (1...8).contains(trailer.referenceSize) ? [trailer.referenceSize] : []
        for size in [BinaryPlistWriter.size(for: count), 2, 1, 4] {
            if !sizes.contains(size), count <= 1 << (8 * min(size, 7)) { sizes.append(size) }
        }
        return Array(sizes.prefix(3))
    }

    /// The numbers of a trailer that decide where the table is.
    private struct Numbers {
        /// The offset of the table in the damaged file.
        var tableStart: Int
        var shift = 0
        var count: Int
        var offsetSize: Int

        func layout(of bytes: [UInt8], referenceSize: Int) -> DamagedLayout {
            var entries: [Int] = []
            entries.reserveCapacity(count)
            for index in 0..<count {
                let entry = bytes.bigEndian(at: tableStart + index * offsetSize, width: offsetSize)
                entries.append(entry >= 8 && entry < UInt64(bytes.count) ? Int(entry) : -1)
            }
            return DamagedLayout(
                objectsEnd: tableStart, shift: shift, offsetSize: offsetSize, referenceSize: referenceSize,
                entries: entries)
        }
    }

    /// Returns the numbers of the trailer as they are, and with each of them computed from the others.
    private static func corrected(_ trailer: Trailer, _ end: Int) -> [Numbers] {
        var found: [Numbers] = []
        func add(start: Int, count: Int, size: Int, shift: Int = 0) {
            guard (1...8).contains(size), count > 0, count <= end / size, start + count * size == end,
                isPossible(start: start - shift, count: count, size: size)
            else { return }
            found.append(Numbers(tableStart: start, shift: shift, count: count, offsetSize: size))
        }
        let size = trailer.offsetSize
        let start = trailer.tableStart < UInt64(end) ? Int(trailer.tableStart) : nil
        let count = trailer.objectCount <= UInt64(end) ? Int(trailer.objectCount) : nil
        if let start, let count { add(start: start, count: count, size: size) }
        if let count, size > 0, count <= end / size {
            let moved = end - count * size
            if let start, start != moved { add(start: moved, count: count, size: size, shift: moved - start) }
            add(start: moved, count: count, size: size)
        }
        if let start, size > 0 { add(start: start, count: (end - start) / size, size: size) }
        if let start, let count, count > 0 { add(start: start, count: count, size: (end - start) / count) }
        return found
    }

    /// Searches for an offset table that ends where the trailer begins. Its first entry must be 8, the offset of the
    /// first object.
    private static func searched(in bytes: [UInt8]) -> [Numbers] {
        let end = bytes.count - Trailer.size
        var found: [Numbers] = []
        for size in [1, 2, 3, 4, 8] {
            // The table starts at an offset that an entry can hold.
            let least = size < 8 ? max(end - (1 << (8 * size)) + size, size) / size : 1
            var count = max(least, 1)
            var tries = 0
            while end - count * size >= 9, tries < 4 {
                let start = end - count * size
                if isPossible(start: start, count: count, size: size), bytes.bigEndian(at: start, width: size) == 8,
                    isAscending(in: bytes, start: start, count: count, size: size)
                {
                    found.append(Numbers(tableStart: start, count: count, offsetSize: size))
                    tries += 1
                }
                count += 1
            }
        }
        return found
    }

    /// Whether `count` objects of at least one byte each fit before a table at `start`, and an entry of `size` bytes
    /// can store that offset.
    private static func isPossible(start: Int, count: Int, size: Int) -> Bool {
        start >= 9 && count <= start - 8 && (size == 8 || start < 1 << (8 * size))
    }

    /// Whether the first eight entries of a possible table ascend, with at most one exception.
    private static func isAscending(in bytes: [UInt8], start: Int, count: Int, size: Int) -> Bool {
        var previous: UInt64 = 0
        var exceptions = 0
        for index in 0..<min(count, 8) {
            let entry = bytes.bigEndian(at: start + index * size, width: size)
            if entry <= previous || entry >= UInt64(start) { exceptions += 1 } else { previous = entry }
        }
        return exceptions < 2
    }
}

// MARK: - Evidence

extension DamagedLayout {
    /// The numbers of objects in the order of their offsets.
    var offsetOrder: [Int] { entries.indices.sorted { (entries[$0], $0) < (entries[$1], $1) } }

    /// Returns the numbers of objects in file order.
    ///
    /// Nearly all writers store the objects in the order of their numbers. If a few entries do not ascend, the order that
    /// confirms more objects counts. If many do not, the objects are ordered by their offsets, unless objects read one after
    /// another prove that most entries are wrong.
    func fileOrder(in bytes: [UInt8]) -> [Int] {
        var (ascending, pairs, previous) = (0, 0, -1)
        for entry in entries where entry >= 0 {
            if previous >= 0 { pairs += 1 }
            if previous >= 0, entry > previous { ascending += 1 }
            previous = entry
        }
        if isPermuted { return offsetOrder }
        let numbers = Array(0..<count)
        guard ascending < pairs else { return numbers }
        let sorted = offsetOrder
        let fitting = confirmedCount(in: bytes, numbers)
        let surplus = confirmedCount(in: bytes, sorted) - fitting
        // A wrong entry fits fewer objects if they are ordered by their offsets than by their numbers.
        guard ascending * 4 < pairs * 3 else { return surplus > 0 ? sorted : numbers }
        guard numberedCount(in: bytes) > 2 else { return sorted }
        // Among wrong entries, a few objects fit by chance.
        return surplus > min((count - fitting) / 4, Self.chanceCount) ? sorted : numbers
    }

    /// The number of objects that do not all fit by chance.
    static let chanceCount = 6

    /// Returns the number of entries that give the offset of the object with the same number, counted from the first.
    private func numberedCount(in bytes: [UInt8]) -> Int {
        var (found, start) = (0, 8)
        for entry in entries {
            if entry == start { found += 1 }
            guard let end = end(of: bytes, at: start) else { break }
            start = end
        }
        return found
    }

    /// Returns the numbers of the objects that leave no room for the lost ones before them, and of the objects that follow
    /// them without a gap. Their entries may have been moved within the table, and belong to other objects.
    func movedNumbers(in bytes: [UInt8], isLost: (Int) -> Bool) -> [Int] {
        var moved: [Int] = []
        var (end, lostCount) = (-1, 0)
        for (number, start) in entries.enumerated() {
            guard start >= 8, !isLost(number) else {
                lostCount += 1
                continue
            }
            let isMoved = start - 8 < lostCount || start == end
            end = isMoved ? self.end(of: bytes, at: start) ?? -1 : -1
            if isMoved { moved.append(number) }
        }
        return moved
    }

    /// Returns the numbers of the few objects that are out of order in a file whose other objects are in order. If a file
    /// is damaged, the entry of another object may have become the entry of such an object.
    ///
    /// - Parameter order: The numbers in the order of their offsets.
    func misplaced(_ order: [Int]) -> [Int] {
        let kept = Set(LongestIncreasingSubsequence.positions(in: order))
        guard (count - kept.count) * 4 < count else { return [] }
        return order.indices.filter { !kept.contains($0) }.map { order[$0] }
    }

    /// Whether the table is where the trailer says, with as many entries of the same size.
    private func agrees(with trailer: Trailer) -> Bool {
        UInt64(objectsEnd) == trailer.tableStart && UInt64(count) == trailer.objectCount
            && offsetSize == trailer.offsetSize
    }

    /// Whether each object ends where the next one begins, and the first begins after the header. If so, no two entries
    /// share an object.
    func isGapless(_ bytes: [UInt8]) -> Bool {
        let order = fileOrder(in: bytes)
        return order.first.map { entries[$0] == 8 } ?? false
            && zip(order, order.dropFirst()).allSatisfy { entries[$0] < entries[$1] }
            && isConfirmed(bytes, order, shift: 0).allSatisfy { $0 }
    }

    /// Whether two objects overlap in part. Some programs leave gaps between objects, let entries share an object, or
    /// store one inside the data of another, but none of these lets an object end within another one.
    func isContradictory(_ bytes: [UInt8]) -> Bool {
        var largestEnd = 0
        for start in entries.sorted() {
            guard let end = end(of: bytes, at: start) else { continue }
            if start < largestEnd, end > largestEnd { return true }
            largestEnd = max(largestEnd, end)
        }
        return false
    }

    /// Returns the number of objects, in file order, that end where the next object begins. After inserted or removed
    /// bytes, objects are read at shifted offsets.
    func confirmedCount(in bytes: [UInt8], _ order: [Int]) -> Int {
        let fits = isConfirmed(bytes, order, shift: 0)
        guard shift != 0 else { return fits.count { $0 } }
        return split(fits, isConfirmed(bytes, order, shift: shift)).score
    }

    /// Returns the number of keys in dictionaries that lead to an object other than a string.
    func keyFaults(in bytes: [UInt8]) -> Int {
        // Dictionaries that share their bytes would take quadratic time.
        var (faults, stepsLeft) = (0, bytes.count)
        for entry in entries {
            guard let dictionary = object(of: bytes, at: entry), dictionary.kind == .dictionary else { continue }
            stepsLeft -= dictionary.count
            guard stepsLeft > 0 else { break }
            for position in 0..<dictionary.count {
                let number = bytes.bigEndian(at: dictionary.start + position * referenceSize, width: referenceSize)
                guard number < UInt64(count), case let key = entries[Int(number)], key >= 8, key < objectsEnd else {
                    continue
                }
                if !ObjectMarker.isString(bytes[key]) { faults += 1 }
            }
        }
        return faults
    }

    /// Returns, for each object in file order, whether it ends where the next one begins.
    func isConfirmed(_ bytes: [UInt8], _ order: [Int], shift: Int) -> [Bool] {
        let ends = expectedEnds(order)
        return order.indices.map { position in
            let start = entries[order[position]]
            guard start >= 0, let end = end(of: bytes, at: start + shift) else { return false }
            return end == ends[position] + shift
        }
    }

    /// Returns the offset, before the damage, at which each object in file order has to end. Several entries may share
    /// an object.
    func expectedEnds(_ order: [Int]) -> [Int] {
        let isShared = sharesObjects(order)
        var ends = [Int](repeating: objectsEnd - shift, count: order.count)
        for position in order.indices.dropLast().reversed() {
            let next = entries[order[position + 1]]
            ends[position] = isShared && next == entries[order[position]] ? ends[position + 1] : next
        }
        return ends
    }

    /// Whether entries share objects so often that this is the style of the program. A few equal entries are damage
    /// instead.
    func sharesObjects(_ order: [Int]) -> Bool {
        zip(order, order.dropFirst()).count { entries[$0] == entries[$1] && entries[$0] >= 0 } * 8 > order.count
    }

    /// Finds where bytes may have been inserted or removed, from the objects that are confirmed without and with the
    /// shift.
    ///
    /// - Returns: The smallest and the largest number of unshifted objects that confirm the most objects, and the
    ///   number of objects that they confirm.
    func split(_ unshifted: [Bool], _ shifted: [Bool]) -> (first: Int, last: Int, score: Int) {
        var score = shifted.count { $0 }
        var best = (first: 0, last: 0, score: score)
        for position in unshifted.indices {
            score += (unshifted[position] ? 1 : 0) - (shifted[position] ? 1 : 0)
            if score > best.score {
                best = (position + 1, position + 1, score)
            } else if score == best.score {
                best.last = position + 1
            }
        }
        return best
    }
}
