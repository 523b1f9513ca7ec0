@testable import SaveCodec

/// Writes documents and reads them back.
enum RoundTrip {
    /// A format in which a document changed, and how.
    struct Difference: Error, CustomStringConvertible {
        let format: Format
        let description: String

        init(_ format: Format, _ what: String) {
            self.format = format
            description = "\(format.rawValue): \(what)"
        }
    }

    /// Returns bytes that depend only on the value, not on the key order or the JSON dialect of the file. A date of
    /// negative zero counts as zero, because text formats store the same instant for both.
    static func value(of document: Document) throws(Problem) -> [UInt8] {
        let stored = document.asTypedJSON()
        let json = try stored.bytes(as: .json, options: WriteOptions(keyOrder: .sorted, isCompact: true))
        let zero = #""$date":"2001-01-01T00:00:00Z""#
        return Array(String(decoding: json, as: UTF8.self).replacing(#""$date":-0.0"#, with: zero).utf8)
    }

    /// Writes a document in every format that loses nothing and reads it back: the value must be the same.
    ///
    /// A document that exceeds the expansion limit when its shared objects are written out is skipped.
    static func check(_ document: Document) throws {
        let value: [UInt8]
        do throws(Problem) {
            value = try self.value(of: document)
        } catch {
            guard error.id == "limit.expansion" else { throw error }
            return
        }
        for format in Format.allCases
        where document.losses(as: format).isEmpty && document.widenedReals(as: format) == 0 {
            guard try self.value(ofRewritten: document, as: format) == value else {
                throw Difference(format, "another value")
            }
        }
        try checkExact(document)
    }

    private static func value(ofRewritten document: Document, as format: Format) throws(Difference) -> [UInt8] {
        do {
            return try value(of: Document.read(document.bytes(as: format), as: format))
        } catch {
            throw Difference(format, "\(error)")
        }
    }

    /// Checks that `--exact` JSON reproduces a binary file byte for byte.
    private static func checkExact(_ document: Document) throws {
        guard document.sourceFormat == .binary else { return }
        let json = try document.bytes(as: .json, options: WriteOptions(isExact: true))
        let again = try Document.read(json, as: .json).bytes(as: .binary)
        guard try again == document.bytes(as: .binary) else { throw Difference(.json, "other bytes from --exact") }
    }
}
