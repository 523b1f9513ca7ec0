/// Escaping of text from a file, which makes it safe for a terminal.
///
/// Strings in a save may be hostile. An escape sequence in a player's name must not reach the terminal, and a
/// bidirectional override must not reorder the line.
package enum SafeText {
    /// Returns the text with an escape such as `\u001B` for everything that a terminal could act on or would not show.
    ///
    /// Lone surrogates are escaped, too. A tab, line feed and carriage return become `\t`, `\n` and `\r`. A backslash
    /// is doubled, which keeps the result unambiguous. The invisible parts of an emoji are kept: joiners and variation
    /// selectors after pictographs, and the tags of a flag.
    package static func escaping(_ units: some Sequence<UInt16>) -> String {
        var escaper = Escaper()
        var lead: UInt16?
        for unit in units {
            if let high = lead {
                lead = nil
                if UTF16.isTrailSurrogate(unit) {
                    let value = 0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF))
                    if let scalar = Unicode.Scalar(value) { escaper.write(scalar) }
                    continue
                }
                escaper.escape(high)
            }
            if UTF16.isLeadSurrogate(unit) {
                lead = unit
            } else if let scalar = Unicode.Scalar(unit) {
                escaper.write(scalar)
            } else {
                escaper.escape(unit)
            }
        }
        if let high = lead { escaper.escape(high) }
        return escaper.finish()
    }

    /// Returns the text of a `String`, made safe in the same way.
    package static func escaping(_ string: String) -> String {
        string.utf8.allSatisfy(isPlain) ? string : escaping(string.utf16)
    }

    /// Whether a byte is a character of ASCII that is never escaped.
    private static func isPlain(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte && byte != UInt8(ascii: "\\") }

    /// Whether a terminal could act on the scalar instead of showing it, or would show nothing. Unassigned and
    /// private-use code points count as such.
    package static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        if InvisibleCharacters.contain(scalar.value) { return true }
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse: return true
        default: return false
        }
    }

    /// Returns the first of the ``InvisibleCharacters`` in a text that is not part of an emoji.
    package static func firstInvisible(in text: String) -> Unicode.Scalar? {
        var escaper = Escaper()
        for scalar in text.unicodeScalars { escaper.write(scalar) }
        _ = escaper.finish()
        return escaper.firstInvisible
    }
}

/// A state machine that makes a text safe, scalar by scalar.
private struct Escaper {
    private var text = ""
    /// The preceding scalar if it was not escaped.
    private var last: Unicode.Scalar?
    /// The scalars that are kept if the next one makes them part of an emoji, and escaped otherwise.
    private var waiting: [Unicode.Scalar] = []
    /// The first of the ``InvisibleCharacters`` that was escaped.
    private(set) var firstInvisible: Unicode.Scalar?

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let selector: Unicode.Scalar = "\u{FE0F}"
    private static let keycap: Unicode.Scalar = "\u{20E3}"
    private static let blackFlag: Unicode.Scalar = "\u{1F3F4}"
    /// The tags for the letters and digits of a region's code, which has at most six, and the tag that ends it.
    private static let tags: ClosedRange<Unicode.Scalar> = "\u{E0030}"..."\u{E007A}"
    private static let maxTags = 6
    private static let endTag: Unicode.Scalar = "\u{E007F}"

    mutating func write(_ scalar: Unicode.Scalar) {
        if let first = waiting.first {
            if continuesEmoji(scalar, after: first) { return }
            escapeWaiting()
        }
        if scalar.isASCII { return writeASCII(scalar) }
        if mayBelongToEmoji(scalar) {
            waiting.append(scalar)
        } else if !SafeText.isActive(scalar) || scalar == Self.selector && last?.isPicture == true {
            show(scalar)
        } else {
            note(scalar)
            for unit in scalar.utf16 { escape(unit) }
        }
    }

    private mutating func note(_ scalar: Unicode.Scalar) {
        if firstInvisible == nil, InvisibleCharacters.contain(scalar.value) { firstInvisible = scalar }
    }

    /// Writes a code unit as an escape such as `\u001B`.
    mutating func escape(_ unit: UInt16) {
        escapeWaiting()
        write("\\u" + Hexadecimal.text(unit, digits: 4))
    }

    mutating func finish() -> String {
        escapeWaiting()
        return text
    }

    private mutating func writeASCII(_ scalar: Unicode.Scalar) {
        if !(" "..."~" ~= scalar) { note(scalar) }
        switch scalar {
        case "\t": write("\\t")
        case "\n": write("\\n")
        case "\r": write("\\r")
        case "\\": write("\\\\")
        case " "..."~": show(scalar)
        default: escape(UInt16(scalar.value))
        }
    }

    private mutating func write(_ escape: String) {
        text += escape
        last = nil
    }

    private mutating func show(_ scalar: Unicode.Scalar) {
        text.unicodeScalars.append(scalar)
        last = scalar
    }

    // MARK: Emoji

    /// Whether the following scalars may make a scalar part of an emoji.
    private func mayBelongToEmoji(_ scalar: Unicode.Scalar) -> Bool {
        guard let last else { return false }
        if scalar == Self.joiner { return last.isPicture || last == Self.selector }
        if scalar == Self.selector { return last.isASCII && last.properties.isEmoji }
        return last == Self.blackFlag && Self.tags.contains(scalar)
    }

    /// Whether the scalar belongs to the same emoji as the waiting ones.
    private mutating func continuesEmoji(_ scalar: Unicode.Scalar, after first: Unicode.Scalar) -> Bool {
        switch first {
        case Self.joiner: guard scalar.isPicture else { return false }
        case Self.selector: guard scalar == Self.keycap else { return false }
        case _ where scalar == Self.endTag: break
        default:
            guard Self.tags.contains(scalar), waiting.count < Self.maxTags else { return false }
            waiting.append(scalar)
            return true
        }
        text.unicodeScalars += waiting
        waiting = []
        show(scalar)
        return true
    }

    private mutating func escapeWaiting() {
        guard !waiting.isEmpty else { return }
        for scalar in waiting { note(scalar) }
        let units = waiting.flatMap(\.utf16)
        waiting = []
        for unit in units { escape(unit) }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is or may be an emoji.
    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }
}

extension SafeText {
    /// Returns at most 40 characters of a part of a file, escaped for a message. An ellipsis follows if there are more.
    static func quoting(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars
        let isCut = bytes.count > 160 || scalars.count > 40
        return escaping(String(String.UnicodeScalarView(scalars.prefix(40)))) + (isCut ? "…" : "")
    }

    /// Returns the first character of a part of a file, escaped for a message.
    static func quotingFirst(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars
        return escaping(String(String.UnicodeScalarView(scalars.prefix(1))))
    }

    /// Returns a reference from `&` up to `;`, or up to the first byte that cannot belong to it.
    static func quotingReference(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.dropFirst().prefix(40).firstIndex {
            $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "<") || $0 <= 0x20
        }
        guard let end else { return quoting(bytes.prefix(40)) }
        return quoting(bytes[end] == UInt8(ascii: ";") ? bytes[...end] : bytes[..<end])
    }
}
