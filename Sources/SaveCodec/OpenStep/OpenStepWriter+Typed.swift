/// Values that are neither strings nor data: typed in GNUstep's dialect, as text where a dialect cannot hold them.
extension OpenStepWriter {
    /// Writes a value of GNUstep's dialect.
    func writeTyped(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false:
            output.write("<*BN>")
        case .true:
            output.write("<*BY>")
        case .integer where OpenStep.integerRange.contains(document.integer(object)):
            writeToken("I", to: &output) { NumberText.write(document.integer(object), to: &$0) }
        case .real:
            let value = object.count == 4 ? Double(document.real32(object)) : document.real64(object)
            writeToken("R", to: &output) { writeReal(value, to: &$0) }
        case .date where OpenStep.dateRange.contains(document.real64(object)):
            writeToken("D", to: &output) { writeDate(document.real64(object), to: &$0) }
        case .uid:
            output.write("{CF$UID = ")
            writeToken("I", to: &output) { NumberText.write(Int128(document.uid(object)), to: &$0) }
            output.write(";}")
        default:
            writeAsText(object, to: &output)
        }
    }

    /// Writes the text that says most of a value that the dialect has no form for.
    func writeAsText(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .false: output.write("NO")
        case .true: output.write("YES")
        case .integer: NumberText.write(document.integer(object), to: &output)
        case .real: writeRealAsText(object, to: &output)
        case .date: writeDateAsText(document.real64(object), to: &output)
        case .uid: NumberText.write(Int128(document.uid(object)), to: &output)
        default: output.write("$null")
        }
    }

    private func writeToken(
        _ type: StaticString, to output: inout ByteWriter, _ writePayload: (inout ByteWriter) -> Void
    ) {
        output.write("<*")
        output.write(type)
        writePayload(&output)
        output.write(UInt8(ascii: ">"))
    }

    /// Writes the shortest digits that read back, or the word that C reads.
    private func writeReal(_ value: Double, to output: inout ByteWriter) {
        if value.isNaN {
            output.write("nan")
        } else if value.isInfinite {
            output.write(value < 0 ? "-inf" : "inf")
        } else {
            NumberText.writeShortest(value, to: &output)
        }
    }

    /// Writes a real number as a string: quoted, as its exponent may have a plus sign.
    private func writeRealAsText(_ object: StoredObject, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        let value = object.count == 4 ? document.real32(object) : 0
        if object.count == 4, value.isFinite {
            NumberText.writeShortest(value, to: &output)
        } else {
            writeReal(object.count == 4 ? Double(value) : document.real64(object), to: &output)
        }
        output.write(UInt8(ascii: "\""))
    }

    /// Writes a date as a string; beyond the years that have four digits as seconds since 2001.
    private func writeDateAsText(_ seconds: Double, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\""))
        if OpenStep.dateRange.contains(seconds) {
            writeDate(seconds, to: &output)
        } else {
            writeReal(seconds, to: &output)
        }
        output.write(UInt8(ascii: "\""))
    }

    /// Writes `YYYY-MM-DD HH:MM:SS +0000`, the fraction of a second cut off. The date is within the range.
    private func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        guard let date = CalendarDate(secondsSince2001: seconds) else { return }
        writeField(date.year, digits: 4, UInt8(ascii: "-"), to: &output)
        writeField(date.month, digits: 2, UInt8(ascii: "-"), to: &output)
        writeField(date.day, digits: 2, UInt8(ascii: " "), to: &output)
        writeField(date.hour, digits: 2, UInt8(ascii: ":"), to: &output)
        writeField(date.minute, digits: 2, UInt8(ascii: ":"), to: &output)
        writeField(date.second, digits: 2, UInt8(ascii: " "), to: &output)
        output.write("+0000")
    }

    private func writeField(_ value: Int, digits: Int, _ separator: UInt8, to output: inout ByteWriter) {
        NumberText.writeDigits(UInt64(value.magnitude), count: digits, to: &output)
        output.write(separator)
    }
}
