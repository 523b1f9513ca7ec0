/// The values of General_Category, by any of their names.
enum GeneralCategory {
    /// The code points of a category or a group of categories; nil if there is none of that name.
    static func set(named name: String) -> CodePointSet? {
        guard let row = names.first(where: { $0.contains(name) }), let code = row.first else { return nil }
        let members = code == "LC" ? ["Lu", "Ll", "Lt"] : categories.map(\.code).filter { $0.hasPrefix(code) }
        return CodePointSet(runs.filter { members.contains($0.code) }.map(\.points))
    }

    private static let names = [
        ["C", "Other"], ["Cc", "Control", "cntrl"], ["Cf", "Format"], ["Cn", "Unassigned"], ["Co", "Private_Use"],
        ["Cs", "Surrogate"], ["L", "Letter"], ["LC", "Cased_Letter"], ["Ll", "Lowercase_Letter"],
        ["Lm", "Modifier_Letter"], ["Lo", "Other_Letter"], ["Lt", "Titlecase_Letter"], ["Lu", "Uppercase_Letter"],
        ["M", "Mark", "Combining_Mark"], ["Mc", "Spacing_Mark"], ["Me", "Enclosing_Mark"], ["Mn", "Nonspacing_Mark"],
        ["N", "Number"], ["Nd", "Decimal_Number", "digit"], ["Nl", "Letter_Number"], ["No", "Other_Number"],
        ["P", "Punctuation", "punct"], ["Pc", "Connector_Punctuation"], ["Pd", "Dash_Punctuation"],
        ["Pe", "Close_Punctuation"], ["Pf", "Final_Punctuation"], ["Pi", "Initial_Punctuation"],
        ["Po", "Other_Punctuation"], ["Ps", "Open_Punctuation"], ["S", "Symbol"], ["Sc", "Currency_Symbol"],
        ["Sk", "Modifier_Symbol"], ["Sm", "Math_Symbol"], ["So", "Other_Symbol"], ["Z", "Separator"],
        ["Zl", "Line_Separator"], ["Zp", "Paragraph_Separator"], ["Zs", "Space_Separator"],
    ]

    private static let categories: [(category: Unicode.GeneralCategory, code: String)] = [
        (.control, "Cc"), (.format, "Cf"), (.unassigned, "Cn"), (.privateUse, "Co"), (.surrogate, "Cs"),
        (.lowercaseLetter, "Ll"), (.modifierLetter, "Lm"), (.otherLetter, "Lo"), (.titlecaseLetter, "Lt"),
        (.uppercaseLetter, "Lu"), (.spacingMark, "Mc"), (.enclosingMark, "Me"), (.nonspacingMark, "Mn"),
        (.decimalNumber, "Nd"), (.letterNumber, "Nl"), (.otherNumber, "No"), (.connectorPunctuation, "Pc"),
        (.dashPunctuation, "Pd"), (.closePunctuation, "Pe"), (.finalPunctuation, "Pf"), (.initialPunctuation, "Pi"),
        (.otherPunctuation, "Po"), (.openPunctuation, "Ps"), (.currencySymbol, "Sc"), (.modifierSymbol, "Sk"),
        (.mathSymbol, "Sm"), (.otherSymbol, "So"), (.lineSeparator, "Zl"), (.paragraphSeparator, "Zp"),
        (.spaceSeparator, "Zs"),
    ]

    /// All code points by category; made once. Surrogates are no scalars, so the scan leaves them out.
    private static let runs: [(points: ClosedRange<UInt32>, code: String)] = {
        let codes = Dictionary(categories.map { ($0.category, $0.code) }) { first, _ in first }
        let scalars = ScalarScan.runs(of: \.generalCategory).map { ($0.points, codes[$0.value, default: "Cn"]) }
        return scalars + [(0xD800...0xDFFF, "Cs")]
    }()
}
