package import SaveCodec

/// A save in a value of another one.
///
///     {"savedGame": <62 70 6C 69 73 74 …>}     the value: data
///                    └─ $top {root: …}         the save in it, at /savedGame/~^; its root is at /savedGame/root
package final class NestedSave: Sendable {
    /// How the bytes of a save stand in a value.
    package enum Wrapping: Sendable {
        /// As data.
        case data
        /// As the UTF-8 text of a string.
        case string
        /// As base64 in the bytes of data.
        case base64Data(Base64Form)
        /// As base64 in a string.
        case base64String(Base64Form)
    }

    /// The bytes of the save.
    package let bytes: [UInt8]
    package let format: Format
    package let wrapping: Wrapping
    /// What addresses lead into.
    package let view: ObjectView

    /// - Throws: what is wrong with the bytes.
    init(
        _ bytes: ArraySlice<UInt8>, as format: Format, in wrapping: Wrapping, _ nesting: Nesting
    ) throws(Problem) {
        // Before the bytes are copied: many data may hold the same ones.
        let inner = try nesting.within(bytes.count)
        self.bytes = Array(bytes)
        self.format = format
        self.wrapping = wrapping
        let document = try Document.readSave(self.bytes, as: format, limits: nesting.limits)
        view = try ObjectView(of: document, limits: nesting.limits, isRaw: nesting.isRaw, nesting: inner)
    }

    /// The value that holds other bytes in the same way, as the root of a document.
    package func value(holding bytes: [UInt8]) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        switch wrapping {
        case .data: builder.add(data: bytes.span)
        case .string: builder.add(utf8: bytes.span)
        case .base64Data(let old): builder.add(data: old.encode(bytes).span)
        case .base64String(let old): builder.add(utf8: old.encode(bytes).span)
        }
        return try builder.finish()
    }
}

extension ObjectView {
    /// The save in data that begins like a property list in binary or XML form, or like a typedstream; nil for all else,
    /// and where saves in values are not opened.
    ///
    /// - Throws: what is wrong with the save that the data begins like.
    package func nestedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, scalarObject(id)?.kind == .data, case .data(let bytes) = scalar(id),
            let format = Nesting.format(of: bytes)
        else { return nil }
        return try keptSave(in: id) { () throws(Problem) in
            try NestedSave(bytes, as: format, in: .data, nesting)
        }
    }

    /// The save in a value that an address leads into: beside what data begins like also JSON, OpenStep and base64 in
    /// data and in strings.
    ///
    /// - Throws: what is wrong with the save that the value begins like.
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

    /// The bytes of data, and those of a string in UTF-8; nil for other values, and for what has none.
    private func textBytes(_ id: ViewID) -> (bytes: [UInt8], isString: Bool)? {
        switch scalar(id) {
        case .data(let bytes): return (Array(bytes), false)
        case .string(let text): return text.utf8Bytes.map { ($0, true) }
        default: return nil
        }
    }

    /// The format of a text that is an array or a dictionary: any word is a property list in OpenStep's eyes.
    private static func containerFormat(of text: [UInt8]) -> Format? {
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first, "{[(<".utf8.contains(first), let format = Format.detected(in: text),
            format.has(.text)
        else { return nil }
        return format
    }
}
