import SaveCodec
import SaveOperations

/// A merge that git does by lines, because savetool cannot read one of the versions:
///
///     <<<<<<< ours
///     health = 60;
///     =======
///     health = 80
///     >>>>>>> theirs
struct GitLineMerge {
    private let text: [UInt8]
    private let hasConflicts: Bool

    /// Merges three files.
    ///
    /// - Returns: Nil if one of the files is not text in UTF-8, or git cannot merge them.
    init?(base: String, ours: String, theirs: String, _ invocation: Invocation) throws {
        for name in [base, ours, theirs] {
            let bytes = try invocation.read(name)
            guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        }
        let labels = ["ours", "base", "theirs"].flatMap { ["-L", $0] }
        let merged = try? GitProgram.mergeLines(labels + ["--", ours, base, theirs], from: invocation.folder)
        guard let merged else { return nil }
        (text, hasConflicts) = merged
    }

    /// Writes the merged lines to the file on our side.
    ///
    /// - Returns: Whether the merge is complete: git found no conflict, and the result can be read.
    func deliver(by plan: MergePlan, at path: String, _ invocation: Invocation) throws -> Bool {
        try invocation.replace(plan.ours) { $0.write(text) }
        let save = try? plan.edit.reading.open(text)
        let isComplete = !hasConflicts && save?.source.keyProblems().isEmpty ?? false
        let task = hasConflicts ? "resolve the conflict markers" : "check the result"
        invocation.printError(
            "\(Invocation.shownName(path)): merged by lines, because a version cannot be read"
                + (isComplete ? "" : "; \(task), then run \(Self.command("add", path, invocation))"))
        return isComplete
    }

    /// Returns a command of git for a file at a path from the top of the repository.
    static func command(_ words: String, _ path: String, _ invocation: Invocation) -> String {
        let file = FileName.relative(path, to: invocation.environment["GIT_PREFIX"] ?? "")
        return "git \(words) -- \(Shell.word(file) ?? "FILE")"
    }
}
