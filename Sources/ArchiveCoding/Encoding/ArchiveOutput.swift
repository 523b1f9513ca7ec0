import KeyedArchives
import SaveCodec

/// An output that builds an archive: numbered objects, and the records of their classes.
final class ArchiveOutput: EncodingOutput {
    private var builder = KeyedArchiveBuilder()
    private var classRecords: [ClassRecordNames: UID] = [:]
    private var null: UID?
    /// The archive that the values are written into; nil for a new one.
    private let template: EncodingTemplate?
    private var notes: [UID: EncodedObjectMetadata] = [:]

    init(_ template: EncodingTemplate? = nil) {
        self.template = template
    }

    var archive: ArchiveOutput? { self }

    var hasTemplate: Bool { template != nil }

    func reserve() -> UID? {
        builder.reserve()
    }

    // MARK: Plain values

    func encoded(_ scalar: Scalar, _ storage: ValueEncoder.Storage) -> EncodedValue {
        switch scalar {
        case .number(let number): storage == .boxed ? .reference(object(number)) : .number(number)
        case .date: object("NSDate", [("NS.time", .scalar(scalar))])
        case .string(let text): .reference(add(string: text, storage))
        case .data(let bytes): storage == .mutable ? mutableData(scalar) : .reference(add(data: bytes))
        }
    }

    private func mutableData(_ scalar: Scalar) -> EncodedValue {
        object("NSMutableData", [("NS.data", .scalar(scalar))])
    }

    func add(data bytes: [UInt8]) -> UID {
        builder.add { $0.add(data: bytes.span) }
    }

    /// Adds a string as a plain value, or as an NSMutableString if it is mutable or is `$null`, which would be read as
    /// nil.
    func add(string text: String, _ storage: ValueEncoder.Storage = .plain) -> UID {
        guard storage == .mutable || text == PlainOutput.nilText else { return builder.add(string: text) }
        return add("NSMutableString", [("NS.string", .scalar(.string(text)))])
    }

    /// Adds the text of a point, a size or a rectangle.
    func add(geometry text: String) -> UID {
        let uid = add(string: text)
        if template != nil { notes[uid] = EncodedObjectMetadata(isGeometry: true) }
        return uid
    }

    func object(_ number: Scalar.Number) -> UID {
        builder.add { $0.add(.number(number)) }
    }

    // MARK: Objects

    func fields(
        _ fields: [(name: String, encoded: EncodedValue)], of name: ClassRecordNames?, as uid: UID?,
        _ storage: ValueEncoder.Storage
    ) -> EncodedValue {
        guard let name else {
            return dictionary(fields.map { (.reference(add(string: $0.name)), $0.encoded) }, as: uid, storage)
        }
        return .reference(add(name, fields.map { (FieldNameEscaping.stored($0.name), $0.encoded) }, as: uid))
    }

    func note(_ metadata: EncodedObjectMetadata, of encoded: EncodedValue) {
        guard template != nil, case .reference(let uid) = encoded else { return }
        notes[uid] = metadata
    }

    func elements(_ elements: [EncodedValue], isSet: Bool, as uid: UID?, _ storage: ValueEncoder.Storage)
        -> EncodedValue
    {
        collection(elements, of: ClassRecordNames(storage.className(isSet ? "Set" : "Array")), as: uid)
    }

    func pairs(_ pairs: () throws -> [(key: EncodedValue, value: EncodedValue)], _ storage: ValueEncoder.Storage)
        rethrows
        -> EncodedValue?
    {
        dictionary(try pairs(), as: nil, storage)
    }

    private func dictionary(
        _ pairs: [(key: EncodedValue, value: EncodedValue)], as uid: UID?, _ storage: ValueEncoder.Storage
    ) -> EncodedValue {
        collection(
            keys: pairs.map(\.key), pairs.map(\.value), of: ClassRecordNames(storage.className("Dictionary")), as: uid)
    }

    /// Returns an object of a Foundation class, with the field names that the class uses.
    func object(_ className: String, _ fields: [(String, EncodedValue)]) -> EncodedValue {
        .reference(add(className, fields))
    }

    private func add(_ className: String, _ fields: [(String, EncodedValue)]) -> UID {
        add(ClassRecordNames(className), fields, as: nil)
    }

    private func add(_ name: ClassRecordNames, _ fields: [(String, EncodedValue)], as reserved: UID?) -> UID {
        let record = record(name)
        let uid = reserved ?? builder.reserve()
        builder.begin(uid, of: record)
        for (name, encoded) in fields {
            builder.contents.add(string: name)
            add(encoded)
        }
        builder.end()
        return uid
    }

    private func collection(
        keys: [EncodedValue]? = nil, _ values: [EncodedValue], of name: ClassRecordNames, as reserved: UID?
    ) -> EncodedValue {
        let keys = keys?.map(element)
        let values = values.map(element)
        let record = record(name)
        let uid = reserved ?? builder.reserve()
        builder.begin(uid, of: record)
        builder.addCollection(keys: keys, values)
        builder.end()
        return .reference(uid)
    }

    /// Returns the object for an element. Unlike a field, an element cannot be stored in place or be nil.
    private func element(_ encoded: EncodedValue) -> UID {
        switch encoded {
        case .reference(let uid): return uid
        case .number(let number): return object(number)
        default:
            let uid = null ?? add("NSNull", [])
            null = uid
            return uid
        }
    }

    private func add(_ encoded: EncodedValue) {
        switch encoded {
        case .reference(let uid): builder.refer(to: uid)
        case .number(let number): builder.contents.add(.number(number))
        case .scalar(.date(let seconds)): builder.contents.add(real64: seconds)
        case .scalar(let scalar): builder.contents.add(scalar)
        case .null, .fields, .elements: builder.refer(to: .null)
        }
    }

    /// Returns the record of a class. Must be called before an object that needs the record is begun.
    private func record(_ name: ClassRecordNames) -> UID {
        if let known = classRecords[name] { return known }
        let uid = builder.addClass(name.name, chain: name.chain)
        classRecords[name] = uid
        return uid
    }

    // MARK: The archive

    func finish(
        _ roots: [(key: String?, encoded: EncodedValue)], keepingUnreachable: Bool
    ) throws(Problem) -> EncodedDocument {
        builder.beginTop()
        for root in roots {
            builder.contents.add(string: FieldNameEscaping.stored(root.key ?? "root"))
            add(root.encoded)
        }
        builder.end()
        var finished = KeyedArchiveBuilder()
        swap(&finished, &builder)
        guard let template else { return (try finished.finish(keepingUnreachable: keepingUnreachable), []) }
        let new = try KeyedArchive(finished.assembled(keepingUnreachable: false))
        if let slot = template.slot {
            return try TemplateWriter(template.archive, new: new, notes: notes, replacing: slot.address)
                .document(replacing: slot.position, of: slot.container)
        }
        return try TemplateWriter(template.archive, new: new, notes: notes).replacingRoots()
    }
}
