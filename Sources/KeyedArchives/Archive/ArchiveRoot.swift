import SaveCodec

/// The root of an archive: its archiver, its objects, and the named root objects (<doc:ArchiveFormat>).
struct ArchiveRoot {
    let archiver: StoredString
    let objects: StoredObject
    let objectsID: ObjectID
    let top: StoredObject
    let topID: ObjectID
    /// The keys of the root that have no meaning in an archive.
    let others: [ObjectID]
    /// The members that the root has more than once.
    let duplicates: [Member]

    /// The members of the root, in the order in which NSKeyedArchiver writes them.
    enum Member: String, CaseIterable {
        case version = "$version"
        case archiver = "$archiver"
        case top = "$top"
        case objects = "$objects"

        /// The expected kind, with its article.
        fileprivate var kindName: String {
            switch self {
            case .version: "the integer 100000"
            case .archiver: "a string"
            case .top: "a dictionary"
            case .objects: "an array"
            }
        }

        /// The problem of an archive without the member.
        var missing: Problem {
            Problem("archive.member", "\(rawValue) is missing; every archive needs it", address: .member(self))
        }
    }

    static let version: Int128 = 100_000

    static func isPresent(in document: Document) -> Bool {
        let members = Members(document)
        let present = Member.allCases.filter { members[$0] != nil }
        return present.count > 2 || present.contains(.objects) && present.count > 1
    }

    /// Reads the envelope of a document. Fails if a member is missing or has the wrong kind, which ``faults(in:)``
    /// reports.
    init?(_ document: Document) {
        let members = Members(document)
        guard let archiver = members[.archiver].flatMap({ document.text($0) }),
            let top = members[.top], document.object(top).kind == .dictionary,
            let objects = members[.objects], document.object(objects).kind == .array
        else { return nil }
        self.archiver = archiver
        self.top = document.object(top)
        self.objects = document.object(objects)
        objectsID = objects
        topID = top
        (others, duplicates) = Self.others(in: document)
    }

    static func faults(in document: Document) -> [Problem] {
        let members = Members(document)
        return [Member.archiver, .version, .top, .objects].compactMap { fault(of: $0, members[$0], document) }
    }

    private static func fault(of member: Member, _ value: ObjectID?, _ document: Document) -> Problem? {
        guard let value else { return member.missing }
        let object = document.object(value)
        let isFitting =
            switch member {
            case .version: object.kind == .integer || object.kind == .real
            case .archiver: object.kind.isString
            case .top: object.kind == .dictionary
            case .objects: object.kind == .array
            }
        guard isFitting else {
            return ReportedObject(value, of: document, address: .member(member)).problem(
                "archive.member-kind",
                "\(member.rawValue) is \(document.kindName(value)); expected \(member.kindName)")
        }
        switch member {
        case .version: return faultOfVersion(value, document)
        case .objects: return faultOfNull(value, document)
        case .archiver, .top: return nil
        }
    }

    private static func faultOfVersion(_ id: ObjectID, _ document: Document) -> Problem? {
        let found: String? =
            switch document[id] {
            case .integer(let integer) where integer.value != version: integer.value.description
            case .real64(let value) where value != Double(version): value.description
            case .real32(let value) where value != Float(version): value.description
            default: nil
            }
        return found.map {
            ReportedObject(id, of: document, address: .member(.version)).problem(
                "archive.version", "$version is \($0); expected 100000")
        }
    }

    /// Returns a problem unless object 0 is `$null`, because UID 0 represents nil.
    private static func faultOfNull(_ id: ObjectID, _ document: Document) -> Problem? {
        let objects = document.object(id)
        guard objects.count > 0 else {
            return ReportedObject(id, of: document, address: .member(.objects)).problem(
                "archive.null", "$objects is empty; expected \"$null\" as object 0")
        }
        let first = document.reference(0, of: objects)
        guard !document.text(document.object(first), equals: "$null") else { return nil }
        return ReportedObject(first, of: document, address: .object(.null)).problem(
            "archive.null", "object 0 is \(document.valueName(first)); expected \"$null\"")
    }

    private static func others(in document: Document) -> (keys: [ObjectID], duplicates: [Member]) {
        guard case .dictionary(let pairs) = document[document.root] else { return ([], []) }
        var others: [ObjectID] = []
        var duplicates: [Member] = []
        var known: Set<Member> = []
        for (key, _) in pairs {
            let text = document.text(key)
            let member = Member.allCases.first { text?.elementsEqual($0.rawValue.utf16) == true }
            if let member {
                if !known.insert(member).inserted { duplicates.append(member) }
            } else {
                others.append(key)
            }
        }
        return (others, duplicates)
    }

    /// The members of the root by name; empty if the root is not a dictionary.
    private struct Members {
        private var values: [Member: ObjectID] = [:]

        /// Finds all members in one pass, because preferences may be one dictionary with very many keys.
        init(_ document: Document) {
            let root = document.object(document.root)
            guard root.kind == .dictionary else { return }
            for position in 0..<root.count {
                let key = document.object(document.key(position, of: root))
                guard key.count <= Self.longestName, let member = Self.member(named: key, in: document),
                    values[member] == nil || document.lastDuplicateWins
                else { continue }
                values[member] = document.value(position, of: root)
            }
        }

        private static let longestName = "$archiver".utf8.count

        private static func member(named key: StoredObject, in document: Document) -> Member? {
            if document.text(key, equals: "$version") { return .version }
            if document.text(key, equals: "$archiver") { return .archiver }
            if document.text(key, equals: "$top") { return .top }
            return document.text(key, equals: "$objects") ? .objects : nil
        }

        subscript(member: Member) -> ObjectID? {
            values[member]
        }
    }
}
