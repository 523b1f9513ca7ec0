/// A pattern for paths below a folder, as shells and ignore lists know them:
///
///     *       any characters but /            **      as a whole segment: any number of segments
///     ?       one character but /             {a,b}   one of these, also within each other
///     [a-z]   one of these, [!a-z] another    \       takes the next character for itself
///
/// What a pattern leaves open never begins with a dot: `*` and `**` pass over `.git` and `.hidden`, `.git*` does not.
/// Characters are compared as code points.
///
///     *.{a,b}    0 noDot  1 fork ─▶4  2 any  3 jump ─▶1  4 "."  5 fork ─▶8  6 "a"  7 jump ─▶10  8 jump ─▶9  9 "b"
///
/// All places that the program can be at are followed at once, so that no path takes more than a step for each character
/// and instruction.
struct Glob: Sendable {
    /// One step of the program.
    enum Instruction: Sendable, Equatable {
        /// This character.
        case character(Unicode.Scalar)
        /// Any character but `/`, and no dot where a segment begins.
        case any
        /// As `any`, but one of these characters, or none of them.
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
        /// Goes on, but not in front of a dot where a segment begins.
        case noDot
        /// Goes on at another place.
        case jump(Int)
        /// Goes on behind this, and at another place, too.
        case fork(Int)
    }

    private let program: [Instruction]

    /// - Throws: what is wrong with the pattern.
    init(_ pattern: String) throws(GlobFault) {
        program = try GlobCompiler.program(of: pattern)
    }

    /// How a path relates to a pattern.
    enum Relation: Equatable {
        case none
        /// The pattern matches the path.
        case whole
        /// The pattern matches a folder that the path leads through.
        case folder
        /// Neither, but it could match something below the path, taken for a folder.
        case below
    }

    /// How a path, whose segments have a `/` between them, relates to the pattern.
    func relation(to path: String) -> Relation {
        var states = States(count: program.count)
        var isStart = true
        var isInFolder = false
        let scalars = path.unicodeScalars
        var position = scalars.startIndex
        states.insert(0, program, beforeDot: scalars.first == ".")
        while position < scalars.endIndex {
            let scalar = scalars[position]
            if scalar == "/", states.isFinal { isInFolder = true }
            scalars.formIndex(after: &position)
            let isDotNext = scalar == "/" && position < scalars.endIndex && scalars[position] == "."
            states.advance(over: scalar, isStart: isStart, program, beforeDot: isDotNext)
            if states.isEmpty { return isInFolder ? .folder : .none }
            isStart = scalar == "/"
        }
        if states.isFinal { return .whole }
        if isInFolder { return .folder }
        states.advance(over: "/", isStart: false, program, beforeDot: false)
        return states.isEmpty ? .none : .below
    }
}

extension Glob {
    /// The places of a program that have been reached.
    private struct States {
        /// The instructions that wait for a character.
        private var waiting: [Int] = []
        /// Whether the end of the program has been reached.
        private(set) var isFinal = false
        /// In which round each instruction was reached last.
        private var rounds: [Int]
        private var round = 0
        private var pending: [Int] = []

        init(count: Int) {
            rounds = [Int](repeating: -1, count: count + 1)
        }

        var isEmpty: Bool { waiting.isEmpty && !isFinal }

        /// Reaches a place, and all that follow without a character.
        mutating func insert(_ start: Int, _ program: [Instruction], beforeDot: Bool) {
            pending.append(start)
            while let place = pending.popLast() {
                guard rounds[place] != round else { continue }
                rounds[place] = round
                guard place < program.count else {
                    isFinal = true
                    continue
                }
                switch program[place] {
                case .character, .any, .oneOf: waiting.append(place)
                case .noDot: if !beforeDot { pending.append(place + 1) }
                case .jump(let target): pending.append(target)
                case .fork(let target): pending += [target, place + 1]
                }
            }
        }

        /// Takes a character.
        mutating func advance(
            over scalar: Unicode.Scalar, isStart: Bool, _ program: [Instruction], beforeDot: Bool
        ) {
            let places = waiting
            waiting.removeAll(keepingCapacity: true)
            isFinal = false
            round += 1
            for place in places where program[place].takes(scalar, isStart: isStart) {
                insert(place + 1, program, beforeDot: beforeDot)
            }
        }
    }
}

extension Glob.Instruction {
    fileprivate func takes(_ scalar: Unicode.Scalar, isStart: Bool) -> Bool {
        switch self {
        case .character(let wanted): return scalar == wanted
        case .any: return scalar != "/" && !(isStart && scalar == ".")
        case .oneOf(let ranges, let isNegated):
            guard scalar != "/", !(isStart && scalar == ".") else { return false }
            return ranges.contains { $0.contains(scalar) } != isNegated
        case .noDot, .jump, .fork: return false
        }
    }
}
