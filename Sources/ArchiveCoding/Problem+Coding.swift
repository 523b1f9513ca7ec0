import KeyedArchives
import SaveCodec

/// The problems of decoding values from archives and of encoding values into them.
extension Problem {
    // MARK: Reading

    static func fieldMissing(_ name: String, in value: ArchivedValue) -> Problem {
        let owner = value.className.map { cut($0) } ?? "the dictionary"
        let present = value.firstNames.map { "; it has \($0)" } ?? ""
        return Problem(.decodeMissing, "\(owner) has no \(cut(name))" + present, address: value.address)
    }

    static func kind(_ value: ArchivedValue, expected: String) -> Problem {
        Problem(
            value.isNil ? .decodeNil : .decodeKind, "found \(value.found); expected \(expected)",
            address: value.address)
    }

    // MARK: Writing

    static func encodingDepth(_ limit: Int, at path: CodingSteps) -> Problem {
        Problem("encode.depth", "values are nested more than \(limit) levels deep", address: path.address)
    }

    static func encodingCycle(at path: CodingSteps) -> Problem {
        Problem(
            "encode.cycle", "the object contains itself, but is not encoded as fields, so nothing can refer to it",
            address: path.address)
    }

    static func unknownClass(_ type: String, at address: JSONPointer) -> Problem {
        Problem(
            "encode.class",
            "Foundation's \(type) cannot be archived as an object; use setClassName(_:for:), or encode its parts",
            address: address)
    }

    static func integerRange(at path: CodingSteps) -> Problem {
        Problem(
            "encode.range", "the integer is too large for an archive; the largest is 2^127-1", address: path.address)
    }

    // MARK: Errors of Swift's coders

    /// Creates a problem from a coding error, with its coding path as the address.
    ///
    /// An error that this library's coding containers throw has the original problem as its underlying error, which is
    /// returned. All other errors come from the `Codable` types of the program that uses the library.
    init(coding error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            self =
                (context.underlyingError as? Problem)
                ?? .value("decode.value", context.debugDescription, at: context.codingPath)
        case EncodingError.invalidValue(_, let context):
            self =
                (context.underlyingError as? Problem)
                ?? .value("encode.value", context.debugDescription, at: context.codingPath)
        default: self.init("coding.error", SafeText.escaping(String(describing: error)))
        }
    }

    private static func value(_ id: String, _ sentence: String, at path: [any CodingKey]) -> Problem {
        Problem(id, SafeText.escaping(sentence), address: JSONPointer(codingPath: path))
    }

    /// Returns the problem as the error that `init(from:)` of a type expects to catch.
    func decodingError(_ type: Any.Type, _ path: [any CodingKey], key: (any CodingKey)? = nil) -> DecodingError {
        let context = DecodingError.Context(codingPath: path, debugDescription: message, underlyingError: self)
        switch kind {
        case .decodeMissing:
            guard let key else { return .valueNotFound(type, context) }
            return .keyNotFound(key, context)
        case .decodeNil: return .valueNotFound(type, context)
        case .decodeKind: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    // MARK: Parts of messages

    static func cut(_ text: String) -> String { Phrase.name(text.utf16) }

    static func quoted(_ text: String) -> String { Phrase.quoted(text) }
}

extension Problem.Kind {
    fileprivate static let decodeKind = Problem.Kind("decode.kind")
    fileprivate static let decodeNil = Problem.Kind("decode.nil")
    /// A field or an element that a type requests but that does not exist.
    static let decodeMissing = Problem.Kind("decode.missing")
}
