/// Writes scalars of a document: literals, and tagged values on one line; see <doc:TypedJSON>.
package struct JSONScalarWriter {
    let document: Document
    let isCompact: Bool

    package init(_ document: Document, isCompact: Bool) {
        self.document = document
        self.isCompact = isCompact
    }

    /// Writes a value that is no container.
    package func writeScalar(_ scalar: StoredObject, to output: inout ByteWriter) {
        switch scalar.kind {
        case .oneByteString, .utf16String: writeString(scalar, to: &output)
        case .integer: NumberText.write(document.integer(scalar), to: &output)
        case .real where scalar.count == 4: writeReal32(document.real32(scalar), to: &output)
        case .real: writeReal64(document.real64(scalar), to: &output)
        case .true: output.write("true")
        case .false: output.write("false")
        case .date: writeDate(document.real64(scalar), to: &output)
        case .data: writeData(scalar, to: &output)
        case .uid: writeUID(document.uid(scalar), to: &output)
        case .null, .array, .set, .dictionary: output.write("null")
        }
    }

    /// Writes a string, or a name; `prefix` stands before its first character.
    package func writeString(_ string: StoredObject, prefix: StaticString = "", to output: inout ByteWriter) {
        JSONString.write(string, of: document, prefix: prefix, to: &output)
    }

    private func writeReal64(_ value: Double, to output: inout ByteWriter) {
        guard !value.isFinite else { return NumberText.writeShortest(value, to: &output) }
        begin(.real, to: &output)
        writeWord(.real64, value.bitPattern, to: &output)
        output.write(UInt8(ascii: "}"))
    }

    private func writeReal32(_ value: Float, to output: inout ByteWriter) {
        begin(.real32, to: &output)
        if value.isFinite {
            NumberText.writeShortest(value, to: &output)
        } else {
            writeWord(.real32, UInt64(value.bitPattern), to: &output)
        }
        output.write(UInt8(ascii: "}"))
    }

    /// Writes a date as text if that reads back as the same bits, else as a real.
    package func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        begin(.date, to: &output)
        if let timestamp = Timestamp(secondsSince2001: seconds) {
            timestamp.writeQuoted(to: &output)
        } else {
            writeReal64(seconds, to: &output)
        }
        output.write(UInt8(ascii: "}"))
    }

    private func writeData(_ data: StoredObject, to output: inout ByteWriter) {
        begin(.data, to: &output)
        output.write(UInt8(ascii: "\""))
        Base64.write(document.image, in: data.start..<data.start + data.count, to: &output)
        output.write("\"}")
    }

    private func writeUID(_ value: UInt32, to output: inout ByteWriter) {
        begin(.uid, to: &output)
        NumberText.write(Int128(value), to: &output)
        output.write(UInt8(ascii: "}"))
    }

    /// Writes what stands before the contents of a tag.
    private func begin(_ tag: JSONTag, to output: inout ByteWriter) {
        output.write("{\"")
        output.write(tag.rawValue)
        output.write(isCompact ? "\":" : "\": ")
    }

    private func writeWord(_ real: NonFiniteReal, _ bits: UInt64, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        real.write(bits, to: &output)
        output.write(UInt8(ascii: "\""))
    }
}
