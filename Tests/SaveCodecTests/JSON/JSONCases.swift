@testable import SaveCodec

/// JSON text in and out, for the tests of this folder.
enum JSONCases {
    static let compact = WriteOptions(isCompact: true)

    static func read(_ text: String, limits: Limits = Limits()) throws(Problem) -> Document {
        try JSON.readTyped(Array(text.utf8), limits: limits)
    }

    static func write(_ document: Document, _ options: WriteOptions = compact) throws -> String {
        var output = ByteWriter()
        try JSON.write(document, to: &output, options: options)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    static func rewrite(_ text: String, _ options: WriteOptions = compact) throws -> String {
        try write(read(text), options)
    }
}
