import SaveCodec

/// A value that Foundation archives as an object of a class of its own, such as an `NSURL`.
///
/// Nothing here imports Foundation. Its `URL` is known by name, and made of a form that encodes itself in the same way
/// elsewhere: what one of them encodes, the other decodes (``PlainTransfer``).
protocol FoundationForm: Codable {
    /// The value that an object of the class stands for; nil if the value is anything else.
    static func read(_ value: ArchivedValue) throws(Problem) -> Self?
    /// What the value becomes in an archive.
    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part
    /// For how many values it counts against what a decoder may make.
    var size: Int { get }
}

extension FoundationForm {
    var size: Int { 1 }
}

enum FoundationForms {
    /// The form of a type of ours or of Foundation's; nil if it is archived as what it encodes.
    static func form(of type: Any.Type) -> (any FoundationForm.Type)? {
        if let form = type as? any FoundationForm.Type { return form }
        switch foundationName(of: type) {
        case "URL": return URLForm.self
        case "UUID": return UUIDForm.self
        case "Decimal", "NSDecimal": return DecimalForm.self
        case "IndexSet": return IndexSetForm.self
        case "CGPoint": return ArchivedPoint.self
        case "CGSize": return ArchivedSize.self
        case "CGRect": return ArchivedRectangle.self
        case "_NSRange": return ArchivedRange.self
        default: return nil
        }
    }

    /// The name of a type of Foundation's, without the module, which is not the same on all systems; nil for other types.
    static func foundationName(of type: Any.Type) -> Substring? {
        let parts = String(reflecting: type).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, modules.contains(parts[0]) else { return nil }
        return parts[1]
    }

    private static let modules: Set<Substring> = [
        "Foundation", "FoundationEssentials", "CoreFoundation", "CoreGraphics", "__C",
    ]
}

/// Makes a value of one type of a value of another that encodes itself in the same way.
enum PlainTransfer {
    static func convert<Value: Decodable>(_ value: some Encodable, to type: Value.Type) throws -> Value {
        let session = EncodingSession(PlainOutput())
        try session.encodeRoot(value, forKey: nil, style: .plain)
        return try DecodingSession(ArchiveSource(session.finish())).decodeRoot(type, forKey: nil)
    }
}

extension ArchivedValue {
    /// The fields of an object of a class of Foundation's, or of one that descends from it; nil for any other value.
    func fields(ofClass name: String) -> Fields? {
        guard let archive = source.archive, let uid = source.view.uid(id),
            classRecord?.foundation?.chain.contains(name) ?? false
        else { return nil }
        return Fields(uid, of: archive)
    }
}

extension Problem {
    static func brokenFields(_ value: ArchivedValue) -> Problem {
        Problem(
            "decode.fields", "the fields of the \(cut(value.className ?? "object")) are not those of its class",
            address: value.address)
    }
}

// MARK: The forms

// The forms of Foundation's types. What they encode elsewhere is what these encode; the names are Foundation's.

/// A `URL`, archived as an `NSURL`.
private final class URLForm: FoundationForm {
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
private struct UUIDForm: FoundationForm {
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
private struct DecimalForm: FoundationForm {
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
private struct IndexSetForm: FoundationForm {
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
