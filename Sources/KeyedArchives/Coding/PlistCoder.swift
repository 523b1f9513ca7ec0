public import SaveCodec

/// Writes `Codable` values as a plain property list, as Foundation's `PropertyListEncoder` does: preferences, tables of
/// high scores, feeds.
///
///     struct Score: Codable {
///         var name: String
///         var points: Int
///         var date: ArchivedDate                                   // or Foundation's Date
///     }
///
///     let scores = try PlistDecoder().decode([Score].self, from: bytes)
///     let bytes = try PlistEncoder().encode(scores, as: .xml)
///
/// A struct is a dictionary, a set an array, nil the string `$null`; fields keep the order in which they are encoded, and
/// members of sets and dictionaries are written in one that does not change. For archives see ``KeyedArchiveEncoder``,
/// whose types, such as ``ArchivedData``, are understood here too. Errors are ``Problem``s with the address of the value.
public struct PlistEncoder {
    /// How many values may contain each other, see ``KeyedArchiveEncoder/maxDepth``.
    public var maxDepth = 128
    /// What `encode(to:)` of the values may look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    private var template: PlainTemplate?

    /// Creates an encoder.
    public init() {}

    /// Creates an encoder that writes values into the property list or JSON that they were read from. Numbers keep
    /// their kinds and widths, dictionaries the order of their keys and the keys that the types do not mention. See
    /// ``KeyedArchiveEncoder/init(like:)``.
    public init(like document: Document) {
        template = PlainTemplate(view: ObjectView(document))
    }

    /// A value as a file. In XML a `Float` is written in digits, from which the same one is read.
    ///
    /// - Throws: a problem, with the address of the value that cannot be encoded, or that the format cannot hold.
    public func encode(_ value: some Encodable, as format: Format = .binary) throws(Problem) -> [UInt8] {
        let document = try encodeDocument(value)
        if let loss = document.losses(as: format).first { throw loss }
        return try document.bytes(as: format)
    }

    /// A value as a document.
    ///
    /// - Throws: a problem, with the address of the value that cannot be encoded.
    public func encodeDocument(_ value: some Encodable) throws(Problem) -> Document {
        try encodeDocumentWithWarnings(value).document
    }

    /// Returns a value as a document, and a warning with an address for each value whose storage the template leaves
    /// open.
    ///
    /// - Throws: a problem, with the address of the value that cannot be encoded.
    func encodeDocumentWithWarnings(
        _ value: some Encodable
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        let output = PlainOutput(template)
        let session = EncodingSession(output, maxDepth: maxDepth, userInfo: userInfo)
        do {
            try session.encodeRoot(
                value, forKey: nil, style: .plain, at: template?.slot.map { CodingSteps($0.address) })
        } catch {
            throw Problem(coding: error)
        }
        let document = try session.finish()
        return (document, output.warnings)
    }

    /// Returns the document with the value at a position of a container, or the root, replaced.
    package static func replace(
        _ position: Int?, of container: ViewID?, in view: ObjectView, with value: some Encodable,
        at address: JSONPointer
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        var encoder = PlistEncoder()
        var template = PlainTemplate(view: view)
        if let position, let container { template.slot = (position, container, address) }
        encoder.template = template
        return try encoder.encodeDocumentWithWarnings(value)
    }
}

/// Reads `Codable` values from a plain property list or JSON, see ``PlistEncoder``.
///
/// Numbers are read by their value, whatever their width. Errors are ``Problem``s with the address of the value:
/// `/3/points: found a string; expected an integer`.
public struct PlistDecoder {
    /// How many values may contain each other, see ``KeyedArchiveDecoder/maxDepth``.
    public var maxDepth = 128
    /// Bounds of the file, and of how many copies shared objects may become.
    public var limits = Limits()
    /// What `init(from:)` of the values may look up.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    public init() {}

    /// The value of a file in any format. An archive is read as the property list that it is stored as.
    ///
    /// - Throws: a problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
        try decode(type, from: Document.readSave(bytes, as: Format.recognize(bytes), limits: limits))
    }

    /// The value of a document.
    ///
    /// - Throws: a problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from document: Document) throws(Problem) -> Value {
        let rules = DecodingRules(maxDepth: maxDepth, limits: limits, userInfo: userInfo)
        do {
            return try DecodingSession(ArchiveSource(document), rules).decodeRoot(type, forKey: nil)
        } catch {
            throw Problem(coding: error)
        }
    }
}
