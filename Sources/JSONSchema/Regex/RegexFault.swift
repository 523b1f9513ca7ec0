import SaveCodec

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
