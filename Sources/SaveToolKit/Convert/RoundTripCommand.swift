import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool roundtrip`: proves that reading and writing files loses nothing.
enum RoundTripCommand {
    static let command = Command(
        name: "roundtrip", summary: "prove that files survive reading and writing", operands: [.file.repeated],
        examples: [
            "read, write and compare": "savetool roundtrip swamp.save prefs.plist",
            "through JSON": "savetool roundtrip --via json swamp.save",
            "require the same bytes": "savetool roundtrip --bytes --quiet swamp.save",
        ],
        discussion: """
            Reads each file, writes it in its own format and style, and compares the bytes. If they differ,
            compares all values with types, classes and sharing. One line per file states the result, the
            first difference or loss. Skips files that .savetool.json ignores or expects to be invalid, and
            read-only formats.

            --via converts to json (an archive as graph JSON) or xml (as stored, with the width of reals) and
            back.
            """,
        exitStatus: [
            .done: "equal",
            .negative: "different, or a loss",
            .cannot: "error",
        ],
        options: [
            .via, .exactBytes, .from, .unwrap, .unwrapAt, .filterIn, .raw, .maxDepth, .maxWork, .quiet,
            .noProject,
        ],
        foreignSpellings: Command.folders, run: run)

    /// The intermediate formats.
    fileprivate enum Intermediate: String, CaseIterable {
        case json, xml

        var format: Format { self == .json ? .json : .xml }
    }

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        guard !arguments.operands.isEmpty else { throw UsageError.missingOperand("FILE") }
        let via: Intermediate? = try arguments.choice(of: .via)
        let reading = try arguments.fileReading()
        let project = try Project.find(arguments, invocation)
        invocation.outliveReader()
        let isQuiet = arguments.has(.quiet)
        var (hasCompared, hasReadOnly) = (false, false)
        let files = try invocation.saves(
            in: arguments.operands, reading, reporting: isQuiet ? nil : .always)
        let status = try invocation.forEachSave(files) { name in
            if let reason = project?.reasonToSkip(name) {
                return try skip(name, because: reason, isQuiet: isQuiet, invocation)
            }
            let bytes = try invocation.read(name)
            let save =
                isQuiet
                ? try reading.ofFile(named: name, bytes).open(bytes) : try invocation.open(bytes, of: name, reading)
            do throws(Problem) {
                try save.checkIsWritable()
            } catch {
                hasReadOnly = true
                return try skip(name, because: error.message, isQuiet: isQuiet, invocation)
            }
            hasCompared = true
            let outcome = try RoundTrip(via: via?.format, limits: reading.limits).outcome(for: save)
            let isSame = outcome.isSameBytes || outcome.isSame && !arguments.has(.exactBytes)
            if !isSame || !isQuiet {
                try invocation.writeOutput { $0.write("\(Invocation.shownName(name)): \(outcome.sentence)\n") }
            }
            return isSame ? .done : .negative
        }
        guard status == .done, hasReadOnly, !hasCompared else { return status }
        // A status of success would claim that a file was compared.
        invocation.printError("savetool: nothing was compared")
        return .cannot
    }

    /// Prints that a file is skipped, and why.
    private static func skip(
        _ name: String, because reason: String, isQuiet: Bool, _ invocation: Invocation
    ) throws -> ExitStatus {
        if !isQuiet {
            try invocation.writeOutput { $0.write("\(Invocation.shownName(name)): skipped; \(reason)\n") }
        }
        return .done
    }
}

/// Writes a save, reads it back, and compares the two:
///
///     slot1.save ─▶ document ─▶ JSON ─▶ document ─▶ slot1.save's format ─▶ the same bytes?
///                       └───────── the same values? ────────┘
struct RoundTrip {
    /// The intermediate format, or nil for none.
    let via: Format?
    let limits: Limits

    /// The result of a round trip.
    enum Outcome: Equatable {
        /// The bytes are equal. The associated value is the count of bytes.
        case bytes(Int)
        /// The values are equal, but the bytes differ from the given offset on.
        case values(from: Int)
        /// The values differ. The first difference is given as text, with the number of others.
        case different(String, more: Int)
        /// A format cannot hold some values. The first loss is given, with the number of others.
        case lost(Problem, more: Int)

        var isSame: Bool {
            switch self {
            case .bytes, .values: true
            case .different, .lost: false
            }
        }

        var isSameBytes: Bool {
            if case .bytes = self { true } else { false }
        }

        var sentence: String {
            switch self {
            case .bytes(let count): "same bytes (\(count))"
            case .values(let offset):
                "same values; the bytes differ starting at \(Hexadecimal.prefixed(offset, digits: 1))"
            case .different(let change, let more): "different: \(change)" + Self.more(more)
            case .lost(let problem, let more): "lost: \(problem.description)" + Self.more(more)
            }
        }

        private static func more(_ count: Int) -> String {
            count > 0 ? " (and \(count) more)" : ""
        }
    }

    /// Makes the round trip of a save in memory, and returns its result.
    ///
    /// - Throws: A problem if the written bytes cannot be read, or the format of the save is read-only.
    func outcome(for save: Save) throws(Problem) -> Outcome {
        try save.checkIsWritable()
        let lostBetween = via.map { save.view.losses(as: $0, limits: limits) } ?? []
        let losses = save.view.inView(lostBetween + save.losses(of: save.view))
        if let first = losses.first { return .lost(first, more: losses.count - 1) }
        let isRaw = save.view.archive == nil
        let between = try reread(save.view, isRaw: isRaw)
        let bytes = try bytes(of: between, in: save)
        guard bytes != save.bytes else { return .bytes(bytes.count) }
        let document = try Document.readSave(
            bytes, as: save.format, limits: limits, dialect: save.view.document.dialect)
        let options = via.map { DifferenceOptions.stored(as: save.format, $0) }
        let difference = Difference(
            save.view, try ObjectView(of: document, limits: limits, isRaw: isRaw),
            options: options ?? .stored(as: save.format, save.format))
        guard let first = difference.changes.first else {
            let restored = try self.bytes(of: restoringWidths(in: between, of: save), in: save)
            guard restored != save.bytes else { return .bytes(restored.count) }
            return .values(from: Self.firstDifference(restored, save.bytes))
        }
        let text = ChangeText(difference)
        return .different("\(text.address(of: first)): \(text.words(first))", more: difference.changes.count - 1)
    }

    private func bytes(of view: ObjectView, in save: Save) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try save.write(view, to: &output)
        return output.takeBytes()
    }

    /// Returns the intermediate save with the widths of the file's reals restored.
    private func restoringWidths(in view: ObjectView, of save: Save) throws(Problem) -> ObjectView {
        guard let via, save.view.document.widenedReals(as: via) > 0 else { return view }
        let (between, original) = (ObjectView(view.document), ObjectView(save.view.document))
        var options = DifferenceOptions()
        options.distinguishesWidths = true
        var draft = Draft(between)
        try draft.apply(Difference(between, original, options: options))
        return try view.edited(draft.finish(limits: limits), limits: limits)
    }

    /// Writes a save in the intermediate format, and returns the values that are read back.
    private func reread(_ view: ObjectView, isRaw: Bool) throws(Problem) -> ObjectView {
        guard let via else { return view }
        var output = ByteWriter()
        try view.write(as: via, to: &output, options: WriteOptions(keyOrder: .stored), limits: limits)
        let document = try Document.readSave(
            output.takeBytes(), as: via, limits: limits, dialect: view.document.dialect)
        return try ObjectView(of: document, limits: limits, isRaw: isRaw)
    }

    private static func firstDifference(_ a: [UInt8], _ b: [UInt8]) -> Int {
        zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(a.count, b.count)
    }
}

extension Option {
    fileprivate static let via = Option(
        "via", value: "FORMAT", among: RoundTripCommand.Intermediate.self, for: .checks, help: "write ", " in between")
    fileprivate static let exactBytes = Option(
        "bytes", for: .checks, help: "require the same bytes, not only the same values")
    fileprivate static let quiet = Option("quiet", "q", for: .output, help: "report only files that differ")
}
