package import SaveCodec

/// An object about which a problem of an archive is reported: a value, or a member of an object.
struct ReportedObject {
    let document: Document
    let id: ObjectID
    /// The address in the property list.
    let address: JSONPointer

    init(_ id: ObjectID, of document: Document, address: JSONPointer) {
        self.id = id
        self.document = document
        self.address = address
    }

    /// The kind of the object, with an article: `a string`, `an array`.
    fileprivate var kindName: String { document.kindName(id) }
}

/// The findings about an archive (<doc:ArchiveFindings>): the root, class records, objects, Foundation's classes.
extension Problem {
    private static func archive(
        _ kind: String, _ message: String, severity: Severity = .error, at object: ReportedObject
    ) -> Problem {
        Problem(
            kind, message, severity: severity, at: object.document.location(of: object.id), address: object.address)
    }

    // MARK: The root

    static func memberMissing(_ member: ArchiveRoot.Member) -> Problem {
        Problem("archive.member", "\(member.rawValue) is missing; every archive needs it", address: .member(member))
    }

    static func memberKind(_ member: ArchiveRoot.Member, in document: Document, at id: ObjectID) -> Problem {
        archive(
            "archive.member-kind", "\(member.rawValue) is \(document.kindName(id)); expected \(member.kindName)",
            at: ReportedObject(id, of: document, address: .member(member)))
    }

    static func version(_ found: String, in document: Document, at id: ObjectID) -> Problem {
        archive(
            "archive.version", "$version is \(found); expected 100000",
            at: ReportedObject(id, of: document, address: .member(.version)))
    }

    static func objectsEmpty(in document: Document, at id: ObjectID) -> Problem {
        archive(
            "archive.null", "$objects is empty; expected \"$null\" as object 0",
            at: ReportedObject(id, of: document, address: .member(.objects)))
    }

    static func firstIsNotNull(in document: Document, at id: ObjectID) -> Problem {
        archive(
            "archive.null", "object 0 is \(document.valueName(id)); expected \"$null\"",
            at: ReportedObject(id, of: document, address: .object(.null)))
    }

    static func memberUnknown(_ key: ObjectID, in document: Document) -> Problem {
        archive(
            "archive.member-unknown",
            "\(document.text(key)?.quoted ?? "\(document.kindName(key)) as a key") is not an archive member",
            severity: .warning, at: ReportedObject(key, of: document, address: .root))
    }

    static func memberDuplicate(_ member: ArchiveRoot.Member) -> Problem {
        Problem(
            "archive.member-repeated", "\(member.rawValue) is a duplicate key; readers keep one value",
            severity: .warning,
            address: .member(member))
    }

    // MARK: Class records

    static func classNameMissing(at object: ReportedObject) -> Problem {
        archive("archive.class-name", "the class record has no $classname", at: object)
    }

    static func classNameKind(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-name", "the name of a class is \(object.kindName); expected a string", at: object)
    }

    static func classNameEmpty(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-name-empty", "the name of the class is empty", severity: .warning, at: object)
    }

    static func classRecordsTooMany(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-count", "the archive has more than 2147483648 class records", at: object)
    }

    static func classNamesKind(_ key: StaticString, at object: ReportedObject) -> Problem {
        archive(
            "archive.class-chain", "\(key) is \(object.kindName); expected an array of class names", at: object)
    }

    static func classNamesElement(_ key: StaticString, at object: ReportedObject) -> Problem {
        archive(
            "archive.class-chain", "\(key) contains values that are not class names", at: object)
    }

    static func classRenamed(_ record: ClassRecord, at object: ReportedObject) -> Problem {
        archive(
            "archive.class-renamed",
            "class \(record.shownName.escaped) has no ancestors; the archiver gave it this name",
            severity: .info, at: object)
    }

    static func classChain(_ record: ClassRecord, at object: ReportedObject) -> Problem {
        archive(
            "archive.class-chain-start",
            "the class chain of \(record.shownName.escaped) does not begin with that class",
            severity: .warning, at: object)
    }

    static func classTwice(
        _ record: ClassRecord, before: UID, at object: ReportedObject
    ) -> Problem {
        archive(
            "archive.class-twice", "class \(record.shownName.escaped) already has a record, object \(before.index)",
            severity: .warning,
            at: object)
    }

    static func classRecordMember(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-member", "the class record has members other than its name, chain and hints",
            severity: .warning,
            at: object)
    }

    static func classRecordDuplicate(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-member", "the class record has a duplicate key; readers keep one value",
            severity: .warning,
            at: object)
    }

    // MARK: Objects

    static func uidRange(_ uid: Int, count: Int, at object: ReportedObject) -> Problem {
        let others = count == 0 ? "the archive has no objects" : "expected 0 to \(count - 1)"
        return archive(
            "archive.uid-range", "UID \(uid) refers to no object; \(others)", at: object)
    }

    static func classAsValue(_ uid: Int, at object: ReportedObject) -> Problem {
        archive(
            "archive.class-as-value", "UID \(uid) is a class record; expected an object or nil", severity: .warning,
            at: object)
    }

    static func uidAsObject(_ uid: UInt32, at object: ReportedObject) -> Problem {
        archive(
            "archive.uid-as-object", "the object is UID \(uid); expected a value, or an object with a class",
            at: object)
    }

    static func uidNumber(at location: SourceLocation?) -> Problem {
        Problem(
            .archiveUIDNumber, "the number under CF$UID is not a UID; expected an integer from 0 to 4294967295",
            at: location)
    }

    static func uidForm(at object: ReportedObject) -> Problem {
        archive(
            "archive.uid-form",
            "a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295",
            at: object)
    }

    static func uidInPlain(at object: ReportedObject) -> Problem {
        archive(
            "archive.uid-in-plain",
            "found a UID in a value without $class; only objects with a class can refer to others",
            at: object)
    }

    static func nullElsewhere(at object: ReportedObject) -> Problem {
        archive(
            "archive.null-elsewhere", "the string \"$null\" is read as nil, like object 0", severity: .info,
            at: object)
    }

    static func plainContainer(at object: ReportedObject) -> Problem {
        archive(
            "archive.no-class", "the object is \(object.kindName) without $class; it is read as a plain value",
            severity: .warning, at: object)
    }

    static func classIsNoReference(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-reference", "$class is \(object.kindName); expected a UID", at: object)
    }

    static func classDuplicate(at object: ReportedObject) -> Problem {
        archive(
            "archive.class-repeated", "the object has a duplicate key $class", at: object)
    }

    static func classIsNoRecord(_ uid: Int, at object: ReportedObject) -> Problem {
        let found = uid == 0 ? "0, which is nil; expected a class record" : "\(uid), which is not a class record"
        return archive("archive.class-record", "$class refers to object \(found)", at: object)
    }

    // MARK: Foundation's classes

    static func fieldMissing(
        _ field: String, of name: StoredString, at object: ReportedObject
    ) -> Problem {
        archive("archive.field-missing", "\(name.shownAsClass) has no \(field)", at: object)
    }

    static func fieldKind(
        _ field: String, of name: StoredString, is found: String, expected: String, at object: ReportedObject
    ) -> Problem {
        archive(
            "archive.field-kind", "\(field) of \(name.shownAsClass) is \(found); expected \(expected)", at: object)
    }

    static func fieldValue(
        _ field: String, of name: StoredString, is found: String, expected: String, at object: ReportedObject
    ) -> Problem {
        archive(
            "archive.field-value", "\(field) of \(name.shownAsClass) is \(found); expected \(expected)", at: object)
    }

    /// - Parameter location: The data, and the byte offset of the fault in the file; nil unless the file is binary.
    static func packedBytes(
        _ fault: PackedFault, _ field: String, of name: StoredString, severity: Severity,
        at location: (data: ReportedObject, offset: Int?)
    ) -> Problem {
        Problem(
            severity == .error ? "archive.packed-data" : "archive.packed-rest",
            "byte \(fault.offset) of \(field) of \(name.shownAsClass): \(fault.reason)", severity: severity,
            at: location.offset.map { .byte($0) }, address: location.data.address)
    }

    static func timeIsNaN(
        _ field: String, of name: StoredString, at object: ReportedObject
    ) -> Problem {
        archive(
            "archive.time-nan", "\(field) of \(name.shownAsClass) is NaN, which is not a date",
            severity: .warning,
            at: object)
    }

    static func elementKind(of name: StoredString, at object: ReportedObject) -> Problem {
        archive(
            "archive.element-kind", "an element of \(name.shownAsClass) is \(object.kindName); expected a UID",
            at: object)
    }

    static func elementNil(of name: StoredString, at object: ReportedObject) -> Problem {
        archive(
            "archive.element-nil", "an element of \(name.shownAsClass) is nil; readers drop it or reject the archive",
            at: object)
    }

    static func keyDuplicate(of name: StoredString, at object: ReportedObject) -> Problem {
        archive(
            "archive.key-repeated",
            "duplicate key in this \(name.shownAsClass); readers keep one of its values",
            severity: .warning, at: object)
    }

    static func pairCount(
        keys: Int, values: Int, of name: StoredString, at object: ReportedObject
    ) -> Problem {
        archive(
            "archive.pair-count",
            "\(name.shownAsClass) has \(Phrase.count(keys, "key")) for \(Phrase.count(values, "value"))",
            at: object)
    }
}

extension Document {
    /// Returns the kind of an object with an article: `a string`, `an array`.
    package func kindName(_ id: ObjectID) -> String {
        self[id].kind.withArticle
    }

    /// Returns a string in quotation marks, an integer in decimal, or the kind of any other object.
    func valueName(_ id: ObjectID) -> String {
        switch self[id] {
        case .string(let text): text.quoted
        case .integer(let integer): integer.value.description
        case let node: node.kind.withArticle
        }
    }
}

extension ArchiveRoot.Member {
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
    fileprivate static func member(_ member: ArchiveRoot.Member) -> JSONPointer {
        JSONPointer(tokens: [Array(member.rawValue.utf16)])
    }
}

extension StoredString {
    /// The text in quotation marks, cut after 40 code units.
    var quoted: String { Phrase.quoted(self) }

    /// The name of a class as messages show it, cut after 80 code units.
    package var shownAsClass: String { shownClassName.escaped }
}

extension Problem.Kind {
    /// A number under `CF$UID` that is not a valid UID.
    package static let archiveUIDNumber = Problem.Kind("archive.uid-number")
}
