import SaveCodec
import SaveOperations

/// Writes what comparing two folders came to, file by file: the changes of each under its path, a line for each file, or
/// one JSON document, which `Fixtures/schemas/diff-folders.schema.json` describes.
///
///     - old.save: only in saves
///
///     slot1.save:
///     ~ /root/gems: 7 → 8
struct FolderDifferenceReport {
    private let folders: (before: String, after: String)
    private let plan: DiffPlan
    private let invocation: Invocation
    private var rows = JSONRows()
    /// How many files came to each outcome.
    private var counts: [String: Int] = [:]
    /// How many changes of sharing are not shown.
    private var hiddenCount = 0
    /// Whether a line is there, and whether it belongs to changes.
    private var last: (isThere: Bool, isChange: Bool) = (false, false)

    init(
        of folders: (before: String, after: String), _ plan: DiffPlan, _ invocation: Invocation
    ) throws(UsageError) {
        try plan.checkShowsFolders()
        (self.folders, self.plan, self.invocation) = (folders, plan, invocation)
    }

    mutating func begin() throws {
        guard form == .json else { return }
        try invocation.writeOutput { output in
            rows.begin(
                [
                    ("before", .object(FileName.members(folders.before, as: "folder"))),
                    ("after", .object(FileName.members(folders.after, as: "folder"))),
                ], to: &output)
            rows.beginRows("files", to: &output)
        }
    }

    mutating func add(_ outcome: FolderDifference.Outcome, at path: String) throws {
        counts[outcome.name, default: 0] += 1
        if case .changed(let saves) = outcome { hiddenCount += saves.hiddenCount }
        guard !plan.isQuiet else { return }
        try invocation.writeOutput { output in
            switch form {
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
            switch form {
            case .json:
                rows.endRows(to: &output)
                let isSame = counts.keys.allSatisfy { $0 == FolderDifference.Outcome.same.name }
                let names = FolderDifference.Outcome.names
                rows.end(
                    [
                        ("same", .boolean(isSame)),
                        ("counts", .object(names.map { ($0, .integer(counts[$0] ?? 0)) })),
                    ], to: &output)
            case .summary: writeTotals(to: &output)
            case .text, .sideBySide, .html, .jsonPatch: break
            }
        }
        if !plan.isBrief { plan.report(hidden: hiddenCount, invocation) }
    }

    private var form: DiffPlan.Form { plan.isBrief ? .text : plan.form }

    // MARK: Text

    private mutating func show(
        _ saves: ComparedSaves, at path: String, to output: inout ByteWriter
    ) throws {
        if last.isThere { output.write("\n") }
        last = (true, true)
        plan.palette.write(FileName.shown(path) + ":", in: .heading, to: &output)
        output.write("\n")
        try invocation.inFile(saves.after.title) { try plan.show(saves, to: &output) }
        saves.reportSameSaves(in: FileName.shown(path), invocation)
    }

    private mutating func writeLine(
        _ outcome: FolderDifference.Outcome, at path: String, to output: inout ByteWriter
    ) {
        let (kind, words): (Change.Kind, String)
        switch outcome {
        case .same, .unreadable: return
        case .added: (kind, words) = (.added, "only in " + FileName.shown(folders.after))
        case .removed: (kind, words) = (.removed, "only in " + FileName.shown(folders.before))
        case .bytes: (kind, words) = (.changed, "the bytes differ")
        case .changed(let saves):
            (kind, words) = (.changed, plan.isBrief ? "different" : DifferenceSummaryRenderer.counts(of: saves))
        }
        if last.isChange { output.write("\n") }
        last = (true, false)
        plan.palette.write("\(kind.marker) \(FileName.shown(path)):", in: kind.ink, to: &output)
        output.write(" \(words)\n")
    }

    private func writeTotals(to output: inout ByteWriter) {
        let words = [
            "same": "the same", "changed": "changed", "bytes": "with other bytes",
            "removed": "only in " + FileName.shown(folders.before),
            "added": "only in " + FileName.shown(folders.after), "unreadable": "unreadable",
        ]
        let parts = FolderDifference.Outcome.names.compactMap { name in
            counts[name].map { "\($0) \(words[name] ?? name)" }
        }
        if last.isThere { output.write("\n") }
        let total = Counted.of(counts.values.reduce(0, +), "file")
        output.write(([total] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])).joined(separator: ": ") + "\n")
    }

    // MARK: JSON

    private mutating func addRow(
        _ outcome: FolderDifference.Outcome, at path: String, to output: inout ByteWriter
    ) throws {
        let members: JSONMembers = FileName.members(path) + [("state", .string(outcome.name))]
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
