/// A string of a document, as UTF-16 code units.
///
/// Real files hold what a `String` cannot (lone surrogates) or merges (two spellings of "é"), so texts are compared and
/// written by code units. Convert to a `String` only to show it.
public struct StoredString: Sendable, RandomAccessCollection {
    let document: Document
    package let object: StoredObject

    package init(_ document: Document, _ object: StoredObject) {
        self.document = document
        self.object = object
    }

    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of code units.
    public var endIndex: Int { object.count }

    /// The code unit at a position from zero.
    public subscript(position: Int) -> UInt16 {
        document.codeUnit(position, of: object)
    }

    /// Whether the string is stored with one byte per character. Bytes from 0x80 on then stand for U+0080 to U+00FF.
    package var isOneByte: Bool { object.kind == .oneByteString }

    /// Whether the two texts have the same code units, however they are stored.
    package func hasSameUnits(as other: StoredString) -> Bool {
        document.sameText(object, as: other.object, in: other.document)
    }

    /// The bytes of a text of ASCII letters, digits, `.`, `_` and `$`, which is the same in every notation; nil for any
    /// other text. Keys are nearly always such words.
    package var word: ArraySlice<UInt8>? {
        guard !isEmpty else { return nil }
        if isOneByte {
            let bytes = document.image[object.start..<object.start + object.count]
            return bytes.allSatisfy(Self.isWordByte) ? bytes : nil
        }
        for unit in self where !(UInt8(exactly: unit).map(Self.isWordByte) ?? false) { return nil }
        return units.map { UInt8(truncatingIfNeeded: $0) }[...]
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    /// The text in UTF-8; nil if a lone surrogate has none.
    package var utf8Bytes: [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        let isInvalid = transcode(
            makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { bytes.append($0) })
        return isInvalid ? nil : bytes
    }

    /// The code units, copied at once.
    package var units: [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(count)
        for position in 0..<count { units.append(document.codeUnit(position, of: object)) }
        return units
    }

    /// The text as a `String`; a lone surrogate becomes U+FFFD.
    public var string: String {
        String(decoding: self, as: UTF16.self)
    }

    /// The text made safe for a terminal, see ``SafeText``.
    package var escaped: String {
        SafeText.escaping(self)
    }
}

extension Document {
    /// Whether two string objects, perhaps of two documents, have the same code units.
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
            // Sound: a literal is never freed, and no position is beyond its count, which has been compared.
            for position in 0..<object.count where unsafe UInt16(buffer[position]) != codeUnit(position, of: object) {
                return false
            }
            return true
        }
    }
}
