package import SaveCodec

/// A save that is stored in a value of another save.
///
///     {"savedGame": <62 70 6C 69 73 74 …>}     the value: data
///                    └─ $top {root: …}         the save in it, at /savedGame/~^; its root is at /savedGame/root
package final class NestedSave: Sendable {
    /// The decoded bytes of the save.
    package let bytes: [UInt8]
    package let format: Format
    /// Whether the value is a string, which holds the bytes as UTF-8 text. Otherwise, the value is data.
    private let isInString: Bool
    /// The layers around the bytes: gzip, zlib and Base64 text.
    let layers: Layers
    /// Whether wildcards, searches and comparisons open the save, not only an address that leads into it.
    package let isAlwaysOpen: Bool
    /// The stored document. For graph JSON it holds the JSON text, not the archive that the text describes.
    package let document: Document
    /// The value graph of the save.
    package let view: ObjectView

    /// - Parameter isCertain: Whether the value begins like a save, so that an error has to name its cause. Strings such as
    ///   `{0, 0}` only look like JSON, and searching each of them for the cause would take long.
    /// - Throws: The problem that makes the bytes unreadable.
    init(
        _ save: NestedSaveOptions.LayeredSave, inString isInString: Bool, isAlwaysOpen: Bool,
        isCertain: Bool = true, _ nesting: NestedSaveOptions
    ) throws(Problem) {
        // The bytes count against the budget before they are copied, because many data values may share them.
        let inner = try nesting.within(save.bytes.count)
        bytes = Array(save.bytes)
        format = save.format
        (self.isInString, self.isAlwaysOpen) = (isInString, isAlwaysOpen)
        layers = save.layers
        do throws(Problem) {
            document = try Document.readUndiagnosed(bytes, as: format, limits: nesting.limits)
        } catch {
            throw layers.located(isCertain ? error.diagnosed(in: bytes, nesting.limits) : error)
        }
        view = try ObjectView(of: document, limits: nesting.limits, isRaw: nesting.isRaw, nesting: inner)
    }

    /// Whether the save is JSON text. If so, the value that holds it is also ordinary text, in which white space and
    /// the spelling of numbers matter.
    package var isJSON: Bool { format.has(.typedJSON) }

    /// Whether the contents of two saves can be compared instead of the values that hold them. JSON is only compared
    /// with JSON; the two must be stored alike and have roots of the same kind.
    package func isComparable(to other: NestedSave) -> Bool {
        guard isJSON, other.isJSON else { return isJSON == other.isJSON }
        return isInString == other.isInString && view.kind(of: view.root) == other.view.kind(of: other.view.root)
    }

    /// Returns a document whose root is `bytes`, stored in the same way as this save: in the same layers, and as a
    /// string or as data.
    package func value(holding bytes: [UInt8]) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        let bytes = layers.wrap(bytes)
        if isInString { builder.add(utf8: bytes.span) } else { builder.add(data: bytes.span) }
        return try builder.finish()
    }
}

extension ObjectView {
    /// Returns the nested save in a data value or a string. Returns nil for any other value, or if nested saves are not
    /// opened.
    ///
    /// The following are nested saves for this function:
    ///
    /// - data that begins like a binary or XML property list or a typedstream, even if it is compressed
    /// - a JSON array or object in a string or in data, even if the data is compressed
    ///
    /// - Throws: The reading error of data that begins like a save. A text that is not valid JSON is ordinary text.
    package func nestedSave(in id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, mayHoldSave(id), let key = NestedSaveKey(id, in: self) else { return nil }
        return try keptSave(key) { () throws(Problem) in
            try nestedSaveCandidate(id)?.read { (candidate) throws(Problem) in
                try nesting.save(in: candidate.bytes, .json).map { (save) throws(Problem) in
                    try NestedSave(
                        save, inString: candidate.isString, isAlwaysOpen: true, isCertain: candidate.isCertain, nesting)
                }
            }
        }
    }

    /// Returns the nested save that an address enters at a value, or nil for a value without one.
    ///
    /// In addition to the saves that ``nestedSave(in:)`` finds, this opens OpenStep text and Base64 in data and in
    /// strings, even if they are compressed.
    ///
    /// - Throws: The reading error of a value that begins like a save.
    package func nestedSave(enteredAt id: ViewID) throws(Problem) -> NestedSave? {
        guard let nesting, let object = scalarObject(id) else { return nil }
        if let save = try nestedSave(in: id) { return save }
        guard object.kind == .data || object.kind.isString, let key = NestedSaveKey(id, in: self, isEntered: true)
        else {
            return nil
        }
        return try keptSave(key) { () throws(Problem) in
            // A string cannot hold compressed data itself.
            guard let value = textBytes(id), !value.isString || !Layers.areCompressed(value.bytes),
                let save = try nesting.save(in: value.bytes, .all)
            else { return nil }
            return try NestedSave(save, inString: value.isString, isAlwaysOpen: false, nesting)
        }
    }

    /// Whether the first and last bytes of a value allow it to hold a save that ``nestedSave(in:)`` finds. Takes
    /// constant time.
    package func mayHoldSave(_ id: ViewID) -> Bool {
        guard let object = scalarObject(id) else { return false }
        return document.mayHoldSave(object)
    }

    /// Whether a value may hold a save of any kind, but not as Base64. For most values, one byte decides.
    package func mayBeginSave(_ id: ViewID) -> Bool {
        guard let object = scalarObject(id) else { return false }
        return object.kind.isString ? document.mayBeginContainer(object) : document.mayHoldSave(object)
    }

    /// Returns the bytes of a value if it may hold a save that ``nestedSave(in:)`` finds; otherwise nil.
    package func nestedSaveCandidate(_ id: ViewID) -> NestedSaveCandidate? { mayHoldSave(id) ? textBytes(id) : nil }

    /// Returns the bytes of data or the UTF-8 bytes of a string; nil for other values and for strings that UTF-8 cannot
    /// represent.
    private func textBytes(_ id: ViewID) -> NestedSaveCandidate? {
        switch scalar(id) {
        case .data(let bytes): NestedSaveCandidate(bytes: bytes, isString: false)
        case .string(let text): text.utf8Bytes.map { NestedSaveCandidate(bytes: $0[...], isString: true) }
        default: nil
        }
    }
}

extension Document {
    /// Whether any object may hold a save that all views open, judged by its first and last bytes.
    package var mayHoldSaves: Bool {
        (0..<count).contains { isTextOrData(ObjectID($0)) && mayHoldSave(object(ObjectID($0))) }
    }

    /// Whether the first and last bytes of an object allow it to hold a save that all views open.
    package func mayHoldSave(_ object: StoredObject) -> Bool {
        if object.kind.isString {
            // For most strings, the first code unit decides.
            return mayBeginContainer(object) && NestedSaveOptions.mayBeJSON(StoredString(self, object))
        }
        guard object.kind == .data, case .data(let bytes) = node(object) else { return false }
        return NestedSaveOptions.mayHoldSave(bytes)
    }
}

/// The bytes of a value that may hold a nested save.
package struct NestedSaveCandidate {
    /// The data, or the UTF-8 text of the string.
    package let bytes: ArraySlice<UInt8>
    let isString: Bool

    /// Whether the value is data that begins like a save. It is an error if such data cannot be read; any other value
    /// is then ordinary text or data.
    package var isCertain: Bool { !isString && NestedSaveOptions.holdsSave(bytes) }

    /// Returns the result of `body`, which reads the save, or nil if the bytes turn out to be ordinary text or data.
    func read<Result>(
        _ body: (NestedSaveCandidate) throws(Problem) -> Result?
    ) throws(Problem) -> Result? {
        do throws(Problem) {
            return try body(self)
        } catch {
            if isCertain || error.id == Problem.nestedTooLarge().id { throw error }
            return nil
        }
    }
}
