/// A compiled pattern: instructions for the machine, or for the backtracker.
///
/// `ab*` is
///
///     0  one {a}
///     1  split 2, 4
///     2  one {b}
///     3  jump 1
///     4  accept
struct RegexProgram: Sendable {
    /// Instructions that belong together, up to `accept`.
    struct Part: Sendable {
        /// The number of the first.
        let start: Int
        /// Whether they read the text from its end to its start.
        let isBackward: Bool
        /// Whether a match can only begin where the text does.
        let isAnchored: Bool
    }

    var instructions: [RegexInstruction] = []
    let sets: [CodePointSet]
    /// The members of each set among the first 128 code points, as two words of bits.
    let asciiSets: [UInt64]
    var main = Part(start: 0, isBackward: false, isAnchored: false)
    /// What the lookarounds look for; one comes after those inside it.
    var lookarounds: [Part] = []
    /// The sets that the program reads one code point of each, from the start of the text, and whether the text ends
    /// behind, as in `^[0-9]{4}-` and `^\d\d$`; nil for programs that do anything else.
    private(set) var line: (sets: [Int], endsText: Bool)?
    /// How many groups capture.
    let groupCount: Int
    /// How many loops note where their rounds begin.
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

    /// Whether a code point is one of a set.
    func contains(_ set: Int, _ point: UInt32) -> Bool {
        guard point < 128 else { return sets[set].contains(point) }
        return asciiSets[2 * set + Int(point >> 6)] >> UInt64(point & 63) & 1 == 1
    }

    /// Finds out whether the program reads one code point after another.
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

/// A step of a compiled pattern; the next is the one after it unless it says otherwise.
enum RegexInstruction: Sendable {
    /// Reads one code point of a set, given by its number.
    case one(Int)
    /// Goes on at either place, the first preferred.
    case split(Int, Int)
    case jump(Int)
    /// Goes on only where the assertion holds.
    case require(RegexAssertion)
    /// Reads the text of a group again.
    case readGroup(Int)
    case accept

    // The rest is for the backtracker alone.

    /// Notes the position as a group's start (even slots) or end (odd ones).
    case save(Int)
    /// Forgets the text of groups.
    case forget(Range<Int>)
    /// Notes the position where a round of a loop begins, so that one which reads nothing can be told; a free round may
    /// read nothing.
    case beginRound(Int, isFree: Bool)
    /// Goes on only if the round has read something.
    case endRound(Int)
}

/// What must hold at a position of the text.
enum RegexAssertion: Sendable {
    case start
    case end
    /// `\b`, and `\B` where it does not hold.
    case boundary(holds: Bool)
    /// `(?=…)`, `(?<=…)`, and their negations where it does not hold; by the number of the lookaround.
    case lookaround(Int, holds: Bool)
}
