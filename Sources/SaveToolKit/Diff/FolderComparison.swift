import SaveCodec
import SaveOperations

/// Compares two folders. Files with the same relative path are a pair, and only one pair is open at a time.
///
/// Files with equal bytes are the same. Others are compared by meaning if at least one of them looks like a save, as
/// ``SaveDetection`` defines it; otherwise they differ.
final class FolderComparison {
    private let folders: (before: String, after: String)
    /// The files of each folder, in order.
    private let files: Sides<[FolderFile]>
    private let plan: DiffPlan
    private let invocation: Invocation
    /// The option patterns that matched in none of the saves compared so far, or nil before the first comparison.
    private var unmatched: UnmatchedPatterns?

    /// The result for one path.
    enum Outcome {
        case same, added, removed
        case changed(ComparedSaves)
        /// The bytes differ, and neither file is a save.
        case bytes
        /// At least one of the files could not be read. The reasons have been reported.
        case unreadable([UnreadableFile])

        /// The names of all outcomes in reports, in order.
        static let names = ["same", "changed", "bytes", "removed", "added", "unreadable"]

        var name: String {
            switch self {
            case .same: "same"
            case .added: "added"
            case .removed: "removed"
            case .changed: "changed"
            case .bytes: "bytes"
            case .unreadable: "unreadable"
            }
        }

        /// Returns the words for an outcome after a number of files: `only in backup`.
        ///
        /// - Parameter folders: The names of both folders, safe to print.
        static func word(_ name: String, _ folders: [String]) -> String {
            switch name {
            case "same": "equal"
            case "bytes": "with different bytes"
            case "removed": "only in " + folders[0]
            case "added": "only in " + folders[1]
            default: name
            }
        }

        var status: ExitStatus {
            switch self {
            case .same: .done
            case .added, .removed, .changed, .bytes: .negative
            case .unreadable: .cannot
            }
        }
    }

    /// A file that could not be read.
    struct UnreadableFile {
        let side: Side
        /// The reason without the name of the file, safe to print.
        let reason: String
    }

    /// A relative path, and the files that have it.
    private struct Pair {
        let path: String
        var before: InputFile?
        var after: InputFile?
    }

    /// Creates a comparison, or returns nil unless both operands are folders.
    init?(_ plan: DiffPlan, _ invocation: Invocation) {
        guard let before = plan.files.before.name, let after = plan.files.after.name,
            let earlier = Self.files(in: before, invocation), let later = Self.files(in: after, invocation)
        else { return nil }
        folders = (before, after)
        files = Sides { $0 == .before ? earlier : later }
        self.plan = plan
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        var report = try FolderComparisonReport(of: folders, plan, invocation)
        try report.begin()
        let pairs = pairs()
        var rest = pairs[...]
        // An empty list of names would mean standard input.
        let status =
            pairs.isEmpty
            ? .done
            : try invocation.forEachFile(pairs.map(\.path)) { path in
                guard let pair = rest.popFirst() else { return .done }
                let outcome = try outcome(of: pair)
                try report.add(outcome, at: path)
                return outcome.status
            }
        try report.end()
        try unmatched?.report(invocation)
        return status
    }

    /// Compares the files of a pair. Reports files that cannot be read.
    private func outcome(of pair: Pair) throws -> Outcome {
        var unreadable: [UnreadableFile] = []
        switch (pair.before, pair.after) {
        case (let before?, let after?): return try compare(before, after)
        case (let before, nil):
            let found: Void? = try attempt(.before, &unreadable) { try before?.checkFailure() }
            return found == nil ? .unreadable(unreadable) : .removed
        case (nil, let after):
            let found: Void? = try attempt(.after, &unreadable) { try after?.checkFailure() }
            return found == nil ? .unreadable(unreadable) : .added
        }
    }

    private func compare(_ before: InputFile, _ after: InputFile) throws -> Outcome {
        var unreadable: [UnreadableFile] = []
        let bytes = try Sides { side in
            try attempt(side, &unreadable) { try read(side == .before ? before : after) }
        }
        guard let old = bytes.before, let new = bytes.after else { return .unreadable(unreadable) }
        if old == new { return .same }
        guard SaveDetection.isSave(before.name, old) || SaveDetection.isSave(after.name, new) else { return .bytes }
        let opened = try Sides { side in
            try attempt(side, &unreadable) { side == .before ? try save(before, old) : try save(after, new) }
        }
        guard let earlier = opened.before, let later = opened.after else { return .unreadable(unreadable) }
        let saves = plan.compare(before: earlier, after: later)
        let patterns = UnmatchedPatterns(plan.options, in: [saves.before.view, saves.after.view])
        unmatched = unmatched?.common(with: patterns) ?? patterns
        return saves.areSame ? .same : .changed(saves)
    }

    /// Runs `body`, which reads the file of one side. Reports and records a file that cannot be read.
    ///
    /// - Returns: The result, or nil if the file cannot be read.
    private func attempt<Value>(
        _ side: Side, _ unreadable: inout [UnreadableFile], body: () throws -> Value
    ) throws -> Value? {
        do {
            return try body()
        } catch {
            guard let reason = ProblemLine.reason(error) else { throw error }
            invocation.printError(error)
            unreadable.append(UnreadableFile(side: side, reason: reason))
            return nil
        }
    }

    private func read(_ file: InputFile) throws -> [UInt8] {
        try file.checkFailure()
        return try invocation.read(file.name)
    }

    private func save(_ file: InputFile, _ bytes: [UInt8]) throws -> ComparedSave {
        try invocation.inFile(file.name) {
            try plan.save(bytes, titled: file.name, invocation)
        }
    }

    // MARK: Pairs

    /// Returns the pairs in order of their paths, folder by folder.
    private func pairs() -> [Pair] {
        var before = files.before[...]
        var after = files.after[...]
        var pairs: [Pair] = []
        while let next = [before.first, after.first].compactMap({ $0 }).min(by: { $0.isBefore($1) }) {
            var pair = Pair(path: next.path)
            if let file = before.first, !next.isBefore(file) { pair.before = before.removeFirst().file }
            if let file = after.first, !next.isBefore(file) { pair.after = after.removeFirst().file }
            pairs.append(pair)
        }
        return pairs
    }

    /// Returns the files in a folder on disk or in a commit; nil for another name.
    private static func files(in folder: String, _ invocation: Invocation) -> [FolderFile]? {
        guard folder != "-" else { return nil }
        if let status = try? FileSystem.status(invocation.path(folder)) {
            guard status.kind == .folder else { return nil }
            var inputs = InputList(from: invocation.folder)
            inputs.add(folder)
            var skipped = SkippedFiles()
            for file in inputs.files where file.isBroken { skipped.note(file, isSave: false) }
            skipped.report(.withoutSaves, invocation)
            return inputs.files.filter { !$0.isBroken }.map { FolderFile($0, in: folder) }
        }
        let names = GitRevision.files(inFolder: folder, from: invocation.folder)
        return names?.map { FolderFile(InputFile(name: $0, isFound: true), in: folder) }
            .sorted { $0.isBefore($1) }
    }
}

/// A file in a folder.
struct FolderFile {
    let file: InputFile
    /// The path relative to the folder, or the folder's name if the folder itself cannot be read.
    let path: String
    /// The sort key: the bytes of the path, with `/` as the smallest byte.
    private let key: [UInt8]

    init(_ file: InputFile, in folder: String) {
        self.file = file
        var prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        // `HEAD:` names the top folder.
        if folder.hasSuffix(":"), !file.name.utf8.starts(with: prefix.utf8) { prefix = folder }
        let isInside = file.name.utf8.starts(with: prefix.utf8)
        path = isInside ? String(Substring(file.name.utf8.dropFirst(prefix.utf8.count))) : file.name
        key = FileName.bytes(path).map { $0 == UInt8(ascii: "/") ? 0 : $0 }
    }

    func isBefore(_ other: FolderFile) -> Bool { key.lexicographicallyPrecedes(other.key) }
}

// MARK: The report

/// Writes the result of comparing two folders, file by file: the changes under the path of each file, one line per
/// file, or one JSON document. `Fixtures/schemas/diff-folders.schema.json` describes the JSON.
///
///     - old.save: only in saves
///
///     slot1.save:
///     ~ /root/gems: 7 → 8
///
///     ! slot2.save: unreadable in backup: no valid trailer
private struct FolderComparisonReport {
    private let folders: (before: String, after: String)
    private let plan: DiffPlan
    private let invocation: Invocation
    private var rows = JSONRows()
    private var page: FolderComparisonPage
    /// The number of files by the name of their outcome.
    private var counts: [String: Int] = [:]
    /// The number of hidden changes in sharing.
    private var hiddenCount = 0
    /// Whether anything has been written, and whether the last output was the changes of a file.
    private var last: (isPresent: Bool, isChange: Bool) = (false, false)

    init(
        of folders: (before: String, after: String), _ plan: DiffPlan, _ invocation: Invocation
    ) throws(UsageError) {
        try plan.checkShowsFolders()
        (self.folders, self.plan, self.invocation) = (folders, plan, invocation)
        page = FolderComparisonPage(of: plan.pageNames([folders.before, folders.after]), context: plan.context)
    }

    mutating func begin() throws {
        guard outputFormat == .json else { return }
        try invocation.writeOutput { output in
            rows.begin(
                [
                    ("before", .object(FileName.members(folders.before, as: "folder"))),
                    ("after", .object(FileName.members(folders.after, as: "folder"))),
                ], to: &output)
            rows.beginRows("files", to: &output)
        }
    }

    mutating func add(_ outcome: FolderComparison.Outcome, at path: String) throws {
        counts[outcome.name, default: 0] += 1
        if case .changed(let saves) = outcome { hiddenCount += saves.hiddenCount }
        guard !plan.isQuiet else { return }
        if outputFormat == .html {
            try invocation.inFile(path) { try page.add(outcome, at: FileName.shown(path)) }
            if case .changed(let saves) = outcome { saves.reportSameSaves(in: FileName.shown(path), invocation) }
            return
        }
        try invocation.writeOutput { output in
            switch outputFormat {
            case .json: try addRow(outcome, at: path, to: &output)
            case .summary: writeLine(outcome, at: path, to: &output)
            case .text, .sideBySide, .html, .jsonPatch:
                guard case .changed(let saves) = outcome, !plan.isBrief else {
                    return writeLine(outcome, at: path, to: &output)
                }
                try show(saves, at: path, to: &output)
            }
        }
    }

    mutating func end() throws {
        guard !plan.isQuiet else { return }
        try invocation.writeOutput { output in
            switch outputFormat {
            case .json:
                rows.endRows(to: &output)
                let isSame = counts.keys.allSatisfy { $0 == FolderComparison.Outcome.same.name }
                let names = FolderComparison.Outcome.names
                rows.end(
                    [
                        ("same", .boolean(isSame)),
                        ("counts", .object(names.map { ($0, .integer(counts[$0] ?? 0)) })),
                    ], to: &output)
            case .summary:
                if last.isPresent { output.write("\n") }
                output.write(totals([folders.before, folders.after].map(FileName.shown)) + "\n")
            case .html: page.write(totals(plan.pageNames([folders.before, folders.after])), to: &output)
            case .text, .sideBySide, .jsonPatch: break
            }
        }
        if !plan.isBrief { plan.report(hidden: hiddenCount, invocation) }
    }

    private var outputFormat: DiffPlan.OutputFormat { plan.isBrief ? .text : plan.outputFormat }

    // MARK: Text

    private mutating func show(
        _ saves: ComparedSaves, at path: String, to output: inout ByteWriter
    ) throws {
        if last.isPresent { output.write("\n") }
        last = (true, true)
        plan.palette.write(FileName.shown(path) + ":", in: .heading, to: &output)
        output.write("\n")
        try invocation.inFile(saves.after.title) { try plan.show(saves, isOneOfSeveral: true, to: &output) }
        saves.reportSameSaves(in: FileName.shown(path), invocation)
    }

    private mutating func writeLine(
        _ outcome: FolderComparison.Outcome, at path: String, to output: inout ByteWriter
    ) {
        let (kind, words): (Change.Kind, String)
        switch outcome {
        case .same: return
        case .unreadable(let files):
            let reasons = files.map { "unreadable in \(self.title(of: $0.side)): \($0.reason)" }
            return writeLine("!", in: .error, at: path, reasons.joined(separator: "; "), to: &output)
        case .added: (kind, words) = (.added, "only in " + FileName.shown(folders.after))
        case .removed: (kind, words) = (.removed, "only in " + FileName.shown(folders.before))
        case .bytes: (kind, words) = (.changed, "the bytes differ")
        case .changed(let saves):
            (kind, words) = (.changed, plan.isBrief ? "different" : DifferenceSummaryRenderer.counts(of: saves))
        }
        writeLine(kind.marker, in: kind.textRole, at: path, words, to: &output)
    }

    private mutating func writeLine(
        _ marker: Character, in textRole: TextRole, at path: String, _ words: String, to output: inout ByteWriter
    ) {
        if last.isChange { output.write("\n") }
        last = (true, false)
        plan.palette.write("\(marker) \(FileName.shown(path)):", in: textRole, to: &output)
        output.write(" \(words)\n")
    }

    /// Returns the name of a side's folder, safe to print.
    private func title(of side: Side) -> String {
        FileName.shown(side == .before ? folders.before : folders.after)
    }

    /// Returns the number of files, in total and by outcome.
    ///
    /// - Parameter folders: The names of both folders, safe to print.
    private func totals(_ folders: [String]) -> String {
        let parts = FolderComparison.Outcome.names.compactMap { name in
            counts[name].map { "\($0) \(FolderComparison.Outcome.word(name, folders))" }
        }
        let total = Phrase.count(counts.values.reduce(0, +), "file")
        return ([total] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ": ")
    }

    // MARK: JSON

    private mutating func addRow(
        _ outcome: FolderComparison.Outcome, at path: String, to output: inout ByteWriter
    ) throws {
        var members: JSONMembers = FileName.members(path) + [("state", .string(outcome.name))]
        if case .unreadable(let files) = outcome {
            let reasons = files.map { ($0.side == .before ? "before" : "after", ReportJSON.string($0.reason)) }
            members.append(("reasons", .object(reasons)))
        }
        guard case .changed(let saves) = outcome else { return rows.add(.object(members), to: &output) }
        let bound = OutputBound(saves.documents, output)
        let renderer = DifferenceJSONRenderer(saves)
        try invocation.inFile(saves.after.title) {
            try rows.add(to: &output) { json, output throws(Problem) in
                json.open(.object, .row, to: &output)
                json.write(members: members + renderer.files, to: &output)
                json.name("changes", to: &output)
                json.open(.array, .row, to: &output)
                try renderer.writeRows(within: bound, to: &output) { json.write($0, to: &$1) }
                json.close(to: &output)
                json.write(members: renderer.counts, to: &output)
                json.close(to: &output)
            }
        }
    }
}
