/// The text format of NeXTSTEP and OpenStep, including strings files and GNUstep's dialect.
///
///     {                                    dictionary
///         name = Zoë;                          "name": string "Zoë"
///         state = <0fbd771c 0a>;               "state": data, 5 bytes
///         grid = (2, "0 1",);                  "grid": array of two strings
///     }
///
/// The input is UTF-8, UTF-16 or UTF-32. All scalars of the document are strings or data, because the format has no
/// numbers: `2` above is a string. A *strings file* contains pairs without braces, and may shorten `key = key;` to
/// `key;` (see <doc:OpenStepFormat>).
///
/// GNUstep's dialect has types: `<*I2>` is an integer, `<*R1.5>` a real, `<*BY>` a Boolean, `<*D2001-01-01 00:00:00
/// +0000>` a date and `<[AQID]>` data in Base64. It has no strings files.
///
/// The writer puts one pair or element on each line, indented by four spaces. Both Core Foundation and GNUstep read its
/// output in the plain dialect. Its output in GNUstep's dialect is ASCII.
enum OpenStep {
    enum Dialect: Sendable {
        /// Core Foundation's grammar, with strings and data only.
        case openStep
        /// GNUstep's grammar, with integers, reals, Booleans and dates.
        case gnustep
    }

    /// Reads a document.
    ///
    /// Input that Core Foundation or GNUstep accepts silently, but that is probably a mistake, is read with a warning.
    /// Duplicate keys are kept; the last one is effective.
    ///
    /// - Throws: The first problem that makes the text invalid, with its line and column.
    static func read(_ bytes: [UInt8], dialect: Dialect, limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, dialect: dialect, limits: limits, recorder: nil)
    }

    /// Whether only GNUstep reads a text, with a container, because unquoted strings have characters such as `+`.
    static func isReadOnlyByGNUstep(_ bytes: [UInt8]) -> Bool {
        guard (try? read(bytes, dialect: .openStep)) == nil, let document = try? read(bytes, dialect: .gnustep),
            document.object(document.root).kind.isContainer
        else { return false }
        return document.warnings.allSatisfy { $0.id == "gnustep.bare-character" }
    }

    /// Reads a document and the locations of its values.
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

    /// Returns the text of a file as valid UTF-8.
    static func text(of bytes: [UInt8]) throws(Problem) -> [UInt8] {
        try SourceText(decoding: bytes, declared: encoding(bytes)).bytes
    }

    /// Returns the losses of writing the document: one for each value that the dialect cannot represent, with its
    /// address. After 1,000 losses, one problem per kind counts the rest.
    static func losses(in document: Document, dialect: Dialect) -> [Problem] {
        var losses = OpenStepLosses(document, dialect: dialect)
        return losses.list()
    }

    /// Writes a document. A value that the dialect cannot represent is written as the nearest text.
    ///
    /// - Throws: A problem, before writing anything, if the document is too large when written as a tree.
    static func write(
        _ document: Document, to output: inout ByteWriter, dialect: Dialect, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try document.checkExpansion(limits)
        var writer = OpenStepWriter(document, dialect: dialect, keyOrder: options.keyOrder ?? .stored)
        writer.writeDocument(to: &output)
    }

    /// Returns the encoding of a text without a byte order mark: UTF-16 if exactly one of its first two bytes is zero,
    /// otherwise UTF-8. The grammar has no zero bytes.
    private static func encoding(_ bytes: [UInt8]) -> TextEncoding {
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2), (bytes[0] == 0) != (bytes[1] == 0) else { return .utf8 }
        return .utf16(bigEndian: bytes[0] == 0)
    }
}

/// A set of ASCII characters, with one bit per character.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ members: String) {
        for byte in members.utf8 { insert(byte) }
    }

    /// Creates a set of all printable characters except the space and the characters in a text.
    init(printableExcept others: String) {
        let excluded = ASCIISet(others)
        for byte in UInt8(0x21)...0x7E where !excluded.contains(byte) { insert(byte) }
    }

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
    /// The characters that an unquoted string may contain.
    var bareCharacters: ASCIISet {
        switch self {
        case .openStep: ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$/:.-")
        case .gnustep: ASCIISet(printableExcept: "\"'(),;<=>[\\]`{}")
        }
    }
}

// MARK: Losses

/// A search for the values of a document that a dialect cannot represent.
private struct OpenStepLosses {
    private let document: Document
    private let dialect: OpenStep.Dialect
    private var losses = LossList()

    init(_ document: Document, dialect: OpenStep.Dialect) {
        self.document = document
        self.dialect = dialect
    }

    /// Returns the losses in document order. A shared scalar is reported in every slot.
    mutating func list() -> [Problem] {
        guard isPossible else { return [] }
        let document = document
        document.forEachSlot { object, address in
            for loss in losses(of: object) { add(loss, at: address) }
        }
        return losses.problems
    }

    /// Whether any object, reachable from the root or not, may have a loss. This pass over the object table is faster
    /// than a walk from the root. If objects overlap so much that it would not be, it gives up and returns true.
    private var isPossible: Bool {
        var budget = document.imageSize
        for index in 0..<document.count {
            let object = document.object(ObjectID(index))
            budget -= object.ownSize + object.referenceCount
            if budget < 0 { return true }
            if object.kind.isContainer ? !containerLosses(object).isEmpty : scalarLoss(object) != nil { return true }
        }
        return false
    }

    private mutating func add(_ loss: TextLoss, at address: () -> JSONPointer) {
        let format = dialect == .openStep ? "OpenStep text" : "GNUstep's dialect"
        losses.add(loss.kind) { loss.problem(in: format, at: address()) }
    }

    /// Returns the losses of a scalar, or of a container itself without its contents.
    private func losses(of object: StoredObject) -> [TextLoss] {
        object.kind.isContainer ? containerLosses(object) : scalarLoss(object).map { [$0] } ?? []
    }

    /// Returns the losses of a container itself, without the losses of its contents.
    private func containerLosses(_ container: StoredObject) -> [TextLoss] {
        switch container.kind {
        case .set: [.set]
        case .dictionary:
            [lostPair(container), dialect == .openStep && document.hasNonStringKey(container) ? .keyType : nil]
                .compactMap(\.self)
        default: []
        }
    }

    /// Returns the loss of a pair with a duplicate key. It happens if the first key is the effective one; otherwise all
    /// pairs are written and read back.
    private func lostPair(_ dictionary: StoredObject) -> TextLoss? {
        document.lastDuplicateWins ? nil : document.duplicateKeyLoss(of: dictionary)
    }

    /// Returns the loss that a scalar causes in any container, or nil.
    private func scalarLoss(_ object: StoredObject) -> TextLoss? {
        switch object.kind {
        case .array, .set, .dictionary, .data, .oneByteString: nil
        case .null: .null
        case .uid: .uid
        case .utf16String: dialect == .gnustep && StoredString(document, object).hasLoneSurrogate ? .surrogate : nil
        case .false, .true: dialect == .gnustep ? nil : .boolean
        case .integer: dialect == .gnustep ? integerLoss(document.integer(object)) : .integer
        case .real where dialect == .gnustep: document.real(object).isUnusualNaN ? .nan : nil
        case .real: .real
        case .date: dialect == .gnustep ? dateLoss(document.real64(object)) : .date
        }
    }

    private func integerLoss(_ value: Int128) -> TextLoss? {
        TextLoss.integers.contains(value) ? nil : .integerRange
    }

    private func dateLoss(_ seconds: Double) -> TextLoss? {
        guard CalendarDate(secondsSince2001: seconds) != nil else { return .dateRange(becomes: "a string") }
        return Double(Int64(seconds)) == seconds ? nil : .dateFraction
    }
}

extension RandomAccessCollection<UInt16> where Index == Int {
    /// Whether a surrogate is not part of a pair, as in some real files.
    var hasLoneSurrogate: Bool {
        var position = startIndex
        while position < endIndex {
            let unit = self[position]
            if unit & 0xF800 == 0xD800 {
                guard UTF16.isLeadSurrogate(unit), position + 1 < endIndex, UTF16.isTrailSurrogate(self[position + 1])
                else { return true }
                position += 1
            }
            position += 1
        }
        return false
    }
}
