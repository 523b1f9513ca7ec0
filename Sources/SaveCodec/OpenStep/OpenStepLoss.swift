/// What a value has that a dialect of OpenStep text cannot hold.
enum OpenStepLoss {
    case null, set, uid, boolean, integer, real, date
    case keyType, repeatedKey, surrogate
    case integerRange, real32, nan, dateRange, dateFraction, negativeZero
}

extension Problem {
    static func openStepLoss(_ loss: OpenStepLoss, _ dialect: OpenStep.Dialect, at address: Address) -> Problem {
        let (id, sentence) = wording(loss, dialect == .openStep ? "OpenStep text" : "GNUstep's dialect")
        return Problem("loss." + id, sentence, address: address)
    }

    private static func wording(_ loss: OpenStepLoss, _ format: String) -> (id: String, sentence: String) {
        switch loss {
        case .null: ("null", "\(format) has no null; it would become the string \"$null\"")
        case .set: ("set", "\(format) has no sets; this one would become an array")
        case .uid: ("uid", "\(format) has no UIDs; this one would become a plain value")
        case .boolean: ("boolean", "\(format) has no booleans; this one would become a string")
        case .integer: ("integer", "\(format) has no integers; this one would become a string")
        case .real: ("real", "\(format) has no reals; this one would become a string")
        case .date: ("date", "\(format) has no dates; this one would become a string")
        case .keyType: ("key-type", "the dictionary has a key that is no string; it would become one")
        case .repeatedKey: ("repeated-key", "the dictionary has a key more than once; one pair would be left")
        case .surrogate: ("surrogate", "the text has half a surrogate pair; it would become U+FFFD")
        case .integerRange:
            ("integer-range", "\(format) holds integers from -2^63 to 2^64-1; this one would become a string")
        case .real32: ("real32", "\(format) has no reals of 32 bits; this one would become one of 64")
        case .nan: ("nan", "\(format) has one NaN; the bits of this one would be lost")
        case .dateRange: ("date-range", "\(format) holds dates of the years 1 to 9999; this one would become a string")
        case .dateFraction: ("date-fraction", "\(format) holds dates to the second; the fraction would be cut off")
        case .negativeZero: ("negative-zero", "\(format) has no date of negative zero; it would become zero")
        }
    }
}
