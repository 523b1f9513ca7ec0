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
        case .real(let value): Self.literal(value)
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

    /// A real in digits, or in arithmetic that is exact: not all versions of SQLite find the nearest real to many digits.
    ///
    ///     26.75     26.74998368597692 = (7529451035020782 * 1.0 / 281474976710656)
    private static func literal(_ value: Double) -> String {
        let digits = ScalarText.real(value)
        let behindPoint = digits.utf8.lastIndex(of: UInt8(ascii: ".")).map { digits.utf8[$0...].count - 1 } ?? 0
        if value.magnitude < 0x1p53, behindPoint <= 4, !digits.utf8.contains(UInt8(ascii: "e")) { return digits }
        var exponent = max(Int(value.exponent), -1022) - 52
        var text = "(\(Int64(value / Double(sign: .plus, exponent: exponent, significand: 1))) * 1.0"
        while exponent != 0 {
            let step = min(abs(exponent), 62)
            text += (exponent > 0 ? " * " : " / ") + String(1 << step)
            exponent -= exponent.signum() * step
        }
        return text + ")"
    }

    /// `'it''s' || char(10)`; of many parts two by two in parentheses, as SQLite takes no expression that is very deep.
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
    /// The name as an identifier of SQL; nil if it holds what a terminal does not show.
    package var sqlIdentifier: String? {
        // What is not known by its bytes would be another name.
        guard Shell.isPrintable(self), !unicodeScalars.contains("\u{FFFD}") else { return nil }
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
