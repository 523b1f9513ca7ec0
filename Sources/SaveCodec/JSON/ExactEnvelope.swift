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

    /// Writes a document and its layout. The value keeps the stored order of keys, without which the file could not be
    /// made again.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        var options = options
        options.keyOrder = .stored
        let isTree = document.canExpand(limits)
        guard document.isFile || isTree else { return try document.checkExpansion(limits) }
        let layout = document.isFile ? try layout(of: document, isTree: isTree, limits).document() : nil
        write("{", "$savetool", options, to: &output)
        NumberText.write(version, to: &output)
        if let layout {
            write(",", "layout", options, to: &output)
            writeValue(of: layout, options, to: &output)
        }
        if isTree {
            write(",", "value", options, to: &output)
            writeValue(of: document, options, to: &output)
        }
        output.write(options.isCompact ? "}\n" : "\n}\n")
    }

    private static func layout(of document: Document, isTree: Bool, _ limits: Limits) -> LayoutRecord {
        isTree ? LayoutRecord(of: document) : .raw(document.image)
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
    /// note.
    ///
    /// - Throws: a problem if the object is no envelope of a known version, or holds what ``write(_:to:options:limits:)``
    ///   does not write.
    static func open(_ envelope: Document, limits: Limits) throws(Problem) -> Document {
        let members = try EnvelopeMembers(of: envelope.root, in: envelope, known: ["$savetool", "layout", "value"])
        guard members.integer("$savetool") == version else { throw .envelopeVersion() }
        let value = members["value"].map { envelope.rooted(at: $0) }
        guard let layout = members["layout"] else {
            guard let value else { throw .envelopeEmpty() }
            return value
        }
        guard let record = try LayoutRecord(layout, of: envelope) else { throw .envelopeLayout() }
        if let file = try record.file(for: value, limits: limits) { return try BinaryPlist.read(file, limits: limits) }
        guard let value else { throw .envelopeEmpty() }
        return value.noting { $0.warnings.append(.layoutDropped()) }
    }
}

extension Problem {
    fileprivate static func envelopeVersion() -> Problem {
        Problem("exact.version", "\"$savetool\" is not 1, the version of this form that is known")
    }

    fileprivate static func envelopeEmpty() -> Problem {
        Problem("exact.value", "there is no \"value\" beside \"$savetool\"")
    }

    fileprivate static func layoutDropped() -> Problem {
        Problem(
            "exact.layout-dropped", "the value was edited, so its layout is dropped and the file will be laid out anew",
            severity: .info)
    }
}
