package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// Writes the view in a format. An archive is written as graph JSON if the format supports it, and otherwise as
    /// stored.
    package func write(
        as format: Format, to output: inout ByteWriter, options: WriteOptions = WriteOptions(), limits: Limits
    ) throws(Problem) {
        if format.has(.objectGraphs), let archive {
            try GraphJSON.write(archive, to: &output, options: options, limits: limits)
        } else {
            try document.write(as: format, to: &output, options: options, limits: limits)
        }
    }

    /// Returns the losses of writing the view in a format.
    package func losses(as format: Format, limits: Limits) -> [Problem] {
        if format.has(.objectGraphs), let archive { return GraphJSON.losses(in: archive) }
        return document.losses(as: format, limits: limits)
    }
}

extension Save {
    /// Returns the losses of writing an edited view in the save's format.
    package func losses(of edited: ObjectView) -> [Problem] {
        if isGraphJSON, let archive = edited.archive { return GraphJSON.losses(in: archive) }
        return edited.document.losses(as: format, limits: limits)
    }

    /// Writes an edited view from scratch in the save's format and style, such as the white space of JSON or the key
    /// order of XML.
    package func write(_ edited: ObjectView, to output: inout ByteWriter) throws(Problem) {
        try write(edited, style(), to: &output)
    }

    private func write(_ view: ObjectView, _ style: WriteOptions, to output: inout ByteWriter) throws(Problem) {
        if isGraphJSON, let archive = view.archive {
            try GraphJSON.write(archive, to: &output, options: style, limits: limits)
        } else {
            try view.document.write(as: format, to: &output, options: style, limits: limits)
        }
    }

    // MARK: Style

    /// Returns the options that reproduce the file, or the closest ones.
    private func style() -> WriteOptions {
        let styles = format.writing?.styles ?? []
        if bytes.isEmpty || styles.count == 1, let usual = styles.first { return usual }
        return styles.first(where: isWritten) ?? format.writing?.nearestStyle(to: bytes) ?? WriteOptions()
    }

    /// Whether writing the file from scratch reproduces it.
    var isInWriterStyle: Bool { format.writing?.styles.contains(where: isWritten) ?? false }

    /// Whether writing the unedited view with these options reproduces the bytes of the file.
    private func isWritten(_ style: WriteOptions) -> Bool {
        let bytes = bytes
        var position = 0
        var isSame = true
        var output = ByteWriter { chunk in
            isSame = isSame && chunk.count <= bytes.count - position
            for index in chunk.indices where isSame { isSame = chunk[index] == bytes[position + index] }
            position += chunk.count
            if !isSame { throw OtherStyle() }
        }
        let isWritten = (try? write(view, style, to: &output)) != nil && (try? output.finish()) != nil
        return isWritten && isSame && position == bytes.count
    }

    /// An error that ends a comparison at the first different byte.
    private struct OtherStyle: Error {}
}
