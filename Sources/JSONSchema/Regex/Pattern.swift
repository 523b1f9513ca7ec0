/// A regular expression of JSON Schema: ECMA-262 with the `u` flag, looked for anywhere in a text.
///
///     ^\d{4}-\d\d$     in  2026-11        matched
///     (?<!a)b          in  ab bb          matched
///     ^(a+)+$          in  aaaa…aaab      not matched, after one pass over the text
///     (a*)*\1b$        in  aaaa…aaba      given up, if the text is long
///
/// `PatternParser` makes a tree of the text, `PatternCompiler` instructions of the tree. Without references to groups
/// these are run as an automaton (`LazyAutomaton`): all ways through the pattern at once, in time proportional to the
/// text. A lookaround is an automaton of its own, which finds beforehand at which positions it holds: lookbehinds read
/// the text forward, lookaheads backward. References to groups (`\1`) cannot be matched so: where the automata find that
/// there would be a match if a group could have any text, one way through the pattern is tried after another
/// (`Backtracker`).
///
/// No search takes more than about a second: it gives up after ``steps(for:)``. Patterns that people write do not come
/// near; one that does is `[^x]{50000}y`, which in a long text is at any of 50,000 places of the pattern at once.
///
/// Lone surrogates are code points of their own, in texts as in patterns.
package struct Pattern: Sendable {
    /// What is known after a search.
    package enum Verdict: Hashable, Sendable {
        /// There is a match.
        case matched
        /// There is none.
        case notMatched
        /// The search has taken too many steps: see ``Pattern/steps(for:)``.
        case gaveUp
    }

    let automata: PatternAutomata
    /// What must have its say after the automata if the pattern refers to groups.
    let program: BacktrackerProgram?

    /// Reads a pattern.
    package init(_ source: some Collection<UInt16>) throws(PatternFault) {
        let syntax = try PatternParser.read(TextUnits.points(Array(source)))
        automata = try PatternAutomata(syntax)
        program = syntax.references.isEmpty ? nil : try PatternCompiler.backtracker(syntax)
    }

    /// How many steps a search may take, beside reading the text: to make states of an automaton, and to try ways.
    static func steps(for count: Int) -> Int {
        100_000_000 + 16 * count
    }

    /// Looks for a match anywhere in the text. For many texts, let one ``PatternSearch`` search them all.
    package func search(_ text: some Collection<UInt16>) -> Verdict {
        var search = PatternSearch(self)
        return search.search(text)
    }
}
