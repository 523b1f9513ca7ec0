import KeyedArchive
import SaveCodec
import SaveOperations

/// `savetool roundtrip`: proves that nothing is lost by reading and writing files.
enum RoundTripCommand {
    static let command = Command(
        name: "roundtrip", summary: "prove that files survive reading and writing", operands: "FILE …",
        discussion: """
            Reads each file, writes it in its own format and style, and compares: the bytes, and where they
            differ all values, with their types, classes and sharing. With --via it is written in another
            format in between, as convert would (json: an archive as its graph of objects; xml: as it is
            stored), and read back from that. Nothing is written to any file.

            Tells of each file whether its bytes are the same, or its values; or else the first difference,
            or what the format cannot hold. --bytes asks for the same bytes.

            Exit status: 0 all are the same, 1 something is different or would be lost, 2 a file could not
            be read.
            """,
        options: [.via, .exactBytes, .from, .raw, .maxDepth, .quietRoundTrip],
        run: run)

    /// The formats that a file may take in between.
    private enum Intermediate: String, CaseIterable {
        case json, xml

        var format: Format {
            switch self {
            case .json: .json
            case .xml: .xml
            }
        }
    }

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw UsageError.missingOperand("FILE") }
        let via: Intermediate? = try arguments.choice(of: .via)
        let source = try arguments.format(of: .from)
        let limits = try arguments.limits()
        return try invocation.forEachFile(arguments.operands) { name in
            let file = try SaveFile(
                reading: name, as: source, limits: limits, isRaw: arguments.has(.raw), invocation)
            let outcome = try RoundTrip(via: via?.format, limits: limits).outcome(for: file)
            let isSame = outcome.isSameBytes || outcome.isSame && !arguments.has(.exactBytes)
            if !isSame || !arguments.has(.quietRoundTrip) {
                try invocation.writeOutput { $0.write("\(Invocation.shownName(name)): \(outcome.sentence)\n") }
            }
            return isSame ? .done : .notThere
        }
    }
}

extension Option {
    static let via = Option("via", value: "FORMAT", help: "write json or xml in between")
    static let exactBytes = Option("bytes", help: "ask for the same bytes, not only for the same values")
    static let quietRoundTrip = Option("quiet", "q", help: "tell only of files that are not the same")
}
