/// Pieces of sentences about values, safe to print and of bounded length.
package enum Phrase {
    /// How many code units of a text are shown.
    package static let textLimit = 40

    /// A text in quotation marks, cut where it is long.
    package static func quoted(_ units: some Sequence<UInt16>) -> String {
        let beginning = Array(units.prefix(textLimit + 1))
        guard beginning.count > textLimit else { return "\"\(SafeText.escaping(beginning))\"" }
        return "\"\(SafeText.escaping(beginning.prefix(textLimit)))…\""
    }

    /// A text in quotation marks, cut where it is long.
    package static func quoted(_ text: String) -> String { quoted(text.utf16) }

    /// A text without quotation marks; long ones are URIs, whose end tells as much as their beginning.
    package static func escaped(_ text: String) -> String { SafeText.escaping(text.utf16.prefix(200)) }

    /// The name of a kind after its article: `an integer`, `a number`, `data`.
    package static func withArticle(_ kind: String) -> String {
        switch kind {
        case "null", "data": kind
        case "integer", "object", "array": "an \(kind)"
        default: "a \(kind)"
        }
    }

    /// `1 key`, `2 keys`, `3 dictionaries`, `4 classes`.
    package static func count(_ count: Int, _ noun: String) -> String {
        switch noun {
        case _ where count == 1: "1 \(noun)"
        case _ where noun.hasSuffix("y") && !noun.hasSuffix("ey"): "\(count) \(noun.dropLast())ies"
        case _ where noun.hasSuffix("s"): "\(count) \(noun)es"
        default: "\(count) \(noun)s"
        }
    }

    /// `a, b or c`.
    package static func alternatives(_ words: [String]) -> String { series(words, "or") }

    /// `a, b and c`.
    static func series(_ words: [String], _ conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}

// MARK: Numbers

/// A number for people.
package enum Grouped {
    /// The number with a comma after every thousand: `2,113`.
    package static func of(_ number: Int) -> String {
        let digits = Array(number.magnitude.description.utf8)
        var text = number < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }
}
