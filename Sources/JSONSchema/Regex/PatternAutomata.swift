/// The automata of a pattern, before any text.
struct PatternAutomata: Sendable {
    let main: [Instruction]
    /// The lookarounds; one comes after those inside it.
    let lookarounds: [(instructions: [Instruction], isBackward: Bool)]
    let sets: [CodePointSet]
    let alphabet: Alphabet

    init(_ syntax: PatternSyntax) throws(PatternFault) {
        main = try PatternCompiler.automaton(syntax.tree, of: syntax, isBackward: false)
        var lookarounds: [(instructions: [Instruction], isBackward: Bool)] = []
        for lookaround in syntax.lookarounds {
            let isBackward = !lookaround.isBehind
            let instructions = try PatternCompiler.automaton(lookaround.body, of: syntax, isBackward: isBackward)
            lookarounds.append((instructions, isBackward))
        }
        self.lookarounds = lookarounds
        sets = syntax.sets
        alphabet = Alphabet(syntax.sets)
    }
}

extension PatternAutomata {
    /// One of the automata, ready to read.
    func lazy(_ instructions: [Instruction]) -> LazyAutomaton {
        LazyAutomaton(instructions, sets: sets, alphabet: alphabet)
    }
}
