public import SaveCodec

/// Plain values. Numbers are converted where nothing is lost but digits of a fraction: writers are not of one mind on
/// how they store them.
extension ArchivedValue {
    /// Text; a lone surrogate, which a `String` cannot hold, becomes U+FFFD.
    ///
    /// - Throws: a problem if the value is no string.
    public var string: String {
        get throws(Problem) {
            guard case .scalar(.string(let text)) = shown.form else { throw .kind(self, expected: "a string") }
            return text.string
        }
    }

    /// A truth value: a boolean, or one of the numbers 0 and 1.
    ///
    /// - Throws: a problem if the value is neither.
    public var bool: Bool {
        get throws(Problem) {
            switch shown.form {
            case .scalar(.boolean(let value)): return value
            case .scalar(.integer(let integer)) where integer.value == 0 || integer.value == 1:
                return integer.value == 1
            default: throw .kind(self, expected: "a boolean")
            }
        }
    }

    /// A whole number.
    ///
    /// - Throws: a problem if the value is none, or beyond the range of `Int`.
    public var integer: Int {
        get throws(Problem) { try integer(as: Int.self) }
    }

    /// A whole number, in a type of your choice.
    ///
    /// - Throws: a problem if the value is none, or beyond the range of the type.
    public func integer<Number: FixedWidthInteger>(as type: Number.Type) throws(Problem) -> Number {
        let found: Number?
        switch shown.form {
        case .scalar(.integer(let integer)): found = Number(exactly: integer.value)
        case .scalar(.boolean(let value)): found = value ? 1 : 0
        case .scalar(.real32(let value)): found = Number(exactly: value)
        case .scalar(.real64(let value)): found = Number(exactly: value)
        default: throw .kind(self, expected: "an integer")
        }
        guard let found else {
            throw Problem(
                "decode.range", "found \(foundNumber); expected an integer from \(Number.min) to \(Number.max)",
                address: address)
        }
        return found
    }

    /// A real number, or a whole one as a real.
    ///
    /// - Throws: a problem if the value is no number.
    public var double: Double {
        get throws(Problem) {
            switch shown.form {
            case .scalar(.real64(let value)): return value
            case .scalar(.real32(let value)): return Double(value)
            case .scalar(.integer(let integer)): return Double(integer.value)
            case .scalar(.boolean(let value)): return value ? 1 : 0
            default: throw .kind(self, expected: "a number")
            }
        }
    }

    /// A real number in single precision.
    ///
    /// - Throws: a problem if the value is no number.
    public var float: Float {
        get throws(Problem) {
            if case .scalar(.real32(let value)) = shown.form { return value }
            return Float(try double)
        }
    }

    /// Bytes.
    ///
    /// - Throws: a problem if the value is no data.
    public var data: [UInt8] {
        get throws(Problem) {
            guard case .scalar(.data(let bytes)) = shown.form else { throw .kind(self, expected: "data") }
            return Array(bytes)
        }
    }

    /// A point in time.
    ///
    /// - Throws: a problem if the value is no date.
    public var date: ArchivedDate {
        get throws(Problem) {
            guard case .scalar(.date(let seconds)) = shown.form else { throw .kind(self, expected: "a date") }
            return ArchivedDate(secondsSince2001: seconds)
        }
    }

    /// What the value is, with an article.
    var found: String {
        switch shown.form {
        case .array, .set, .dictionary: shown.form.kind.withArticle
        case .object: "an object of class \(SafeText.escaping((className ?? "").utf16.prefix(80)))"
        case .scalar(let node): isNil ? "nil" : node.kind.withArticle
        }
    }

    /// The number itself as a sentence shows it.
    var foundNumber: String {
        switch shown.form {
        case .scalar(.integer(let integer)): integer.value.description
        case .scalar(.real32(let value)): value.description
        case .scalar(.real64(let value)): value.description
        default: found
        }
    }
}
