package import SaveCodec

/// A save that is stored in a value of another save.
///
///     {"savedGame": <62 70 6C 69 73 74 …>}     the value: data
///                    └─ $top {root: …}         the save in it, at /savedGame/~^; its root is at /savedGame/root
package final class NestedSave: Sendable {
    /// The encoding of a save's bytes in the value that holds them.
    package enum Encoding: Sendable {
        /// The bytes themselves, as data.
        case data
        /// The UTF-8 text of a string.
        case string
        /// Base64 text in the bytes of data.
        case base64Data(Base64Form)
        /// Base64 text in a string.
        case base64String(Base64Form)
    }

    /// The decoded bytes of the save.
    package let bytes: [UInt8]
    package let format: Format
    package let encoding: Encoding
    /// The stored document. For graph JSON it holds the JSON text, not the archive that the text describes.
    package let document: Document
    /// The value graph of the save.
    package let view: ObjectView

    /// - Throws: The problem that makes the bytes unreadable.
    init(
        _ bytes: ArraySlice<UInt8>, as format: Format, in encoding: Encoding, _ nesting: Nesting
    ) throws(Problem) {
        // Charged before the bytes are copied, because many data values may share the same bytes.
        let inner = try nesting.within(bytes.count)
        self.bytes = Array(bytes)
        self.format = format
        self.encoding = encoding
        document = try Document.readSave(self.bytes, as: format, limits: nesting.limits)
        view = try ObjectView(of: document, limits: nesting.limits, isRaw: nesting.isRaw, nesting: inner)
    }

    /// Returns a document whose root is a value that holds other bytes in the same encoding.
    package func value(holding bytes: [UInt8]) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        switch encoding {
        case .data: builder.add(data: bytes.span)
        case .string: builder.add(utf8: bytes.span)
        case .base64Data(let old): builder.add(data: old.encode(bytes).span)
        case .base64String(let old): builder.add(utf8: old.encode(bytes).span)
        }
        return try builder.finish()
    }
}

extension ObjectView {
    /// Returns the nested save in a data value. Returns nil for any other value, or if nested saves are not opened.
    ///
    /// Only data that begins like a binary or XML property list or a typedstream is a nested save here.
    ///
    /// - Throws: The problem that makes the data unreadable as the save that it begins like.
    package func nestedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, scalarObject(id)?.kind == .data, case .data(let bytes) = scalar(id),
            let format = Nesting.format(of: bytes)
        else { return nil }
        return try keptSave(in: id) { () throws(Problem) in
            try NestedSave(bytes, as: format, in: .data, nesting)
        }
    }

    /// Returns the nested save that an address enters at a value, or nil for a value without one.
    ///
    /// In addition to the saves that ``nestedSave(in:)`` finds, this opens JSON, OpenStep and Base64 in data and in
    /// strings.
    ///
    /// - Throws: The problem that makes the value unreadable as the save that it begins like.
    package func nestedSave(enteredAt id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, let object = scalarObject(id) else { return nil }
        if let save = try nestedSave(in: id) { return save }
        guard object.kind == .data || object.kind.isString else { return nil }
        return try keptSave(in: id) { () throws(Problem) in
            guard let (text, isString) = textBytes(id) else { return nil }
            if let format = Self.containerFormat(of: text) {
                return try NestedSave(text[...], as: format, in: isString ? .string : .data, nesting)
            }
            guard let (bytes, form) = try? Base64Form.decode(text),
                let format = Nesting.format(of: bytes[...]) ?? Self.containerFormat(of: bytes)
            else { return nil }
            return try NestedSave(
                bytes[...], as: format, in: isString ? .base64String(form) : .base64Data(form), nesting)
        }
    }

    /// Returns the bytes of data or the UTF-8 bytes of a string; nil for other values and for strings without a UTF-8
    /// form.
    private func textBytes(_ id: ViewID) -> (bytes: [UInt8], isString: Bool)? {
        switch scalar(id) {
        case .data(let bytes): return (Array(bytes), false)
        case .string(let text): return text.utf8Bytes.map { ($0, true) }
        default: return nil
        }
    }

    /// Returns the format of a text whose root is an array or a dictionary; nil for others, because every word is a
    /// valid OpenStep property list.
    private static func containerFormat(of text: [UInt8]) -> Format? {
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first, "{[(<".utf8.contains(first), let format = Format.detected(in: text),
            format.has(.text)
        else { return nil }
        return format
    }
}
