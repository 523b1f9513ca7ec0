/// The damage of a binary property list, located by comparing the objects with the offset table:
///
///     D1 01 02 │ EF 6B │ 10 05     the object area: objects 0 and 2 end where the table says that the next one begins;
///     08         0B      0D        object 1 does not, so it is damaged
///
/// This works only if the objects are stored without gaps in the order of the table. Core Foundation and nearly all
/// other programs write them that way. The time is linear.
struct BinaryPlistDamage {
    enum Kind: Equatable {
        /// The objects with these numbers do not match their offsets.
        case objects(ClosedRange<Int>)
        /// These entries of the offset table do not match the objects. `expected` is the right value of the first one.
        case offsets(ClosedRange<Int>, expected: Int)
    }

    let kind: Kind
    /// The damaged part of the file.
    let bytes: Range<Int>
    /// The offset from which to search for the header of a file that overwrote the damaged part.
    ///
    /// For damaged objects, the search begins in the object before them. Its length is right, but its contents may have
    /// been overwritten, too.
    let searchStart: Int
    /// The number of objects in the file.
    let objectCount: Int

    /// Locates the damage in a file whose trailer matches the bytes before it. Returns nil if all objects match the
    /// table, or if too few of them do to locate the damage.
    init?(in file: [UInt8]) {
        guard let layout = DamagedLayout(trailerOf: file), layout.count >= Self.fewest else { return nil }
        let order = layout.fileOrder(in: file)
        let isIntact = layout.isConfirmed(file, order, shift: 0)
        // An index of -1 stands for the header, which is before the first object.
        let begins = layout.entries[order[0]] == 8
        guard let last = isIntact.lastIndex(of: false),
            let first = begins ? isIntact.firstIndex(of: false) : -1,
            // A file in another order has contradictions everywhere.
            2 * (last - first + 1) <= layout.count
        else { return nil }
        objectCount = layout.count
        let ends = layout.expectedEnds(order)
        let size = layout.offsetSize
        let expected = first < 0 ? 8 : layout.end(of: file, at: layout.entries[order[first]])
        if last > first, let expected, order[first + 1] == first + 1, order[last] == last,
            layout.chains(from: expected, count: last - first, to: ends[last], in: file)
        {
            searchStart = layout.objectsEnd + (first + 1) * size
            kind = .offsets(first + 1...last, expected: expected)
            bytes = searchStart..<layout.objectsEnd + (last + 1) * size
        } else {
            let start = first < 0 ? 8 : layout.entries[order[first]]
            let numbers = order[max(first, 0)...last]
            guard start >= 8, start < ends[last], let least = numbers.min(), let most = numbers.max(),
                most - least < numbers.count
            else { return nil }
            kind = .objects(least...most)
            bytes = start..<ends[last]
            // The first byte of data is skipped, because a nested file may begin there without any damage.
            let previous = first > 0 ? layout.object(of: file, at: layout.entries[order[first - 1]]) : nil
            searchStart = previous.map { $0.kind == .data ? $0.start + 1 : $0.start } ?? start
        }
    }

    /// The minimum object count. If there are fewer objects, the intact ones do not prove that another is damaged.
    fileprivate static let fewest = 8

    /// The number of objects that are intact.
    var intactCount: Int {
        switch kind {
        case .objects(let numbers): objectCount - numbers.count
        case .offsets: objectCount
        }
    }

    /// The damaged objects or offsets in words, such as `object 39` or `the offsets of objects 47 to 60`.
    var title: String {
        switch kind {
        case .objects(let numbers): Self.title(of: numbers)
        case .offsets(let numbers, _):
            "the \(numbers.count > 1 ? "offsets" : "offset") of \(Self.title(of: numbers))"
        }
    }

    /// The intact objects in words, for the end of a sentence.
    var intact: String {
        switch kind {
        case .objects: "the other \(CountText.of(intactCount)) of \(CountText.of(objectCount)) objects show no damage"
        case .offsets: "all \(CountText.of(objectCount)) objects show no damage"
        }
    }

    static func title(of numbers: ClosedRange<Int>) -> String {
        numbers.count > 1
            ? "objects \(numbers.lowerBound) to \(numbers.upperBound)" : "object \(numbers.lowerBound)"
    }
}

// MARK: - Inserted and missing bytes

/// A shift of the second part of a binary property list, caused by bytes that were inserted or are missing before it.
///
/// The trailer states the start of the offset table, and also its length. The table ends where the trailer begins, so
/// its length gives the actual start. The difference is the number of inserted or missing bytes.
struct BinaryPlistShift {
    /// The number of inserted bytes, negative for missing ones.
    let byteCount: Int
    /// The objects in or between which the bytes were inserted or are missing; nil if only the table shows the shift.
    private(set) var objects: ClosedRange<Int>?
    /// The offset of the first of these objects, or of the table.
    private(set) var offset: Int

    /// Locates the shift, or returns nil if the file does not prove one.
    init?(in file: [UInt8]) {
        guard file.count >= 42 else { return nil }
        let trailer = Trailer(of: file)
        let end = file.count - Trailer.size
        let (length, overflow) = trailer.objectCount.multipliedReportingOverflow(by: UInt64(trailer.offsetSize))
        guard (1...8).contains(trailer.offsetSize), (1...8).contains(trailer.referenceSize), !overflow,
            trailer.objectCount > 1, length < UInt64(end - 8), trailer.tableStart < UInt64(Int32.max)
        else { return nil }
        let start = end - Int(length)
        byteCount = start - Int(trailer.tableStart)
        guard byteCount != 0 else { return nil }
        let layout = DamagedLayout(of: file, trailer, tableStart: start, shift: byteCount)
        let entries = layout.entries
        // The entries are ascending and within the file, but the objects do not fill the space before the table.
        guard entries[0] == 8, entries.allSatisfy({ $0 >= 8 && $0 < Int(trailer.tableStart) }),
            zip(entries, entries.dropFirst()).allSatisfy({ $0 < $1 }),
            !DamagedLayout(of: file, trailer, tableStart: start).isGapless(file)
        else { return nil }
        offset = start
        guard layout.count >= BinaryPlistDamage.fewest else { return }
        let order = Array(entries.indices)
        // The objects before `first` are where the table says. The objects after `last` are shifted.
        guard let first = layout.isConfirmed(file, order, shift: 0).firstIndex(of: false),
            let last = layout.isConfirmed(file, order, shift: byteCount).lastIndex(of: false),
            2 * (last - first + 1) <= layout.count
        else { return }
        objects = min(first, last)...last
        offset = entries[min(first, last)]
    }
}

// MARK: - The trailer

extension Trailer {
    /// A field of the trailer that contradicts the file.
    struct Fault {
        /// The field in words, such as `object count`.
        let name: String
        /// The offset of the first wrong byte in the file.
        let offset: Int
        /// The right value.
        let expected: UInt64
    }

    /// Returns the only field of a file's trailer whose correction makes the file valid, or nil if there is not exactly
    /// one such field.
    ///
    /// The file is read once per field.
    static func fault(in file: [UInt8]) -> Fault? {
        guard file.count >= 42 else { return nil }
        let start = file.count - size
        let trailer = Trailer(of: file)
        var faults: [Fault] = []
        for (name, position, width, value) in trailer.candidates(end: start) {
            var mended = file
            for index in 0..<width {
                mended[start + position + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - index)))
            }
            guard mended != file, fits(mended, endingAt: file.count),
                Trailer(of: mended).objectCount >= BinaryPlistDamage.fewest,
                DamagedLayout(trailerOf: mended)?.isGapless(mended) ?? false,
                (try? BinaryPlistReader(mended, limits: Limits()).readUndiagnosed()) != nil
            else { continue }
            let changed = file.indices.dropFirst(start).first { mended[$0] != file[$0] }
            faults.append(Fault(name: name, offset: changed ?? start, expected: value))
        }
        return faults.count == 1 ? faults[0] : nil
    }

    /// Returns a likely value for each field, derived from the other fields and from the size of the file.
    ///
    /// - Parameter end: The offset of the trailer, which is the end of the offset table.
    private func candidates(end: Int) -> [(name: String, position: Int, width: Int, value: UInt64)] {
        var list: [(name: String, position: Int, width: Int, value: UInt64)] = []
        let (length, overflow) = objectCount.multipliedReportingOverflow(by: UInt64(offsetSize))
        if !overflow, length < UInt64(end) { list.append(("start of the offset table", 24, 8, UInt64(end) - length)) }
        if tableStart < UInt64(end), offsetSize > 0 {
            list.append(("object count", 8, 8, (UInt64(end) - tableStart) / UInt64(offsetSize)))
        }
        if tableStart < UInt64(end), objectCount > 0, case let size = (UInt64(end) - tableStart) / objectCount,
            size <= 8
        {
            list.append(("offset size", 6, 1, size))
        }
        if let width = [1, 2, 4, 8].first(where: { $0 == 8 || objectCount < 1 << UInt64(8 * $0) }) {
            list.append(("reference size", 7, 1, UInt64(width)))
        }
        if root >= objectCount { list.append(("root", 16, 8, 0)) }
        return list
    }
}

// MARK: - References

/// The only reference in a binary property list that leads to no object. It must have led to the only object that
/// nothing refers to.
struct LostReference {
    /// The offset of the byte of the reference that was changed.
    let offset: Int
    /// The object that nothing refers to.
    let expected: Int

    /// Finds the reference in a file whose objects match the offset table. Returns nil unless a change of one byte
    /// makes it lead to the only object that nothing refers to.
    init?(in file: [UInt8]) {
        guard let layout = DamagedLayout(trailerOf: file), layout.count >= BinaryPlistDamage.fewest,
            // Objects without gaps do not overlap, so the time is linear.
            layout.isGapless(file)
        else { return nil }
        let (trailer, table) = (Trailer(of: file), layout.table)
        var referred = Bitmap(count: table.count)
        referred.insert(Int(trailer.root))
        var lost: Int?
        for number in 0..<table.count {
            guard let object = layout.object(of: file, at: layout.entries[number]) else { return nil }
            for position in 0..<object.referenceCount {
                let reference = object.start + position * table.referenceSize
                let target = file.bigEndian(at: reference, width: table.referenceSize)
                if target < UInt64(table.count) {
                    referred.insert(Int(target))
                } else {
                    guard lost == nil else { return nil }
                    lost = reference
                }
            }
        }
        var unreferred = (0..<table.count).lazy.filter { !referred.contains($0) }.makeIterator()
        guard let reference = lost, let number = unreferred.next(), unreferred.next() == nil else { return nil }
        let changed = (0..<table.referenceSize).filter { index in
            let shift = UInt64(8 * (table.referenceSize - 1 - index))
            return file[reference + index] != UInt8(truncatingIfNeeded: UInt64(number) >> shift)
        }
        guard changed.count == 1 else { return nil }
        (offset, expected) = (reference + changed[0], number)
    }
}
