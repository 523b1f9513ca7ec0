extension PatternParser {
    /// `Quantifier :: QuantifierPrefix | QuantifierPrefix "?"`, after the atom that it repeats.
    mutating func quantified(_ atom: Expression, groups: Range<Int>) throws(PatternFault) -> Expression {
        let start = position
        guard let (minimum, maximum) = try quantifierPrefix() else { return atom }
        return .repetition(
            Expression.Repetition(
                body: atom, minimum: minimum, maximum: maximum, isLazy: skip("?"), groups: groups, position: start))
    }

    /// `QuantifierPrefix :: "*" | "+" | "?" | "{" DecimalDigits "}" | "{" DecimalDigits ",}" | …`
    private mutating func quantifierPrefix() throws(PatternFault) -> (minimum: Int, maximum: Int?)? {
        if skip("*") { return (0, nil) }
        if skip("+") { return (1, nil) }
        if skip("?") { return (0, 1) }
        let start = position
        guard skip("{") else { return nil }
        guard let minimum = decimalDigits() else { throw .unclosedQuantifier(at: start) }
        if skip("}") { return (minimum, minimum) }
        if skip(",}") { return (minimum, nil) }
        guard skip(","), let maximum = decimalDigits(), skip("}") else { throw .unclosedQuantifier(at: start) }
        guard minimum <= maximum else { throw .fallingQuantifier(at: start) }
        return (minimum, maximum)
    }
}
