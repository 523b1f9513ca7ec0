/// A compiler from a syntax tree to instructions, with repetitions written out.
///
/// A program for the machine only decides whether a match exists, so it ignores groups and the order of alternatives. A
/// program for the backtracker keeps both. If the pattern has backreferences, the machine's program matches more than
/// the pattern does, because a backreference matches any text. The elements of a sequence are reversed in a subprogram
/// that reads backward.
struct RegexCompiler {
    static let limit = 100_000

    private let syntax: ParsedRegex
    private let forBacktracker: Bool
    private var program: RegexProgram
    private var isBackward = false
    private var repetitionPosition = 0

    private init(_ syntax: ParsedRegex, forBacktracker: Bool) {
        self.syntax = syntax
        self.forBacktracker = forBacktracker
        program = RegexProgram(sets: syntax.sets, groupCount: syntax.groupCount)
    }

    /// Returns the program of a pattern.
    ///
    /// The machine evaluates a lookahead in advance, by running it backward from every position where it may end. The
    /// backtracker runs a lookahead forward, from each position at which the pattern requires it.
    static func program(of syntax: ParsedRegex, forBacktracker: Bool) throws(RegexSyntaxError) -> RegexProgram {
        var compiler = RegexCompiler(syntax, forBacktracker: forBacktracker)
        compiler.program.main = try compiler.subprogram(syntax.tree, isBackward: false)
        for lookaround in syntax.lookarounds {
            let isBackward = lookaround.isBehind == forBacktracker
            compiler.program.lookarounds.append(try compiler.subprogram(lookaround.body, isBackward: isBackward))
        }
        return compiler.program
    }

    private mutating func subprogram(_ tree: RegexTree, isBackward: Bool) throws(RegexSyntaxError)
        -> RegexProgram.Subprogram
    {
        self.isBackward = isBackward
        let start = count
        try append(tree)
        try emit(.accept)
        return RegexProgram.Subprogram(
            start: start, isBackward: isBackward, isAnchored: !isBackward && tree.isAnchored,
            firstASCII: program.firstASCII(from: start))
    }

    /// The index of the next instruction.
    private var count: Int { program.instructions.count }

    private mutating func emit(_ instruction: RegexInstruction) throws(RegexSyntaxError) {
        guard count < Self.limit else {
            throw RegexSyntaxError(
                "the pattern compiles to more than \(Self.limit) instructions; use smaller repetition counts",
                at: repetitionPosition)
        }
        program.instructions.append(instruction)
    }

    /// Appends an instruction that only the backtracker needs.
    private mutating func track(_ instruction: RegexInstruction) throws(RegexSyntaxError) {
        if forBacktracker { try emit(instruction) }
    }

    private mutating func append(_ tree: RegexTree) throws(RegexSyntaxError) {
        switch tree {
        case .empty: break
        case .one(let set): try emit(.one(set))
        case .sequence(let parts):
            for index in parts.indices { try append(parts[isBackward ? parts.count - 1 - index : index]) }
        case .choice(let choices): try appendChoice(choices)
        case .repetition(let repetition): try appendRepetition(repetition)
        case .capture(let group, let body):
            try track(.save(2 * group + (isBackward ? 1 : 0)))
            try append(body)
            try track(.save(2 * group + (isBackward ? 0 : 1)))
        case .assertion(let assertion):
            // The machine cannot evaluate a lookaround with backreferences, so it treats it as holding.
            if case .lookaround(let number, _) = assertion, !forBacktracker, syntax.lookarounds[number].hasReferences {
                return
            }
            try emit(.require(assertion))
        case .reference(let number): try emit(.readGroup(syntax.references[number]))
        }
    }

    private mutating func appendChoice(_ choices: [RegexTree]) throws(RegexSyntaxError) {
        var exits: [Int] = []
        for choice in choices.dropLast() {
            let split = count
            try emit(.split(split + 1, split))
            try append(choice)
            exits.append(count)
            try emit(.jump(0))
            program.instructions[split] = .split(split + 1, count)
        }
        if let last = choices.last { try append(last) }
        for exit in exits { program.instructions[exit] = .jump(count) }
    }

    // MARK: Repetitions

    /// Appends a repetition: `x{2,}` becomes `xx+`, and `x{1,3}` becomes `x(x(x)?)?`.
    private mutating func appendRepetition(_ repetition: RegexTree.Repetition) throws(RegexSyntaxError) {
        repetitionPosition = repetition.position
        guard let maximum = repetition.maximum else {
            try appendCopies(repetition, count: max(0, repetition.minimum - 1))
            return try repetition.minimum > 0 ? appendPlus(repetition) : appendStar(repetition)
        }
        try appendCopies(repetition, count: repetition.minimum)
        try appendOptions(repetition, count: maximum - repetition.minimum)
    }

    private mutating func appendCopies(_ repetition: RegexTree.Repetition, count copies: Int) throws(RegexSyntaxError) {
        for _ in 0..<copies where try !appendRound(repetition) { return }
    }

    /// Appends `x+`. The first round may match the empty string; later rounds must read something.
    private mutating func appendPlus(_ repetition: RegexTree.Repetition) throws(RegexSyntaxError) {
        let loop = newLoop()
        let first = count
        try track(.beginRound(loop, isFree: true))
        try track(.jump(first + 3))
        let again = count
        try track(.beginRound(loop, isFree: false))
        guard try appendRound(repetition) else { return remove(from: first) }
        try track(.endRound(loop))
        let exit = count + 1
        try emit(repetition.isLazy ? .split(exit, again) : .split(again, exit))
    }

    private mutating func appendStar(_ repetition: RegexTree.Repetition) throws(RegexSyntaxError) {
        let loop = newLoop()
        let split = count
        try emit(.split(0, 0))
        try track(.beginRound(loop, isFree: false))
        guard try appendRound(repetition) else { return remove(from: split) }
        try track(.endRound(loop))
        try emit(.jump(split))
        patch(split, isLazy: repetition.isLazy)
    }

    private mutating func appendOptions(_ repetition: RegexTree.Repetition, count options: Int) throws(RegexSyntaxError)
    {
        var splits: [Int] = []
        for _ in 0..<options {
            let loop = newLoop()
            splits.append(count)
            try emit(.split(0, 0))
            try track(.beginRound(loop, isFree: false))
            guard try appendRound(repetition) else { return remove(from: splits[0]) }
            try track(.endRound(loop))
        }
        for split in splits { patch(split, isLazy: repetition.isLazy) }
    }

    /// Appends the body of the repetition once. Returns false if the body has no instructions.
    private mutating func appendRound(_ repetition: RegexTree.Repetition) throws(RegexSyntaxError) -> Bool {
        if !repetition.groups.isEmpty { try track(.forget(repetition.groups)) }
        let before = count
        try append(repetition.body)
        return count > before
    }

    private mutating func remove(from first: Int) {
        program.instructions.removeLast(count - first)
    }

    /// Makes a split choose between the instruction after it and the end of the program so far.
    private mutating func patch(_ split: Int, isLazy: Bool) {
        program.instructions[split] = isLazy ? .split(count, split + 1) : .split(split + 1, count)
    }

    private mutating func newLoop() -> Int {
        program.loopCount += 1
        return program.loopCount - 1
    }
}
