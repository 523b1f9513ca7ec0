package import KeyedArchives
public import SaveCodec

/// An encoder that writes `Codable` values as a plain property list, as Foundation's `PropertyListEncoder` does.
///
/// Preferences, high-score tables and feeds are plain property lists.
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
/// A struct becomes a dictionary, a set becomes an array, and nil becomes the string `$null`, or null in JSON. Fields
/// keep the order in which they are encoded; members of sets and dictionaries are written in a stable order. Types of
/// ``KeyedArchiveEncoder``, such as ``ArchivedData``, are supported, too. Errors are ``Problem``s with the address of
/// the value.
///
/// XML and the GNUstep format store dates in whole seconds, so a date is rounded down, as by Foundation.
///
/// JSON is typed JSON: a date, data, a `Float`, NaN and an infinity are objects such as
/// `{"$date": "2009-09-06T12:34:56Z"}`, which `JSONDecoder` cannot read.
public struct PlistEncoder: Sendable {
    /// The maximum nesting depth of values, see ``KeyedArchiveEncoder/maxDepth``.
    public var maxDepth = 128
    /// The information available to `encode(to:)` of the values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    private var template: PlainTemplate?

    /// Creates an encoder.
    public init() {}

    /// Creates an encoder that writes values into the property list or JSON that they were read from.
    ///
    /// Numbers keep their kinds and widths, and null stays null. Dictionaries keep the order of their keys, and the
    /// keys that the types do not mention; a key that a type mentions but does not encode is removed. See
    /// ``KeyedArchiveEncoder/init(like:)``, and ``encodeDocumentWithWarnings(_:)`` for warnings.
    public init(like document: Document) {
        template = PlainTemplate(view: ObjectView(document))
    }

    /// Returns a value as a file. XML files contain each `Float` with enough digits to read back the same value.
    ///
    /// - Throws: A problem, with the address of the value that cannot be encoded or that the format cannot represent.
    public func encode(_ value: some Encodable, as format: Format = .binary) throws(Problem) -> [UInt8] {
        let document = try encodeDocument(value, for: format).document
        if let loss = document.losses(as: format).first { throw loss }
        return try document.bytes(as: format)
    }

    /// Returns a value as a document. Without a template, no format is known: nil is the string `$null`, and dates keep
    /// their fractions.
    ///
    /// - Throws: A problem, with the address of the value that cannot be encoded.
    public func encodeDocument(_ value: some Encodable) throws(Problem) -> Document {
        try encodeDocumentWithWarnings(value).document
    }

    /// Returns a value as a document, and a warning with an address for each value whose storage the template does not
    /// determine.
    ///
    /// - Throws: A problem, with the address of the value that cannot be encoded.
    public func encodeDocumentWithWarnings(
        _ value: some Encodable
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        try encodeDocument(value, for: template?.view.document.sourceFormat)
    }

    private func encodeDocument(
        _ value: some Encodable, for format: Format?
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        let session = EncodingSession(PlainOutput(template, for: format), maxDepth: maxDepth, userInfo: userInfo)
        do {
            try session.encodeRoot(
                value, forKey: nil, storage: .plain, at: template?.slot.map { CodingSteps($0.address) })
        } catch {
            throw Problem(coding: error)
        }
        return try session.finish()
    }

    /// Returns a document in which the value at a position of a container, or the root, is replaced.
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

/// A decoder that reads `Codable` values from a plain property list or JSON, see ``PlistEncoder``.
///
/// `Codable` types read a number of any width by its value, but no Boolean, number, date or data as another kind. The
/// exceptions are formats that lack a kind: JSON and databases read a date from the number of its seconds since 2001,
/// and databases read a Boolean from 0 or 1.
///
/// Errors are ``Problem``s with the address of the value: `/3/points: found a string; expected an integer`.
public struct PlistDecoder: Sendable {
    /// The maximum nesting depth of values, see ``KeyedArchiveDecoder/maxDepth``.
    public var maxDepth = 128
    /// The limits on the file, and on the number of copies of shared objects.
    public var limits = Limits()
    /// The information available to `init(from:)` of the values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    public init() {}

    /// Returns the value of a file in any format. An archive is read as a plain property list.
    ///
    /// - Throws: A problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws(Problem) -> Value {
        try decode(type, from: Document.readSave(bytes, as: Format.recognize(bytes), limits: limits))
    }

    /// Returns the value of a document.
    ///
    /// - Throws: A problem, with the address of the value that cannot be read.
    public func decode<Value: Decodable>(_ type: Value.Type, from document: Document) throws(Problem) -> Value {
        let rules = DecodingRules(maxDepth: maxDepth, limits: limits, userInfo: userInfo)
        do {
            return try DecodingSession(ArchivedValueSource(document), rules).decodeRoot(type, forKey: nil)
        } catch {
            throw Problem(coding: error)
        }
    }
}
