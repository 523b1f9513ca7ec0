/// A value of a database by itself.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// Text, in UTF-16 code units.
    case text([UInt16])
    case blob([UInt8])
    /// What is marked as text and is none in the encoding of the database.
    case invalidText([UInt8])

    /// The value that a database would hold for one of a document; nil where it holds none like it.
    package init?(_ node: Node) {
        switch node {
        case .null: self = .null
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let integer):
            guard let value = Int64(exactly: integer.value) else { return nil }
            self = .integer(value)
        case .real32(let value): self.init(real: Double(value))
        case .real64(let value): self.init(real: value)
        case .data(let bytes): self = .blob(Array(bytes))
        case .string(let text): self = .text(text.units)
        case .date, .uid, .array, .set, .dictionary: return nil
        }
    }

    /// SQLite holds NULL for what is no number.
    private init?(real value: Double) {
        guard !value.isNaN else { return nil }
        self = .real(value)
    }

    /// The value as SQL has it, in characters that a terminal shows; nil for text with half a surrogate pair.
    package var literal: String? {
        switch self {
        case .null: "NULL"
        case .integer(.min): "(-9223372036854775807 - 1)"
        case .integer(let value): String(value)
        // There is no word for infinity, but there are digits that come to it.
        case .real(let value) where value.isInfinite: value > 0 ? "9e999" : "-9e999"
        case .real(let value): ScalarText.real(value)
        case .text(let units): Self.literal(units)
        case .blob(let bytes): "x'" + Self.digits(bytes) + "'"
        case .invalidText(let bytes): "CAST(x'" + Self.digits(bytes) + "' AS TEXT)"
        }
    }

    /// Whether a text reads like a number, so that a column of numbers makes one of it.
    package static func isNumber(_ units: [UInt16]) -> Bool {
        func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || (0x09...0x0D).contains(unit) }
        guard let first = units.firstIndex(where: { !isBlank($0) }), let last = units.lastIndex(where: { !isBlank($0) })
        else { return false }
        let digits = units[first...last].map { UInt8(exactly: $0) ?? 0 }
        return DecimalLiteral(digits.span) != nil
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        var output = ByteWriter()
        for byte in bytes { Hexadecimal.write(UInt64(byte), count: 2, to: &output) }
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    /// `'it''s' || char(10)`
    private static func literal(_ units: [UInt16]) -> String? {
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        var literal = String.UnicodeScalarView()
        var isOpen = false
        func open(_ opens: Bool) {
            guard opens != isOpen else { return }
            literal += (opens ? literal.isEmpty ? "'" : " || '" : "'").unicodeScalars
            isOpen = opens
        }
        for scalar in text.unicodeScalars {
            open(!SafeText.isActive(scalar))
            if isOpen {
                literal += (scalar == "'" ? "''" : String(scalar)).unicodeScalars
            } else {
                literal += (literal.isEmpty ? "" : " || ").unicodeScalars + "char(\(scalar.value))".unicodeScalars
            }
        }
        open(false)
        return literal.isEmpty ? "''" : String(literal)
    }
}

extension String {
    /// The name as an identifier of SQL; nil if it holds what a terminal does not show.
    package var sqlIdentifier: String? {
        guard Shell.isPrintable(self) else { return nil }
        return "\"" + replacingScalar("\"", with: "\"\"") + "\""
    }
}

extension Record.Field {
    /// The value by itself, as a column of an affinity gives it out.
    func value(of source: [UInt8], _ affinity: ColumnAffinity, in encoding: DatabaseEncoding) -> SQLValue {
        if isInteger {
            let value = integer(in: source)
            return affinity == .real ? .real(Double(value)) : .integer(value)
        }
        if type == 7 { return real(in: source).map { .real($0) } ?? .null }
        guard isText else { return isBlob ? .blob(Array(source[range])) : .null }
        let bytes = source.span.extracting(range)
        return encoding.isValid(bytes) ? .text(encoding.units(of: bytes)) : .invalidText(Array(source[range]))
    }
}
