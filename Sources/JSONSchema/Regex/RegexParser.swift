import SaveCodec

/// A parser of ECMA-262 patterns with the `u` flag (section 22.2.1), with one method for each rule of the grammar.
///
/// It recurses only for groups, up to `nestingLimit` levels.
struct RegexParser {
    static let nestingLimit = 200
    /// The maximum number of lookarounds. Each takes a pass over the whole text.
    static let lookaroundLimit = 60
    static let rangeLimit = 1_000_000

    let source: [UInt32]
    var position = 0
    private var groups = RegexGroups()
    var properties: [[UInt32]: CodePointSet] = [:]

    private var depth = 0
    private var sets: [CodePointSet] = []
    private var setNumbers: [CodePointSet: Int] = [:]
    private var rangeCount = 0
    private var lookarounds: [LookaroundBody] = []

    /// Whether letters also match letters that differ only in case.
    let ignoresCase: Bool

    private init(_ source: [UInt32], ignoresCase: Bool) {
        self.source = source
        self.ignoresCase = ignoresCase
    }

    /// Parses a pattern, given as code points.
    static func read(_ source: [UInt32], ignoresCase: Bool = false) throws(RegexSyntaxError) -> ParsedRegex {
        var parser = RegexParser(source, ignoresCase: ignoresCase)
        let tree = try parser.disjunction()
        guard parser.position == source.count else {
            throw RegexSyntaxError("unmatched “)”", at: parser.position)
        }
        return ParsedRegex(
            tree: tree, sets: parser.sets, lookarounds: parser.lookarounds, groupCount: parser.groups.count,
            references: try parser.groups.resolved())
    }

    /// `Disjunction :: Alternative | Alternative "|" Disjunction`
    private mutating func disjunction() throws(RegexSyntaxError) -> RegexTree {
        var choices = [try alternative()]
        while skip("|") { choices.append(try alternative()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    /// `Alternative :: [empty] | Alternative Term`
    private mutating func alternative() throws(RegexSyntaxError) -> RegexTree {
        var terms: [RegexTree] = []
        while let point = peek(), point != "|", point != ")" { terms.append(try term(point)) }
        return terms.count == 1 ? terms[0] : terms.isEmpty ? .empty : .sequence(terms)
    }

    /// `Term :: Assertion | Atom | Atom Quantifier`
    private mutating func term(_ point: Unicode.Scalar) throws(RegexSyntaxError) -> RegexTree {
        if let assertion = try assertion(point) { return assertion }
        let firstGroup = groups.count
        let atom = try atom(point)
        return try quantified(atom, groups: firstGroup + 1..<groups.count + 1)
    }

    /// `Assertion :: "^" | "$" | "\b" | "\B" | "(?=" Disjunction ")" …`
    private mutating func assertion(_ point: Unicode.Scalar) throws(RegexSyntaxError) -> RegexTree? {
        switch point {
        case "^":
            position += 1
            return .assertion(.start)
        case "$":
            position += 1
            return .assertion(.end)
        case "\\":
            if skip("\\b") { return .assertion(.boundary(holds: true)) }
            return skip("\\B") ? .assertion(.boundary(holds: false)) : nil
        case "(":
            let opening = position
            if skip("(?=") { return try lookaround(from: opening, isBehind: false, holds: true) }
            if skip("(?!") { return try lookaround(from: opening, isBehind: false, holds: false) }
            if skip("(?<=") { return try lookaround(from: opening, isBehind: true, holds: true) }
            return skip("(?<!") ? try lookaround(from: opening, isBehind: true, holds: false) : nil
        default: return nil
        }
    }

    private mutating func lookaround(
        from opening: Int, isBehind: Bool, holds: Bool
    ) throws(RegexSyntaxError) -> RegexTree {
        let referencesBefore = groups.referenceCount
        let body = try groupBody(from: opening)
        guard lookarounds.count < Self.lookaroundLimit else {
            throw RegexSyntaxError(
                "the pattern has more than \(Self.lookaroundLimit) lookarounds", at: opening)
        }
        let hasReferences = groups.referenceCount > referencesBefore
        lookarounds.append(LookaroundBody(body: body, isBehind: isBehind, hasReferences: hasReferences))
        return .assertion(.lookaround(lookarounds.count - 1, holds: holds))
    }

    /// `Disjunction ")"`
    private mutating func groupBody(from opening: Int) throws(RegexSyntaxError) -> RegexTree {
        guard depth < Self.nestingLimit else {
            throw RegexSyntaxError("groups are nested more than \(Self.nestingLimit) levels deep", at: opening)
        }
        depth += 1
        let body = try disjunction()
        depth -= 1
        guard skip(")") else { throw RegexSyntaxError("unclosed “(”", at: opening) }
        return body
    }

    /// `Atom :: PatternCharacter | "." | "\" AtomEscape | CharacterClass | "(" …`
    private mutating func atom(_ point: Unicode.Scalar) throws(RegexSyntaxError) -> RegexTree {
        switch point {
        case ".":
            position += 1
            return try one(of: CodePointSet.lineTerminators.inverted)
        case "\\": return try atomEscape()
        case "[": return try one(of: characterClass())
        case "(": return try group()
        case "*", "+", "?", "{":
            throw RegexSyntaxError(
                "“\(RegexSyntaxError.shown(point.value))” has nothing to repeat before it", at: position)
        case "}", "]":
            throw RegexSyntaxError(
                "“\(RegexSyntaxError.shown(point.value))” is not escaped; use “\\\(RegexSyntaxError.shown(point.value))” for the character",
                at: position)
        default:
            defer { position += 1 }
            return try one(of: withOtherCase(CodePointSet(source[position])))
        }
    }

    /// `"(" GroupSpecifier? Disjunction ")" | "(?:" Disjunction ")"`
    private mutating func group() throws(RegexSyntaxError) -> RegexTree {
        let opening = position
        if skip("(?:") { return try groupBody(from: opening) }
        if skip("(?<") {
            try groups.name(try groupName(), at: opening)
        } else if skip("(?") {
            throw RegexSyntaxError("“(?” is not followed by “:”, “=”, “!”, “<=”, “<!” or “<name>”", at: opening)
        } else {
            position += 1
        }
        groups.count += 1
        let number = groups.count
        return .capture(number, try groupBody(from: opening))
    }

    /// `AtomEscape :: DecimalEscape | CharacterClassEscape | CharacterEscape | "k" GroupName`
    private mutating func atomEscape() throws(RegexSyntaxError) -> RegexTree {
        let start = position
        if let number = decimalEscape() { return .reference(groups.refer(to: number, at: start)) }
        if skip("\\k<") { return .reference(groups.refer(to: try groupName(), at: start)) }
        if skip("\\k") { throw .groupName(at: position) }
        if let set = try classEscape() { return try one(of: set) }
        return try one(of: withOtherCase(CodePointSet(try characterEscape())))
    }

    /// `DecimalEscape :: NonZeroDigit DecimalDigits?`, including the backslash.
    private mutating func decimalEscape() -> Int? {
        guard let digit = peek(1), ("1"..."9").contains(digit) else { return nil }
        position += 1
        return decimalDigits()
    }

    /// Returns the set. If case is ignored, the result also has the other case of each letter.
    func withOtherCase(_ set: CodePointSet) -> CodePointSet {
        guard ignoresCase else { return set }
        let classes = CaseFolding.classes.filter { $0.contains(where: set.contains) }
        return set.union(CodePointSet(classes.joined().map { $0...$0 }))
    }

    /// Returns a tree that matches one code point of a set, and gives the set a number.
    private mutating func one(of set: CodePointSet) throws(RegexSyntaxError) -> RegexTree {
        rangeCount += set.ranges.count
        guard rangeCount <= Self.rangeLimit else {
            throw .tooManyRanges(limit: Self.rangeLimit, at: min(position, source.count))
        }
        if let number = setNumbers[set] { return .one(number) }
        setNumbers[set] = sets.count
        sets.append(set)
        return .one(sets.count - 1)
    }

    /// Returns the code point at a distance from the current position, or nil at the end. A lone surrogate becomes
    /// U+FFFD, which has no meaning in the grammar.
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        guard position + distance < source.count else { return nil }
        return Unicode.Scalar(source[position + distance]) ?? "\u{FFFD}"
    }

    /// Skips the characters if they come next. Returns whether they did.
    mutating func skip(_ text: StaticString) -> Bool {
        // Sound: the indices come from the buffer itself, and `source` is an array, which checks its own bounds.
        let matches = text.withUTF8Buffer { bytes in
            position + bytes.count <= source.count
                && bytes.indices.allSatisfy { unsafe source[position + $0] == UInt32(bytes[$0]) }
        }
        if matches { position += text.utf8CodeUnitCount }
        return matches
    }

    /// Reads a decimal number. Returns `Int.max` for a larger number, and nil if no digit follows.
    mutating func decimalDigits() -> Int? {
        var number: Int?
        while let digit = peek(), ("0"..."9").contains(digit) {
            let (tens, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, overflow2) = tens.addingReportingOverflow(Int(digit.value - 0x30))
            number = overflow || overflow2 ? .max : sum
            position += 1
        }
        return number
    }

    /// `Quantifier :: QuantifierPrefix | QuantifierPrefix "?"` after the atom that it repeats.
    mutating func quantified(_ atom: RegexTree, groups: Range<Int>) throws(RegexSyntaxError) -> RegexTree {
        let start = position
        guard let (minimum, maximum) = try quantifierPrefix() else { return atom }
        return .repetition(
            RegexTree.Repetition(
                body: atom, minimum: minimum, maximum: maximum, isLazy: skip("?"), groups: groups, position: start))
    }

    /// `QuantifierPrefix :: "*" | "+" | "?" | "{" DecimalDigits "}" | "{" DecimalDigits ",}" | …`
    private mutating func quantifierPrefix() throws(RegexSyntaxError) -> (minimum: Int, maximum: Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let start = position
        guard skip("{") else { return nil }
        guard let minimum = decimalDigits() else { throw .unclosedQuantifier(at: start) }
        if skip("}") { return (minimum, minimum) }
        if skip(",}") { return (minimum, nil) }
        guard skip(","), let maximum = decimalDigits(), skip("}") else { throw .unclosedQuantifier(at: start) }
        guard minimum <= maximum else {
            throw RegexSyntaxError("the quantifier's second number is less than its first", at: start)
        }
        return (minimum, maximum)
    }
}

/// The capturing groups, their names and the references to them.
private struct RegexGroups {
    /// The number of groups opened so far.
    var count = 0

    private var names: [[UInt32]: Int] = [:]
    private var references: [(target: Target, position: Int)] = []

    var referenceCount: Int { references.count }

    private enum Target {
        case number(Int)
        case name([UInt32])
    }

    /// Assigns a name to the next group.
    mutating func name(_ name: [UInt32], at position: Int) throws(RegexSyntaxError) {
        guard names.updateValue(count + 1, forKey: name) == nil else {
            throw RegexSyntaxError("another group has the same name", at: position)
        }
    }

    /// Records a reference by number, and returns the index of the reference.
    mutating func refer(to number: Int, at position: Int) -> Int {
        references.append((.number(number), position))
        return references.count - 1
    }

    /// Records a reference by name, and returns the index of the reference.
    mutating func refer(to name: [UInt32], at position: Int) -> Int {
        references.append((.name(name), position))
        return references.count - 1
    }

    /// Returns the group of each reference. A group may follow a reference to it, so this is called at the end.
    func resolved() throws(RegexSyntaxError) -> [Int] {
        var groups: [Int] = []
        for (target, position) in references {
            switch target {
            case .number(let number):
                guard number <= count else {
                    throw RegexSyntaxError(
                        "“\\\(number)” refers to a missing group; the group count is \(count)", at: position)
                }
                groups.append(number)
            case .name(let name):
                guard let number = names[name] else {
                    throw RegexSyntaxError("“\\k” refers to an unknown group name", at: position)
                }
                groups.append(number)
            }
        }
        return groups
    }
}
