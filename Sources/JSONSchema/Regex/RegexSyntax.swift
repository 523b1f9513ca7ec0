import SaveCodec

/// A pattern's syntax tree, as deep as its groups are nested.
indirect enum RegexTree: Sendable {
    /// Nothing: matches everywhere.
    case empty
    /// One code point of a set, by the set's number.
    case one(Int)
    /// One after the other.
    case sequence([RegexTree])
    /// The first that matches.
    case choice([RegexTree])
    /// Again and again.
    case repetition(Repetition)
    /// A group whose text a reference can ask for, by its number from 1.
    case capture(Int, RegexTree)
    /// What must hold at a position, and reads nothing.
    case assertion(RegexAssertion)
    /// `\1`, `\k<name>`: the text of a group, by the number of the reference.
    case reference(Int)

    /// `x{2,3}`
    struct Repetition: Sendable {
        let body: RegexTree
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
        case .assertion(.start): true
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
    let body: RegexTree
    let isBehind: Bool
    /// Whether it asks for the text of a group.
    let hasReferences: Bool
}

/// A pattern that has been read: its tree, and what the tree has by number.
struct RegexSyntax: Sendable {
    let tree: RegexTree
    /// The sets of code points.
    let sets: [CodePointSet]
    /// The lookarounds; one comes after those inside it.
    let lookarounds: [Lookaround]
    /// How many groups capture.
    let groupCount: Int
    /// The groups that references ask for.
    let references: [Int]
}

// MARK: Faults

/// Why a text is not a pattern.
package struct RegexFault: Error, Hashable, Sendable {
    /// Where in the pattern, in code points from zero.
    package let position: Int
    /// What was found and what was expected.
    package let sentence: String

    init(_ sentence: String, at position: Int) {
        self.position = position
        self.sentence = sentence
    }

    /// A code point in a sentence.
    static func shown(_ point: UInt32) -> String {
        let units = Unicode.Scalar(point).map { Array(UTF16.encode($0) ?? .init()) }
        return SafeText.escaping(units ?? [UInt16(truncatingIfNeeded: point)])
    }
}

extension RegexFault {
    static func unclosedQuantifier(at position: Int) -> RegexFault {
        RegexFault("“{” begins neither “{n}”, “{n,}” nor “{n,m}”", at: position)
    }

    static func tooManyRanges(limit: Int, at position: Int) -> RegexFault {
        RegexFault("the pattern's classes have more than \(limit) ranges of characters", at: position)
    }

    static func unicodeDigits(at position: Int) -> RegexFault {
        RegexFault(
            "“\\u” is followed neither by four hexadecimal digits nor by “{…}” up to 10FFFF", at: position)
    }

    static func propertyBraces(at position: Int) -> RegexFault {
        RegexFault("“\\p” is not followed by “{name}” or “{name=value}”", at: position)
    }

    static func groupName(at position: Int) -> RegexFault {
        RegexFault("a group's name is expected: “<”, a letter, “$” or “_”, letters and digits, “>”", at: position)
    }
}
