import SaveCodec

/// A limit for the text of a document, as a multiple of its size.
///
/// A small hostile file can cause gigabytes of text: a key of a megabyte above a million values is part of the address
/// of each value. The output ends with a problem at a size that no ordinary document reaches.
struct OutputBound {
    private let start: Int
    private let allowed: Int

    /// Creates the bound for text that shows documents.
    ///
    /// - Parameter output: The output to which the text will be appended. Its present contents are not counted.
    init(_ documents: [Document], _ output: borrowing ByteWriter = ByteWriter()) {
        start = output.count
        allowed = documents.map(\.maxShownByteCount).reduce(0) { $0.addingSaturated($1) }
    }

    /// Creates the bound for output that is kept in memory until it is complete.
    ///
    /// - Parameter output: The output to which the text will be appended. Its present contents are not counted.
    init(keeping document: Document, _ output: borrowing ByteWriter = ByteWriter()) {
        start = output.count
        allowed = document.maxReadByteCount
    }

    /// Throws if the output exceeds the bound, or would exceed it with `next` more bytes.
    func check(_ output: borrowing ByteWriter, and next: Int = 0) throws(Problem) {
        try check(output.count - start + next)
    }

    /// Throws if a byte count exceeds the bound.
    func check(_ count: Int) throws(Problem) {
        guard count > allowed else { return }
        throw Problem(
            .outputLimit, "the output would exceed \(allowed >> 20) MiB of text; the remaining text is left out"
        )
    }
}

extension Problem.Kind {
    /// The output is too long for the size of the file.
    static let outputLimit = Problem.Kind("limit.output")
}
