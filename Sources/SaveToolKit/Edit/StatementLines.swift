import KeyedArchives
import SaveCodec
import SaveOperations

extension SaveFile {
    /// Refuses to write an edited document in a read-only format. For a database, prints a shell command that makes the
    /// same changes.
    ///
    /// - Parameter edited: The edited document, or nil if nothing changed.
    func refuse(_ edited: Document?, _ invocation: Invocation) -> ExitStatus {
        invocation.printError(.readOnly(format), in: name)
        guard let edited, let statements = DatabaseStatements(from: view.document, to: edited) else { return .cannot }
        for problem in statements.problems { invocation.printError(problem, in: name) }
        if let text = statements.text { report(text, invocation) }
        return .cannot
    }

    /// Refuses to add a score to a table in a database. Prints a shell command that adds it.
    func refuse(
        adding record: ScoreRecord, to table: ScoreTable, _ invocation: Invocation
    ) throws(Problem) -> ExitStatus {
        invocation.printError(.readOnly(format), in: name)
        report(try DatabaseStatements.insertion(of: record, into: table), invocation)
        return .cannot
    }

    /// Prints a shell command that runs statements on the database.
    private func report(_ statements: String, _ invocation: Invocation) {
        // A file inside layers has no name that sqlite3 could open.
        let line = Self.line(for: statements, on: save.layers.isEmpty && name != "-" ? name : "FILE")
        invocation.printError(
            line ?? "\(Invocation.shownName(name)): the sqlite3 command is too long or has unprintable characters")
    }

    /// The length of the longest statement that is printed, in bytes. Linux limits an argument to 128 KiB.
    private static let longestStatement = 100_000

    /// Returns `sqlite3 game.db 'UPDATE …'`, or nil if the statement is too long or has characters that cannot be
    /// shown.
    private static func line(for statements: String, on name: String) -> String? {
        guard statements.utf8.count <= longestStatement, let word = Shell.word(statements),
            let file = Shell.word(isPlainName(name) ? name : "./" + name)
        else { return nil }
        return "sqlite3 \(statements.hasPrefix("BEGIN") ? "-bail " : "")\(file) \(word)"
    }

    /// Whether sqlite3 treats an argument as a file name.
    private static func isPlainName(_ name: String) -> Bool {
        !name.hasPrefix("-") && !name.hasPrefix(":") && !name.hasPrefix("file:")
    }
}
