/// Runs a part of a program over a text, all ways through it at once (Thompson 1968, Pike).
///
///     a[bc]*d     0 one {a}   1 split 2, 4   2 one {b, c}   3 jump 1   4 one {d}   5 accept
///
///     text          a            b            d
///     threads  {0}     {2, 4, 0}    {2, 4, 0}    {0}, and a match ends here
///
/// A thread is an instruction that reads. At each position the threads are a set: what two ways lead to is followed
/// once, so that a text takes its length times the size of the program at most, however the ways branch. The lists are
/// made once and used at every position.
struct PikeMachine {
    private let instructions: [RegexInstruction]
    private let program: RegexProgram

    /// The threads at this position, the first so many, and those at the last.
    private var threads: [Int32]
    private var threadCount = 0
    private var lastThreads: [Int32]
    /// The number of the position at which each instruction was followed last.
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

    /// Reports every position where a match of the part ends, in the order in which the part reads the text, until
    /// `report` returns false. Below zero `steps` it has given up.
    mutating func run(
        _ part: RegexProgram.Part, over text: RegexText, steps: inout Int, report: (Int) -> Bool
    ) {
        let last = part.isBackward ? 0 : text.points.count
        var position = text.points.count - last
        beginPosition()
        follow(part.start, in: text, at: position, steps: &steps)
        while true {
            if hasAccepted, !report(position) { return }
            if position == last || steps < 0 || (part.isAnchored && threadCount == 0) { return }
            let point = text.points[part.isBackward ? position - 1 : position]
            position += part.isBackward ? -1 : 1
            advance(over: point, in: text, to: position, steps: &steps)
            if !part.isAnchored { follow(part.start, in: text, at: position, steps: &steps) }
        }
    }

    private mutating func beginPosition() {
        hasAccepted = false
        threadCount = 0
        mark &+= 1
        guard mark == 0 else { return }
        marks = Array(repeating: 0, count: instructions.count)
        mark = 1
    }

    /// Lets the threads read a code point; those that can go on to the next position.
    private mutating func advance(over point: UInt32, in text: RegexText, to position: Int, steps: inout Int) {
        swap(&threads, &lastThreads)
        let lastCount = threadCount
        beginPosition()
        for index in 0..<lastCount {
            let thread = Int(lastThreads[index])
            switch instructions[thread] {
            case .one(let set):
                if program.contains(set, point) { follow(thread + 1, in: text, at: position, steps: &steps) }
            // The text of a group may be anything.
            default: follow(thread, in: text, at: position, steps: &steps)
            }
        }
    }

    /// Adds the threads to which an instruction leads without reading.
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
