import KeyedArchives
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
    /// The versions before the merge.
    private let versions: [[UInt8]]

    /// Merges three versions of the file at a path.
    ///
    /// - Returns: Nil if one of the versions is not text in UTF-8, or if git cannot merge them, which is printed.
    init?(base: String, ours: String, theirs: String, at path: String, _ invocation: Invocation) throws {
        versions = try [base, ours, theirs].map { try invocation.read($0) }
        for bytes in versions {
            guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return nil }
        }
        let labels = ["ours", "base", "theirs"].flatMap { ["-L", $0] }
        let refusal: String
        do throws(SystemError) {
            let files = labels + ["--", ours, base, theirs]
            let (answer, hasConflicts) = try GitProgram.mergeLines(files, from: invocation.folder)
            switch answer {
            case .output(let text):
                (self.text, self.hasConflicts) = (text, hasConflicts)
                return
            case .refusal(let words): refusal = words
            }
        } catch {
            refusal = error.sentence
        }
        invocation.printError("\(Invocation.shownName(path)): git cannot merge the lines: \(refusal)")
        return nil
    }

    /// Writes the merged lines to the file on our side.
    ///
    /// - Returns: Whether the merge is complete: git found no conflict, and the result can be read like a version.
    func deliver(by plan: MergePlan, at path: String, _ invocation: Invocation) throws -> Bool {
        try invocation.replace(plan.ours) { $0.write(text) }
        let isComplete = !hasConflicts && isSound(plan.edit.reading)
        let task = hasConflicts ? "resolve the conflict markers" : "check the result"
        invocation.printError(
            "\(Invocation.shownName(path)): merged by lines, because a version cannot be read"
                + (isComplete ? "" : "; \(task), then run \(Self.command("add", on: path, invocation))"))
        return isComplete
    }

    /// Whether the result can be trusted although a version cannot be read. The numbers of an archive's objects are
    /// never merged by lines, and pairs can become ignored text.
    private func isSound(_ reading: FileReadOptions) -> Bool {
        guard let save = try? reading.open(text), save.source.ignoredTextStart == nil else { return false }
        let sides = versions.compactMap { try? reading.open($0) }
        return ([save] + sides).allSatisfy { $0.view.archive == nil } && TextMerge.accepts(save, from: sides)
    }

    /// Returns a command of git for a file at a path from the top of the repository.
    static func command(_ words: String, on path: String, _ invocation: Invocation) -> String {
        let file = FileName.relative(path, to: invocation.environment["GIT_PREFIX"] ?? "")
        return "git \(words) -- \(Shell.word(file) ?? "FILE")"
    }
}
