/// Text from a file made safe for a terminal.
///
/// Strings in a save are hostile until shown otherwise: an escape sequence in a player's name must not reach the
/// terminal, and a bidirectional override must not reorder the line it stands in.
public enum SafeText {
    /// The text with everything that a terminal could act on, and every lone surrogate, shown as `\u001B`.
    ///
    /// A tab, line feed and carriage return become `\t`, `\n` and `\r`; a backslash is doubled, so that the result says
    /// exactly what was there.
    public static func escaping(_ units: some Sequence<UInt16>) -> String {
        var text = ""
        var lead: UInt16?
        for unit in units {
            if let high = lead {
                lead = nil
                if UTF16.isTrailSurrogate(unit) {
                    appendPair(high, unit, to: &text)
                    continue
                }
                appendEscape(high, to: &text)
            }
            if UTF16.isLeadSurrogate(unit) {
                lead = unit
            } else {
                append(unit, to: &text)
            }
        }
        if let high = lead { appendEscape(high, to: &text) }
        return text
    }

    /// The text of a `String` made safe in the same way.
    public static func escaping(_ string: String) -> String {
        escaping(string.utf16)
    }

    private static func append(_ unit: UInt16, to text: inout String) {
        switch unit {
        case 0x09: text += "\\t"
        case 0x0A: text += "\\n"
        case 0x0D: text += "\\r"
        case 0x5C: text += "\\\\"
        case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: unit)))
        default:
            if let scalar = Unicode.Scalar(unit), !isActive(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                appendEscape(unit, to: &text)
            }
        }
    }

    private static func appendPair(_ high: UInt16, _ low: UInt16, to text: inout String) {
        let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
        if let scalar = Unicode.Scalar(value), !isActive(scalar) {
            text.unicodeScalars.append(scalar)
        } else {
            appendEscape(high, to: &text)
            appendEscape(low, to: &text)
        }
    }

    private static func appendEscape(_ unit: UInt16, to text: inout String) {
        let digits = String(unit, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Whether a terminal could act on the scalar instead of showing it.
    package static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
        default: false
        }
    }
}

extension SafeText {
    /// The beginning of a piece of a file, for a message.
    static func quoting(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars
        let isCut = bytes.count > 160 || scalars.count > 40
        return escaping(String(String.UnicodeScalarView(scalars.prefix(40)))) + (isCut ? "…" : "")
    }

    /// The first character of a piece of a file.
    static func quotingFirst(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars
        return escaping(String(String.UnicodeScalarView(scalars.prefix(1))))
    }

    /// A reference from `&` up to `;`, or up to what cannot belong to it.
    static func quotingReference(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.dropFirst().prefix(40).firstIndex {
            $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "<") || $0 <= 0x20
        }
        guard let end else { return quoting(bytes.prefix(40)) }
        return quoting(bytes[end] == UInt8(ascii: ";") ? bytes[...end] : bytes[..<end])
    }
}
