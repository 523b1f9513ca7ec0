/// The problems of typedstreams. All except `namesTooLong` have the byte offset of the fault.
extension Problem {
    // MARK: Header and ends

    static func streamHeader() -> Problem {
        Problem(
            "typedstream.header", "the file does not start with a version and \"typedstream\" or \"streamtyped\"",
            at: .byte(0))
    }

    static func streamVersion(_ version: UInt8) -> Problem {
        Problem("typedstream.version", "the streamer version is \(version); expected 3 or 4", at: .byte(0))
    }

    static func streamEnds(expected: String, at offset: Int) -> Problem {
        Problem("typedstream.truncated", "truncated: the stream ends; expected \(expected)", at: .byte(offset))
    }

    static func cutOff(_ what: String, count: Int, left: Int, at offset: Int) -> Problem {
        Problem(
            "typedstream.truncated",
            "truncated: the stream ends inside \(what): \(Phrase.count(count, "byte", "is")) needed, "
                + "\(CountText.of(left)) \(Phrase.verb("is", for: left)) left",
            at: .byte(offset))
    }

    // MARK: Numbers

    static func wrongTag(_ tag: UInt8, expected: String, at offset: Int) -> Problem {
        let meaning =
            switch tag {
            case StreamCursor.Tag.real: "a real"
            case StreamCursor.Tag.new: "a new object"
            case StreamCursor.Tag.null: "nil"
            case StreamCursor.Tag.end: "the end of an object"
            default: "an unknown tag"
            }
        return Problem(
            "typedstream.tag", "found \(Hexadecimal.prefixed(tag)), \(meaning); expected \(expected)",
            at: .byte(offset))
    }

    static func noBoolean(_ value: UInt8, at offset: Int) -> Problem {
        Problem("typedstream.boolean", "the boolean is \(value); expected 0 or 1", at: .byte(offset))
    }

    static func integerRange(_ value: Int64, _ code: UInt8, at offset: Int) -> Problem {
        let type = String(Unicode.Scalar(code))
        return Problem(
            "typedstream.integer-range", "the integer \(value) is out of range for its type, \(type)",
            at: .byte(offset))
    }

    static func lengthNegative(_ length: Int64, _ what: String, at offset: Int) -> Problem {
        Problem("typedstream.length", "the length of \(what) is \(length); expected 0 or more", at: .byte(offset))
    }

    // MARK: Types

    static func typeNil(at offset: Int) -> Problem {
        Problem("typedstream.type", "the type of a value is nil", at: .byte(offset))
    }

    static func noType(at offset: Int) -> Problem {
        Problem("typedstream.type", "the type of a value is empty", at: .byte(offset))
    }

    static func unknownType(_ code: UInt8, at offset: Int) -> Problem {
        if code == UInt8(ascii: "(") {
            return Problem(
                "typedstream.type", "found a union; its size is known only to the machine that wrote it",
                at: .byte(offset))
        }
        let isPrintable = (0x21...0x7E).contains(code)
        let found = isPrintable ? "\"\(Unicode.Scalar(code))\"" : Hexadecimal.prefixed(code)
        return Problem(
            "typedstream.type", "found \(found) in a type; expected one of cCsSiIlLqQBfd*%:@#+!{[", at: .byte(offset))
    }

    static func unclosedType(_ bracket: UInt8, at offset: Int) -> Problem {
        Problem("typedstream.type", "\"\(Unicode.Scalar(bracket))\" in a type is not closed", at: .byte(offset))
    }

    static func unopenedType(_ bracket: UInt8, at offset: Int) -> Problem {
        Problem(
            "typedstream.type", "\"\(Unicode.Scalar(bracket))\" in a type has no opening bracket", at: .byte(offset))
    }

    static func arrayCountMissing(at offset: Int) -> Problem {
        Problem("typedstream.type", "the type of an array has no element count", at: .byte(offset))
    }

    static func elementTypeMissing(at offset: Int) -> Problem {
        Problem("typedstream.type", "the type of an array has no element type", at: .byte(offset))
    }

    static func arrayTooLong(at offset: Int) -> Problem {
        Problem("typedstream.type", "the type of an array has more than 4294967295 elements", at: .byte(offset))
    }

    // MARK: References

    static func referenceRange(_ number: Int64, _ expected: String, count: Int, at offset: Int) -> Problem {
        let numbers =
            switch count {
            case 0: "but none exists so far"
            case 1: "but only number 0 exists so far"
            default: "but only numbers 0 to \(count - 1) exist so far"
            }
        return Problem(
            "typedstream.reference", "found a reference to number \(number); expected \(expected), \(numbers)",
            at: .byte(offset))
    }

    static func referenceKind(expected: String, at offset: Int) -> Problem {
        Problem(
            "typedstream.reference-kind", "found a reference to something else; expected \(expected)", at: .byte(offset)
        )
    }

    static func nilInside(_ what: String, at offset: Int) -> Problem {
        Problem("typedstream.nil", "\(what) is nil", at: .byte(offset))
    }

    static func className(isEmpty: Bool, at offset: Int) -> Problem {
        Problem(
            "typedstream.class-name", "the name of a class is \(isEmpty ? "empty" : "not UTF-8")", at: .byte(offset))
    }

    static func classCycle(at offset: Int) -> Problem {
        Problem("typedstream.class-cycle", "a class is its own ancestor", at: .byte(offset))
    }

    // MARK: Limits

    static func tooManyBytelessValues(_ limit: Int, at offset: Int) -> Problem {
        Problem("limit.stream", "more than \(limit) values take no bytes in the stream", at: .byte(offset))
    }

    static func namesTooLong(_ size: Int, allowed: Int) -> Problem {
        Problem(
            "limit.stream",
            "the objects, with field and class names, take \(size) bytes; the limit for this file is \(allowed)"
        )
    }

    // MARK: Warnings

    static func ambiguousReferences(_ found: Occurrences) -> Problem {
        warning(
            "typedstream.ambiguous",
            "version 3 does not say whether a reference is to a type or to an object; it was read as a type",
            at: found)
    }

    static func textsNotUTF8(_ found: Occurrences) -> Problem {
        warning("typedstream.text", "a text is not UTF-8; it was read as data", at: found)
    }

    /// Returns one warning for all occurrences of a kind, at the first one.
    private static func warning(_ kind: String, _ message: String, at found: Occurrences) -> Problem {
        Problem(kind, message + Phrase.others(of: found.count), severity: .warning, at: .byte(found.first))
    }
}
