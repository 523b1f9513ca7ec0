import KeyedArchives
import SaveCodec
import SaveOperations

extension SaveFile {
    /// Refuses to write an edited document in a format that is read only. Of a database the line is told that changes it in
    /// the same way.
    ///
    /// - Parameter edited: the document; nil for the one that was read.
    func refuse(_ edited: Document?, _ invocation: Invocation) -> ExitStatus {
        invocation.printError(.readOnly(format), in: name)
        guard let edited, let statements = DatabaseStatements(from: view.document, to: edited) else { return .cannot }
        for problem in statements.problems { invocation.printError(problem, in: name) }
        if let text = statements.text { tell(text, invocation) }
        return .cannot
    }

    /// Refuses to add a score to a table of a database, and tells the line that adds it.
    func refuse(
        adding record: ScoreRecord, to table: ScoreTable, _ invocation: Invocation
    ) throws(Problem) -> ExitStatus {
        invocation.printError(.readOnly(format), in: name)
        tell(try DatabaseStatements.insertion(of: record, into: table), invocation)
        return .cannot
    }

    /// Prints the line for a shell that runs statements on the database.
    private func tell(_ statements: String, _ invocation: Invocation) {
        // What is behind layers has no name that sqlite3 could open.
        let line = Self.line(for: statements, on: save.wrapping.isEmpty && name != "-" ? name : "FILE")
        invocation.printError(
            line ?? "\(Invocation.shownName(name)): the line for sqlite3 is too long, or cannot be shown")
    }

    /// A word of a line may have 128 KiB on Linux.
    private static let longestStatement = 100_000

    /// `sqlite3 game.db 'UPDATE …'`; nil if that cannot be shown as it is, or no shell would take it.
    private static func line(for statements: String, on name: String) -> String? {
        guard statements.utf8.count <= longestStatement, let word = Shell.word(statements),
            let file = Shell.word(isPlainName(name) ? name : "./" + name)
        else { return nil }
        return "sqlite3 \(statements.hasPrefix("BEGIN") ? "-bail " : "")\(file) \(word)"
    }

    /// Whether sqlite3 takes a word for the name of a file, and for nothing else.
    private static func isPlainName(_ name: String) -> Bool {
        !name.hasPrefix("-") && !name.hasPrefix(":") && !name.hasPrefix("file:")
    }
}
