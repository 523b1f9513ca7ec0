/// What of a document a dialect of OpenStep text cannot hold.
enum OpenStepLoss {
    case null, set, uid, boolean, integer, real, date
    case key, repeatedKey, loneSurrogate
    case integerRange, real32, nanBits, dateRange, dateFraction, dateSign
}

extension Problem {
    static func openStepLoss(_ loss: OpenStepLoss, _ dialect: OpenStep.Dialect, at address: Address) -> Problem {
        let (kind, sentence) = wording(loss)
        let format: StaticString = dialect == .openStep ? "OpenStep text" : "GNUstep's dialect"
        return Problem("loss.\(kind)", "\(sentence) in \(format)", address: address)
    }

    private static func wording(_ loss: OpenStepLoss) -> (kind: String, sentence: String) {
        switch loss {
        case .null: ("null", "null has no form")
        case .set: ("set", "a set has no form")
        case .uid: ("uid", "a UID has no form")
        case .boolean: ("boolean", "a boolean has no form")
        case .integer: ("integer", "an integer has no form")
        case .real: ("real", "a real number has no form")
        case .date: ("date", "a date has no form")
        case .key: ("key", "a key that is no string has no form")
        case .repeatedKey: ("repeated-key", "a key that stands twice in its dictionary counts only once")
        case .loneSurrogate: ("surrogate", "half of a surrogate pair has no form")
        case .integerRange: ("integer-range", "an integer beyond 64 bits has no form")
        case .real32: ("real32", "a real number of four bytes becomes one of eight")
        case .nanBits: ("nan", "the bits of a NaN have no form")
        case .dateRange: ("date-range", "a date outside the years 1 to 9999 has no form")
        case .dateSign: ("date-sign", "the minus sign of the date -0.0 has no form")
        case .dateFraction: ("date-fraction", "the fraction of a second has no form")
        }
    }
}
