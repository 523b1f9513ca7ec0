/// A machine that executes a subprogram over a text and follows all alternatives at once (Thompson 1968, Pike).
///
///     a[bc]*d     0 one {a}   1 split 2, 4   2 one {b, c}   3 jump 1   4 one {d}   5 accept
///
///     text          a            b            d
///     threads  {0}     {2, 4, 0}    {2, 4, 0}    {0}, and a match ends here
///
/// A thread is an instruction that reads a code point. The threads at a position form a set, so an instruction that two
/// alternatives lead to is followed once. The time is at most the length of the text times the size of the program. The
/// lists are allocated once and reused at every position.
struct PikeMachine {
    private let instructions: [RegexInstruction]
    private let program: RegexProgram

    /// The threads at the current position, in the first `threadCount` elements, and at the previous position.
    private var threads: [Int32]
    private var threadCount = 0
    private var lastThreads: [Int32]
    /// The mark of the position at which each instruction was last followed.
    private var marks: [UInt32]
    private var mark: UInt32 = 0
    private var pending: [Int32] = []
    private var hasAccepted = false

    init(_ program: RegexProgram) {
        instructions = program.instructions
        self.program = program
        threads = Array(repeating: 0, count: program.instructions.count)
        lastThreads = threads
        marks = Array(repeating: 0, count: program.instructions.count)
    }

    /// Reports every position at which a match of the subprogram ends, until `report` returns false.
    ///
    /// The positions have the order in which the subprogram reads the text. If `steps` is negative afterwards, the
    /// machine has given up.
    mutating func run(
        _ subprogram: RegexProgram.Subprogram, over text: RegexText, steps: inout Int, report: (Int) -> Bool
    ) {
        let last = subprogram.isBackward ? 0 : text.points.count
        var position = text.points.count - last
        beginPosition()
        follow(subprogram.start, in: text, at: position, steps: &steps)
        while true {
            if hasAccepted, !report(position) { return }
            if position == last || steps < 0 || (subprogram.isAnchored && threadCount == 0) { return }
            let point = text.points[subprogram.isBackward ? position - 1 : position]
            position += subprogram.isBackward ? -1 : 1
            advance(over: point, in: text, to: position, steps: &steps)
            guard !subprogram.isAnchored else { continue }
            if threadCount == 0, !hasAccepted {
                let skipped = countUnmatchable(subprogram, in: text, from: position)
                steps -= skipped / 8
                position += subprogram.isBackward ? -skipped : skipped
            }
            follow(subprogram.start, in: text, at: position, steps: &steps)
        }
    }

    /// Returns the number of code points from a position on that cannot be the first one of a match.
    private func countUnmatchable(_ subprogram: RegexProgram.Subprogram, in text: RegexText, from position: Int) -> Int
    {
        guard let first = subprogram.firstASCII else { return 0 }
        let (low, high) = (first[0], first[1])
        func isUnmatchable(_ point: UInt32) -> Bool {
            point < 128 && (point < 64 ? low : high) >> UInt64(point & 63) & 1 == 0
        }
        if subprogram.isBackward {
            let end = text.points[..<position].lastIndex { !isUnmatchable($0) }.map { $0 + 1 } ?? 0
            return position - end
        }
        return (text.points[position...].firstIndex { !isUnmatchable($0) } ?? text.points.count) - position
    }

    private mutating func beginPosition() {
        hasAccepted = false
        threadCount = 0
        mark &+= 1
        guard mark == 0 else { return }
        marks = Array(repeating: 0, count: instructions.count)
        mark = 1
    }

    /// Lets each thread read a code point, and follows the threads that accept it.
    private mutating func advance(over point: UInt32, in text: RegexText, to position: Int, steps: inout Int) {
        swap(&threads, &lastThreads)
        let lastCount = threadCount
        beginPosition()
        for index in 0..<lastCount {
            let thread = Int(lastThreads[index])
            switch instructions[thread] {
            case .one(let set):
                if program.contains(set, point) { follow(thread + 1, in: text, at: position, steps: &steps) }
            // A backreference may match any text.
            default: follow(thread, in: text, at: position, steps: &steps)
            }
        }
    }

    /// Adds the threads that an instruction leads to without reading.
    private mutating func follow(_ first: Int, in text: RegexText, at position: Int, steps: inout Int) {
        var next: Int? = first
        while let index = next ?? pending.popLast().map({ Int($0) }) {
            next = nil
            steps -= 1
            guard marks[index] != mark else { continue }
            marks[index] = mark
            switch instructions[index] {
            case .one: add(index)
            case .split(let first, let second):
                pending.append(Int32(truncatingIfNeeded: second))
                next = first
            case .jump(let target): next = target
            case .require(let assertion): if text.satisfies(assertion, at: position) { next = index + 1 }
            case .readGroup:
                add(index)
                next = index + 1
            case .accept: hasAccepted = true
            case .save, .forget, .beginRound, .endRound: next = index + 1
            }
        }
    }

    private mutating func add(_ thread: Int) {
        threads[threadCount] = Int32(truncatingIfNeeded: thread)
        threadCount += 1
    }
}
