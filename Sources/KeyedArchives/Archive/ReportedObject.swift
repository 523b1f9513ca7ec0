package import SaveCodec

/// An object about which a problem of an archive is reported (<doc:ArchiveFindings>): a value, or a member of an object.
struct ReportedObject {
    private let document: Document
    private let id: ObjectID
    private let address: JSONPointer

    /// - Parameter address: The address in the property list.
    init(_ id: ObjectID, of document: Document, address: JSONPointer) {
        self.id = id
        self.document = document
        self.address = address
    }

    func problem(_ kind: String, _ message: String, severity: Problem.Severity = .error) -> Problem {
        Problem(kind, message, severity: severity, at: document.location(of: id), address: address)
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

    /// Returns the location of an object in the file, or nil unless the document was read from a binary file.
    package func location(of id: ObjectID) -> SourceLocation? {
        has(.objectTable) ? original.offset(of: id).map { .byte($0) } : nil
    }
}

extension JSONPointer {
    /// Returns the address of an object in the property list, or of one of its members.
    package static func object(_ uid: UID, _ member: StaticString? = nil) -> JSONPointer {
        let address = JSONPointer.root.appending(key: "$objects".utf16).appending(index: uid.index)
        return member.map { address.appending(key: $0.description.utf16) } ?? address
    }

    static func member(_ member: ArchiveRoot.Member) -> JSONPointer {
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
