/// Conversions of single values to and from text, mostly typed or plain JSON.
package enum ScalarText {
    /// Writes a scalar as typed JSON on one line (see <doc:TypedJSON>).
    package static func writeTyped(_ node: Node, to output: inout ByteWriter) {
        JSONScalarText.write(node, isCompact: false, to: &output)
    }

    /// Writes a scalar object as typed JSON on one line.
    package static func writeTyped(_ object: StoredObject, of document: Document, to output: inout ByteWriter) {
        JSONScalarWriter(document, isCompact: false).writeScalar(object, to: &output)
    }

    /// Writes a scalar as plain JSON.
    ///
    /// Data and dates become strings, a UID becomes `{"CF$UID": 5}`, and a real that is not finite becomes null. A date
    /// outside the calendar, or more precise than its text can be, becomes the seconds since 2001.
    package static func writePlain(_ node: Node, isCompact: Bool = true, to output: inout ByteWriter) {
        switch node {
        case .real32(let value) where !value.isFinite: output.write("null")
        case .real64(let value) where !value.isFinite: output.write("null")
        case .real32(let value): NumberText.writeShortest(value, to: &output)
        case .real64(let value): NumberText.writeShortest(value, to: &output)
        case .date(let seconds):
            if let timestamp = Timestamp(secondsSince2001: seconds) {
                timestamp.writeQuoted(to: &output)
            } else {
                writePlain(.real64(seconds), to: &output)
            }
        case .data(let bytes):
            output.write(UInt8(ascii: "\""))
            Base64.write(bytes.span, to: &output)
            output.write(UInt8(ascii: "\""))
        case .uid(let uid): output.write("{\"CF$UID\":\(isCompact ? "" : " ")\(uid.value)}")
        default: writeTyped(node, to: &output)
        }
    }

    /// Writes a scalar object as plain JSON.
    package static func writePlain(
        _ object: StoredObject, of document: Document, isCompact: Bool = true, to output: inout ByteWriter
    ) {
        switch object.kind {
        case .real, .date, .data, .uid: writePlain(document.node(object), isCompact: isCompact, to: &output)
        default: writeTyped(object, of: document, to: &output)
        }
    }

    /// Writes the key of a dictionary as a JSON name. The name of a non-string key is the text of its plain JSON.
    package static func writeName(_ object: StoredObject, of document: Document, to output: inout ByteWriter) {
        if object.kind.isString { return JSONString.write(object, of: document, to: &output) }
        var text = ByteWriter()
        writePlain(object, of: document, to: &text)
        let bytes = text.takeBytes()
        if bytes.first == UInt8(ascii: "\"") { return output.write(bytes) }
        JSONString.write(String(decoding: bytes, as: UTF8.self), to: &output)
    }

    /// Writes bytes as Base64.
    package static func writeBase64(_ bytes: [UInt8], to output: inout ByteWriter) {
        Base64.write(bytes, in: bytes.indices, to: &output)
    }

    /// Writes text as a JSON string.
    package static func writeString(_ units: [UInt16], to output: inout ByteWriter) {
        JSONString.write(units, to: &output)
    }

    /// Returns the shortest digits that read back as a real, or `nan`, `inf` or `-inf`.
    package static func real(_ value: Double) -> String {
        guard value.isFinite else { return value.description }
        return text { NumberText.writeShortest(value, to: &$0) }
    }

    /// Returns the shortest digits that read back as a real, or `nan`, `inf` or `-inf`.
    package static func real(_ value: Float) -> String {
        guard value.isFinite else { return value.description }
        return text { NumberText.writeShortest(value, to: &$0) }
    }

    /// Returns a date in the format of RFC 3339, or nil if that cannot represent it exactly.
    package static func date(_ seconds: Double) -> String? {
        Timestamp(secondsSince2001: seconds).map { timestamp in text { timestamp.write(to: &$0) } }
    }

    /// Returns the seconds since 2001 of a date in the format of RFC 3339, or nil for any other text.
    package static func seconds(ofDate text: some Collection<UInt16>) -> Double? {
        let bytes = text.map { UInt8(exactly: $0) ?? 0 }
        return Timestamp.secondsSince2001(bytes.span)
    }

    /// Returns the complete form, as in RFC 3339, of a date as people and other tools write it; nil for any other text.
    ///
    ///     2024-02-20                        2024-02-20T00:00:00Z
    ///     2024-02-20T10:00:00+0100          2024-02-20T10:00:00+01:00
    ///     2024-02-20 10:00:00 +0000         2024-02-20T10:00:00+00:00
    ///     2024-02-20T10:00Z                 2024-02-20T10:00:00Z
    package static func completedDate(_ text: String) -> String? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        // A space may only precede the time and the offset.
        let hasOffset = parts.count == 3 && parts[2].first.map { "+-Z".contains($0) } ?? false
        guard parts.count == 1 || parts[0].utf8.count == 10 && (parts.count == 2 || hasOffset) else { return nil }
        var date = parts.count > 1 ? parts[0] + "T" + parts[1...].joined() : text
        let offset = date.suffix(5)
        if date.contains("T"), let sign = offset.first, "+-".contains(sign), offset.dropFirst().allSatisfy(\.isNumber) {
            date = date.dropLast(2) + ":" + date.suffix(2)
        }
        let minutes = "T10:00".count
        if let start = date.firstIndex(of: "T"),
            let end = date.index(start, offsetBy: minutes, limitedBy: date.endIndex),
            date[end...].first.map({ "+-Z".contains($0) }) ?? true
        {
            date.insert(contentsOf: ":00", at: end)
        }
        return seconds(ofDate: date.utf16) != nil ? date : PartialDate(date)?.completed
    }

    /// Returns the bytes of a Base64 text, padded as in typed JSON, or nil for any other text.
    package static func data(base64 text: some Collection<UInt16>) -> [UInt8]? {
        let bytes = text.map { UInt8(exactly: $0) ?? 0 }
        return try? Base64.decode(bytes.span).get()
    }

    private static func text(_ write: (inout ByteWriter) -> Void) -> String {
        var output = ByteWriter()
        write(&output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }
}

extension JSONPointer {
    /// The code units of the pointer in the syntax of RFC 6901, with `/~` before an extension. For display, use
    /// ``description``.
    package var pointer: [UInt16] { units { isExtension(at: $0) ? "/~" : "/" } }

    /// The code units of the pointer as commands accept it, with `~*` for the key `*`, since `*` is a pattern there.
    package var operand: [UInt16] { units(separator) }

    private func units(_ separator: (Int) -> StaticString) -> [UInt16] {
        var units: [UInt16] = []
        for (depth, token) in tokens.enumerated() {
            units += separator(depth).description.utf16
            for unit in token {
                switch unit {
                case 0x7E: units += [0x7E, 0x30]
                case 0x2F: units += [0x7E, 0x31]
                default: units.append(unit)
                }
            }
        }
        return units
    }
}

extension Document {
    /// Whether the document can be written with all shared objects repeated, within the limits of reading.
    package func isExpandable(_ limits: Limits = Limits()) -> Bool {
        (try? checkExpansion(limits)) != nil
    }
}

/// A date without a time, seconds or a time zone.
///
///     2024-02-20              without a time          2024-02-20T00:00:00Z
///     2024-02-20T10:00        without seconds         2024-02-20T10:00:00Z
///     2024-02-20T10:00:00     without a time zone     2024-02-20T10:00:00Z
package struct PartialDate {
    /// The type and the missing part, for messages.
    package let phrase: String
    /// The date with the missing part added.
    package let completed: String

    /// Creates a partial date; nil if the text is not a date or is a complete one.
    package init?(_ text: String) {
        for (missing, end) in [("a time", "T00:00:00Z"), ("a time zone", "Z"), ("seconds", ":00Z")] {
            guard ScalarText.seconds(ofDate: (text + end).utf16) != nil else { continue }
            completed = text + end
            phrase = "a date without \(missing) (write \(completed))"
            return
        }
        return nil
    }
}
