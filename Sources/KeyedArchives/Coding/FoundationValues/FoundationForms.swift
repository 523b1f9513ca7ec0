import SaveCodec

// The forms of Foundation's types. What they encode elsewhere is what these encode; the names are Foundation's.

/// A `URL`, archived as an `NSURL`.
final class URLForm: FoundationForm {
    let base: URLForm?
    let relative: String

    init(_ relative: String, base: URLForm?) {
        (self.relative, self.base) = (relative, base)
    }

    /// More bases of bases than any URL has; those of a damaged archive may lead in a circle.
    private static let limit = 16

    static func read(_ value: ArchivedValue) throws(Problem) -> URLForm? {
        guard let fields = value.fields(ofClass: "NSURL") else { return nil }
        var parts: [String] = []
        var next: Fields? = fields
        while let fields = next {
            guard let relative = fields.text("NS.relative"), parts.count < limit else { throw .brokenFields(value) }
            parts.append(relative.string)
            next = fields.fields("NS.base")
        }
        return parts.reversed().reduce(nil) { URLForm($1, base: $0) }
    }

    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part {
        let base = base?.part(in: output, style) ?? .null
        return output.object(
            "NSURL", [("NS.base", base), ("NS.relative", .reference(output.add(string: relative)))])
    }
}

/// A `UUID`, archived as an `NSUUID`.
struct UUIDForm: FoundationForm {
    let text: String

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    private init(_ text: String) {
        self.text = text
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> UUIDForm? {
        guard let fields = value.fields(ofClass: "NSUUID") else { return nil }
        guard let text = fields.uuid else { throw .brokenFields(value) }
        return UUIDForm(text)
    }

    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return output.object("NSUUID", [("NS.uuidbytes", .scalar(.data(bytes)))])
    }
}

/// A `Decimal`, archived as an `NSDecimalNumber`.
struct DecimalForm: FoundationForm {
    let exponent: Int
    let length: Int
    let isNegative: Bool
    let isCompact: Bool
    let mantissa: [UInt16]

    /// Words of a mantissa.
    private static let capacity = 8

    private init(_ stored: StoredDecimal) {
        exponent = stored.exponent
        length = stored.words.count
        isNegative = stored.isNegative
        isCompact = stored.isCompact
        mantissa = stored.words + Array(repeating: 0, count: Self.capacity - stored.words.count)
    }

    /// A whole number, which Foundation reads as a decimal one, too.
    private init(_ integer: Int128) {
        var words: [UInt16] = []
        var rest = integer.magnitude
        while rest > 0 {
            words.append(UInt16(truncatingIfNeeded: rest))
            rest >>= 16
        }
        self.init(StoredDecimal(words: words, exponent: 0, isNegative: integer < 0, isCompact: false))
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> DecimalForm? {
        if case .scalar(.integer(let integer)) = value.shown.form { return DecimalForm(integer.value) }
        guard let fields = value.fields(ofClass: "NSDecimalNumber") else { return nil }
        guard let stored = fields.storedDecimal else { throw .brokenFields(value) }
        return DecimalForm(stored)
    }

    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part {
        let bytes = mantissa.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        // As the class of NSDecimalNumber's instances is called when they are archived.
        return output.object(
            "NSDecimalNumberPlaceholder",
            [
                ("NS.exponent", .number(.integer(Int128(exponent)))), ("NS.length", .number(.integer(Int128(length)))),
                ("NS.negative", .number(.boolean(isNegative))), ("NS.compact", .number(.boolean(isCompact))),
                ("NS.mantissa.bo", .number(.integer(1))), ("NS.mantissa", .scalar(.data(bytes))),
            ])
    }
}

/// An `IndexSet`, archived as an `NSIndexSet`.
struct IndexSetForm: FoundationForm {
    let indexes: [Indexes]

    struct Indexes: Codable {
        let location: Int
        let length: Int
    }

    static func read(_ value: ArchivedValue) throws(Problem) -> IndexSetForm? {
        guard let fields = value.fields(ofClass: "NSIndexSet") else { return nil }
        // In order, as NSIndexSet has them: to put others in order takes Foundation too long.
        guard let ranges = fields.indexRanges(atMost: .max)?.ranges,
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound })
        else { throw .brokenFields(value) }
        return IndexSetForm(indexes: ranges.map { Indexes(location: $0.lowerBound, length: $0.count) })
    }

    var size: Int { indexes.count + 1 }

    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part {
        let className = style.className("IndexSet")
        let count = Part.number(.integer(Int128(indexes.count)))
        guard indexes.count > 1 else {
            let range = indexes.flatMap {
                [
                    ("NSLocation", Part.number(.integer(Int128($0.location)))),
                    ("NSLength", Part.number(.integer(Int128($0.length)))),
                ]
            }
            return output.object(className, [("NSRangeCount", count)] + range)
        }
        let bytes = indexes.flatMap { Self.bytes($0.location) + Self.bytes($0.length) }
        return output.object(
            className, [("NSRangeCount", count), ("NSRangeData", .reference(output.add(data: bytes)))])
    }

    /// Seven bits a byte, the least significant first, a high bit where more follow.
    private static func bytes(_ number: Int) -> [UInt8] {
        var rest = UInt(bitPattern: number)
        var bytes: [UInt8] = []
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
        return bytes
    }
}
