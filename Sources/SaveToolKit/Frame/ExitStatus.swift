/// The exit status of a run.
///
/// The worst status of several files is the status of the run.
enum ExitStatus: Int32, Comparable {
    /// The command succeeded, and the answer is yes: the same, valid, merged.
    case done = 0
    /// The answer is no: different, invalid, in conflict, not found.
    case negative = 1
    /// The command failed.
    case cannot = 2

    static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a.rawValue < b.rawValue
    }
}
