import SaveCodec

/// Why a text is no pattern for paths.
enum GlobFault: Error, Equatable {
    case empty
    case tooLong
    case absolute
    case negated
    case folder
    /// A segment that is empty, `.` or `..`.
    case noSegment(ArraySlice<Unicode.Scalar>)
    /// `**` beside other characters.
    case notAlone(at: Int)
    case unclosed(Unicode.Scalar, Unicode.Scalar, at: Int)
    case emptyRange(Unicode.Scalar, Unicode.Scalar)
    case nothingEscaped

    /// What is wrong, as one sentence.
    var sentence: String {
        switch self {
        case .empty: "the pattern is empty"
        case .tooLong: "the pattern is too long; expected at most \(GlobCompiler.maxLength) characters"
        case .absolute: "the pattern begins with a slash; expected a path from the folder of the project file"
        case .negated: "the pattern begins with an exclamation mark; what is not to be checked belongs in \"ignore\""
        case .folder: "the pattern ends in a slash; ** behind it stands for all that is in a folder"
        case .noSegment(let segment):
            segment.isEmpty
                ? "the pattern has two slashes in a row"
                : "the pattern has the segment \(String(String.UnicodeScalarView(segment))), which no path has"
        case .notAlone(let position): "the ** at character \(position + 1) does not stand alone between slashes"
        case .unclosed(let start, let end, let position):
            "the \(start) at character \(position + 1) has no \(end) behind it"
        case .emptyRange(let low, let high):
            "the range \(SafeText.escaping("\(low)-\(high)")) goes backwards"
        case .nothingEscaped: "the pattern ends in a backslash"
        }
    }
}
