import KeyedArchives
import SaveCodec

/// The laws for every file that a reader accepts. The format is detected from the content; a file that begins like an
/// address is read as flat lines.
enum ReaderLaws {
    /// Checks all laws for a file.
    @Sendable static func check(_ bytes: [UInt8]) {
        let clock = Cost()
        unsafe writtenCount = 0
        if bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "\"") { checkFlat(bytes) }
        if let contents = try? Layers.unwrap(bytes).contents, let format = try? Format.recognize(contents),
            let document = document(contents, format)
        {
            check(document, contents)
        }
        checkLayers(bytes)
        clock.check(unsafe writtenCount + bytes.count, "reading")
    }

    /// The number of bytes written during a check. Shared objects are expanded in text formats.
    private nonisolated(unsafe) static var writtenCount = 0

    /// Returns the document in a file; nil if it is damaged. JSON may have comments and trailing commas.
    private static func document(_ contents: [UInt8], _ format: Format) -> Document? {
        if let document = try? Document.read(contents, as: format) { return document }
        guard format.has(.typedJSON), JSON.hasComments(contents) else { return nil }
        return try? Document.readSave(contents, as: format, dialect: .commented)
    }

    /// Checks that the layers of a file, also those that nothing proves, give the same contents again.
    private static func checkLayers(_ bytes: [UInt8]) {
        guard let (contents, layers) = try? Layers.unwrap(bytes, decodes: true), !layers.isEmpty else { return }
        let wrapped = layers.wrap(contents)
        unsafe writtenCount += contents.count + wrapped.count
        do throws(Problem) {
            let again = try Layers.unwrap(wrapped, decodes: true).contents
            guard again == contents else { violation("layers keep their contents", layers.title) }
        } catch {
            violation("layers that were written are removed", "\(layers.title): \(error)")
        }
    }

    /// Checks that flat lines convert to a document that can be read.
    private static func checkFlat(_ bytes: [UInt8]) {
        let result = Sandbox.shared.run(["convert", "--from", "flat", "--to", "json", "-"], input: bytes)
        guard result.status == 0 else { return }
        guard (try? Document.read(result.output, as: .json)) != nil else {
            violation("what flat lines make is read again", result.text)
        }
    }

    private static func check(_ document: Document, _ bytes: [UInt8]) {
        do {
            try checkFormats(document)
            try checkExact(document, bytes)
            if document.sourceFormat == .typedStream { _ = try KeyedArchive(document) }
            let stored = try? GraphJSON.isPresent(in: document) ? GraphJSON.archive(from: document) : document
            if let stored, KeyedArchive.isArchive(stored), let archive = try? KeyedArchive(stored),
                GraphJSON.losses(in: archive).isEmpty, let text = try? graph(stored)
            {
                try checkGraph(text)
            }
        } catch {
            guard error.id != "limit.expansion" else { return }
            violation("what was read can be written", "\(error)")
        }
    }

    /// Checks that every format that can represent a document gives the same value again.
    private static func checkFormats(_ document: Document) throws(Problem) {
        let value = try value(of: document)
        // Shared objects can expand to text that takes a minute to read and write in a debug build.
        guard value.count <= 1 << 20 else { return }
        for format in Format.allCases
        where document.losses(as: format).isEmpty && document.widenedReals(as: format) == 0 {
            let written = try self.bytes(of: document, as: format)
            let again: Document
            do throws(Problem) {
                again = try Document.read(written, as: format)
            } catch {
                violation("\(format.rawValue) that was written is read", "\(error)")
            }
            guard try self.value(of: again) == value else { violation("\(format.rawValue) keeps the value") }
            guard try self.bytes(of: again, as: format) == written else {
                violation("\(format.rawValue) is the same when written again")
            }
        }
    }

    /// Checks that exact JSON gives the bytes of a binary file again.
    private static func checkExact(_ document: Document, _ bytes: [UInt8]) throws(Problem) {
        guard document.sourceFormat == .binary else { return }
        let json = try self.bytes(of: document, as: .json, WriteOptions(isExact: true))
        let again: [UInt8]
        do throws(Problem) {
            again = try self.bytes(of: Document.read(json, as: .json), as: .binary)
        } catch {
            violation("exact JSON is read", "\(error)")
        }
        guard again == bytes else { violation("exact JSON and back is identical") }
    }

    /// Checks that graph JSON gives an archive with the same graph.
    private static func checkGraph(_ text: [UInt8]) throws(Problem) {
        let again: Document
        do throws(Problem) {
            again = try GraphJSON.archive(from: Document.read(text, as: .json))
        } catch {
            violation("graph JSON that was written is read", "\(error)")
        }
        let binary = try bytes(of: again, as: .binary)
        let read: Document
        do throws(Problem) {
            read = try Document.read(binary, as: .binary)
            if try graph(read) != text { violation("graph JSON and back has the same graph") }
        } catch {
            violation("an archive made of graph JSON is read", "\(error)")
        }
    }

    // MARK: Writing

    /// Returns bytes that are equal for equal values, regardless of the order of keys.
    private static func value(of document: Document) throws(Problem) -> [UInt8] {
        let json = try bytes(of: document.asTypedJSON(), as: .json, WriteOptions(keyOrder: .sorted, isCompact: true))
        // A date of negative zero is the same time as zero, which text formats store.
        let negative = #""$date":-0.0"#
        guard json.firstRange(of: Array(negative.utf8)) != nil else { return json }
        let zero = #""$date":"2001-01-01T00:00:00Z""#
        return Array(String(decoding: json, as: UTF8.self).replacing(negative, with: zero).utf8)
    }

    private static func bytes(
        of document: Document, as format: Format, _ options: WriteOptions = WriteOptions()
    ) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try document.write(as: format, to: &output, options: options)
        let bytes = output.takeBytes()
        unsafe writtenCount += bytes.count
        return bytes
    }

    private static func graph(_ document: Document) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try GraphJSON.write(KeyedArchive(document), to: &output, options: WriteOptions(isCompact: true))
        return output.takeBytes()
    }
}
