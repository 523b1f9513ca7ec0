/// A reader of binary property lists, which checks that a file is valid (see <doc:BinaryFormat>).
///
/// Two passes in the order of the object table are enough for almost every file. The first visits all objects (marker,
/// extent), the second the references of containers. If every container precedes the containers in it, there can be no
/// cycle, and no object has to be visited out of order. All other files are left to ``ReachabilityCheck``, which walks
/// from the root and separates damage in reachable objects from damage in unreachable ones.
struct BinaryPlistReader {
    private let file: [UInt8]
    private let limits: Limits

    init(_ file: [UInt8], limits: Limits) {
        self.file = file
        self.limits = limits
    }

    func read() throws(Problem) -> Document {
        try checkHeader()
        do throws(Problem) {
            try check(Trailer(of: file))
        } catch {
            throw error.diagnosed(in: file, limits)
        }
        return try readObjects()
    }

    /// Reads the file without searching for the cause of an invalid trailer, for callers that try out changes to the
    /// file.
    func readUndiagnosed() throws(Problem) -> Document {
        try checkHeader()
        try check(Trailer(of: file))
        return try readObjects()
    }

    private func readObjects() throws(Problem) -> Document {
        let trailer = Trailer(of: file)
        let unchecked = Document(
            image: file,
            table: OffsetTable(
                start: Int(trailer.tableStart), count: Int(trailer.objectCount), offsetSize: trailer.offsetSize,
                referenceSize: trailer.referenceSize),
            root: ObjectID(Int(trailer.root)),
            facts: Document.Facts(sourceFormat: .binary, sourceSize: file.count, isFile: true))
        var scan = ObjectScan(unchecked)
        try scan.run()
        try checkOverlaps(scan.byteCount)
        var expansionBound = Int.max
        if scan.isSound && scan.isInOrder(maxDepth: limits.maxDepth) {
            expansionBound = scan.expansionBound
        } else {
            var check = ReachabilityCheck(unchecked, limits: limits)
            try check.run()
            scan.take(check)
        }
        return unchecked.with {
            $0.expansionBound = expansionBound
            $0.losslessKinds = scan.losslessKinds
            $0.warnings = scan.warnings(trailer, limits)
        }
    }

    /// Refuses a file whose objects overlap so much that visiting all of them would take too long for its size.
    private func checkOverlaps(_ size: Int) throws(Problem) {
        let allowed = limits.maxReadByteCount(of: file.count)
        guard size > allowed else { return }
        throw Problem(
            "limit.overlap",
            "overlapping objects add up to \(size) bytes; the limit for this file is \(allowed)")
    }

    // MARK: Header and trailer

    private func checkHeader() throws(Problem) {
        let magic = Array("bplist0".utf8)
        guard file.starts(with: magic) || magic.starts(with: file) else {
            throw Problem("binary.magic", "the file does not start with \"bplist0\"", at: .byte(0))
        }
        // The header, one object, its offset and the trailer.
        guard file.count >= 8 + 1 + 1 + Trailer.size else {
            throw Problem(
                "binary.length",
                "truncated: the file has \(Phrase.count(file.count, "byte")); the shortest binary property list has 42",
                at: .byte(file.count))
        }
    }

    private func check(_ trailer: Trailer) throws(Problem) {
        let start = file.count - Trailer.size
        let count = trailer.objectCount
        let table = trailer.tableStart
        for (name, size, offset) in [("offset", trailer.offsetSize, 6), ("reference", trailer.referenceSize, 7)]
        where size < 1 {
            throw Problem(
                "binary.\(name)-size", "the \(name) size is 0; expected 1 to 8 bytes", at: .byte(start + offset))
        }
        guard count >= 1, count <= UInt64(Int64.max) else {
            throw Problem(
                "binary.object-count",
                "the trailer counts \(CountText.grouping("\(count)")) objects; expected 1 to 2^63 - 1",
                at: .byte(start + 8))
        }
        guard trailer.root < count else {
            throw Problem(
                "binary.root", "the root is object \(trailer.root); the object count is \(count)", at: .byte(start + 16)
            )
        }
        guard table >= 9, table < UInt64(start) else {
            throw Problem(
                "binary.table-start",
                "the offset table starts at \(Hexadecimal.prefixed(table)); expected 0x09 to \(Hexadecimal.prefixed(start - 1))",
                at: .byte(start + 24))
        }
        try checkSizes(trailer)
    }

    /// Checks that the table's length matches its entry count, and that offsets and references are wide enough.
    private func checkSizes(_ trailer: Trailer) throws(Problem) {
        let start = file.count - Trailer.size
        let (count, table) = (trailer.objectCount, trailer.tableStart)
        let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(trailer.offsetSize))
        guard !overflow, size == UInt64(start) - table else {
            throw Problem(
                "binary.table-length",
                "the offset table has \(Phrase.count(start - Int(table), "byte")); expected \(Phrase.count(Int(count), "entry")) of size \(trailer.offsetSize)",
                at: .byte(start + 8))
        }
        guard Self.fits(count, in: trailer.referenceSize) else {
            throw Problem(
                "binary.reference-size",
                "the reference size is \(trailer.referenceSize), too small for \(count) objects", at: .byte(start + 7))
        }
        guard Self.fits(table, in: trailer.offsetSize) else {
            throw Problem(
                "binary.offset-size",
                "the offset size is \(trailer.offsetSize), too small for offsets up to \(table)", at: .byte(start + 6))
        }
    }

    /// Whether `size` bytes can represent `value`.
    ///
    /// Core Foundation requires that the object count fits a reference and the table's start fits an offset, although
    /// no reference or offset has that value.
    private static func fits(_ value: UInt64, in size: Int) -> Bool {
        size >= 8 || value < 1 << UInt64(8 * size)
    }
}

/// The objects of a file that are accepted but unusual.
private struct OddObjects {
    var unsound = Occurrences()
    var highBytes = Occurrences()
    var wideIntegers = Occurrences()
    var nulls = Occurrences()
    var nonStringKeys = Occurrences()
    var overlaps = Occurrences()
}

/// The stretches between and after objects that belong to none of them.
private struct Gaps {
    private(set) var first: Range<Int>?
    private(set) var count = 0

    mutating func note(_ gap: Range<Int>) {
        if first == nil { first = gap }
        count += 1
    }
}

/// The first two passes over a binary property list, in the order of the object table.
private struct ObjectScan {
    private let document: Document
    private var containers: Bitmap
    private var strings: Bitmap
    private var previousEnd = 8
    /// The number of string bytes (in the first pass) or references (in the second) that may still be visited.
    ///
    /// Objects of a well-formed file do not overlap, so the size of the file is enough. The budget limits the work for
    /// files in which thousands of entries share the same bytes.
    private var budget: Int
    private var odd = OddObjects()
    /// The gaps before the objects so far, if their order in the table is that in the file.
    private var gaps = Gaps()
    /// The bits of the kinds with at least one object that is not plain or was not visited (see ``LosslessKinds``).
    private var oddKinds: UInt16 = 0
    private var reportsUnsound = false
    private var largestScalar = 0
    /// The total size of all objects, which exceeds the file size if they overlap.
    private(set) var byteCount = 0
    private var references = 0
    private var sharesContainers = false

    init(_ document: Document) {
        self.document = document
        containers = Bitmap(count: document.count)
        strings = Bitmap(count: document.count)
        budget = document.imageSize
    }

    /// Whether every object in the table, reachable or not, lies within the file and has a known marker.
    var isSound: Bool { odd.unsound.count == 0 }

    /// Runs the first pass over the markers and extents of all objects.
    ///
    /// - Throws: A problem if an entry of the offset table points to the table or beyond it. Core Foundation refuses
    ///   such a file even if the entry is unreferenced.
    mutating func run() throws(Problem) {
        let table = document.table
        for index in 0..<table.count {
            let position = table.start + index * table.offsetSize
            let offset = document.image.bigEndian(at: position, width: table.offsetSize)
            guard offset < UInt64(table.start) else {
                throw .offsetOutOfRange(offset, entry: index, table, at: position)
            }
            guard offset >= 8,
                let object = ObjectMarker.object(in: document.image, at: Int(offset), table: table)
            else {
                odd.unsound.note(at: index)
                continue
            }
            note(object, index, at: Int(offset))
        }
    }

    private mutating func note(_ object: StoredObject, _ index: Int, at offset: Int) {
        var size = object.count
        switch object.kind {
        case .array, .set, .dictionary:
            containers.insert(index)
            size = object.referenceCount * document.table.referenceSize
        case .oneByteString:
            strings.insert(index)
            look(at: object, index)
        case .utf16String:
            strings.insert(index)
            size *= 2
        case .integer:
            guard size == 16 else { break }
            oddKinds |= LosslessKinds.bit(ObjectMarker.integer)
            if document.image.bigEndian(at: object.start, width: 8) != 0 { odd.wideIntegers.note(at: index) }
        case .null:
            odd.nulls.note(at: index)
            oddKinds |= LosslessKinds.bit(ObjectMarker.null)
        default:
            break
        }
        if !object.kind.isContainer { largestScalar = max(largestScalar, size) }
        byteCount = byteCount.addingSaturated(size)
        if offset < previousEnd {
            odd.overlaps.note(at: index)
        } else if offset > previousEnd {
            gaps.note(previousEnd..<offset)
        }
        previousEnd = max(previousEnd, object.start + size)
    }

    /// Looks for non-ASCII bytes and control characters in a one-byte string.
    private mutating func look(at string: StoredObject, _ index: Int) {
        guard string.count <= budget else {
            oddKinds |= LosslessKinds.bit(ObjectMarker.oneByteString)
            return
        }
        budget -= string.count
        let (image, end) = (document.image.span, string.start + string.count)
        let first = image.firstIndex(from: string.start, upTo: end) { $0.nonASCII | $0.marks(below: 0x20) }
        guard first < end else { return }
        if image.firstIndex(from: first, upTo: end, where: \.nonASCII) < end { odd.highBytes.note(at: index) }
        oddKinds |= LosslessKinds.bit(ObjectMarker.oneByteString)
    }

    /// The kinds whose objects all lack properties that a text format could lose (see ``LosslessKinds``).
    ///
    /// Data, UIDs and arrays never have such a property. Booleans have the same bit as null, because their markers have
    /// the same high four bits.
    var losslessKinds: LosslessKinds {
        let markers = [
            ObjectMarker.null, ObjectMarker.integer, ObjectMarker.data, ObjectMarker.oneByteString, ObjectMarker.uid,
            ObjectMarker.array,
        ]
        return LosslessKinds(all: markers.reduce(0) { $0 | LosslessKinds.bit($1) }, besides: oddKinds)
    }

    /// Runs the second pass over the references of containers.
    ///
    /// Containers that overlap so much that they have more references than the file has bytes count as out of order.
    ///
    /// - Returns: Whether every reference is in range, every key is a scalar, and every container precedes the
    ///   containers in it, nested no deeper than `maxDepth`. Such containers form no cycle.
    mutating func isInOrder(maxDepth: Int) -> Bool {
        budget = document.imageSize
        var depths = [UInt16](repeating: 0, count: document.count)
        let deepest = UInt16(clamping: maxDepth)
        var last: StoredObject?
        for index in containers {
            let object = document.object(ObjectID(index))
            let depth = max(depths[index], 1)
            budget -= object.referenceCount
            references += object.referenceCount
            guard depth <= deepest, depth < UInt16.max, budget >= 0 else { return false }
            let keys = object.kind == .dictionary ? object.count : 0
            if keys > 0, last.map({ document.hasSameKeys($0, object) }) != true {
                guard let hasNonStringKey = hasNonStringKey(object) else { return false }
                if hasNonStringKey { odd.nonStringKeys.note(at: index) }
                last = hasNonStringKey ? nil : object
            }
            for position in keys..<object.referenceCount {
                let child = document.reference(position, of: object).index
                guard child >= 0, child < document.count else { return false }
                guard containers.contains(child) else { continue }
                guard child > index else { return false }
                sharesContainers = sharesContainers || depths[child] > 0
                depths[child] = max(depths[child], depth + 1)
            }
        }
        return true
    }

    /// Whether a dictionary has a non-string key, or nil if a key is out of range or a container.
    private func hasNonStringKey(_ dictionary: StoredObject) -> Bool? {
        var hasNonStringKey = false
        for position in 0..<dictionary.count {
            let key = document.key(position, of: dictionary).index
            guard key >= 0, key < document.count, !containers.contains(key) else { return nil }
            hasNonStringKey = hasNonStringKey || !strings.contains(key)
        }
        return hasNonStringKey
    }

    /// An upper bound of the document's expanded size, valid if all containers are in order.
    var expansionBound: Int {
        sharesContainers ? .max : Document.expansionBound(references: references, largestScalar: largestScalar)
    }

    /// Adopts the results of a walk from the root, which found that all damaged objects are unreachable.
    mutating func take(_ check: ReachabilityCheck) {
        reportsUnsound = true
        odd.nonStringKeys = check.nonStringKeys
    }

    /// Returns the warnings for everything accepted but unusual, one per kind, each with its first location.
    func warnings(_ trailer: Trailer, _ limits: Limits) -> [Problem] {
        let conversion = conversion
        var warnings = conversion.map { [$0] } ?? []
        func add(_ occurrences: Occurrences, as kind: Problem.Kind, _ sentence: String) {
            guard occurrences.count > 0 else { return }
            let rest = Phrase.others(of: occurrences.count)
            let offset = document.offset(of: ObjectID(occurrences.first))
            warnings.append(
                Problem(
                    kind, "object \(occurrences.first) \(sentence)\(rest)", severity: .warning,
                    at: offset.map(SourceLocation.byte)))
        }
        if reportsUnsound {
            add(
                odd.unsound, as: Problem.Kind("binary.unsound-object"),
                "is damaged, but nothing in the value refers to it")
        }
        add(
            odd.highBytes, as: Problem.Kind("binary.high-bytes"),
            "is an ASCII string with bytes above 0x7F, read as ISO-8859-1"
        )
        add(
            odd.wideIntegers, as: Problem.Kind("binary.wide-integer"),
            "is an integer of more than 64 bits; other readers keep only 64")
        let zeros = odd.nulls.count > 0 ? UnreadableFile.zeros(amongNullsOf: document.image, limits) : nil
        if let zeros {
            warnings.append(zeros)
        } else {
            add(odd.nulls, as: Problem.Kind("binary.null"), "is null; other property-list writers never store null")
        }
        add(odd.nonStringKeys, as: .nonStringKey, "is a dictionary with a non-string key")
        // A conversion or zeros explain the gaps.
        warnings += layoutWarnings(includingGaps: conversion == nil && zeros == nil)
        for (name, size) in [("offset", trailer.offsetSize), ("reference", trailer.referenceSize)] where size > 8 {
            warnings.append(
                Problem(
                    "binary.\(name)-size", "the \(name) size is \(size); other readers accept 1 to 8",
                    severity: .warning,
                    at: .byte(document.imageSize - Trailer.size + (name == "offset" ? 6 : 7))))
        }
        return warnings
    }

    /// The error about a conversion that left a readable file; nil if the file shows none.
    private var conversion: Problem? {
        if document.checkedObject(document.root)?.kind.isContainer == false {
            return UnreadableFile.strippedBits(in: document.image)
        }
        // The numbers of small files may need neither byte.
        guard document.count > 0x0D || odd.overlaps.count + odd.unsound.count > 0 else { return nil }
        return ReplacedLineEnds(in: document.image)?.problem
    }

    /// Returns the warnings for objects that overlap, and for bytes that belong to no object, as after an object whose
    /// length was damaged.
    private func layoutWarnings(includingGaps: Bool) -> [Problem] {
        var (overlap, gaps) = (Int?.none, gaps)
        if odd.overlaps.count + odd.unsound.count > 0 {
            (overlap, gaps) = layout()
        } else if previousEnd < document.table.start {
            gaps.note(previousEnd..<document.table.start)
        }
        var warnings: [Problem] = []
        if let overlap {
            warnings.append(
                Problem(
                    "binary.overlap", "object \(overlap) starts within another object", severity: .warning,
                    at: document.offset(of: ObjectID(overlap)).map(SourceLocation.byte)))
        }
        if includingGaps, let gap = gaps.first {
            warnings.append(
                Problem(
                    "binary.gap",
                    "\(Phrase.count(gap.count, "byte", "belongs")) to no object\(Phrase.others(of: gaps.count))",
                    severity: .warning, at: .byte(gap.lowerBound)))
        }
        return warnings
    }

    /// Returns the first object, in file order, that starts inside another object but not at the same offset, and the
    /// gaps between objects. A damaged object extends to the next one.
    ///
    /// This sorts all objects, so it is called only if an object is damaged, or starts before the end of an earlier one
    /// in the table.
    private func layout() -> (overlap: Int?, gaps: Gaps) {
        var starts: [(start: Int, index: Int)] = []
        starts.reserveCapacity(document.count)
        for index in 0..<document.count {
            if let start = document.offset(of: ObjectID(index)) { starts.append((start, index)) }
        }
        starts.sort { $0 < $1 }
        var (start, end) = (-1, 8)
        var isEndKnown = true
        var overlap: Int?
        var gaps = Gaps()
        func skip(to next: Int) {
            if next > end, isEndKnown { gaps.note(end..<next) }
        }
        for next in starts {
            skip(to: next.start)
            guard let object = document.checkedObject(ObjectID(next.index)) else {
                if next.start >= end { (end, isEndKnown) = (next.start, false) }
                continue
            }
            if next.start < end, next.start != start, overlap == nil { overlap = next.index }
            if next.start >= end { isEndKnown = true }
            let nextEnd = document.end(of: object)
            if nextEnd > end { (start, end) = (next.start, nextEnd) }
        }
        skip(to: document.table.start)
        return (overlap, gaps)
    }
}

extension Problem.Kind {
    /// A dictionary with a non-string key.
    package static let nonStringKey = Problem.Kind("binary.key-kind")
}
