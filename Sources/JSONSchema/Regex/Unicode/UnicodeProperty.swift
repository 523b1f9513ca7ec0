/// The character properties of `\p{…}` (ECMA-262, tables of section 22.2.1), in Unicode 17.0.
///
/// The general categories and most binary properties come from the standard library, which has Unicode 17.0 since Swift
/// 6.3; a system with an older library has an older version. The scripts and the remaining properties are in a table.
/// `Tests/Oracles/unicode_scripts.py` compares the scripts with the Unicode Character Database.
enum UnicodeProperty {
    /// Returns the code points of `\p{name=value}`, or nil if the property or value does not exist.
    static func set(name: String, value: String) -> CodePointSet? {
        switch name {
        case "General_Category", "gc": GeneralCategory.set(named: value)
        case "Script", "sc": script(value) { $0.set(named: value) }
        case "Script_Extensions", "scx": script(value) { $0.extendedSet(named: value) }
        default: nil
        }
    }

    /// Returns the code points of `\p{name}`, a general category or a binary property, or nil if it does not exist.
    static func set(name: String) -> CodePointSet? {
        switch name {
        case "Any": .all
        case "Assigned": GeneralCategory.set(named: "Cn")?.inverted
        case "ASCII": CodePointSet([0...0x7F])
        case "Regional_Indicator", "RI": CodePointSet([0x1F1E6...0x1F1FF])
        default:
            GeneralCategory.set(named: name) ?? UnicodeTable.binaryProperties.set(named: name)
                ?? binaryProperty(named: name).map(UnicodeScalarScan.set)
        }
    }

    /// Returns the code points of a script. For `Unknown`, returns the code points that belong to no script.
    private static func script(_ name: String, _ find: (UnicodeTable) -> CodePointSet?) -> CodePointSet? {
        guard name == "Unknown" || name == "Zzzz" else { return find(.scripts) }
        let known = UnicodeTable.scripts.names.compactMap { UnicodeTable.scripts.set(named: $0[0]) }
        return CodePointSet(known.flatMap(\.ranges)).inverted
    }

    private static func binaryProperty(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        caseProperty(named: name) ?? emojiProperty(named: name) ?? identifierProperty(named: name)
            ?? otherProperty(named: name)
    }

    private static func caseProperty(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "Case_Ignorable", "CI": \.isCaseIgnorable
        case "Cased": \.isCased
        case "Changes_When_Casefolded", "CWCF": \.changesWhenCaseFolded
        case "Changes_When_Casemapped", "CWCM": \.changesWhenCaseMapped
        case "Changes_When_Lowercased", "CWL": \.changesWhenLowercased
        case "Changes_When_NFKC_Casefolded", "CWKCF": \.changesWhenNFKCCaseFolded
        case "Changes_When_Titlecased", "CWT": \.changesWhenTitlecased
        case "Changes_When_Uppercased", "CWU": \.changesWhenUppercased
        case "Lowercase", "Lower": \.isLowercase
        case "Soft_Dotted", "SD": \.isSoftDotted
        case "Uppercase", "Upper": \.isUppercase
        default: nil
        }
    }

    private static func emojiProperty(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "Emoji": \.isEmoji
        case "Emoji_Modifier", "EMod": \.isEmojiModifier
        case "Emoji_Modifier_Base", "EBase": \.isEmojiModifierBase
        case "Emoji_Presentation", "EPres": \.isEmojiPresentation
        default: nil
        }
    }

    private static func identifierProperty(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "Alphabetic", "Alpha": \.isAlphabetic
        case "ASCII_Hex_Digit", "AHex": \.isASCIIHexDigit
        case "Hex_Digit", "Hex": \.isHexDigit
        case "ID_Continue", "IDC": \.isIDContinue
        case "ID_Start", "IDS": \.isIDStart
        case "Ideographic", "Ideo": \.isIdeographic
        case "IDS_Binary_Operator", "IDSB": \.isIDSBinaryOperator
        case "IDS_Trinary_Operator", "IDST": \.isIDSTrinaryOperator
        case "Radical": \.isRadical
        case "Unified_Ideograph", "UIdeo": \.isUnifiedIdeograph
        case "XID_Continue", "XIDC": \.isXIDContinue
        case "XID_Start", "XIDS": \.isXIDStart
        default: nil
        }
    }

    private static func otherProperty(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "Bidi_Control", "Bidi_C": \.isBidiControl
        case "Bidi_Mirrored", "Bidi_M": \.isBidiMirrored
        case "Dash": \.isDash
        case "Default_Ignorable_Code_Point", "DI": \.isDefaultIgnorableCodePoint
        case "Deprecated", "Dep": \.isDeprecated
        case "Diacritic", "Dia": \.isDiacritic
        case "Extender", "Ext": \.isExtender
        case "Grapheme_Base", "Gr_Base": \.isGraphemeBase
        case "Grapheme_Extend", "Gr_Ext": \.isGraphemeExtend
        case "Join_Control", "Join_C": \.isJoinControl
        case "Logical_Order_Exception", "LOE": \.isLogicalOrderException
        case "Math": \.isMath
        case "Noncharacter_Code_Point", "NChar": \.isNoncharacterCodePoint
        case "Pattern_White_Space", "Pat_WS": \.isPatternWhitespace
        case "Quotation_Mark", "QMark": \.isQuotationMark
        case "Sentence_Terminal", "STerm": \.isSentenceTerminal
        case "Terminal_Punctuation", "Term": \.isTerminalPunctuation
        case "Variation_Selector", "VS": \.isVariationSelector
        case "White_Space", "space": \.isWhitespace
        default: nil
        }
    }
}

/// The values of General_Category, by any of their names.
enum GeneralCategory {
    /// Returns the code points of a category or of a group of categories, or nil if it does not exist.
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

    /// The runs of code points with the same category. Surrogates are not scalars, so the scan does not include them.
    private static let runs: [(points: ClosedRange<UInt32>, code: String)] = {
        let codes = Dictionary(categories.map { ($0.category, $0.code) }) { first, _ in first }
        let scalars = UnicodeScalarScan.runs(of: \.generalCategory).map { ($0.points, codes[$0.value, default: "Cn"]) }
        return scalars + [(0xD800...0xDFFF, "Cs")]
    }()
}

/// A scan of all Unicode scalars for a property in the standard library. It need not query each scalar.
///
/// Planes 4 to 13 are empty, planes 15 and 16 are for private use, and plane 14 has characters only at its beginning.
/// In these areas one query covers the whole plane except its last two code points, which are noncharacters.
enum UnicodeScalarScan {
    /// Returns the scalars that have a property.
    static func set(where isMember: (Unicode.Scalar.Properties) -> Bool) -> CodePointSet {
        CodePointSet(runs(of: isMember).filter(\.value).map(\.points))
    }

    /// Returns the runs of scalars with the same value, in ascending order.
    static func runs<Value: Equatable>(
        of value: (Unicode.Scalar.Properties) -> Value
    ) -> [(points: ClosedRange<UInt32>, value: Value)] {
        var runs: [(points: ClosedRange<UInt32>, value: Value)] = []
        var next: UInt32 = 0
        while next <= CodePointSet.last {
            let points = next...lastAlike(next)
            next = points.upperBound + 1
            guard let found = Unicode.Scalar(points.lowerBound).map({ value($0.properties) }) else { continue }
            if let last = runs.last, last.value == found, last.points.upperBound + 1 == points.lowerBound {
                runs[runs.count - 1].points = last.points.lowerBound...points.upperBound
            } else {
                runs.append((points, found))
            }
        }
        return runs
    }

    /// Returns the last scalar that is known to have the same properties as `point`.
    private static func lastAlike(_ point: UInt32) -> UInt32 {
        let isPlain = point >= 0x40000 && !(0xE0000..<0xE1000).contains(point)
        let lastCharacter = point | 0xFFFF - 2
        return isPlain ? max(point, lastCharacter) : point
    }
}

/// A table of named sets of code points, packed as text.
///
/// An entry is a line with the names, a colon and ranges in hexadecimal. A line that begins with a space continues the
/// entry. A range is written as the number of code points skipped since the previous range and, after a plus sign, the
/// number of code points that follow its first:
///
///     Geor Georgian: 10a0+25 1 5 …     U+10A0…U+10C5, U+10C7, U+10CD, …
///
/// The ranges after `~` contain the code points that belong to the script by only one of the properties Script and
/// Script_Extensions.
struct UnicodeTable: Sendable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns the set with a name, or nil if it does not exist.
    func set(named name: String) -> CodePointSet? {
        entry(named: name).map { CodePointSet(Self.ranges($0.ranges)) }
    }

    /// Returns the set with a name according to Script_Extensions, or nil if it does not exist.
    func extendedSet(named name: String) -> CodePointSet? {
        entry(named: name).map { entry in
            let plain = CodePointSet(Self.ranges(entry.ranges))
            let differing = CodePointSet(Self.ranges(entry.differences))
            return plain.subtracting(differing).union(differing.subtracting(plain))
        }
    }

    /// The names of each entry.
    var names: [[String]] { entries().map { $0.names.map(String.init) } }

    private struct Entry {
        var names: [Substring]
        var ranges: [Substring] = []
        var differences: [Substring] = []
    }

    private func entry(named name: String) -> Entry? {
        entries().first { $0.names.contains { $0 == name } }
    }

    private func entries() -> [Entry] {
        var entries: [Entry] = []
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":")
            if halves.count == 2 { entries.append(Entry(names: halves[0].split(separator: " "))) }
            guard let packed = halves.last, let last = entries.indices.last else { continue }
            entries[last].ranges += packed.split(separator: " ")
        }
        return entries.map(Self.dividing)
    }

    private static func dividing(_ entry: Entry) -> Entry {
        guard let sign = entry.ranges.firstIndex(of: "~") else { return entry }
        return Entry(
            names: entry.names, ranges: Array(entry.ranges[..<sign]), differences: Array(entry.ranges[(sign + 1)...]))
    }

    private static func ranges(_ words: [Substring]) -> [ClosedRange<UInt32>] {
        var next: UInt32 = 0
        return words.map { word in
            let numbers = word.split(separator: "+").map { UInt32($0, radix: 16) ?? 0 }
            let first = next + numbers[0]
            let last = first + (numbers.count > 1 ? numbers[1] : 0)
            next = last + 1
            return first...last
        }
    }
}
