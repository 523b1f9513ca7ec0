@testable import SaveCodec

/// Builds and writes documents for the tests of this folder.
enum OpenStepText {
    /// Returns the document that a closure composes.
    static func document(_ build: (inout DocumentBuilder) -> Void) -> Document {
        var builder = DocumentBuilder()
        build(&builder)
        do { return try builder.finish() } catch { fatalError("\(error)") }
    }

    static func written(
        _ document: Document, _ dialect: OpenStep.Dialect, options: WriteOptions = WriteOptions()
    ) throws -> String {
        var writer = ByteWriter()
        try OpenStep.write(document, to: &writer, dialect: dialect, options: options)
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }
}
