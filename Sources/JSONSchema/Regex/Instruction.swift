/// A step of a compiled pattern; the next is the one after it unless it says otherwise.
///
/// `ab*` is
///
///     0  consume {a}
///     1  split 2, 4
///     2  consume {b}
///     3  jump 1
///     4  accept
enum Instruction: Sendable {
    /// Reads one code point of a set, given by its number.
    case consume(Int)
    /// Reads the code point before.
    case consumeBefore(Int)
    /// Goes on at either place, the first preferred.
    case split(Int, Int)
    case jump(Int)
    /// Goes on only where a fact holds, or does not.
    case require(Fact, holds: Bool)
    case accept

    // The rest is for the backtracker alone.

    /// Notes the position as a group's start (even slots) or end (odd ones).
    case save(Int)
    /// Forgets the text of groups.
    case forget(Range<Int>)
    /// Notes the position where a round of a loop begins, so that one which reads nothing can be told.
    case beginRound(Int)
    /// As that, for a round that may read nothing.
    case beginFreeRound(Int)
    /// Goes on only if the round has read something.
    case endRound(Int)
    /// Reads the text of a group again.
    case readGroup(Int, isBackward: Bool)
    /// Tries what follows, up to the end of the lookaround, and comes back to this position; where it is not to hold,
    /// goes on at `next`.
    case beginLook(Int, holds: Bool, next: Int)
    case endLook(Int, holds: Bool)
}

/// What can hold at a position of the text, as the number of a bit.
struct Fact: Hashable, Sendable {
    let bit: Int

    static let start = Fact(bit: 0)
    static let end = Fact(bit: 1)
    static let boundary = Fact(bit: 2)

    /// Whether a lookaround finds what it looks for.
    static func look(_ number: Int) -> Fact {
        Fact(bit: 3 + number)
    }

    /// Whether it can hold between the two ends of the text.
    var isInner: Bool { bit >= 2 }
}
