/// A value of a database, independent of its record.
package enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    /// Text in UTF-16 code units.
    case text([UInt16])
    case blob([UInt8])
    /// Text that is invalid in the encoding of the database.
    case invalidText([UInt8])

    /// Creates the value that a database would store for a value of a document; nil if no SQLite value matches.
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

    /// Creates a real; nil for NaN, which SQLite cannot store.
    private init?(real value: Double) {
        guard !value.isNaN else { return nil }
        self = .real(value)
    }

    /// Returns the value as an SQL literal of printable characters; nil for text with an unpaired surrogate.
    ///
    /// - Parameter encoding: The encoding of the database. SQLite replaces U+FFFE and U+FFFF in UTF-16 strings, so a
    ///   string that contains them is given as its bytes.
    package func literal(in encoding: DatabaseEncoding = .utf8) -> String? {
        switch self {
        case .null: "NULL"
        case .integer(.min): "(-9223372036854775807 - 1)"
        case .integer(let value): String(value)
        // SQL has no literal for infinity, but a number that is too large becomes infinity.
        case .real(let value) where value.isInfinite: value > 0 ? "9e999" : "-9e999"
        case .real(let value): Self.literal(value)
        case .text(let units) where encoding != .utf8 && units.contains { $0 >= 0xFFFE }:
            Self.literal(units).flatMap { _ in Self.invalidText(encoding.bytes(of: units)).literal() }
        case .text(let units): Self.literal(units)
        case .blob(let bytes): "x'" + Hexadecimal.text(of: bytes) + "'"
        case .invalidText(let bytes): "CAST(x'" + Hexadecimal.text(of: bytes) + "' AS TEXT)"
        }
    }

    /// Whether text reads as a number, so that a numeric column converts it.
    package static func isNumber(_ units: [UInt16]) -> Bool {
        let digits = units.trimming(while: \.isSpace).map { UInt8(exactly: $0) ?? 0 }
        return DecimalLiteral(digits.span) != nil
    }

    /// Returns a short real as digits. Any other becomes exact arithmetic, because some versions of SQLite do not round
    /// long numbers correctly.
    ///
    ///     26.75     26.74998368597692 = (7529451035020782 * 1.0 / 281474976710656)
    private static func literal(_ value: Double) -> String {
        let digits = ScalarText.real(value)
        let fractionDigits = digits.utf8.lastIndex(of: UInt8(ascii: ".")).map { digits.utf8[$0...].count - 1 } ?? 0
        if value.magnitude < 0x1p53, fractionDigits <= 4, !digits.utf8.contains(UInt8(ascii: "e")) { return digits }
        var exponent = max(Int(value.exponent), -1022) - 52
        var text = "(\(Int64(value / Double(sign: .plus, exponent: exponent, significand: 1))) * 1.0"
        while exponent != 0 {
            let step = min(abs(exponent), 62)
            text += (exponent > 0 ? " * " : " / ") + String(1 << step)
            exponent -= exponent.signum() * step
        }
        return text + ")"
    }

    /// Returns text as `'it''s' || char(10)`. Many parts are nested in pairs of parentheses, because SQLite limits the
    /// depth of expressions.
    private static func literal(_ units: [UInt16]) -> String? {
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        var parts: [String] = []
        var open = ""
        for scalar in text.unicodeScalars {
            guard SafeText.isActive(scalar) else {
                open += scalar == "'" ? "''" : String(scalar)
                continue
            }
            if !open.isEmpty { parts.append("'\(open)'") }
            open = ""
            parts.append("char(\(scalar.value))")
        }
        if !open.isEmpty || parts.isEmpty { parts.append("'\(open)'") }
        while parts.count > 50 {
            parts = stride(from: 0, to: parts.count, by: 2).map { position in
                position + 1 < parts.count ? "(\(parts[position]) || \(parts[position + 1]))" : parts[position]
            }
        }
        return parts.joined(separator: " || ")
    }
}

extension String {
    /// The name as an SQL identifier; nil if it contains unprintable characters.
    package var sqlIdentifier: String? {
        // U+FFFD may replace invalid bytes, in which case the identifier would be a different name.
        guard Shell.isPrintable(self), !unicodeScalars.contains("\u{FFFD}") else { return nil }
        return "\"" + replacingScalar("\"", with: "\"\"") + "\""
    }
}

extension Record.Field {
    /// Returns the value as read from a column with this affinity.
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
