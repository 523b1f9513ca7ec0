package import SaveCodec

/// Problems in the order in which they are found: of each severity the first thousand, and how many more there are.
///
/// A hostile file has millions, and each takes time and memory to make. No severity takes the room of another, so that
/// no number of warnings hides an error.
package struct ProblemList {
    /// As many problems of each severity are listed.
    package static let limit = 1000

    private var listed: [Problem] = []
    private var counts: [Problem.Severity: Int] = [:]

    /// Creates a list of none.
    package init() {}

    /// Whether there is no problem at all.
    var isEmpty: Bool { listed.isEmpty }
    /// The problem that was found first.
    var first: Problem? { listed.first }

    /// Counts a problem, and tells whether there is room to ``append(_:)`` it.
    package mutating func admits(_ severity: Problem.Severity) -> Bool {
        let count = counts[severity, default: 0] + 1
        counts[severity] = count
        return count <= Self.limit
    }

    /// Lists a problem that has been admitted.
    package mutating func append(_ problem: Problem) {
        listed.append(problem)
    }

    /// Counts a problem, and lists it if there is room.
    mutating func add(_ problem: Problem) {
        if admits(problem.severity) { append(problem) }
    }

    /// The problems, and last how many are not listed.
    package var problems: [Problem] {
        let rests = [Problem.Severity.error, .warning, .info].map { ($0, counts[$0, default: 0] - Self.limit) }
        return listed + rests.filter { $0.1 > 0 }.map { .more($0.1, $0.0) }
    }
}

extension Problem {
    fileprivate static func more(_ count: Int, _ severity: Severity) -> Problem {
        let noun =
            switch severity {
            case .error: "error"
            case .warning: "warning"
            case .info: "remark"
            }
        return Problem(
            "archive.more",
            "\(count) more \(noun)\(count == 1 ? " is" : "s are") not listed, found in the objects of the archive",
            severity: .info)
    }
}
