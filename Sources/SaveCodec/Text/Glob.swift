/// A pattern for paths below a folder, with the syntax of shells and ignore lists:
///
///     *       any characters except /         **      as a whole segment: any number of segments
///     ?       one character except /          {a,b}   one of the choices; may be nested
///     [a-z]   one of these, [!a-z] another    \       quotes the next character
///
/// A wildcard never matches a dot at the beginning of a segment: `*` and `**` skip `.git` and `.hidden`, but `.git*`
/// matches `.git`. Characters are compared as code points. A pattern is compiled to a program:
///
///     *.{a,b}    0 noDot  1 fork ─▶4  2 any  3 jump ─▶1  4 "."  5 fork ─▶8  6 "a"  7 jump ─▶10  8 jump ─▶9  9 "b"
///
/// Matching tracks all reachable positions of the program at once. Its time is therefore at most proportional to the
/// number of characters times the number of instructions.
package struct Glob: Sendable {
    enum Instruction: Sendable, Equatable {
        /// Matches this character.
        case character(Unicode.Scalar)
        /// Matches any character except `/`, and except a dot at the beginning of a segment.
        case any
        /// Matches a character that `any` matches and that is in one of the ranges or, if negated, in none of them.
        case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
        /// Continues unless a dot at the beginning of a segment follows.
        case noDot
        /// Continues at another position.
        case jump(Int)
        /// Continues at the next and at another position.
        case fork(Int)
    }

    let program: [Instruction]

    /// Returns a pattern that matches only this path.
    package static func quoting(_ path: String) -> String {
        String(
            path.unicodeScalars.reduce(into: String.UnicodeScalarView()) { pattern, scalar in
                // A pattern must not begin with an exclamation mark.
                let isNegation = scalar == "!" && pattern.isEmpty
                if isNegation || "*?[]{}\\".unicodeScalars.contains(scalar) { pattern.append("\\") }
                pattern.append(scalar)
            })
    }

    /// - Throws: A fault if the pattern is invalid.
    package init(_ pattern: String) throws(GlobFault) {
        program = try GlobCompiler.program(of: pattern)
    }

    /// The only path that the pattern matches; nil if the pattern has wildcards or choices.
    package var onlyPath: String? {
        var path = String.UnicodeScalarView()
        for instruction in program {
            guard case .character(let scalar) = instruction else { return nil }
            path.append(scalar)
        }
        return String(path)
    }

    package enum Relation: Equatable {
        case none
        /// The pattern matches the path.
        case whole
        /// The pattern matches a folder above the path.
        case folder
        /// The pattern does not match, but could match a file below the path.
        case below
    }

    /// Returns the relation of a path, whose segments are separated by `/`, to the pattern.
    package func relation(to path: String) -> Relation {
        var states = States()
        return relation(to: Array(path.unicodeScalars), &states)
    }

    func relation(to path: [Unicode.Scalar], _ states: inout States) -> Relation {
        states.begin(program, beforeDot: path.first == ".")
        var isStart = true
        var isInFolder = false
        for position in path.indices {
            let scalar = path[position]
            if scalar == "/", states.isFinal { isInFolder = true }
            let isDotNext = scalar == "/" && position + 1 < path.count && path[position + 1] == "."
            states.advance(over: scalar, isStart: isStart, program, beforeDot: isDotNext)
            if states.isEmpty { return isInFolder ? .folder : .none }
            isStart = scalar == "/"
        }
        if states.isFinal { return .whole }
        if isInFolder { return .folder }
        states.advance(over: "/", isStart: false, program, beforeDot: false)
        return states.isEmpty ? .none : .below
    }

    /// The reachable positions of a program. They can be reused for other programs and paths.
    struct States {
        /// The positions of instructions that match a character, now and before the last character.
        private var waiting: [Int] = []
        private var lastWaiting: [Int] = []
        /// Whether the end of the program is reachable.
        private(set) var isFinal = false
        /// For each position, the last round in which it was reached.
        private var rounds: [Int] = []
        private var round = 0
        private var pending: [Int] = []

        /// Begins a new path at the start of a program.
        mutating func begin(_ program: [Instruction], beforeDot: Bool) {
            while rounds.count <= program.count { rounds.append(-1) }
            beginRound()
            insert(0, program, beforeDot: beforeDot)
        }

        private mutating func beginRound() {
            swap(&waiting, &lastWaiting)
            waiting.removeAll(keepingCapacity: true)
            isFinal = false
            round += 1
        }

        var isEmpty: Bool { waiting.isEmpty && !isFinal }

        /// Adds a position and all positions that follow without a character.
        mutating func insert(_ start: Int, _ program: [Instruction], beforeDot: Bool) {
            pending.append(start)
            while let position = pending.popLast() {
                guard rounds[position] != round else { continue }
                rounds[position] = round
                guard position < program.count else {
                    isFinal = true
                    continue
                }
                switch program[position] {
                case .character, .any, .oneOf: waiting.append(position)
                case .noDot: if !beforeDot { pending.append(position + 1) }
                case .jump(let target): pending.append(target)
                case .fork(let target): pending += [target, position + 1]
                }
            }
        }

        mutating func advance(
            over scalar: Unicode.Scalar, isStart: Bool, _ program: [Instruction], beforeDot: Bool
        ) {
            beginRound()
            for index in lastWaiting.indices {
                let position = lastWaiting[index]
                if program[position].takes(scalar, isStart: isStart) {
                    insert(position + 1, program, beforeDot: beforeDot)
                }
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

/// A compiler for patterns. It takes one pass, and the program is about as long as the pattern.
private struct GlobCompiler {
    private let pattern: [Unicode.Scalar]
    private var position = 0
    private var program: [Glob.Instruction] = []
    private var groups: [Group] = []
    /// Whether a segment begins at the current position in all choices.
    private var isSegmentStart = true

    /// An open group of choices.
    private struct Group {
        /// The position of `{` in the pattern.
        let start: Int
        /// The position of the fork to the next choice.
        var fork: Int
        /// The positions of the jumps from the ends of choices to the end of the group.
        var jumps: [Int] = []
        let beginsSegment: Bool
    }

    static let maxLength = 1000

    static func program(of pattern: String) throws(GlobFault) -> [Glob.Instruction] {
        var compiler = GlobCompiler(pattern: Array(pattern.unicodeScalars.prefix(maxLength + 1)))
        try compiler.checkSegments()
        while compiler.position < compiler.pattern.count { try compiler.compileNext() }
        if let group = compiler.groups.last { throw .unclosed("{", "}", at: group.start) }
        return compiler.program
    }

    private init(pattern: [Unicode.Scalar]) {
        self.pattern = pattern
    }

    /// Checks that the pattern is a relative path to a file.
    private func checkSegments() throws(GlobFault) {
        guard pattern.count <= Self.maxLength else {
            throw GlobFault("the pattern is too long; expected at most \(Phrase.count(Self.maxLength, "character"))")
        }
        guard let first = pattern.first else { throw GlobFault("the pattern is empty") }
        if first == "/" {
            throw GlobFault("the pattern begins with a slash; expected a path from the folder of the project file")
        }
        if first == "!" {
            throw GlobFault(
                "the pattern begins with an exclamation mark; list files to skip under \"ignore\"")
        }
        if pattern.last == "/" {
            throw GlobFault("the pattern ends in a slash; add ** to match everything in the folder")
        }
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false) {
            if segment.isEmpty { throw GlobFault("the pattern has two slashes in a row") }
            guard segment == ["."] || segment == [".", "."] else { continue }
            let name = String(String.UnicodeScalarView(segment))
            throw GlobFault("the pattern has the segment \(name), which matches no path")
        }
    }

    private mutating func compileNext() throws(GlobFault) {
        let start = position
        let scalar = pattern[position]
        position += 1
        switch scalar {
        case "*" where isNext("*"): return try compileSegments(start)
        case "*": compileStar()
        case "?": program.append(.any)
        case "[": try compileSet(start)
        case "{": return open(start)
        case "," where !groups.isEmpty: return nextChoice()
        case "}" where !groups.isEmpty: close()
        case "\\":
            guard position < pattern.count else { throw GlobFault("the pattern ends in a backslash") }
            program.append(.character(pattern[position]))
            position += 1
        default: program.append(.character(scalar))
        }
        isSegmentStart = scalar == "/"
    }

    private func isNext(_ scalar: Unicode.Scalar) -> Bool {
        position < pattern.count && pattern[position] == scalar
    }

    // MARK: Stars

    /// Compiles `*`. At the beginning of a segment, it must not even match the empty text before a dot. Otherwise,
    /// `*.bak` would match `.bak`.
    private mutating func compileStar() {
        program.append(.noDot)
        let loop = program.count
        program += [.fork(loop + 3), .any, .jump(loop)]
    }

    /// Compiles `**/`, which matches any number of segments with a `/` after each, or a final `**`, which matches one
    /// or more segments.
    private mutating func compileSegments(_ start: Int) throws(GlobFault) {
        position += 1
        let isWhole = position == pattern.count || isNext("/") || !groups.isEmpty && (isNext(",") || isNext("}"))
        guard isSegmentStart, isWhole else {
            throw GlobFault("the ** at character \(start + 1) is not a whole segment between slashes")
        }
        let loop = program.count
        if isNext("/") {
            position += 1
            program += [.fork(loop + 5), .any, .fork(loop + 1), .character("/"), .jump(loop)]
        } else {
            program += [.any, .fork(loop), .fork(loop + 5), .character("/"), .jump(loop)]
            isSegmentStart = false
        }
    }

    // MARK: Sets

    private mutating func compileSet(_ start: Int) throws(GlobFault) {
        let isNegated = isNext("!") || isNext("^")
        if isNegated { position += 1 }
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while !isNext("]") || ranges.isEmpty {
            let low = try setMember(start)
            guard isNext("-"), position + 1 < pattern.count, pattern[position + 1] != "]" else {
                ranges.append(low...low)
                continue
            }
            position += 1
            let high = try setMember(start)
            guard low <= high else {
                throw GlobFault("the range \(SafeText.escaping("\(low)-\(high)")) is reversed")
            }
            ranges.append(low...high)
        }
        position += 1
        program.append(.oneOf(ranges, isNegated: isNegated))
    }

    /// Returns a character of a set. `]` is an ordinary character at the beginning of the set.
    private mutating func setMember(_ start: Int) throws(GlobFault) -> Unicode.Scalar {
        if isNext("\\") { position += 1 }
        guard position < pattern.count, pattern[position] != "/" else { throw .unclosed("[", "]", at: start) }
        position += 1
        return pattern[position - 1]
    }

    // MARK: Choices

    private mutating func open(_ start: Int) {
        groups.append(Group(start: start, fork: program.count, beginsSegment: isSegmentStart))
        program.append(.fork(0))
    }

    private mutating func nextChoice() {
        guard var group = groups.popLast() else { return }
        group.jumps.append(program.count)
        program.append(.jump(0))
        program[group.fork] = .fork(program.count)
        group.fork = program.count
        program.append(.fork(0))
        isSegmentStart = group.beginsSegment
        groups.append(group)
    }

    private mutating func close() {
        guard let group = groups.popLast() else { return }
        // No choice follows the last one.
        program[group.fork] = .jump(group.fork + 1)
        for jump in group.jumps { program[jump] = .jump(program.count) }
    }
}

package struct GlobFault: Error {
    package let sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }

    static func unclosed(_ start: Unicode.Scalar, _ end: Unicode.Scalar, at position: Int) -> GlobFault {
        GlobFault("the \(start) at character \(position + 1) has no closing \(end)")
    }
}
