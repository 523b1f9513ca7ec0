/// The instructions of a pattern with references to groups, and how much a search must remember.
struct BacktrackerProgram: Sendable {
    let instructions: [Instruction]
    let sets: [CodePointSet]
    let slotCount: Int
    let loopCount: Int
    let lookCount: Int
    let isAnchored: Bool
}

/// Tries one way through a pattern after another, in the order of ECMA-262, section 22.2.2.
///
/// The number of ways can be exponential, so the steps are counted and it gives up after a number of them. What a way has changed is kept on a stack and undone when the next way is tried.
struct Backtracker {
    /// How many steps of an automaton take the time of one here.
    private static let stepCost = 8

    private let program: BacktrackerProgram
    private let text: [UInt32]
    private var stepsLeft: Int
    private var position = 0
    /// Starts and ends of groups, -1 where there is none.
    private var slots: [Int]
    /// Where the round of each loop began.
    private var rounds: [Int]
    private var looks: [(position: Int, height: Int)]
    private var stack: [Frame] = []

    /// What is done when a way has failed.
    private enum Frame {
        case resume(Int, position: Int)
        case restoreSlot(Int, Int)
        case restoreRound(Int, Int)
    }

    private init(_ program: BacktrackerProgram, _ text: [UInt32], steps: Int) {
        self.program = program
        self.text = text
        stepsLeft = steps
        slots = Array(repeating: -1, count: program.slotCount)
        rounds = Array(repeating: -1, count: program.loopCount)
        looks = Array(repeating: (0, 0), count: program.lookCount)
    }

    /// Looks for a match anywhere in the text.
    static func search(_ text: [UInt32], for program: BacktrackerProgram, steps: inout Int) -> Pattern.Verdict {
        var backtracker = Backtracker(program, text, steps: steps / stepCost)
        let granted = backtracker.stepsLeft
        defer { steps -= stepCost * (granted - backtracker.stepsLeft) }
        for start in 0...(program.isAnchored ? 0 : text.count) {
            backtracker.position = start
            let verdict = backtracker.run()
            guard verdict == .notMatched else { return verdict }
        }
        return .notMatched
    }

    /// Looks for a match that begins at the position.
    private mutating func run() -> Pattern.Verdict {
        var next = 0
        while stepsLeft > 0 {
            stepsLeft -= 1
            if case .accept = program.instructions[next] { return .matched }
            if let following = step(next) ?? backtrack() {
                next = following
            } else {
                return .notMatched
            }
        }
        return .gaveUp
    }

    /// Does one instruction; the number of the following one, or nil if this way has failed.
    private mutating func step(_ index: Int) -> Int? {
        switch program.instructions[index] {
        case .accept: return index
        case .consume(let set):
            guard position < text.count, program.sets[set].contains(text[position]) else { return nil }
            position += 1
        case .consumeBefore(let set):
            guard position > 0, program.sets[set].contains(text[position - 1]) else { return nil }
            position -= 1
        case .split(let first, let second):
            stack.append(.resume(second, position: position))
            return first
        case .jump(let target): return target
        case .require(let fact, let holds): return self.holds(fact) == holds ? index + 1 : nil
        case .save(let slot): set(slot, to: position)
        case .forget(let groups): forget(groups)
        case .beginRound(let loop): setRound(loop, to: position)
        case .beginFreeRound(let loop): setRound(loop, to: -1)
        case .endRound(let loop): return rounds[loop] == position ? nil : index + 1
        case .readGroup(let group, let isBackward): return readGroup(group, isBackward) ? index + 1 : nil
        case .beginLook(let look, let holds, let next):
            looks[look] = (position, stack.count)
            if !holds { stack.append(.resume(next, position: position)) }
        case .endLook(let look, let holds): return endLook(look, holds: holds) ? index + 1 : nil
        }
        return index + 1
    }

    /// Undoes what has been done since the last choice; the instruction where the other choice begins.
    private mutating func backtrack() -> Int? {
        while let frame = stack.popLast() {
            if case .resume(let index, let position) = frame {
                self.position = position
                return index
            }
            undo(frame)
        }
        return nil
    }

    private mutating func undo(_ frame: Frame) {
        switch frame {
        case .resume: break
        case .restoreSlot(let slot, let value): slots[slot] = value
        case .restoreRound(let loop, let value): rounds[loop] = value
        }
    }

    private mutating func set(_ slot: Int, to value: Int) {
        stack.append(.restoreSlot(slot, slots[slot]))
        slots[slot] = value
    }

    private mutating func setRound(_ loop: Int, to value: Int) {
        stack.append(.restoreRound(loop, rounds[loop]))
        rounds[loop] = value
    }

    private mutating func forget(_ groups: Range<Int>) {
        stepsLeft -= groups.count
        for group in groups where slots[2 * group] >= 0 || slots[2 * group + 1] >= 0 {
            set(2 * group, to: -1)
            set(2 * group + 1, to: -1)
        }
    }

    /// Reads a group's text again; one that has none yet is as good as empty.
    private mutating func readGroup(_ group: Int, _ isBackward: Bool) -> Bool {
        let start = slots[2 * group]
        let end = slots[2 * group + 1]
        guard start >= 0, end >= 0 else { return true }
        let count = end - start
        let other = isBackward ? position - count : position
        guard other >= 0, count <= text.count - other else { return false }
        stepsLeft -= count
        guard text[start..<end] == text[other..<other + count] else { return false }
        position = isBackward ? other : other + count
        return true
    }

    /// Ends a lookaround that has found something: back to where it began, and no other way through it is tried.
    private mutating func endLook(_ look: Int, holds: Bool) -> Bool {
        let (begin, height) = looks[look]
        position = begin
        var undone: [Frame] = []
        while stack.count > height, let frame = stack.popLast() {
            if holds { undone.append(frame) } else { undo(frame) }
        }
        for frame in undone.reversed() {
            if case .resume = frame { continue }
            stack.append(frame)
        }
        return holds
    }

    private func holds(_ fact: Fact) -> Bool {
        switch fact {
        case .start: position == 0
        case .end: position == text.count
        default: isWord(position - 1) != isWord(position)
        }
    }

    private func isWord(_ position: Int) -> Bool {
        text.indices.contains(position) && CodePointSet.word.contains(text[position])
    }
}
