/// A pattern's syntax tree, as deep as its groups are nested.
indirect enum Expression: Sendable {
    /// Nothing: matches everywhere.
    case empty
    /// One code point of a set, by the set's number.
    case one(Int)
    /// One after the other.
    case sequence([Expression])
    /// The first that matches.
    case choice([Expression])
    /// Again and again.
    case repetition(Repetition)
    /// A group whose text a reference can ask for, by its number from 1.
    case capture(Int, Expression)
    /// `^`
    case start
    /// `$`
    case end
    /// `\b`, and `\B` where it does not hold.
    case boundary(holds: Bool)
    /// `(?=…)`, `(?<=…)`, and their negations where it does not hold; by the number of the lookaround.
    case look(Int, holds: Bool)
    /// `\1`, `\k<name>`: the text of a group, by the number of the reference.
    case reference(Int)

    /// `x{2,3}`
    struct Repetition: Sendable {
        let body: Expression
        let minimum: Int
        /// Nil for as often as one likes.
        let maximum: Int?
        let isLazy: Bool
        /// The groups in the body, which each round forgets.
        let groups: Range<Int>
        /// Where its quantifier is.
        let position: Int
    }

    /// Whether it can match only at the start of the text, so that one place is enough to try.
    var isAnchored: Bool {
        switch self {
        case .start: true
        case .sequence(let parts): parts.first?.isAnchored ?? false
        case .choice(let parts): parts.allSatisfy(\.isAnchored)
        case .capture(_, let body): body.isAnchored
        case .repetition(let repetition): repetition.minimum > 0 && repetition.body.isAnchored
        default: false
        }
    }
}

/// What a lookaround looks for.
struct Lookaround: Sendable {
    let body: Expression
    let isBehind: Bool
    /// Whether it asks for the text of a group.
    let hasReferences: Bool
}

/// A pattern that has been read: its tree, and what the tree has by number.
struct PatternSyntax: Sendable {
    let tree: Expression
    /// The sets of code points; the first has all.
    let sets: [CodePointSet]
    /// The lookarounds; one comes after those inside it.
    let lookarounds: [Lookaround]
    /// How many groups capture.
    let groupCount: Int
    /// The groups that references ask for. An automaton cannot remember their text, so one reference changes how the
    /// whole pattern is matched.
    let references: [Int]

    /// The number of the set that has all code points.
    static let everything = 0
}
