/// A compiled pattern: instructions for the machine or for the backtracker.
///
/// The program of `ab*`:
///
///     0  one {a}
///     1  split 2, 4
///     2  one {b}
///     3  jump 1
///     4  accept
struct RegexProgram: Sendable {
    /// A sequence of instructions that ends with `accept`.
    struct Subprogram: Sendable {
        /// The index of the first instruction.
        let start: Int
        /// Whether the instructions read the text from its end to its start.
        let isBackward: Bool
        /// Whether a match can begin only at the start of the text.
        let isAnchored: Bool
        /// The ASCII characters that a match can read first, as two words of bits; nil if a match may read nothing, or
        /// if its beginning depends on the position.
        let firstASCII: [UInt64]?
    }

    var instructions: [RegexInstruction] = []
    let sets: [CodePointSet]
    /// The members of each set among the first 128 code points, as two words of bits.
    let asciiSets: [UInt64]
    var main = Subprogram(start: 0, isBackward: false, isAnchored: false, firstASCII: nil)
    /// The bodies of the lookarounds; a nested one comes before the one that contains it.
    var lookarounds: [Subprogram] = []
    /// For a program such as `^[0-9]{4}-` or `^\d\d$`, which reads one code point for each of several sets from the
    /// start of the text: the sets, and whether the text must end after them. Nil for any other program.
    private(set) var line: (sets: [Int], endsText: Bool)?
    /// The number of capturing groups.
    let groupCount: Int
    /// The number of loops that record where their rounds begin.
    var loopCount = 0

    init(sets: [CodePointSet], groupCount: Int) {
        self.sets = sets
        self.groupCount = groupCount
        asciiSets = sets.flatMap { set in
            [0, 64].map { first in
                (0..<64).reduce(0) { $0 | (set.contains(UInt32(first + $1)) ? 1 << UInt64($1) : 0) }
            }
        }
    }

    /// Whether the set with the given number contains a code point.
    func contains(_ set: Int, _ point: UInt32) -> Bool {
        guard point < 128 else { return sets[set].contains(point) }
        return asciiSets[2 * set + Int(point >> 6)] >> UInt64(point & 63) & 1 == 1
    }

    /// Returns the ASCII characters that can be read first from an instruction on, as ``Subprogram/firstASCII`` does.
    func firstASCII(from start: Int) -> [UInt64]? {
        var bits: [UInt64] = [0, 0]
        var visited: Set<Int> = []
        var pending = [start]
        while let index = pending.popLast() {
            guard visited.insert(index).inserted else { continue }
            switch instructions[index] {
            case .one(let set):
                for word in 0...1 { bits[word] |= asciiSets[2 * set + word] }
            case .split(let first, let second): pending += [first, second]
            case .jump(let target): pending.append(target)
            case .save, .forget, .beginRound, .endRound: pending.append(index + 1)
            case .require, .readGroup, .accept: return nil
            }
        }
        return bits
    }

    /// Sets ``line`` if the program reads one code point after another.
    mutating func noteLine() {
        guard case .require(.start)? = instructions[main.start...].first else { return }
        var sets: [Int] = []
        var endsText = false
        for instruction in instructions[(main.start + 1)...] {
            switch instruction {
            case .one(let set) where !endsText: sets.append(set)
            case .require(.end): endsText = true
            case .accept: return line = (sets, endsText)
            default: return
            }
        }
    }
}

/// An instruction of a compiled pattern. Execution continues with the next one unless stated otherwise.
enum RegexInstruction: Sendable {
    /// Reads one code point of the set with this number.
    case one(Int)
    /// Continues at either instruction, and prefers the first.
    case split(Int, Int)
    case jump(Int)
    /// Continues only if the assertion holds.
    case require(RegexAssertion)
    /// Matches the text that a group has captured, as a backreference does.
    case readGroup(Int)
    case accept

    // The remaining instructions are only for the backtracker.

    /// Records the position as the start (even slots) or end (odd slots) of a group.
    case save(Int)
    /// Clears the text of groups.
    case forget(Range<Int>)
    /// Records the position at which a round of a loop begins, so that ``endRound`` can reject a round that reads
    /// nothing. In a free round, such as the first of `x+`, no position is recorded, and reading nothing is allowed.
    case beginRound(Int, isFree: Bool)
    /// Continues only if the round has read something.
    case endRound(Int)
}

/// A condition on a position of the text.
enum RegexAssertion: Sendable {
    case start
    case end
    /// `\b`, or `\B` if it must not hold.
    case boundary(holds: Bool)
    /// `(?=…)` or `(?<=…)`, or a negation if it must not hold, with the number of the lookaround.
    case lookaround(Int, holds: Bool)
}
