import SaveCodec

/// Keeps the text that shows a document within a multiple of its size.
///
/// A few hostile bytes can ask for gigabytes of text: a key of a megabyte above a million values has a place in the
/// address of each. What is shown ends with a problem where no honest document would come to.
struct OutputBound {
    private let start: Int
    private let allowed: Int

    /// The bound of what shows some documents, behind what has been written.
    init(_ documents: [Document], _ output: borrowing ByteWriter = ByteWriter()) {
        start = output.count
        allowed = documents.map(\.mostShown).reduce(0) { $0.addingSaturated($1) }
    }

    /// The bound of output that is kept in memory until all of it can be shown: 128 MiB, or more for a large document.
    init(keeping document: Document) {
        start = 0
        allowed = max(document.mostRead, min(document.mostShown, 128 << 20))
    }

    /// Throws where more has been written than allowed, or would be with `next` bytes more.
    func check(_ output: borrowing ByteWriter, and next: Int = 0) throws(Problem) {
        try check(output.count - start + next)
    }

    /// Throws where so many bytes are more than allowed.
    func check(_ count: Int) throws(Problem) {
        guard count > allowed else { return }
        throw Problem(
            "limit.output", "shown in full this would take more than \(allowed >> 20) MiB of text; the rest is left out"
        )
    }
}
