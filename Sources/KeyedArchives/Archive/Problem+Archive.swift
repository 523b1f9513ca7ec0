package import SaveCodec

/// What can be wrong with an archive (<doc:ArchiveFindings>): the root, class records, objects, Foundation's classes.
extension Problem {
    private static func archive(
        _ kind: String, _ message: String, severity: Severity = .error, _ document: Document, _ id: ObjectID?,
        _ address: JSONPointer
    ) -> Problem {
        Problem(kind, message, severity: severity, at: id.flatMap(document.place), address: address)
    }

    // MARK: The root

    static func memberMissing(_ member: Envelope.Member) -> Problem {
        Problem("archive.member", "there is no \(member.rawValue), which an archive has", address: .member(member))
    }

    static func memberKind(_ member: Envelope.Member, _ document: Document, _ id: ObjectID) -> Problem {
        archive(
            "archive.member-kind", "\(member.rawValue) is \(document.kindName(id)); expected \(member.kindName)",
            document, id,
            .member(member))
    }

    static func version(_ found: String, _ document: Document, _ id: ObjectID) -> Problem {
        archive("archive.version", "$version is \(found); expected 100000", document, id, .member(.version))
    }

    static func objectsEmpty(_ document: Document, _ id: ObjectID) -> Problem {
        archive("archive.null", "$objects is empty; expected \"$null\" as object 0", document, id, .member(.objects))
    }

    static func firstIsNotNull(_ document: Document, _ id: ObjectID) -> Problem {
        archive(
            "archive.null", "object 0 is \(document.valueName(id)); expected \"$null\"", document, id, .object(.null))
    }

    static func memberUnknown(_ key: ObjectID, _ document: Document) -> Problem {
        archive(
            "archive.member-unknown",
            "\(document.text(key)?.quoted ?? "\(document.kindName(key)) as a key") has no meaning beside $objects",
            severity: .warning, document, key, .root)
    }

    static func memberRepeated(_ member: Envelope.Member) -> Problem {
        Problem(
            "archive.member-repeated", "\(member.rawValue) stands more than once; readers keep one", severity: .warning,
            address: .member(member))
    }

    // MARK: Class records

    static func classNameMissing(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive("archive.class-name", "the class record has no $classname", document, id, address)
    }

    static func classNameKind(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.class-name", "the name of a class is \(document.kindName(id)); expected a string", document, id,
            address)
    }

    static func classNameEmpty(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.class-name-empty", "the name of the class is empty", severity: .warning, document, id, address)
    }

    static func classRecordsTooMany(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive("archive.class-count", "there are more than 2147483648 class records", document, id, address)
    }

    static func classNamesKind(_ key: StaticString, _ document: Document, _ id: ObjectID, _ address: JSONPointer)
        -> Problem
    {
        archive(
            "archive.class-chain", "\(key) is \(document.kindName(id)); expected an array of class names", document, id,
            address
        )
    }

    static func classNamesElement(
        _ key: StaticString, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        archive("archive.class-chain", "\(key) holds other things than class names", document, id, address)
    }

    static func classRenamed(_ record: ClassRecord, _ document: Document, _ id: ObjectID, _ address: JSONPointer)
        -> Problem
    {
        archive(
            "archive.class-renamed",
            "class \(record.shownName) has no ancestors; it was given this name when it was archived",
            severity: .info, document, id, address)
    }

    static func classChain(_ record: ClassRecord, _ document: Document, _ id: ObjectID, _ address: JSONPointer)
        -> Problem
    {
        archive(
            "archive.class-chain-start", "the chain of class \(record.shownName) does not begin with the class",
            severity: .warning,
            document, id, address)
    }

    static func classTwice(
        _ record: ClassRecord, before: UID, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        archive(
            "archive.class-twice", "class \(record.shownName) has a record already, object \(before.index)",
            severity: .warning,
            document, id, address)
    }

    static func classRecordMember(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.class-member", "the class record holds more than name, chain and hints", severity: .warning,
            document, id,
            address)
    }

    static func classRecordRepeats(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.class-member", "a key stands more than once in the class record; readers keep one",
            severity: .warning,
            document, id, address)
    }

    // MARK: Objects

    static func uidRange(
        _ uid: Int, count: Int, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        let others = count == 0 ? "the archive has none" : "the archive's are 0 to \(count - 1)"
        return archive("archive.uid-range", "UID \(uid) refers to no object; \(others)", document, id, address)
    }

    static func classAsValue(_ uid: Int, _ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.class-as-value", "UID \(uid) is a class record; expected an object or nil", severity: .warning,
            document,
            id,
            address)
    }

    static func uidAsObject(_ uid: UInt32, _ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.uid-as-object", "the object is UID \(uid); expected a value or the object of a class", document,
            id,
            address)
    }

    static func uidNumber(at place: SourceLocation?) -> Problem {
        Problem(
            .archiveUIDNumber, "the number under CF$UID is no UID; expected a whole number from 0 to 4294967295",
            at: place)
    }

    static func uidForm(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.uid-form",
            "a dictionary with CF$UID that is no UID; expected CF$UID alone, with a number from 0 to 4294967295",
            document, id, address)
    }

    static func uidInPlain(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.uid-in-plain", "a UID in a value without $class; UIDs are followed in objects of a class only",
            document,
            id, address)
    }

    static func nullElsewhere(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.null-elsewhere", "the string \"$null\" stands for nil, as object 0 does", severity: .info,
            document, id,
            address)
    }

    static func plainContainer(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive(
            "archive.no-class", "the object is \(document.kindName(id)) without $class, which is read as a plain value",
            severity: .warning, document, id, address)
    }

    static func classIsNoReference(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive("archive.class-reference", "$class is \(document.kindName(id)); expected a UID", document, id, address)
    }

    static func classRepeated(_ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        archive("archive.class-repeated", "$class stands more than once in the object", document, id, address)
    }

    static func classIsNoRecord(_ uid: Int, _ document: Document, _ id: ObjectID, _ address: JSONPointer) -> Problem {
        let found = uid == 0 ? "0, which is nil" : "\(uid), which is no class record"
        return archive("archive.class-record", "the class is object \(found)", document, id, address)
    }

    // MARK: Foundation's classes

    static func fieldMissing(
        _ field: String, of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        archive("archive.field-missing", "\(name.shownAsClass) has no \(field)", document, id, address)
    }

    static func fieldKind(
        _ field: String, of name: StoredString, is found: String, expected: String, _ document: Document,
        _ id: ObjectID,
        _ address: JSONPointer
    ) -> Problem {
        archive(
            "archive.field-kind", "\(field) of \(name.shownAsClass) is \(found); expected \(expected)", document, id,
            address)
    }

    static func timeIsNaN(
        _ field: String, of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    )
        -> Problem
    {
        archive(
            "archive.time-nan", "\(field) of \(name.shownAsClass) is not a number, so that it tells no date",
            severity: .warning,
            document, id, address)
    }

    static func elementKind(
        of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        archive(
            "archive.element-kind", "an element of \(name.shownAsClass) is \(document.kindName(id)); expected a UID",
            document,
            id, address)
    }

    static func elementNil(of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer)
        -> Problem
    {
        archive(
            "archive.element-nil", "an element of \(name.shownAsClass) is nil, which is dropped or refused", document,
            id,
            address)
    }

    static func keyRepeated(of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer)
        -> Problem
    {
        archive(
            "archive.key-repeated",
            "the key stands before in this \(name.shownAsClass); readers keep one of its values",
            severity: .warning, document, id, address)
    }

    static func pairCount(
        keys: Int, values: Int, of name: StoredString, _ document: Document, _ id: ObjectID, _ address: JSONPointer
    ) -> Problem {
        archive(
            "archive.pair-count",
            "\(name.shownAsClass) has \(keys) \(keys == 1 ? "key" : "keys") for \(values) \(values == 1 ? "value" : "values")",
            document, id, address)
    }
}

extension Document {
    /// What an object is, with an article: `a string`, `an array`.
    func kindName(_ id: ObjectID) -> String {
        self[id].kindName
    }

    /// A string in quotation marks or an integer, of other objects what they are.
    func valueName(_ id: ObjectID) -> String {
        switch self[id] {
        case .string(let text): text.quoted
        case .integer(let integer): integer.value.description
        case let node: node.kindName
        }
    }
}

extension Node {
    /// What the value is, with an article.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real32, .real64: "a real"
        case .date: "a date"
        case .data: "data"
        case .string: "a string"
        case .uid: "a UID"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        }
    }
}

extension Envelope.Member {
    fileprivate var kindName: String {
        switch self {
        case .version: "the integer 100000"
        case .archiver: "a string"
        case .top: "a dictionary"
        case .objects: "an array"
        }
    }
}

extension JSONPointer {
    fileprivate static func member(_ member: Envelope.Member) -> JSONPointer {
        JSONPointer(tokens: [Array(member.rawValue.utf16)])
    }
}

extension StoredString {
    /// The text in quotation marks; of a long one the beginning.
    fileprivate var quoted: String { "\"\(SafeText.escaping(prefix(40)))\(count > 40 ? "…" : "")\"" }

    /// The name of a class as a sentence shows it.
    package var shownAsClass: String {
        isEmpty ? "\"\"" : SafeText.escaping(prefix(80)) + (count > 80 ? "…" : "")
    }
}

extension ClassRecord {
    /// The name as a sentence shows it.
    fileprivate var shownName: String { name.shownAsClass }
}

extension Problem.Kind {
    /// A number in place of a UID that is none.
    package static let archiveUIDNumber = Problem.Kind("archive.uid-number")
}
