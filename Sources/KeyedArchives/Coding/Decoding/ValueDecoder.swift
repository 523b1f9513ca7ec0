import SaveCodec

/// What a value decodes itself from.
final class ValueDecoder: Decoder {
    let session: DecodingSession
    let value: ArchivedValue
    private let depth: Int
    /// The type that decodes itself, of whose class the object must be; nil where any will do.
    private var type: Any.Type?

    init(_ session: DecodingSession, _ value: ArchivedValue, depth: Int, type: Any.Type? = nil) {
        self.session = session
        self.value = value
        self.depth = depth
        self.type = type
    }

    /// The value as it is stored, for a type that decides by its class how to decode it.
    func valueOfAnyClass() -> ArchivedValue {
        type = nil
        return value
    }

    var codingPath: [any CodingKey] { value.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let type { try attempt(type) { () throws(Problem) in try session.checkClass(of: value, as: type) } }
        return KeyedDecodingContainer(FieldsDecoder(decoder: self, fields: try fields(keys)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if case .scalar(.data(let bytes)) = value.shown.form {
            try attempt([UInt8].self) { () throws(Problem) in try session.charge(bytes.count, for: value) }
            return ElementsDecoder(decoder: self, elements: .bytes(bytes))
        }
        let elements = try contents([Any].self) { value throws(Problem) in try value.array }
        return ElementsDecoder(decoder: self, elements: .values(elements))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleValueDecoder(decoder: self)
    }

    // MARK: Parts

    /// A part of the value as a value of a type.
    func decode<Part: Decodable>(_ type: Part.Type, _ part: ArchivedValue) throws -> Part {
        try session.decode(type, part, depth: depth + 1)
    }

    /// A decoder of a part.
    func nested(_ part: ArchivedValue) -> ValueDecoder {
        ValueDecoder(session, part, depth: depth + 1)
    }

    /// What the value contains, which counts against what a decoder may make.
    func contents<Content>(
        _ type: Any.Type, _ read: (ArchivedValue) throws(Problem) -> [Content]
    ) throws -> [Content] {
        try attempt(type) { () throws(Problem) in
            let contents = try read(value)
            try session.charge(contents.count, for: value)
            return contents
        }
    }

    private func fields(_ type: Any.Type) throws -> [String: ArchivedValue] {
        let fields = try contents(type) { value throws(Problem) in try value.fields }
        let lastWins = value.source.view.document.lastRepeatedKeyWins
        return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { lastWins ? $1 : $0 })
    }

    private func attempt<Result>(_ type: Any.Type, _ body: () throws(Problem) -> Result) throws -> Result {
        do throws(Problem) {
            return try body()
        } catch {
            throw error.decodingError(type, codingPath)
        }
    }
}

extension Decoder {
    /// The value of the archive that is being decoded, for an `init(from:)` that must look at it: which class it is of, or
    /// where it stands. nil with other decoders than the archive's.
    ///
    ///     enum Shape: Decodable {                                       // an array of circles and boxes
    ///         case circle(Circle), box(Box)
    ///
    ///         init(from decoder: any Decoder) throws {
    ///             switch decoder.archivedValue?.className {
    ///             case "Circle": self = .circle(try Circle(from: decoder))
    ///             default: self = .box(try Box(from: decoder))
    ///             }
    ///         }
    ///     }
    ///
    /// A type that asks decides itself; the object may be of any class then.
    public var archivedValue: ArchivedValue? {
        (self as? ValueDecoder)?.valueOfAnyClass()
    }
}
