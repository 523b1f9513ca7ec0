/// Parts of messages about values, safe to print and of limited length.
package enum Phrase {
    /// The maximum number of code units of a displayed text.
    package static let textLimit = 40

    /// Returns a text in quotation marks, shortened if it is long.
    package static func quoted(_ units: some Sequence<UInt16>) -> String {
        let beginning = Array(units.prefix(textLimit + 1))
        guard beginning.count > textLimit else { return "\"\(SafeText.escaping(beginning))\"" }
        return "\"\(SafeText.escaping(beginning.prefix(textLimit)))…\""
    }

    /// Returns a string in quotation marks, shortened in the same way.
    package static func quoted(_ text: String) -> String { quoted(text.utf16) }

    /// Returns a name without quotation marks, shortened if it is longer than 80 code units.
    package static func name(_ units: some Sequence<UInt16>) -> String {
        let beginning = Array(units.prefix(81))
        return SafeText.escaping(beginning.prefix(80)) + (beginning.count > 80 ? "…" : "")
    }

    /// Returns the first 200 code units of a text, escaped and without quotation marks.
    ///
    /// The limit is far above ``textLimit``, because long texts are mostly URIs, which may differ only at the end.
    package static func escaped(_ text: String) -> String { SafeText.escaping(text.utf16.prefix(200)) }

    /// Returns the name of a kind with its indefinite article, if any: `an integer`, `a number`, `data`.
    package static func withArticle(_ kind: String) -> String {
        switch kind {
        case "null", "data": kind
        case "integer", "object", "array": "an \(kind)"
        default: "a \(kind)"
        }
    }

    /// Returns a count with a noun, such as `1 key`, `2 keys`, `3,000 dictionaries` or `4 classes`.
    package static func count(_ count: Int, _ noun: String) -> String {
        CountText.of(count) + " " + Phrase.noun(noun, for: count)
    }

    /// Returns a count with a noun and a verb, which are given for one thing: `1 byte follows`, `2 bytes follow`.
    package static func count(_ count: Int, _ noun: String, _ verb: String) -> String {
        Phrase.count(count, noun) + " " + Phrase.verb(verb, for: count)
    }

    /// Returns a noun or its plural: `key`, `keys`.
    package static func noun(_ noun: String, for count: Int) -> String {
        switch noun {
        case _ where count == 1: noun
        case _ where noun.hasSuffix("y") && !noun.hasSuffix("ey"): "\(noun.dropLast())ies"
        case _ where noun.hasSuffix("s"): noun + "es"
        default: noun + "s"
        }
    }

    /// Returns a verb for one thing, or its plural: `is`, `are`.
    package static func verb(_ verb: String, for count: Int) -> String {
        if count == 1 { return verb }
        return switch verb {
        case "is": "are"
        case "was": "were"
        case "has": "have"
        case "does": "do"
        default: String(verb.dropLast())
        }
    }

    /// Returns a list of the first of several words: `a, b, c`, or `a, b, c and 7 more`.
    package static func list(_ shown: [String], of count: Int, more noun: String? = nil) -> String {
        let rest = count - shown.count
        let list = shown.joined(separator: ", ")
        guard rest > 0 else { return list }
        return list + " and " + (noun.map { Phrase.count(rest, "more " + $0) } ?? CountText.of(rest) + " more")
    }

    /// Returns the end of a message about the first of several occurrences: `(and 2 more like it)` after a space, or
    /// nothing.
    static func others(of count: Int) -> String {
        count > 1 ? " (and \(CountText.of(count - 1)) more like it)" : ""
    }

    /// Returns words joined as `a, b or c`.
    package static func alternatives(_ words: [String]) -> String { series(words, "or") }

    /// Returns words joined as `a, b and c`.
    package static func series(_ words: [String], _ conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

// MARK: Numbers

/// Formatting of large numbers for people.
package enum CountText {
    /// Returns the number with thousands separators, such as `2,113`.
    package static func of(_ number: Int) -> String {
        grouping("\(number)")
    }

    /// Returns a number with thousands separators before its decimal point: `-12345.5` becomes `-12,345.5`.
    package static func grouping(_ number: String) -> String {
        let sign = number.utf8.prefix { $0 == UInt8(ascii: "-") }
        let digits = number.utf8.dropFirst(sign.count).prefix(while: \.isDigit)
        var text = String(Substring(sign))
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text + String(Substring(number.utf8.dropFirst(sign.count + digits.count)))
    }
}
