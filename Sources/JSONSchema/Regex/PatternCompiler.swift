/// Makes instructions of a syntax tree, with repetitions written out.
///
/// For an automaton, which only has to say whether there is a match, groups and the order of choices mean nothing; for
/// the backtracker they do. An automaton of a pattern with references to groups matches more than the pattern: it takes
/// any text for the group's. Either can read backward: the parts of a sequence then come in reverse.
struct PatternCompiler {
    static let limit = 100_000

    private let syntax: PatternSyntax
    private let forAutomaton: Bool
    private var isBackward: Bool
    private var instructions: [Instruction] = []
    private var loopCount = 0
    private var lookCount = 0
    private var repetitionPosition = 0

    private init(_ syntax: PatternSyntax, forAutomaton: Bool, isBackward: Bool) {
        self.syntax = syntax
        self.forAutomaton = forAutomaton
        self.isBackward = isBackward
    }

    /// The instructions of an automaton that finds where matches of `tree` end, wherever they begin.
    static func automaton(
        _ tree: Expression, of syntax: PatternSyntax, isBackward: Bool
    ) throws(PatternFault) -> [Instruction] {
        var compiler = PatternCompiler(syntax, forAutomaton: true, isBackward: isBackward)
        if isBackward || !tree.isAnchored { try compiler.appendAnything() }
        try compiler.append(tree)
        try compiler.emit(.accept)
        return compiler.instructions
    }

    /// The instructions of the backtracker.
    static func backtracker(_ syntax: PatternSyntax) throws(PatternFault) -> BacktrackerProgram {
        var compiler = PatternCompiler(syntax, forAutomaton: false, isBackward: false)
        try compiler.append(syntax.tree)
        try compiler.emit(.accept)
        return BacktrackerProgram(
            instructions: compiler.instructions, sets: syntax.sets, slotCount: 2 * (syntax.groupCount + 1),
            loopCount: compiler.loopCount, lookCount: compiler.lookCount, isAnchored: syntax.tree.isAnchored)
    }

    /// Any number of any code points.
    private mutating func appendAnything() throws(PatternFault) {
        let start = instructions.count
        try emit(.split(start + 3, start + 1))
        try emit(.consume(PatternSyntax.everything))
        try emit(.jump(start))
    }

    private mutating func append(_ expression: Expression) throws(PatternFault) {
        switch expression {
        case .empty: break
        case .one(let set): try emit(isBackward && !forAutomaton ? .consumeBefore(set) : .consume(set))
        case .sequence(let parts):
            for index in parts.indices { try append(parts[isBackward ? parts.count - 1 - index : index]) }
        case .choice(let choices): try appendChoice(choices)
        case .repetition(let repetition): try appendRepetition(repetition)
        case .capture(let group, let body): try appendCapture(group, body)
        case .start: try emit(.require(.start, holds: true))
        case .end: try emit(.require(.end, holds: true))
        case .boundary(let holds): try emit(.require(.boundary, holds: holds))
        case .look(let number, let holds): try appendLook(number, holds: holds)
        case .reference(let number): try appendReference(number)
        }
    }

    private mutating func appendChoice(_ choices: [Expression]) throws(PatternFault) {
        var exits: [Int] = []
        for choice in choices.dropLast() {
            let split = instructions.count
            try emit(.split(split + 1, split))
            try append(choice)
            exits.append(instructions.count)
            try emit(.jump(0))
            instructions[split] = .split(split + 1, instructions.count)
        }
        if let last = choices.last { try append(last) }
        for exit in exits { instructions[exit] = .jump(instructions.count) }
    }

    private mutating func appendCapture(_ group: Int, _ body: Expression) throws(PatternFault) {
        if !forAutomaton { try emit(.save(2 * group + (isBackward ? 1 : 0))) }
        try append(body)
        if !forAutomaton { try emit(.save(2 * group + (isBackward ? 0 : 1))) }
    }

    /// In an automaton a group may have had any text.
    private mutating func appendReference(_ number: Int) throws(PatternFault) {
        guard !forAutomaton else { return try appendAnything() }
        try emit(.readGroup(syntax.references[number], isBackward: isBackward))
    }

    /// In an automaton a lookaround is a fact that another automaton has found, or if that cannot know, nothing.
    private mutating func appendLook(_ number: Int, holds: Bool) throws(PatternFault) {
        if forAutomaton {
            return syntax.lookarounds[number].hasReferences ? () : try emit(.require(.look(number), holds: holds))
        }
        let look = lookCount
        lookCount += 1
        let begin = instructions.count
        try emit(.beginLook(look, holds: holds, next: 0))
        let outerDirection = isBackward
        isBackward = syntax.lookarounds[number].isBehind
        try append(syntax.lookarounds[number].body)
        isBackward = outerDirection
        try emit(.endLook(look, holds: holds))
        instructions[begin] = .beginLook(look, holds: holds, next: instructions.count)
    }

    private mutating func emit(_ instruction: Instruction) throws(PatternFault) {
        guard instructions.count < Self.limit else { throw .tooLarge(limit: Self.limit, at: repetitionPosition) }
        instructions.append(instruction)
    }
}

extension PatternCompiler {
    /// `x{2,}` is `xx+`, and `x{1,3}` is `x(x(x)?)?`.
    private mutating func appendRepetition(_ repetition: Expression.Repetition) throws(PatternFault) {
        repetitionPosition = repetition.position
        guard let maximum = repetition.maximum else {
            try appendCopies(repetition, count: max(0, repetition.minimum - 1))
            return try repetition.minimum > 0 ? appendPlus(repetition) : appendStar(repetition)
        }
        try appendCopies(repetition, count: repetition.minimum)
        try appendOptions(repetition, count: maximum - repetition.minimum)
    }

    private mutating func appendCopies(_ repetition: Expression.Repetition, count: Int) throws(PatternFault) {
        for _ in 0..<count {
            let before = instructions.count
            try appendRound(repetition)
            if instructions.count == before { return }
        }
    }

    /// `x+`: the first round may read nothing, any after it must read something.
    private mutating func appendPlus(_ repetition: Expression.Repetition) throws(PatternFault) {
        let loop = try beginLoop { .beginFreeRound($0) }
        let first = instructions.count
        if !forAutomaton { try emit(.jump(first + 2)) }
        let again = instructions.count
        if !forAutomaton { try emit(.beginRound(loop)) }
        let before = instructions.count
        try appendRound(repetition)
        if instructions.count == before { return instructions.removeLast(before - first) }
        if !forAutomaton { try emit(.endRound(loop)) }
        let exit = instructions.count + 1
        try emit(repetition.isLazy ? .split(exit, again) : .split(again, exit))
    }

    private mutating func appendStar(_ repetition: Expression.Repetition) throws(PatternFault) {
        let split = instructions.count
        try emit(.split(0, 0))
        let loop = try beginLoop { .beginRound($0) }
        let before = instructions.count
        try appendRound(repetition)
        if instructions.count == before { return instructions.removeLast(before - split) }
        if !forAutomaton { try emit(.endRound(loop)) }
        try emit(.jump(split))
        patch(split, isLazy: repetition.isLazy)
    }

    private mutating func appendOptions(_ repetition: Expression.Repetition, count: Int) throws(PatternFault) {
        var splits: [Int] = []
        for _ in 0..<count {
            splits.append(instructions.count)
            try emit(.split(0, 0))
            let loop = try beginLoop { .beginRound($0) }
            let before = instructions.count
            try appendRound(repetition)
            if instructions.count == before { return instructions.removeLast(instructions.count - splits[0]) }
            if !forAutomaton { try emit(.endRound(loop)) }
        }
        for split in splits { patch(split, isLazy: repetition.isLazy) }
    }

    /// Lets a split enter what follows it or leave for the end of what there is.
    private mutating func patch(_ split: Int, isLazy: Bool) {
        let exit = instructions.count
        instructions[split] = isLazy ? .split(exit, split + 1) : .split(split + 1, exit)
    }

    private mutating func beginLoop(_ instruction: (Int) -> Instruction) throws(PatternFault) -> Int {
        if !forAutomaton { try emit(instruction(loopCount)) }
        loopCount += 1
        return loopCount - 1
    }

    private mutating func appendRound(_ repetition: Expression.Repetition) throws(PatternFault) {
        if !forAutomaton, !repetition.groups.isEmpty { try emit(.forget(repetition.groups)) }
        try append(repetition.body)
    }
}
