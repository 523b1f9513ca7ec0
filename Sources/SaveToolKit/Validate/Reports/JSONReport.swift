import SaveCodec
import SaveInspection

/// A report as one JSON document with one line per file, and the totals at the end. It has the same shape whether files
/// pass or fail. Its schema is `Fixtures/schemas/validate-report.schema.json`:
///
///     {"tool":"savetool","version":"1.0.0","files":[
///     {"file":"a.save","verdict":"valid","asWanted":true,…,"findings":[]},
///     …
///     ],"totals":{…}}
struct JSONReport: ReportRenderer {
    private var rows = JSONRows()

    mutating func begin(to output: inout ByteWriter) {
        rows.begin(to: &output)
        rows.beginRows("files", to: &output)
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        rows.add(
            .object(file.members + [("findings", .array(file.findings.map { .object($0.members(in: file)) }))]),
            to: &output)
    }

    mutating func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        rows.endRows(to: &output)
        rows.end([("totals", .object(totals.members))], to: &output)
    }
}

/// A report with one JSON object per line: each finding, each file after its findings, and finally the totals. The
/// objects have the members of ``JSONReport``, and `type` names the kind of object.
struct NDJSONReport: ReportRenderer {
    func render(_ file: FileVerdict, to output: inout ByteWriter) {
        for finding in file.findings {
            write(
                [("type", .string("finding"))] + FileName.members(file.title) + finding.members(in: file), to: &output)
        }
        write([("type", .string("file"))] + file.members, to: &output)
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        write([("type", .string("totals"))] + totals.members, to: &output)
    }

    private func write(_ members: JSONMembers, to output: inout ByteWriter) {
        var json = JSONOutput(.compact)
        json.write(.object(members), to: &output)
        output.write(UInt8(ascii: "\n"))
    }
}

extension FileVerdict {
    fileprivate var members: JSONMembers {
        FileName.members(title) + [
            ("verdict", .string(verdict.rawValue)), ("asWanted", .boolean(isExpected)),
            ("format", format.map { .string($0.rawValue) }), ("archive", .boolean(isArchive)),
        ] + counts.members + [("omitted", .integer(omitted))]
    }
}

extension Finding {
    /// Returns the members of a finding. `address` is accepted by commands, `storedAddress` refers to the property list
    /// of an archive, and `path` is the former name of an archive's `address`.
    fileprivate func members(in file: FileVerdict) -> JSONMembers {
        let stored = problem.address.map(ReportedAddress.init)
        let path = path.map(ReportedAddress.init)
        let isStored = path != nil || file.isArchive
        let isShortened = stored?.isShortened == true || path?.isShortened == true
        return [
            ("id", .string(problem.id)), ("severity", .string(problem.severity.rawValue)),
            ("in", problem.location?.layers.map(ReportJSON.string)),
            ("byte", problem.location?.byteOffset.map(ReportJSON.integer)),
            ("line", problem.location?.position.map { .integer($0.line) }),
            ("column", problem.location?.position.map { .integer($0.column) }),
            ("address", (path ?? (isStored ? nil : stored)).map { .address($0.address) }),
            ("storedAddress", isStored ? stored.map { .address($0.address) } : nil),
            ("path", path.map { .address($0.address) }),
            ("shortened", isShortened ? .boolean(true) : nil), ("message", .string(problem.message)),
        ]
    }
}

extension SourceLocation {
    /// The offset in a binary file or, if the file has layers, in the unwrapped contents; nil for a text.
    var byteOffset: Int? {
        switch self {
        case .byte(let offset): offset
        case .line: nil
        case .within(_, let location): location.byteOffset
        }
    }

    /// The line and column in a text or, if the file has layers, in the unwrapped text; nil for a binary file.
    var position: (line: Int, column: Int)? {
        switch self {
        case .byte: nil
        case .line(let line, let column): (line, column)
        case .within(_, let location): location.position
        }
    }

    /// The layers around the location; nil for a location in the file itself.
    var layers: String? {
        if case .within(let layers, _) = self { layers } else { nil }
    }
}

extension FindingCounts {
    fileprivate var members: JSONMembers {
        [("errors", .integer(errors)), ("warnings", .integer(warnings)), ("infos", .integer(infos))]
    }
}

extension ReportTotals {
    fileprivate var members: JSONMembers {
        [
            ("files", .integer(files)), ("valid", .integer(valid)), ("invalid", .integer(invalid)),
            ("unchecked", .integer(unchecked)),
        ] + counts.members + [("status", .integer(Int(status.rawValue)))]
    }
}

/// An address in a report for programs. If it is too long, the address of the innermost enclosing container that is
/// short enough takes its place.
struct ReportedAddress {
    /// The maximum length of an address in UTF-16 code units before escaping.
    static let longest = 4096

    let address: JSONPointer
    /// Whether the address points to a container around the value.
    let isShortened: Bool

    init(_ whole: JSONPointer) {
        var depth = 0
        var count = 0
        for token in whole.tokens {
            count += token.count + 1
            guard count <= Self.longest else { break }
            depth += 1
        }
        isShortened = depth < whole.tokens.count
        address = isShortened ? whole.prefix(depth) : whole
    }
}
