internal import SaveCodec

/// Why a text is not a pattern.
package struct PatternFault: Error, Hashable, Sendable {
    /// Where in the pattern, in code points from zero.
    package let position: Int
    /// What was found and what was expected.
    package let sentence: String

    private init(_ position: Int, _ sentence: String) {
        self.position = position
        self.sentence = sentence
    }
}

extension PatternFault {
    static func nothingToRepeat(_ quantifier: UInt32, at position: Int) -> PatternFault {
        PatternFault(position, "“\(shown(quantifier))” has nothing to repeat before it")
    }

    static func unescaped(_ point: UInt32, at position: Int) -> PatternFault {
        PatternFault(position, "“\(shown(point))” stands alone, where “\\\(shown(point))” means the character")
    }

    static func unopenedGroup(at position: Int) -> PatternFault {
        PatternFault(position, "“)” without a “(” before it")
    }

    static func unclosedGroup(at position: Int) -> PatternFault {
        PatternFault(position, "“(” without a “)” after it")
    }

    static func unclosedClass(at position: Int) -> PatternFault {
        PatternFault(position, "“[” without a “]” after it")
    }

    static func unknownGroup(at position: Int) -> PatternFault {
        PatternFault(position, "“(?” is followed by none of “:”, “=”, “!”, “<=”, “<!” and “<name>”")
    }

    static func nesting(limit: Int, at position: Int) -> PatternFault {
        PatternFault(position, "groups are nested more than \(limit) deep")
    }

    static func unclosedQuantifier(at position: Int) -> PatternFault {
        PatternFault(position, "“{” begins neither “{n}”, “{n,}” nor “{n,m}”")
    }

    static func fallingQuantifier(at position: Int) -> PatternFault {
        PatternFault(position, "the quantifier's second number is less than its first")
    }

    static func fallingRange(at position: Int) -> PatternFault {
        PatternFault(position, "the range's second character is before its first")
    }

    static func rangeOfClasses(at position: Int) -> PatternFault {
        PatternFault(position, "a range ends in a class of characters, where a single one is expected")
    }

    static func endsInBackslash(at position: Int) -> PatternFault {
        PatternFault(position, "“\\” is the last character, where what it escapes is expected after it")
    }

    static func unknownEscape(_ point: UInt32, at position: Int) -> PatternFault {
        PatternFault(position, "“\\\(shown(point))” is not an escape")
    }

    static func digitsAfterZero(at position: Int) -> PatternFault {
        PatternFault(position, "“\\0” is followed by a digit")
    }

    static func controlLetter(at position: Int) -> PatternFault {
        PatternFault(position, "“\\c” is not followed by a letter from A to Z")
    }

    static func hexDigits(at position: Int) -> PatternFault {
        PatternFault(position, "“\\x” is not followed by two hexadecimal digits")
    }

    static func unicodeDigits(at position: Int) -> PatternFault {
        PatternFault(position, "“\\u” is followed neither by four hexadecimal digits nor by “{…}” up to 10FFFF")
    }

    static func propertyBraces(at position: Int) -> PatternFault {
        PatternFault(position, "“\\p” is not followed by “{name}” or “{name=value}”")
    }

    static func unknownProperty(_ name: some Sequence<UInt32>, at position: Int) -> PatternFault {
        let name = String(name.prefix(40).compactMap(Unicode.Scalar.init).map(Character.init))
        return PatternFault(position, "“\(SafeText.escaping(name))” is no property of characters")
    }

    static func groupName(at position: Int) -> PatternFault {
        PatternFault(position, "a group's name is expected: “<”, a letter, “$” or “_”, letters and digits, “>”")
    }

    static func repeatedName(at position: Int) -> PatternFault {
        PatternFault(position, "another group has the same name")
    }

    static func missingGroup(number: Int, count: Int, at position: Int) -> PatternFault {
        PatternFault(position, "“\\\(number)” refers to a group, of which there are \(count)")
    }

    static func missingGroupNamed(at position: Int) -> PatternFault {
        PatternFault(position, "“\\k” refers to a name that no group has")
    }

    static func tooLarge(limit: Int, at position: Int) -> PatternFault {
        PatternFault(position, "the pattern needs more than \(limit) steps when its repetitions are written out")
    }

    static func tooManyRanges(limit: Int, at position: Int) -> PatternFault {
        PatternFault(position, "the pattern's classes have more than \(limit) ranges of characters")
    }

    static func tooManyLookarounds(limit: Int, at position: Int) -> PatternFault {
        PatternFault(position, "the pattern looks ahead and behind at more than \(limit) places")
    }

    private static func shown(_ point: UInt32) -> String {
        let units = Unicode.Scalar(point).map { Array(UTF16.encode($0) ?? .init()) }
        return SafeText.escaping(units ?? [UInt16(truncatingIfNeeded: point)])
    }
}
