/// The old text format of NeXTSTEP and OpenStep, strings files, and GNUstep's dialect.
///
///     {                                    dictionary
///         name = Zoë;                          "name": string "Zoë"
///         state = <0fbd771c 0a>;               "state": data, 5 bytes
///         grid = (2, "0 1",);                  "grid": array of two strings
///     }
///
/// In come bytes in UTF-8, UTF-16 or UTF-32, out comes a document whose scalars are all strings or data: `2` above is a
/// string, as the format has no numbers. A *strings file* holds the pairs without the braces, and may shorten
/// `key = key;` to `key;` (see <doc:OpenStepFormat>).
///
/// GNUstep's dialect keeps the types: `<*I2>` is an integer, `<*R1.5>` a real, `<*BY>` a boolean,
/// `<*D2001-01-01 00:00:00 +0000>` a date and `<[AQID]>` data in base64. It has no strings files.
///
/// Written is one pair or element a line, indented by four spaces. What is written in the plain dialect Core Foundation
/// and GNUstep both read; what is written in GNUstep's is ASCII.
enum OpenStep {
    /// Whose grammar a text follows.
    enum Dialect: Sendable {
        /// Core Foundation's: strings and data only.
        case openStep
        /// GNUstep's: with integers, reals, booleans and dates.
        case gnustep
    }

    /// Reads a document.
    ///
    /// What Core Foundation (or GNUstep) reads without a word but hardly was meant so is read and noted as a warning.
    /// Of a repeated key both pairs are kept, and the last counts.
    ///
    /// - Throws: the first problem that makes the bytes no such text, with its line and column.
    static func read(_ bytes: [UInt8], dialect: Dialect, limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, dialect: dialect, limits: limits, recorder: nil)
    }

    /// Reads a document and where its values stand.
    static func readMapped(
        _ bytes: [UInt8], dialect: Dialect, limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let recorder = SourceRecorder()
        return (try read(bytes, dialect: dialect, limits: limits, recorder: recorder), recorder.map)
    }

    private static func read(
        _ bytes: [UInt8], dialect: Dialect, limits: Limits, recorder: SourceRecorder?
    ) throws(Problem) -> Document {
        let text = try SourceText(decoding: bytes, declared: encoding(bytes))
        let reader = OpenStepReader(text.bytes, dialect: dialect, limits: limits, recorder: recorder)
        let document = try reader.readDocument()
        recorder?.finish(text.bytes, stored: text.stored)
        return document
    }

    /// The text of a file as valid UTF-8.
    static func text(of bytes: [UInt8]) throws(Problem) -> [UInt8] {
        try SourceText(decoding: bytes, declared: encoding(bytes)).bytes
    }

    /// What writing the document would lose: one problem for each value that the dialect cannot hold, with its address;
    /// at most 1,000, and then one that counts the rest.
    static func losses(in document: Document, dialect: Dialect) -> [Problem] {
        var losses = OpenStepLosses(document, dialect: dialect)
        return losses.list()
    }

    /// Writes a document. What the dialect cannot hold is written as the nearest text.
    ///
    /// - Throws: a problem, before anything is written, if the document is too large to be written as a tree.
    static func write(
        _ document: Document, to output: inout ByteWriter, dialect: Dialect, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try document.checkExpansion(limits)
        var writer = OpenStepWriter(document, dialect: dialect, keyOrder: options.keyOrder ?? .stored)
        writer.writeDocument(to: &output)
    }

    /// The encoding of a text without byte order mark: UTF-16 if one of its first two bytes is zero, for which the
    /// grammar has no use, else UTF-8.
    private static func encoding(_ bytes: [UInt8]) -> TextEncoding {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2), (bytes[0] == 0) != (bytes[1] == 0) else { return .utf8 }
        return .utf16(bigEndian: bytes[0] == 0)
    }
}

/// A set of ASCII characters, one bit each.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The set of the characters of a text.
    init(_ members: String) {
        for byte in members.utf8 { insert(byte) }
    }

    /// All printable characters but the space, without those of a text.
    init(printableExcept others: String) {
        let excluded = ASCIISet(others)
        for byte in UInt8(0x21)...0x7E where !excluded.contains(byte) { insert(byte) }
    }

    /// Whether the byte is in the set.
    func contains(_ byte: UInt8) -> Bool {
        let half = byte & 0x40 == 0 ? low : high
        return byte < 0x80 && half >> UInt64(byte & 0x3F) & 1 != 0
    }

    private mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 0x3F)
        if byte < 0x40 { low |= bit } else { high |= bit }
    }
}

extension OpenStep.Dialect {
    /// The characters of which a string without quotes may consist.
    var bareCharacters: ASCIISet {
        switch self {
        case .openStep: ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$/:.-")
        case .gnustep: ASCIISet(printableExcept: "\"'(),;<=>[\\]`{}")
        }
    }
}
