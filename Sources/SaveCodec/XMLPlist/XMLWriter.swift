/// Writes a document as Core Foundation writes it (formats.md §3.1): a loop over the objects, with a list of the
/// containers that are open.
struct XMLWriter {
    private struct Frame {
        let container: StoredObject
        /// The pairs of a dictionary in the order in which they are written.
        let positions: [UInt32]
        var next = 0
    }

    private let document: Document
    private var keyOrder: KeyOrder
    private var frames: [Frame] = []

    init(_ document: Document, keyOrder: WriteOptions.KeyOrder) {
        self.document = document
        self.keyOrder = KeyOrder(document, keyOrder, dropsRepeats: true)
    }

    /// Writes the whole document, or less if the output fails.
    mutating func write(to output: inout ByteWriter) {
        output.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """)
        write(document.object(document.root), to: &output)
        while !frames.isEmpty, !output.hasFailed { writeNext(to: &output) }
        output.write("</plist>\n")
    }

    // MARK: Containers

    /// Writes what comes next in the innermost open container, or closes it.
    private mutating func writeNext(to output: inout ByteWriter) {
        let last = frames.count - 1
        let container = frames[last].container
        let next = frames[last].next
        frames[last].next += 1
        if container.kind == .dictionary {
            guard next < frames[last].positions.count else { return close("dict", to: &output) }
            let position = Int(frames[last].positions[next])
            writeKey(document.object(document.key(position, of: container)), to: &output)
            write(document.object(document.value(position, of: container)), to: &output)
        } else {
            guard next < container.count else { return close("array", to: &output) }
            write(document.object(document.reference(next, of: container)), to: &output)
        }
    }

    private mutating func open(_ container: StoredObject, to output: inout ByteWriter) {
        let isDictionary = container.kind == .dictionary
        if container.count == 0 { return output.write(isDictionary ? "<dict/>\n" : "<array/>\n") }
        output.write(isDictionary ? "<dict>\n" : "<array>\n")
        frames.append(
            Frame(container: container, positions: isDictionary ? keyOrder.positions(of: container) : []))
    }

    private mutating func close(_ name: StaticString, to output: inout ByteWriter) {
        frames.removeLast()
        indent(to: &output)
        output.write("</")
        output.write(name)
        output.write(">\n")
    }

    private func indent(to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\t"), times: frames.count)
    }

    private func writeKey(_ key: StoredObject, to output: inout ByteWriter) {
        indent(to: &output)
        output.write("<key>")
        XMLScalarWriter.writeText(of: key, in: document, to: &output)
        output.write("</key>\n")
    }

    // MARK: Values

    private mutating func write(_ object: StoredObject, to output: inout ByteWriter) {
        indent(to: &output)
        switch object.kind {
        case .array, .set, .dictionary: open(object, to: &output)
        case .true: output.write("<true/>\n")
        case .false: output.write("<false/>\n")
        case .oneByteString, .utf16String, .null: writeElement("string", object, to: &output)
        case .integer: writeElement(fits(object) ? "integer" : "string", object, to: &output)
        case .real: writeElement("real", object, to: &output)
        case .date: writeElement(XMLDate.fits(document.real64(object)) ? "date" : "real", object, to: &output)
        case .data: writeData(object, to: &output)
        case .uid: writeUID(object, to: &output)
        }
    }

    private func fits(_ integer: StoredObject) -> Bool {
        integer.count < 16 || XMLLoss.integers.contains(document.integer(integer))
    }

    @inline(__always)
    private func writeElement(_ name: StaticString, _ object: StoredObject, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "<"))
        output.write(name)
        output.write(UInt8(ascii: ">"))
        XMLScalarWriter.writeText(of: object, in: document, to: &output)
        output.write("</")
        output.write(name)
        output.write(">\n")
    }

    /// Data stands on lines of its own, which are shorter the deeper it stands, down to 12 characters.
    private func writeData(_ data: StoredObject, to output: inout ByteWriter) {
        let indentation = min(frames.count, 8)
        output.write("<data>\n")
        Base64.writeLines(
            document.image, in: data.start..<data.start + data.count, lineLength: 76 - 8 * indentation,
            indent: indentation, to: &output)
        indent(to: &output)
        output.write("</data>\n")
    }

    private func writeUID(_ uid: StoredObject, to output: inout ByteWriter) {
        output.write("<dict>\n")
        indent(to: &output)
        output.write("\t<key>CF$UID</key>\n")
        indent(to: &output)
        output.write("\t<integer>")
        NumberText.write(Int128(document.uid(uid)), to: &output)
        output.write("</integer>\n")
        indent(to: &output)
        output.write("</dict>\n")
    }
}
