package import SaveCodec

/// Problems in the order in which they are found: the first thousand of each severity, and the number of all others.
///
/// A hostile file can cause millions of problems, and each costs time and memory. The limit is per severity so that
/// warnings never displace an error.
package struct ProblemList {
    /// The maximum number of listed problems per severity.
    package static let limit = 1000

    private var listed: [Problem] = []
    private var counts: [Problem.Severity: Int] = [:]

    /// Creates an empty list.
    package init() {}

    var isEmpty: Bool { listed.isEmpty }
    var first: Problem? { listed.first }

    /// Counts a problem, and returns whether there is room to ``append(_:)`` it.
    package mutating func countProblem(severity: Problem.Severity) -> Bool {
        let count = counts[severity, default: 0] + 1
        counts[severity] = count
        return count <= Self.limit
    }

    /// Lists a problem for which ``countProblem(severity:)`` returned true.
    package mutating func append(_ problem: Problem) {
        listed.append(problem)
    }

    mutating func add(_ problem: Problem) {
        if countProblem(severity: problem.severity) { append(problem) }
    }

    /// The listed problems, followed by a summary of those left out.
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
            case .info: "info finding"
            }
        return Problem(
            "archive.more",
            Phrase.count(count, "more " + noun)
                + (count == 1 ? " about an object is" : " about objects are") + " not listed",
            severity: .info)
    }
}
