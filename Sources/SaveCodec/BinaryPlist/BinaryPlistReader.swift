/// Checks that bytes are a sound binary property list (formats.md §1.4).
///
/// Two passes in file order see almost every file through: the first over all objects (marker, extent), the second over
/// the references of containers. Where every container comes before the containers in it, there can be no cycle, and
/// nothing has to be visited out of order. Anything unusual is left to ``ReachabilityCheck``, which walks from the root
/// and tells damage that matters from damage that nothing refers to.
struct BinaryPlistReader {
    private let file: [UInt8]
    private let limits: Limits

    init(_ file: [UInt8], limits: Limits) {
        self.file = file
        self.limits = limits
    }

    func read() throws(Problem) -> Document {
        try checkHeader()
        let trailer = Trailer(of: file)
        try check(trailer)
        let unchecked = Document(
            image: file,
            table: OffsetTable(
                start: Int(trailer.tableStart), count: Int(trailer.objectCount), offsetSize: trailer.offsetSize,
                referenceSize: trailer.referenceSize),
            root: ObjectID(Int(trailer.root)),
            facts: Document.Facts(sourceFormat: .binary, sourceSize: file.count, isFile: true))
        var survey = ObjectSurvey(unchecked)
        try survey.run()
        var expansionBound = Int.max
        if survey.isSound && survey.isInOrder(maxDepth: limits.maxDepth) {
            expansionBound = survey.expansionBound
        } else {
            var check = ReachabilityCheck(unchecked, limits: limits)
            try check.run()
            survey.take(check)
        }
        return unchecked.noting {
            $0.expansionBound = expansionBound
            $0.warnings = survey.warnings(trailer)
        }
    }

    // MARK: Header and trailer

    private func checkHeader() throws(Problem) {
        let magic = Array("bplist0".utf8)
        guard file.starts(with: magic) else { throw .notBinary() }
        // The header, one object, its offset and the trailer.
        guard file.count >= 8 + 1 + 1 + Trailer.size else { throw .tooShort(file.count) }
    }

    private func check(_ trailer: Trailer) throws(Problem) {
        let start = file.count - Trailer.size
        let count = trailer.objectCount
        let table = trailer.tableStart
        guard trailer.offsetSize >= 1 else { throw .zeroSize("offset", at: start + 6) }
        guard trailer.referenceSize >= 1 else { throw .zeroSize("reference", at: start + 7) }
        guard count >= 1, count <= UInt64(Int64.max) else { throw .objectCount(count, at: start + 8) }
        guard trailer.root < count else { throw .rootOutOfRange(trailer.root, count: count, at: start + 16) }
        guard table >= 9, table < UInt64(start) else { throw .tableOutOfRange(table, end: start, at: start + 24) }
        let (size, overflow) = count.multipliedReportingOverflow(by: UInt64(trailer.offsetSize))
        guard !overflow, size == UInt64(start) - table else {
            throw .tableLength(count, trailer.offsetSize, found: start - Int(table), at: start + 8)
        }
        guard Self.fits(count, in: trailer.referenceSize) else {
            throw .sizeTooSmall("reference", trailer.referenceSize, for: "\(count) objects", at: start + 7)
        }
        guard Self.fits(table, in: trailer.offsetSize) else {
            throw .sizeTooSmall("offset", trailer.offsetSize, for: "offsets up to \(table)", at: start + 6)
        }
    }

    /// Whether `size` bytes can hold more than `value`, as Core Foundation demands.
    private static func fits(_ value: UInt64, in size: Int) -> Bool {
        size >= 8 || value < 1 << UInt64(8 * size)
    }
}
