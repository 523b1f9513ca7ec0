/// Classes of ASCII characters, for bytes, UTF-16 code units and code points.
extension FixedWidthInteger where Self: UnsignedInteger {
    /// Whether the character is `0` to `9`.
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

    /// Whether the character is `0` to `9`, `a` to `f` or `A` to `F`.
    @inlinable package var isHexDigit: Bool { isDigit || isUppercaseHexLetter || isLowercaseHexLetter }

    /// Whether the character is `A` to `F`.
    @inlinable package var isUppercaseHexLetter: Bool { self &- 0x41 < 6 }

    /// Whether the character is `a` to `f`.
    @inlinable package var isLowercaseHexLetter: Bool { self &- 0x61 < 6 }

    /// Whether the character is `a` to `z` or `A` to `Z`.
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    @inlinable package var isLetterOrDigit: Bool { isLetter || isDigit }

    /// Whether the character is a space or one of the controls from tab to carriage return, as in `isspace` of C: the
    /// white space of OpenStep and SQL.
    @inlinable package var isSpace: Bool { self == 0x20 || self &- 0x09 < 5 }

    /// Whether the character is a space, tab, line feed or carriage return: the white space of XML and JSON.
    @inlinable package var isXMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether the character is a space or a tab, as in `isblank` of C: the indentation of a line.
    @inlinable package var isBlank: Bool { self == 0x20 || self == 0x09 }
}

extension BidirectionalCollection {
    /// Returns the elements without those at both ends that a condition applies to.
    package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
