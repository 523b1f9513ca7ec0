/// One command of the tool: what it is called, what it takes, and what it does.
struct Command: Sendable {
    let name: String
    /// What it does, in a few words.
    let summary: String
    /// What the files and other operands are called in the usage line.
    let operands: String
    /// What there is to know beyond the options, in lines of at most 100 characters.
    let discussion: String
    /// All options but `--help`, which every command has.
    let options: [Option]
    let run: @Sendable (Arguments, Invocation) throws -> ExitStatus
}

/// How a run ends.
enum ExitStatus: Int32, Comparable {
    /// It was done.
    case done = 0
    /// What was asked for is not there.
    case notThere = 1
    /// It cannot be done.
    case cannot = 2

    static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a.rawValue < b.rawValue
    }
}
