import SaveCodec

/// What a value decodes itself from.
final class ValueDecoder: Decoder {
    let session: DecodingSession
    let value: ArchivedValue
    private let depth: Int

    init(_ session: DecodingSession, _ value: ArchivedValue, depth: Int) {
        self.session = session
        self.value = value
        self.depth = depth
    }

    var codingPath: [any CodingKey] { value.path.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FieldsDecoder(decoder: self, fields: try fields(type)))
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
        let lastWins = value.source.archive.document.lastRepeatedKeyWins
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
