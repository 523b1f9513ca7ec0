/// Searches texts for a pattern, and remembers what it has learned of the pattern from one text to the next.
///
/// A search takes a limited number of steps beside one for each code unit of the text (``Pattern/steps(for:)``) and gives
/// up after them, within about a second.
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
        var steps = Pattern.steps(for: text.count)
        return search(Array(text), steps: &steps)
    }

    /// Looks for a match with so many steps, of which it leaves the rest.
    mutating func search(_ text: [UInt16], steps: inout Int) -> Pattern.Verdict {
        var facts = PositionFacts(text)
        for index in lookarounds.indices {
            let isBackward = lookarounds[index].isBackward
            lookarounds[index].automaton.stepsLeft = steps
            facts.add(lookarounds[index].automaton.ends(facts, isBackward: isBackward))
            steps = lookarounds[index].automaton.stepsLeft
            guard steps >= 0 else { return .gaveUp }
        }
        main.stepsLeft = steps
        let isMatched = main.matches(facts)
        steps = main.stepsLeft
        guard steps >= 0 else { return .gaveUp }
        guard isMatched, let program else { return isMatched ? .matched : .notMatched }
        return Backtracker.search(TextUnits.points(text), for: program, steps: &steps)
    }
}
