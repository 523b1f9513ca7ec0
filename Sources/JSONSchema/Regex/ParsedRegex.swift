import SaveCodec

/// The syntax tree of a pattern, as deep as its groups are nested.
indirect enum RegexTree: Sendable {
    /// The empty pattern, which matches everywhere.
    case empty
    /// One code point of the set with this number.
    case one(Int)
    case sequence([RegexTree])
    /// Alternatives, in order of preference.
    case choice([RegexTree])
    case repetition(Repetition)
    /// A group that captures its text, with its number from 1.
    case capture(Int, RegexTree)
    /// A condition on a position, which reads nothing.
    case assertion(RegexAssertion)
    /// A backreference such as `\1` or `\k<name>`, with the number of the reference.
    case reference(Int)

    /// A repetition such as `x{2,3}`.
    struct Repetition: Sendable {
        let body: RegexTree
        let minimum: Int
        /// The maximum count, or nil if it is unlimited.
        let maximum: Int?
        let isLazy: Bool
        /// The groups in the body, which each round clears.
        let groups: Range<Int>
        /// The position of the quantifier in the pattern.
        let position: Int
    }

    /// Whether a match can begin only at the start of the text, so that the search tries no other position.
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

/// The body of a lookaround.
struct LookaroundBody: Sendable {
    let body: RegexTree
    let isBehind: Bool
    /// Whether the body contains a backreference.
    let hasReferences: Bool
}

/// A parsed pattern: the tree and the tables that it refers to by number.
struct ParsedRegex: Sendable {
    let tree: RegexTree
    let sets: [CodePointSet]
    /// The lookarounds; a nested one comes before the one that contains it.
    let lookarounds: [LookaroundBody]
    /// The number of capturing groups.
    let groupCount: Int
    /// The group of each reference.
    let references: [Int]
}

// MARK: Faults

/// A syntax error in a pattern.
package struct RegexSyntaxError: Error, Hashable, Sendable {
    /// The offset in the pattern, in code points.
    package let position: Int
    /// The message: what was found and what was expected.
    package let sentence: String

    init(_ sentence: String, at position: Int) {
        self.position = position
        self.sentence = sentence
    }

    /// Returns a code point as shown in a message.
    static func shown(_ point: UInt32) -> String {
        let units = Unicode.Scalar(point).map { Array(UTF16.encode($0) ?? .init()) }
        return SafeText.escaping(units ?? [UInt16(truncatingIfNeeded: point)])
    }

    static func unclosedQuantifier(at position: Int) -> RegexSyntaxError {
        RegexSyntaxError("“{” must begin “{n}”, “{n,}” or “{n,m}”", at: position)
    }

    static func tooManyRanges(limit: Int, at position: Int) -> RegexSyntaxError {
        RegexSyntaxError("the pattern's classes have more than \(limit) ranges of characters", at: position)
    }

    static func unicodeDigits(at position: Int) -> RegexSyntaxError {
        RegexSyntaxError(
            "“\\u” must be followed by four hexadecimal digits, or by “{…}” with a number up to 10FFFF", at: position)
    }

    static func propertyBraces(at position: Int) -> RegexSyntaxError {
        RegexSyntaxError("“\\p” is not followed by “{name}” or “{name=value}”", at: position)
    }

    static func groupName(at position: Int) -> RegexSyntaxError {
        RegexSyntaxError(
            "expected a group name between “<” and “>”: a letter, “$” or “_”, then also digits", at: position)
    }
}
