/// A matcher for patterns with backreferences, which tries one alternative after another (ECMA-262, section 22.2.2).
///
/// The number of alternatives can be exponential, so the matcher counts its steps and gives up after a limit. Each
/// change of state is recorded on a stack and undone before the next alternative is tried.
struct Backtracker {
    /// The number of steps of ``PikeMachine`` that take as long as one step here.
    private static let stepCost = 8

    private let program: RegexProgram
    private let text: RegexText
    private var stepsLeft: Int
    private var position = 0
    private var isBackward = false
    /// The starts and ends of the groups; -1 for a group without a match.
    private var slots: [Int]
    /// The position at which the current round of each loop began.
    private var rounds: [Int]
    /// The open lookarounds, innermost last.
    private var lookarounds: [OpenLookaround] = []
    private var stack: [BacktrackStep] = []

    private struct OpenLookaround {
        /// The instruction and position at which the lookaround began, and the direction in which the text was read
        /// there.
        let instruction: Int
        let position: Int
        let isBackward: Bool
        /// The height of ``stack`` at that time.
        let height: Int
        let holds: Bool
    }

    /// A step to take when an alternative has failed.
    private enum BacktrackStep {
        case resume(Int, position: Int)
        case restoreSlot(Int, Int)
        case restoreRound(Int, Int)
        /// Ends the innermost lookaround, which has found no match.
        case endLookaround
    }

    private init(_ program: RegexProgram, _ text: RegexText, steps: Int) {
        self.program = program
        self.text = text
        stepsLeft = steps
        slots = Array(repeating: -1, count: 2 * (program.groupCount + 1))
        rounds = Array(repeating: -1, count: program.loopCount)
    }

    /// Searches for a match anywhere in the text.
    static func search(_ text: RegexText, for program: RegexProgram, steps: inout Int) -> ECMARegex.Verdict {
        var backtracker = Backtracker(program, text, steps: steps / stepCost)
        let granted = backtracker.stepsLeft
        defer { steps -= stepCost * (granted - backtracker.stepsLeft) }
        for start in 0...(program.main.isAnchored ? 0 : text.points.count) {
            backtracker.position = start
            let verdict = backtracker.run()
            guard verdict == .notMatched else { return verdict }
        }
        return .notMatched
    }

    /// Searches for a match that begins at the current position.
    private mutating func run() -> ECMARegex.Verdict {
        var next = program.main.start
        while stepsLeft > 0 {
            stepsLeft -= 1
            if case .accept = program.instructions[next], lookarounds.isEmpty { return .matched }
            guard let following = step(next) ?? backtrack() else { return .notMatched }
            next = following
        }
        return .gaveUp
    }

    /// Executes one instruction.
    ///
    /// - Returns: The index of the next instruction, or nil if this alternative has failed.
    private mutating func step(_ index: Int) -> Int? {
        switch program.instructions[index] {
        case .accept: return endLookaround()
        case .one(let set): return read(set) ? index + 1 : nil
        case .split(let first, let second):
            stack.append(.resume(second, position: position))
            return first
        case .jump(let target): return target
        case .require(.lookaround(let number, let holds)): return begin(number, holds: holds, at: index)
        case .require(let assertion): return text.satisfies(assertion, at: position) ? index + 1 : nil
        case .readGroup(let group): return readGroup(group) ? index + 1 : nil
        case .save(let slot): set(slot, to: position)
        case .forget(let groups): forget(groups)
        case .beginRound(let loop, let isFree):
            stack.append(.restoreRound(loop, rounds[loop]))
            rounds[loop] = isFree ? -1 : position
        case .endRound(let loop): return rounds[loop] == position ? nil : index + 1
        }
        return index + 1
    }

    /// Undoes all changes since the last choice.
    ///
    /// - Returns: The index of the instruction at which the other choice begins, or nil if no choice is left.
    private mutating func backtrack() -> Int? {
        while let frame = stack.popLast() {
            switch frame {
            case .resume(let index, let position):
                self.position = position
                return index
            case .endLookaround:
                guard let lookaround = lookarounds.popLast() else { return nil }
                (position, isBackward) = (lookaround.position, lookaround.isBackward)
                if !lookaround.holds { return lookaround.instruction + 1 }
            case .restoreSlot, .restoreRound: undo(frame)
            }
        }
        return nil
    }

    private mutating func undo(_ frame: BacktrackStep) {
        switch frame {
        case .resume, .endLookaround: break
        case .restoreSlot(let slot, let value): slots[slot] = value
        case .restoreRound(let loop, let value): rounds[loop] = value
        }
    }

    private mutating func read(_ set: Int) -> Bool {
        let pointPosition = isBackward ? position - 1 : position
        guard text.points.indices.contains(pointPosition), program.sets[set].contains(text.points[pointPosition]) else {
            return false
        }
        position += isBackward ? -1 : 1
        return true
    }

    // MARK: Groups

    private mutating func set(_ slot: Int, to value: Int) {
        stack.append(.restoreSlot(slot, slots[slot]))
        slots[slot] = value
    }

    private mutating func forget(_ groups: Range<Int>) {
        stepsLeft -= groups.count
        for group in groups where slots[2 * group] >= 0 || slots[2 * group + 1] >= 0 {
            set(2 * group, to: -1)
            set(2 * group + 1, to: -1)
        }
    }

    /// Matches the text that a group has captured, as a backreference does. Returns false if the text differs. A group
    /// that has not matched yet counts as empty.
    private mutating func readGroup(_ group: Int) -> Bool {
        let start = slots[2 * group]
        let end = slots[2 * group + 1]
        guard start >= 0, end >= 0 else { return true }
        let count = end - start
        let other = isBackward ? position - count : position
        guard other >= 0, count <= text.points.count - other else { return false }
        stepsLeft -= count
        guard text.points[start..<end] == text.points[other..<other + count] else { return false }
        position = isBackward ? other : other + count
        return true
    }

    // MARK: Lookarounds

    private mutating func begin(_ number: Int, holds: Bool, at index: Int) -> Int {
        lookarounds.append(
            OpenLookaround(
                instruction: index, position: position, isBackward: isBackward, height: stack.count, holds: holds))
        stack.append(.endLookaround)
        isBackward = program.lookarounds[number].isBackward
        return program.lookarounds[number].start
    }

    /// Ends a lookaround that has found a match: restores the position before it, and drops its remaining alternatives.
    private mutating func endLookaround() -> Int? {
        guard let lookaround = lookarounds.popLast() else { return nil }
        (position, isBackward) = (lookaround.position, lookaround.isBackward)
        stepsLeft -= stack.count - lookaround.height
        var captures: [BacktrackStep] = []
        while stack.count > lookaround.height, let frame = stack.popLast() {
            if lookaround.holds { captures.append(frame) } else { undo(frame) }
        }
        guard lookaround.holds else { return nil }
        // The captures of the lookaround remain until the alternative that led here fails.
        for frame in captures.reversed() {
            switch frame {
            case .resume, .endLookaround: break
            case .restoreSlot, .restoreRound: stack.append(frame)
            }
        }
        return lookaround.instruction + 1
    }
}
