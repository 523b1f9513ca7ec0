package import SaveCodec

/// A save that is stored in a value of another save.
///
///     {"savedGame": <62 70 6C 69 73 74 …>}     the value: data
///                    └─ $top {root: …}         the save in it, at /savedGame/~^; its root is at /savedGame/root
package final class NestedSave: Sendable {
    /// The decoded bytes of the save.
    package let bytes: [UInt8]
    package let format: Format
    /// Whether the value is a string, which holds the UTF-8 text of the bytes, or data.
    private let isInString: Bool
    /// The layers around the bytes: gzip, zlib and Base64 text.
    package let layers: Layers
    /// The stored document. For graph JSON it holds the JSON text, not the archive that the text describes.
    package let document: Document
    /// The value graph of the save.
    package let view: ObjectView

    /// - Throws: The problem that makes the bytes unreadable.
    init(_ save: NestedSaveOptions.LayeredSave, inString isInString: Bool, _ nesting: NestedSaveOptions) throws(Problem)
    {
        // Charged before the bytes are copied, because many data values may share the same bytes.
        let inner = try nesting.within(save.bytes.count)
        bytes = Array(save.bytes)
        format = save.format
        self.isInString = isInString
        layers = save.layers
        do throws(Problem) {
            document = try Document.readSave(bytes, as: format, limits: nesting.limits)
        } catch {
            throw layers.located(error)
        }
        view = try ObjectView(of: document, limits: nesting.limits, isRaw: nesting.isRaw, nesting: inner)
    }

    /// Whether every view opens the save, not only an address that leads into it.
    package var isAlwaysOpen: Bool {
        !isInString && layers.areCompression && NestedSaveOptions.format(of: bytes[...]) == format
    }

    /// Returns a document whose root is a value that holds other bytes in the same encoding.
    package func value(holding bytes: [UInt8]) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        let bytes = layers.wrap(bytes)
        if isInString { builder.add(utf8: bytes.span) } else { builder.add(data: bytes.span) }
        return try builder.finish()
    }
}

extension ObjectView {
    /// Returns the nested save in a data value. Returns nil for any other value, or if nested saves are not opened.
    ///
    /// Only data that begins like a binary or XML property list or a typedstream is a nested save here, also if it is
    /// compressed.
    ///
    /// - Throws: The problem that makes the data unreadable as the save that it begins like.
    package func nestedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, scalarObject(id)?.kind == .data, case .data(let bytes) = scalar(id),
            NestedSaveOptions.holdsSave(bytes)
        else { return nil }
        return try keptSave(in: id) { () throws(Problem) in
            try nesting.save(in: bytes).map { (save) throws(Problem) in
                try NestedSave(save, inString: false, nesting)
            }
        }
    }

    /// Returns the nested save that an address enters at a value, or nil for a value without one.
    ///
    /// In addition to the saves that ``nestedSave(in:)`` finds, this opens JSON, OpenStep and Base64 in data and in
    /// strings, also if they are compressed.
    ///
    /// - Throws: The problem that makes the value unreadable as the save that it begins like.
    package func nestedSave(enteredAt id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, let object = scalarObject(id) else { return nil }
        if let save = try nestedSave(in: id) { return save }
        guard object.kind == .data || object.kind.isString else { return nil }
        return try keptSave(in: id) { () throws(Problem) in
            // A string cannot hold compressed data itself.
            guard let (text, isString) = textBytes(id), !isString || !Layers.areCompressed(text[...]),
                let save = try nesting.save(in: text[...], textFormat: Self.containerFormat)
            else { return nil }
            return try NestedSave(save, inString: isString, nesting)
        }
    }

    /// Whether a text may be that of an array or a dictionary.
    static func mayBeContainer(_ text: ArraySlice<UInt8>) -> Bool {
        text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map("{[(<".utf8.contains) ?? false
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
    private static func containerFormat(of text: ArraySlice<UInt8>) -> Format? {
        guard mayBeContainer(text), let format = Format.detected(in: Array(text)), format.has(.text) else { return nil }
        return format
    }
}
