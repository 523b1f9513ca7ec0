import SaveCodec

/// The lines above a text in an editor that say what is wrong with it. JSON has no comments, so they are taken off again
/// before it is read.
///
///     // slot1.save.json:14:7: unexpected character '}'; expected a value
///     // Correct it; a text that is left as it is ends the editing.
///     {
enum EditorComment {
    private static let sign = Array("//".utf8)

    /// The lines for a problem. A line number is that below the lines.
    static func text(for problem: Problem, in name: String) -> [UInt8] {
        var problem = problem
        if case .line(let line, let column) = problem.place { problem.place = .line(line + 2, column: column) }
        let lines = [
            ProblemLine.render(problem, in: name),
            "Correct it; a text that is left as it is, or emptied, ends the editing.",
        ]
        return Array(lines.map { "// \($0)\n" }.joined().utf8)
    }

    /// A text without the lines that begin with `//` above it.
    static func removed(from text: [UInt8]) -> [UInt8] {
        var rest = text[...]
        while rest.starts(with: sign) {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            rest = rest[end...].dropFirst()
        }
        return Array(rest)
    }
}
