import KeyedArchives
import SaveCodec

/// The destination of encoded values: an archive or a plain property list.
protocol EncodingOutput: AnyObject {
    /// The archive to which objects of Foundation's classes are added; nil for a property list, in which such values
    /// are stored as they encode themselves.
    var archive: ArchiveOutput? { get }
    /// Reserves a number by which an object can be referred to before it is complete; nil if the output has no
    /// references.
    func reserve() -> UID?
    func encoded(_ scalar: Scalar, _ storage: ValueEncoder.Storage) -> EncodedValue
    /// Returns an object of a class, or a dictionary for a nil class.
    func fields(
        _ fields: [(name: String, encoded: EncodedValue)], of name: ClassRecordNames?, as uid: UID?,
        _ storage: ValueEncoder.Storage
    ) -> EncodedValue
    /// Records metadata about an encoded object.
    func note(_ metadata: EncodedObjectMetadata, of encoded: EncodedValue)
    func elements(_ elements: [EncodedValue], isSet: Bool, as uid: UID?, _ storage: ValueEncoder.Storage)
        -> EncodedValue
    /// Returns a dictionary, or nil if dictionaries are encoded as Swift encodes them.
    func pairs(_ pairs: () throws -> [(key: EncodedValue, value: EncodedValue)], _ storage: ValueEncoder.Storage)
        rethrows
        -> EncodedValue?
    func finish(
        _ roots: [(key: String?, encoded: EncodedValue)], keepingUnreachable: Bool
    ) throws(Problem) -> EncodedDocument
}

/// A document, and the warnings about values whose storage the template does not determine.
typealias EncodedDocument = (document: Document, warnings: [Problem])

/// An encoded value, as it is stored in a field.
enum EncodedValue {
    case null
    /// A number in place.
    case number(Scalar.Number)
    /// Another value in place.
    case scalar(Scalar)
    /// A reference to an object, in an archive.
    case reference(UID)
    /// A dictionary in a property list, and its number among the dictionaries.
    ///
    /// Names and values are separate lists because Swift 6.3 rejects a list of pairs as a circular reference.
    case fields(names: [String], values: [EncodedValue], number: Int)
    /// An array, in a property list.
    case elements([EncodedValue])
}

extension DocumentBuilder {
    /// Adds null, or the text that represents nil.
    mutating func addNil(asNull: Bool) {
        if asNull { addNull() } else { add(string: PlainOutput.nilText) }
    }

    mutating func add(_ scalar: Scalar) {
        switch scalar {
        case .number(.boolean(let value)): add(boolean: value)
        case .number(.integer(let value)): add(integer: value)
        case .number(.real32(let value)): add(real32: value)
        case .number(.real64(let value)): add(real64: value)
        case .string(let text): add(string: text)
        case .data(let bytes): add(data: bytes.span)
        case .date(let seconds): add(date: seconds)
        }
    }
}

// MARK: Property lists

/// An output that builds a plain property list. nil becomes null in JSON and otherwise the string `$null`, as in
/// Foundation.
final class PlainOutput: EncodingOutput {
    /// The property list that the value is written into; nil for a new one.
    private let template: PlainTemplate?
    private let format: Format?
    private let hasNull: Bool
    /// Whether the fraction of a second of a date is dropped, as in Foundation's XML.
    private let dropsFractions: Bool
    private var metadata: [Int: EncodedObjectMetadata] = [:]
    private var dictionaryCount = 0

    /// - Parameter format: The format of the file; nil if it is unknown.
    init(_ template: PlainTemplate? = nil, for format: Format? = nil) {
        (self.template, self.format) = (template, format)
        hasNull = format?.has(.typedJSON) ?? false
        dropsFractions = format?.has(.wholeSeconds) ?? false
    }

    var archive: ArchiveOutput? { nil }

    func reserve() -> UID? { nil }

    func encoded(_ scalar: Scalar, _ storage: ValueEncoder.Storage) -> EncodedValue {
        switch scalar {
        case .number(let number): .number(number)
        case .date(let seconds) where dropsFractions: .scalar(.date(seconds.rounded(.down)))
        default: .scalar(scalar)
        }
    }

    func fields(
        _ fields: [(name: String, encoded: EncodedValue)], of name: ClassRecordNames?, as uid: UID?,
        _ storage: ValueEncoder.Storage
    ) -> EncodedValue {
        dictionaryCount += 1
        return .fields(names: fields.map(\.name), values: fields.map(\.encoded), number: dictionaryCount)
    }

    func note(_ metadata: EncodedObjectMetadata, of encoded: EncodedValue) {
        guard template != nil, case .fields(_, _, let number) = encoded else { return }
        self.metadata[number] = metadata
    }

    func elements(_ elements: [EncodedValue], isSet: Bool, as uid: UID?, _ storage: ValueEncoder.Storage)
        -> EncodedValue
    {
        .elements(elements)
    }

    func pairs(_ pairs: () throws -> [(key: EncodedValue, value: EncodedValue)], _ storage: ValueEncoder.Storage)
        rethrows
        -> EncodedValue?
    { nil }

    func finish(
        _ roots: [(key: String?, encoded: EncodedValue)], keepingUnreachable: Bool
    ) throws(Problem) -> EncodedDocument {
        if let template {
            var writer = PlainTemplateWriter(template, metadata, for: format)
            let document = try writer.document(roots.first?.encoded ?? .null)
            return (document, writer.warnings)
        }
        var builder = DocumentBuilder()
        add(roots.first?.encoded ?? .null, to: &builder)
        return (try builder.finish(), [])
    }

    /// Adds an encoded value. Recursive, up to the nesting limit of values.
    private func add(_ encoded: EncodedValue, to builder: inout DocumentBuilder) {
        switch encoded {
        case .null, .reference: builder.addNil(asNull: hasNull)
        case .number(let number): builder.add(.number(number))
        case .scalar(let scalar): builder.add(scalar)
        case .fields(let names, let values, _):
            builder.open(.dictionary)
            for (name, encoded) in zip(names, values) {
                builder.add(string: name)
                add(encoded, to: &builder)
            }
            builder.close()
        case .elements(let elements):
            builder.open(.array)
            for element in elements { add(element, to: &builder) }
            builder.close()
        }
    }

    /// The text that represents nil.
    static let nilText = "$null"
}
