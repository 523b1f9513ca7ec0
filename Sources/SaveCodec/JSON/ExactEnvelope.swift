/// Typed JSON that makes the same binary file again, byte for byte:
///
///     {
///       "$savetool": 1,
///       "layout": {"profile": "cf", "digest": "9f0c…"},
///       "value": …
///     }
///
/// `layout` is the ``LayoutRecord`` of the file; it is absent if the document was not read from one. `value` is absent
/// where shared objects would make it too large, and then the layout holds the file itself.
enum ExactEnvelope {
    /// The value of the member that makes an object an envelope.
    private static let version: Int128 = 1

    /// Writes a document and its layout.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        let isTree = document.expandedSize <= limits.maxExpandedSize(of: document)
        if document.sourceFormat != .binary { try document.checkExpansion(limits) }
        write("{", "$savetool", options, to: &output)
        NumberText.write(version, to: &output)
        if document.sourceFormat == .binary {
            let record = isTree ? LayoutRecord(of: document) : .raw(document.image)
            write(",", "layout", options, to: &output)
            writeValue(of: try record.document(), options, to: &output)
        }
        if isTree {
            write(",", "value", options, to: &output)
            writeValue(of: document, options, to: &output)
        }
        output.write(options.isCompact ? "}\n" : "\n}\n")
    }

    private static func write(
        _ before: StaticString, _ name: StaticString, _ options: WriteOptions, to output: inout ByteWriter
    ) {
        output.write(before)
        output.write(options.isCompact ? "\"" : "\n  \"")
        output.write(name)
        output.write(options.isCompact ? "\":" : "\": ")
    }

    private static func writeValue(of document: Document, _ options: WriteOptions, to output: inout ByteWriter) {
        JSONWriter.writeValue(of: document, root: document.root, indentation: 1, options: options, to: &output)
    }

    /// The document in an envelope: a binary file where the layout still fits the value, else the value alone, with a
    /// warning.
    ///
    /// - Throws: a problem if the object is no envelope of a known version.
    static func open(_ envelope: Document, limits: Limits) throws(Problem) -> Document {
        guard case .dictionary(let members) = envelope[envelope.root],
            let versionID = members.value(for: "$savetool".utf16), case .integer(let found) = envelope[versionID],
            found.value == version
        else { throw .envelopeVersion() }
        let value = members.value(for: "value".utf16).map { envelope.rooted(at: $0) }
        guard let layoutID = members.value(for: "layout".utf16) else {
            guard let value else { throw .envelopeEmpty() }
            return value
        }
        guard case .dictionary(let layout) = envelope[layoutID], let record = LayoutRecord(layout, of: envelope) else {
            throw .envelopeLayout()
        }
        if let file = record.file(for: value) { return try BinaryPlist.read(file, limits: limits) }
        guard let value else { throw .envelopeEmpty() }
        return value.with(warnings: value.warnings + [.layoutDropped()])
    }
}

extension Problem {
    fileprivate static func envelopeVersion() -> Problem {
        Problem("exact.version", "\"$savetool\" is not 1, the version of this form that is known")
    }

    fileprivate static func envelopeEmpty() -> Problem {
        Problem("exact.value", "there is no \"value\" beside \"$savetool\"")
    }

    fileprivate static func envelopeLayout() -> Problem {
        Problem("exact.layout", "\"layout\" is not what --exact writes: expected a profile and what goes with it")
    }

    fileprivate static func layoutDropped() -> Problem {
        Problem(
            "exact.layout-dropped", "the value was edited, so its layout is dropped and the file will be laid out anew",
            severity: .info)
    }
}
