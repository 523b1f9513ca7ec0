/// A string of a document, as a collection of UTF-16 code units.
///
/// Real files contain lone surrogates, which a `String` cannot hold, and two spellings of "é", which a `String` treats
/// as equal. Strings are therefore compared and written by code units, and converted to a `String` only for display.
public struct StoredString: Sendable, RandomAccessCollection {
    let document: Document
    package let object: StoredObject

    package init(_ document: Document, _ object: StoredObject) {
        self.document = document
        self.object = object
    }

    /// The index of the first code unit, which is zero.
    public var startIndex: Int { 0 }
    /// The number of code units.
    public var endIndex: Int { object.count }

    /// The code unit at a zero-based position.
    public subscript(position: Int) -> UInt16 {
        document.codeUnit(position, of: object)
    }

    /// Whether the string is stored as one byte per character, in which bytes from 0x80 up represent U+0080 to U+00FF.
    package var isOneByte: Bool { object.kind == .oneByteString }

    /// Whether two strings have the same code units, in any encoding.
    package func hasSameUnits(as other: StoredString) -> Bool {
        document.sameText(object, as: other.object, in: other.document)
    }

    /// The bytes of a nonempty string of ASCII letters, digits, `.`, `_` and `$`, or nil for any other string.
    ///
    /// Such a string, as nearly all keys are, needs no escapes in any notation.
    package var unescapedBytes: ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        if isOneByte {
            let bytes = document.image[object.start..<object.start + object.count]
            return bytes.allSatisfy(Self.isWordByte) ? bytes : nil
        }
        for unit in self where !(UInt8(exactly: unit).map(Self.isWordByte) ?? false) { return nil }
        return units.map { UInt8(truncatingIfNeeded: $0) }[...]
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }

    /// The text in UTF-8, or nil if it contains a lone surrogate.
    package var utf8Bytes: [UInt8]? {
        if isOneByte, case let text = document.image[object.start..<object.start + count],
            text.allSatisfy({ $0 < 0x80 })
        {
            return Array(text)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        let isInvalid = transcode(
            makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { bytes.append($0) })
        return isInvalid ? nil : bytes
    }

    /// A copy of all code units.
    package var units: [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for position in 0..<count { units.append(document.codeUnit(position, of: object)) }
        return units
    }

    /// The text as a `String`, in which U+FFFD replaces each lone surrogate.
    public var string: String { String(decoding: self, as: UTF16.self) }

    /// The text made safe for a terminal (see ``SafeText``).
    package var escaped: String { SafeText.escaping(self) }
}

extension Document {
    /// Whether two string objects, possibly of different documents, have the same code units.
    func sameText(_ a: StoredObject, as b: StoredObject, in other: Document) -> Bool {
        guard a.count == b.count else { return false }
        if a.kind == b.kind {
            let size = a.kind == .utf16String ? 2 * a.count : a.count
            return image.span.holdsSame(size, at: a.start, and: b.start, in: other.image.span)
        }
        for position in 0..<a.count where codeUnit(position, of: a) != other.codeUnit(position, of: b) { return false }
        return true
    }

    /// Whether a string object consists of the ASCII characters of `literal`.
    package func text(_ object: StoredObject, equals literal: StaticString) -> Bool {
        guard object.kind.isString, object.count == literal.utf8CodeUnitCount else { return false }
        return literal.withUTF8Buffer { buffer in
            // Sound: a literal is never freed, and no position exceeds its count, which equals the object's.
            for position in 0..<object.count where unsafe UInt16(buffer[position]) != codeUnit(position, of: object) {
                return false
            }
            return true
        }
    }
}
