/// A regular expression of JSON Schema: ECMA-262 with the `u` flag, looked for anywhere in a text.
///
///     ^\d{4}-\d\d$     in  2026-11        matched
///     (?<!a)b          in  ab bb          matched
///     ^(a+)+$          in  aaaa…aaab      not matched, after one pass over the text
///     (a*)*\1b$        in  aaaa…aaba      given up, if the text is long
///
/// `RegexParser` makes a syntax tree of the text, `RegexCompiler` instructions of the tree. A Pike VM (`PikeMachine`)
/// runs them: it follows all ways through the pattern at once, in time proportional to the text times the pattern. What
/// a lookaround looks for is a program of its own, which is run first and tells at which positions it holds:
/// lookbehinds read the text forward, lookaheads backward. References to groups (`\1`) cannot be matched so. Where the
/// machine finds that there would be a match if a group could have any text, one way through the pattern is tried after
/// another (`Backtracker`).
///
/// A search gives up after ``steps(for:)``, which takes seconds at most. In a short text hardly any pattern comes near;
/// one that is at a hundred of its own places at once, such as `\w{1,100}@`, does in a text of megabytes.
///
/// Lone surrogates are code points of their own, in texts as in patterns.
package struct ECMARegex: Sendable {
    /// What is known after a search.
    package enum Verdict: Hashable, Sendable {
        /// There is a match.
        case matched
        /// There is none.
        case notMatched
        /// The search has taken too many steps: see ``ECMARegex/steps(for:)``.
        case gaveUp
    }

    fileprivate let program: RegexProgram
    /// What must have its say after the machine if the pattern refers to groups.
    fileprivate let backtracking: RegexProgram?

    /// Whether the case of letters makes no difference, as with the `i` flag.
    fileprivate let ignoresCase: Bool

    /// Reads a pattern.
    package init(_ source: some Collection<UInt16>, ignoresCase: Bool = false) throws(RegexFault) {
        self.ignoresCase = ignoresCase
        let syntax = try RegexParser.read(RegexText.points(of: source), ignoresCase: ignoresCase)
        var program = try RegexCompiler.program(of: syntax, forBacktracker: false)
        program.noteLine()
        self.program = program
        backtracking = syntax.references.isEmpty ? nil : try RegexCompiler.program(of: syntax, forBacktracker: true)
    }

    /// Whether a text matches, for a pattern that reads one code point after another from the start of the text, which
    /// takes no machine; nil for others, and where a surrogate is in the way.
    func matchesInLine(_ text: some RandomAccessCollection<UInt16>) -> Bool? {
        guard let line = program.line else { return nil }
        guard text.count >= line.sets.count else { return false }
        for (unit, set) in zip(text, line.sets) {
            guard !UTF16.isSurrogate(unit) else { return nil }
            guard program.contains(set, UInt32(unit)) else { return false }
        }
        return !line.endsText || text.count == line.sets.count
    }

    /// How many instructions a search for the pattern may follow in a text of so many code units.
    package static func steps(for count: Int) -> Int {
        100_000_000 + 64 * count
    }

    /// Looks for a match anywhere in the text. For many texts, let one ``RegexSearch`` search them all.
    func search(_ text: some Collection<UInt16>) -> Verdict {
        var search = RegexSearch(self)
        return search.search(text)
    }
}

/// Searches texts for a pattern, one after the other, and keeps the memory that it needs for that.
package struct RegexSearch {
    private let regex: ECMARegex
    private var machine: PikeMachine
    private var text = RegexText()

    /// A search for a pattern.
    package init(_ regex: ECMARegex) {
        self.regex = regex
        machine = PikeMachine(regex.program)
    }

    /// Looks for a match anywhere in the text.
    mutating func search(_ units: some Collection<UInt16>) -> ECMARegex.Verdict {
        var steps = ECMARegex.steps(for: units.count)
        return search(units, steps: &steps)
    }

    /// Looks for a match with so many steps, of which it leaves the rest.
    package mutating func search(_ units: some Collection<UInt16>, steps: inout Int) -> ECMARegex.Verdict {
        text.read(units, foldsCase: regex.ignoresCase)
        for part in regex.program.lookarounds {
            var positions = PositionSet(count: text.points.count + 1)
            machine.run(part, over: text, steps: &steps) { position in
                positions.insert(position)
                return true
            }
            guard steps >= 0 else { return .gaveUp }
            text.addLookaround(positions)
        }
        var isMatched = false
        machine.run(regex.program.main, over: text, steps: &steps) { _ in
            isMatched = true
            return false
        }
        guard steps >= 0 else { return .gaveUp }
        guard isMatched, let program = regex.backtracking else { return isMatched ? .matched : .notMatched }
        return Backtracker.search(text, for: program, steps: &steps)
    }
}
