/// A writer of scalars: literals, and tagged values on one line (see <doc:TypedJSON>).
package struct JSONScalarWriter {
    let document: Document
    let isCompact: Bool

    package init(_ document: Document, isCompact: Bool) {
        self.document = document
        self.isCompact = isCompact
    }

    func writeScalar(_ scalar: StoredObject, to output: inout ByteWriter) {
        switch scalar.kind {
        case .oneByteString, .utf16String: writeString(scalar, to: &output)
        case .integer: NumberText.write(document.integer(scalar), to: &output)
        case .real where scalar.count == 4:
            JSONScalarText.write(real32: document.real32(scalar), isCompact: isCompact, to: &output)
        case .real: JSONScalarText.write(real64: document.real64(scalar), isCompact: isCompact, to: &output)
        case .true: output.write("true")
        case .false: output.write("false")
        case .date: writeDate(document.real64(scalar), to: &output)
        case .data:
            let range = scalar.start..<scalar.start + scalar.count
            JSONScalarText.write(data: document.image.span.extracting(range), isCompact: isCompact, to: &output)
        case .uid: JSONScalarText.write(uid: document.uid(scalar), isCompact: isCompact, to: &output)
        case .null, .array, .set, .dictionary: output.write("null")
        }
    }

    /// Writes a string or a name, with `prefix` before its first character.
    package func writeString(_ string: StoredObject, prefix: StaticString = "", to output: inout ByteWriter) {
        JSONString.write(string, of: document, prefix: prefix, to: &output)
    }

    /// Writes a date as text if that text reads back as the same bits, and as a real otherwise.
    package func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        JSONScalarText.write(date: seconds, isCompact: isCompact, to: &output)
    }
}

enum JSONScalarText {
    static func write(_ node: Node, isCompact: Bool, to output: inout ByteWriter) {
        switch node {
        case .string(let text): JSONString.write(text.object, of: text.document, to: &output)
        case .integer(let integer): NumberText.write(integer.value, to: &output)
        case .real32(let value): write(real32: value, isCompact: isCompact, to: &output)
        case .real64(let value): write(real64: value, isCompact: isCompact, to: &output)
        case .boolean(let value): output.write(value ? "true" : "false")
        case .date(let seconds): write(date: seconds, isCompact: isCompact, to: &output)
        case .data(let bytes): write(data: bytes.span, isCompact: isCompact, to: &output)
        case .uid(let uid): write(uid: uid.value, isCompact: isCompact, to: &output)
        case .null, .array, .set, .dictionary: output.write("null")
        }
    }

    static func write(real64 value: Double, isCompact: Bool, to output: inout ByteWriter) {
        guard !value.isFinite else { return NumberText.writeShortest(value, to: &output) }
        begin(.real, isCompact: isCompact, to: &output)
        writeWord(.real64, value.bitPattern, to: &output)
        output.write(UInt8(ascii: "}"))
    }

    static func write(real32 value: Float, isCompact: Bool, to output: inout ByteWriter) {
        begin(.real32, isCompact: isCompact, to: &output)
        if value.isFinite {
            NumberText.writeShortest(value, to: &output)
        } else {
            writeWord(.real32, UInt64(value.bitPattern), to: &output)
        }
        output.write(UInt8(ascii: "}"))
    }

    static func write(date seconds: Double, isCompact: Bool, to output: inout ByteWriter) {
        begin(.date, isCompact: isCompact, to: &output)
        if let timestamp = Timestamp(secondsSince2001: seconds) {
            timestamp.writeQuoted(to: &output)
        } else {
            write(real64: seconds, isCompact: isCompact, to: &output)
        }
        output.write(UInt8(ascii: "}"))
    }

    static func write(data bytes: Span<UInt8>, isCompact: Bool, to output: inout ByteWriter) {
        begin(.data, isCompact: isCompact, to: &output)
        output.write(UInt8(ascii: "\""))
        Base64.write(bytes, to: &output)
        output.write("\"}")
    }

    static func write(uid value: UInt32, isCompact: Bool, to output: inout ByteWriter) {
        begin(.uid, isCompact: isCompact, to: &output)
        NumberText.write(Int128(value), to: &output)
        output.write(UInt8(ascii: "}"))
    }

    /// Writes the part of a tagged value before its contents.
    private static func begin(_ tag: JSONTag, isCompact: Bool, to output: inout ByteWriter) {
        output.write("{\"")
        output.write(tag.rawValue)
        output.write(isCompact ? "\":" : "\": ")
    }

    private static func writeWord(_ real: NonFiniteReal, _ bits: UInt64, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        real.write(bits, to: &output)
        output.write(UInt8(ascii: "\""))
    }
}
