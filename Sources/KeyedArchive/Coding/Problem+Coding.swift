import SaveCodec

/// What can be wrong when an archive is read into the values of a program, or written from them.
extension Problem {
    // MARK: Reading

    static func rootMissing(_ key: String) -> Problem {
        Problem("decode.root", "there is no root \(quoted(key))", address: .root)
    }

    static func fieldMissing(_ name: String, in value: ArchivedValue) -> Problem {
        let owner = value.className.map { cut($0) } ?? "the dictionary"
        return Problem("decode.missing", "\(owner) has no \(cut(name))", address: value.address)
    }

    static func elementMissing(_ index: Int, in value: ArchivedValue) -> Problem {
        Problem("decode.missing", "there are \(index) elements; expected more", address: value.address)
    }

    static func kind(_ value: ArchivedValue, expected: String) -> Problem {
        Problem(
            value.isNil ? "decode.nil" : "decode.kind", "found \(value.found); expected \(expected)",
            address: value.address)
    }

    static func keyKind(in value: ArchivedValue) -> Problem {
        Problem("decode.key", "a key of the dictionary is no string", address: value.address)
    }

    static func range(_ value: ArchivedValue, _ least: String, _ most: String) -> Problem {
        Problem(
            "decode.range", "found \(value.foundNumber); expected an integer from \(least) to \(most)",
            address: value.address)
    }

    static func classNotAllowed(_ name: String, allowed: Set<String>, at value: ArchivedValue) -> Problem {
        let names = allowed.isEmpty ? "none" : allowed.sorted().map { cut($0) }.joined(separator: ", ")
        return Problem(
            "decode.class", "found an object of class \(cut(name)); allowed are \(names)", address: value.address)
    }

    static func decodingDepth(_ limit: Int, at value: ArchivedValue) -> Problem {
        Problem("decode.depth", "values are nested more than \(limit) deep", address: value.address)
    }

    static func decodingCycle(at value: ArchivedValue) -> Problem {
        Problem(
            "decode.cycle", "the object contains itself; a field that leads back must be a reference",
            address: value.address)
    }

    static func expansion(at value: ArchivedValue) -> Problem {
        Problem(
            "decode.expansion", "shared objects would become too many values when they are copied",
            address: value.address)
    }

    static func notOpen() -> Problem {
        Problem("decode.closed", "no archive was opened")
    }

    // MARK: Writing

    static func encodingDepth(_ limit: Int, at path: ArchivePath) -> Problem {
        Problem("encode.depth", "values are nested more than \(limit) deep", address: path.address)
    }

    static func encodingCycle(at path: ArchivePath) -> Problem {
        Problem(
            "encode.cycle", "the object contains itself and has no fields that could refer to it", address: path.address
        )
    }

    static func integerTooLarge(at path: ArchivePath) -> Problem {
        Problem(
            "encode.range", "the integer is too large for an archive; the largest is 2^127-1", address: path.address)
    }

    static func mixedContainers(at path: ArchivePath) -> Problem {
        Problem(
            "encode.container", "the value is encoded as two things; expected fields, elements or a single value",
            address: path.address)
    }

    static func rootTwice(_ key: String) -> Problem {
        Problem("encode.root", "there is a root \(quoted(key)) already", address: .root)
    }

    // MARK: Errors of Swift's coding

    /// What a coding error says, with the address that its path is. Errors of the containers carry a problem already;
    /// others are of the program's own.
    init(coding error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
            self.init("decode.value", context.codingPath, context.debugDescription, context.underlyingError)
        case EncodingError.invalidValue(_, let context):
            self.init("encode.value", context.codingPath, context.debugDescription, context.underlyingError)
        default: self.init("coding.error", SafeText.escaping(String(describing: error)))
        }
    }

    private init(_ id: String, _ path: [any CodingKey], _ sentence: String, _ underlying: (any Error)?) {
        if let problem = underlying as? Problem {
            self = problem
        } else {
            self.init(
                id, SafeText.escaping(sentence), address: Address(tokens: path.map { Array($0.stringValue.utf16) }))
        }
    }

    /// The problem as the error that a type's own `init(from:)` expects to catch.
    func decodingError(_ type: Any.Type, _ path: [any CodingKey], key: (any CodingKey)? = nil) -> DecodingError {
        let context = DecodingError.Context(codingPath: path, debugDescription: message, underlyingError: self)
        switch id {
        case "decode.missing":
            guard let key else { return .valueNotFound(type, context) }
            return .keyNotFound(key, context)
        case "decode.nil": return .valueNotFound(type, context)
        case "decode.kind": return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    // MARK: Parts of sentences

    private static func cut(_ text: String) -> String {
        SafeText.escaping(text.utf16.prefix(40))
    }

    private static func quoted(_ text: String) -> String {
        "\"\(cut(text))\""
    }
}
