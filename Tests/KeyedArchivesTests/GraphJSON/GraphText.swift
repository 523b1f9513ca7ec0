import KeyedArchives
@testable import SaveCodec

/// Graph JSON and archives as texts and bytes.
enum GraphText {
    /// The text of graph JSON with these members beside those that every one has.
    static func text(top: String, _ more: String = "") -> String {
        #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": \#(top)\#(more.isEmpty ? "" : ", " + more)}"#
    }

    /// The archive that a text of graph JSON describes.
    static func archive(_ text: String) throws(Problem) -> Document {
        try GraphJSON.archive(from: JSON.read(Array(text.utf8)))
    }

    /// An archive as graph JSON.
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

    /// A document in a format.
    static func bytes(
        of document: Document, as format: Format, _ options: WriteOptions = WriteOptions()
    ) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try document.write(as: format, to: &output, options: options)
        return output.takeBytes()
    }
}
