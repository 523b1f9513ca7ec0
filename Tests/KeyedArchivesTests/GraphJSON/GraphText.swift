import KeyedArchives
@testable import SaveCodec

/// Converts between graph JSON and archives, as texts and bytes.
enum GraphText {
    /// Returns a text of graph JSON with `more` members after the usual ones.
    static func text(top: String, _ more: String = "") -> String {
        #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": \#(top)\#(more.isEmpty ? "" : ", " + more)}"#
    }

    /// Returns the archive that a text of graph JSON describes.
    static func archive(_ text: String) throws(Problem) -> Document {
        try GraphJSON.archive(from: JSON.read(Array(text.utf8)))
    }

    static func text(
        _ document: Document, _ options: WriteOptions = WriteOptions(isCompact: true)
    ) throws(Problem) -> String {
        String(decoding: try bytes(document, options), as: UTF8.self)
    }

    static func bytes(_ document: Document, _ options: WriteOptions = WriteOptions()) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try GraphJSON.write(KeyedArchive(document), to: &output, options: options)
        return output.takeBytes()
    }
}
