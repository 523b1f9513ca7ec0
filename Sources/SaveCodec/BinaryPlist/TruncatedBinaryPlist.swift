/// A truncated binary property list, read object by object from its beginning to find the size of the missing end:
///
///     62 70 6C 69 73 74 30 30   header
///     A1 01  51 61              objects in file order, at 8 and at 10
///     08 0A                     the offset table, 2 entries; the 32 bytes of the trailer are missing
///
/// This works only if the objects are stored in the order of the table, the root first. Core Foundation and nearly all
/// other programs write them that way.
struct TruncatedBinaryPlist {
    enum Missing: Equatable {
        /// The byte count.
        case exactly(Int)
        /// The smallest possible byte count, used if references lead to missing objects.
        case atLeast(Int)
    }

    private let file: [UInt8]
    private let referenceSize: Int
    private var starts: [Int] = []
    /// The highest object number that a container refers to.
    private var highest = 0
    /// The number of offset-table entries that may still be compared, which keeps the search linear.
    private var comparisonsLeft: Int

    private init(_ file: [UInt8], referenceSize: Int) {
        self.file = file
        self.referenceSize = referenceSize
        comparisonsLeft = file.count
    }

    /// Returns the size of the missing end of a file that begins with a header, or nil if it is unknown.
    static func missing(in file: [UInt8]) -> Missing? {
        // The root is object 0, and nothing refers to it. If the reference size is too small, the bytes of some
        // references read as zero, so the walk fails.
        for size in 1...4 {
            var cut = TruncatedBinaryPlist(file, referenceSize: size)
            if let missing = cut.walk() { return missing }
        }
        return nil
    }

    /// Visits the objects up to the offset table or the end. Returns nil if the file does not match this layout.
    private mutating func walk() -> Missing? {
        let table = OffsetTable(start: file.count, count: .max, offsetSize: 1, referenceSize: referenceSize)
        var position = 8
        while position < file.count {
            if let size = offsetSize(ofTableAt: position) {
                let end = position + starts.count * size + Trailer.size
                return end > file.count ? .exactly(end - file.count) : nil
            }
            guard let object = ObjectMarker.object(in: file, at: position, table: table) else {
                return isCounted(file[position]) ? bound : nil
            }
            // No program writes null, but a block of zeros would read as null.
            guard object.kind != .null, note(object, at: position) else { return nil }
            position = end(of: object)
        }
        return bound
    }

    /// Records an object. Returns false if the object cannot occur in a file of this layout.
    private mutating func note(_ object: StoredObject, at position: Int) -> Bool {
        starts.append(position)
        guard object.kind.isContainer else { return true }
        for index in 0..<object.referenceCount {
            let number = file.bigEndian(at: object.start + index * referenceSize, width: referenceSize)
            guard number > 0, number <= UInt32.max else { return false }
            highest = max(highest, Int(number))
        }
        return true
    }

    private func end(of object: StoredObject) -> Int {
        switch object.kind {
        case .array, .set, .dictionary: object.start + object.referenceCount * referenceSize
        case .utf16String: object.start + 2 * object.count
        default: object.start + object.count
        }
    }

    /// Whether objects with this marker have contents that may be cut off.
    private func isCounted(_ marker: UInt8) -> Bool {
        ![0x00, 0x70, 0x90, 0xB0, 0xE0, 0xF0].contains(marker & 0xF0)
    }

    /// Returns the entry size of the offset table at a position, or nil if no table starts there.
    ///
    /// The table may be cut off.
    private mutating func offsetSize(ofTableAt position: Int) -> Int? {
        guard !starts.isEmpty, highest < starts.count else { return nil }
        return [1, 2, 3, 4, 8].first { size in
            size == 8 || position < 1 << (8 * size) ? isTable(at: position, size) : false
        }
    }

    private mutating func isTable(at position: Int, _ size: Int) -> Bool {
        for (index, start) in starts.enumerated() {
            let entry = position + index * size
            // The last entry may be cut off as well.
            let present = min(size, file.count - entry)
            guard present > 0 else { return true }
            let expected = UInt64(start) >> UInt64(8 * (size - present))
            guard comparisonsLeft > 0, file.bigEndian(at: entry, width: present) == expected else { return false }
            comparisonsLeft -= 1
        }
        return true
    }

    /// The smallest possible size of the missing end: a byte for each missing object, the table, and the trailer.
    private var bound: Missing? {
        guard let last = starts.last else { return nil }
        let objects = max(highest + 1, starts.count)
        let offsetSize = (1...8).first { last >> (8 * $0) == 0 } ?? 8
        return .atLeast(objects - starts.count + objects * offsetSize + Trailer.size)
    }
}
