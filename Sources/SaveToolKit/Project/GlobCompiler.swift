/// Makes the program of a pattern, in one pass and of about its length.
struct GlobCompiler {
    private let pattern: [Unicode.Scalar]
    private var position = 0
    private var program: [Glob.Instruction] = []
    private var groups: [Group] = []
    /// Whether a segment begins here, whatever was chosen before.
    private var isSegmentStart = true

    /// A `{` whose `}` has not come yet.
    private struct Group {
        /// Where it stands in the pattern.
        let start: Int
        /// The fork to the next choice.
        var fork: Int
        /// The jumps from the ends of choices to the end of the group.
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

    /// A pattern is a path: it starts from the folder, and ends in the name of a file.
    private func checkSegments() throws(GlobFault) {
        guard pattern.count <= Self.maxLength else { throw .tooLong }
        guard let first = pattern.first else { throw .empty }
        if first == "/" { throw .absolute }
        if first == "!" { throw .negated }
        if pattern.last == "/" { throw .folder }
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false) {
            if segment.isEmpty || segment == ["."] || segment == [".", "."] { throw .noSegment(segment) }
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
            guard position < pattern.count else { throw .nothingEscaped }
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

    /// `*`: in front of a dot that begins a segment not even nothing, or `*.bak` would match `.bak`.
    private mutating func compileStar() {
        program.append(.noDot)
        let loop = program.count
        program += [.fork(loop + 3), .any, .jump(loop)]
    }

    /// `**/`: any number of segments with the `/` behind each. `**` at the end: at least one segment, with `/` between.
    private mutating func compileSegments(_ start: Int) throws(GlobFault) {
        position += 1
        let isWhole = position == pattern.count || isNext("/") || !groups.isEmpty && (isNext(",") || isNext("}"))
        guard isSegmentStart, isWhole else { throw .notAlone(at: start) }
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
            guard low <= high else { throw .emptyRange(low, high) }
            ranges.append(low...high)
        }
        position += 1
        program.append(.oneOf(ranges, isNegated: isNegated))
    }

    /// A character of a set; `]` is one where the set begins.
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
        // The last choice has no other one behind it.
        program[group.fork] = .jump(group.fork + 1)
        for jump in group.jumps { program[jump] = .jump(program.count) }
    }
}
