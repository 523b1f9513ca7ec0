/// Searches texts for a pattern, and remembers what it has learned of the pattern from one text to the next.
package struct PatternSearch {
    private var main: LazyAutomaton
    private var lookarounds: [(automaton: LazyAutomaton, isBackward: Bool)]
    private let program: BacktrackerProgram?

    /// A search for a pattern.
    package init(_ pattern: Pattern) {
        let automata = pattern.automata
        main = automata.lazy(automata.main)
        lookarounds = automata.lookarounds.map { (automata.lazy($0.instructions), $0.isBackward) }
        program = pattern.program
    }

    /// Looks for a match anywhere in the text.
    package mutating func search(_ text: some Collection<UInt16>) -> Pattern.Verdict {
        let text = Array(text)
        var facts = PositionFacts(text)
        for index in lookarounds.indices {
            let isBackward = lookarounds[index].isBackward
            facts.add(lookarounds[index].automaton.ends(facts, isBackward: isBackward))
        }
        guard main.matches(facts) else { return .notMatched }
        return program.map { Backtracker.search(TextUnits.points(text), for: $0) } ?? .matched
    }
}
