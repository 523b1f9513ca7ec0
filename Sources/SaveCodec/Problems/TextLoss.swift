/// A property of a value that a text format cannot represent.
enum TextLoss {
    case null, set, uid, boolean, integer, real, date
    case integerRange, nan, dateFraction
    /// A date that is out of range or not finite, and the value that it would become.
    case dateRange(becomes: String)
    case character, surrogate
    /// A dictionary with a duplicate key, and the key as shown.
    case duplicateKey(String)
    case keyType, uidShape

    /// The range of integers in XML and in GNUstep's dialect: −2⁶³ to 2⁶⁴−1.
    static let integers = Int128(Int64.min)...Int128(UInt64.max)

    var kind: Problem.Kind { Problem.Kind(wording("").id) }

    /// Returns the problem of losing the value.
    ///
    /// - Parameter format: The name of the format in the message.
    func problem(in format: String, at address: JSONPointer) -> Problem {
        let (id, sentence) = wording(format)
        return Problem(id, sentence, address: address)
    }

    private func wording(_ format: String) -> (id: String, sentence: String) {
        switch self {
        case .null: ("loss.null", "\(format) has no null; it would become the string \"$null\"")
        case .set: ("loss.set", "\(format) has no sets; this one would become an array")
        case .uid: ("loss.uid", "\(format) has no UIDs; this one would become a plain value")
        case .boolean: ("loss.boolean", "\(format) has no Booleans; this one would become a string")
        case .integer: ("loss.integer", "\(format) has no integers; this one would become a string")
        case .real: ("loss.real", "\(format) has no reals; this one would become a string")
        case .date: ("loss.date", "\(format) has no dates; this one would become a string")
        case .integerRange:
            ("loss.integer-range", "\(format) stores integers from -2^63 to 2^64-1; this one would become a string")
        case .nan: ("loss.nan", "\(format) has only one NaN; the bits of this one would be lost")
        case .dateFraction:
            ("loss.date-fraction", "\(format) stores dates in whole seconds; the fraction would be dropped")
        case .dateRange(let other):
            (
                "loss.date-range",
                "\(format) cannot store a date that is out of range or not finite; this one would become \(other)"
            )
        case .character:
            ("loss.character", "the string has a character that \(format) forbids; it would become U+FFFD")
        case .surrogate: ("loss.surrogate", "the string has a lone surrogate; it would become U+FFFD")
        case .duplicateKey(let key):
            ("loss.repeated-key", "duplicate key \"\(key)\"; only one value would be kept")
        case .keyType: ("loss.key-type", "the dictionary has a non-string key; it would become a string")
        case .uidShape:
            ("loss.uid-shape", "\(format) readers treat a dictionary with a number under its only key CF$UID as a UID")
        }
    }
}
