import SaveCodec

/// Runs git, which is found in `PATH`, without a shell.
enum GitProgram {
    enum Answer {
        case output([UInt8])
        /// The error messages of git, on one line.
        case refusal(String)

        var output: [UInt8]? {
            if case .output(let bytes) = self { bytes } else { nil }
        }
    }

    /// Runs git in a folder, and passes `input` to it.
    ///
    /// - Throws: ``SystemError/noSuchFile`` if git is not installed, or another error of the system.
    static func run(
        _ arguments: [String], on input: [UInt8] = [], from folder: String
    ) throws(SystemError) -> Answer {
        let program = ["git"] + (folder.isEmpty ? [] : ["-C", folder])
        let ended = try FilterProgram.run(program + arguments, on: input, limit: largest, readsErrors: true)
        guard let output = ended.output else { throw .tooLarge }
        if ended.termination == .status(0) { return .output(output) }
        return .refusal(words(of: String(decoding: ended.errors, as: UTF8.self)))
    }

    /// Returns git's reason why a folder is not in the work tree of a repository, such as a bare repository or one of
    /// another user. Returns nil without a repository or git.
    static func refusalOfWorkTree(from folder: String) -> String? {
        let question = ["rev-parse", "--show-toplevel"]
        guard isInRepository(folder), case .refusal(let words)? = try? run(question, from: folder)
        else { return nil }
        return words
    }

    /// Whether a folder is in a repository, even in one that git refuses because another user owns it.
    static func isInRepository(_ folder: String) -> Bool {
        switch try? run(["rev-parse", "--git-dir"], from: folder) {
        case .output?: true
        // In any language, git names the setting that allows it.
        case .refusal(let words)?:
            TextPattern(Array("--add safe.directory".utf16)).match(inASCII: Array(words.utf8)) == .found
        case nil: false
        }
    }

    /// Merges three files by lines.
    ///
    /// - Parameter arguments: The arguments of `git merge-file`.
    /// - Returns: The merged text with conflict markers, or git's refusal; and whether there are conflicts.
    static func mergeLines(
        _ arguments: [String], from folder: String
    ) throws(SystemError) -> (answer: Answer, hasConflicts: Bool) {
        let program = ["git"] + (folder.isEmpty ? [] : ["-C", folder]) + ["merge-file", "-p"]
        let ended = try FilterProgram.run(program + arguments, limit: largest, readsErrors: true)
        guard let text = ended.output else { throw .tooLarge }
        // The status is the count of conflicts, or 255 for an error.
        guard case .status(let status) = ended.termination, status < 128 else {
            return (.refusal(words(of: String(decoding: ended.errors, as: UTF8.self))), false)
        }
        return (.output(text), status > 0)
    }

    /// Returns an output of one line as a name, without the end of the line.
    static func word(_ output: [UInt8]) -> String {
        FileName.text(output.dropLast(output.last == UInt8(ascii: "\n") ? 1 : 0))
    }

    /// The maximum size of an output, which is the limit for files on disk.
    private static let largest = 2 << 30

    /// Returns the first lines of a message on one line, without `fatal:`.
    private static func words(of message: String) -> String {
        let lines = message.split(separator: "\n").prefix(maxLines).map { line in
            let line = line.drop { $0 == " " || $0 == "\t" }
            return line.hasPrefix("fatal: ") ? line.dropFirst("fatal: ".utf8.count) : line
        }
        return SafeText.escaping(lines.joined(separator: "; "))
    }

    private static let maxLines = 3
}
