import SaveCodec

/// The root of an archive: who wrote it, the objects, and the names under which some are known (formats.md §5.1).
struct Envelope {
    let archiver: Text
    let objects: StoredObject
    let objectsID: ObjectID
    let top: StoredObject
    let topID: ObjectID
    /// The keys of the root that have no meaning in an archive.
    let others: [ObjectID]
    /// The members that stand in the root more than once.
    let repeats: [Member]

    /// The members of the root, in the order in which NSKeyedArchiver writes them.
    enum Member: String, CaseIterable {
        case version = "$version"
        case archiver = "$archiver"
        case top = "$top"
        case objects = "$objects"
    }

    /// The version that every archive has.
    static let version: Int128 = 100_000

    /// Whether the document presents itself as an archive.
    static func isPresent(in document: Document) -> Bool {
        let members = Members(document)
        let present = Member.allCases.filter { members[$0] != nil }
        return present.count > 2 || present.contains(.objects) && present.count > 1
    }

    init(_ document: Document) throws(Problem) {
        let members = Members(document)
        guard let archiver = members[.archiver] else { throw .memberMissing(.archiver) }
        guard let archiverText = document.text(archiver) else {
            throw .memberKind(.archiver, document, archiver)
        }
        try Self.checkVersion(members, document)
        guard let top = members[.top] else { throw .memberMissing(.top) }
        guard document.object(top).kind == .dictionary else { throw .memberKind(.top, document, top) }
        guard let objects = members[.objects] else { throw .memberMissing(.objects) }
        guard document.object(objects).kind == .array else { throw .memberKind(.objects, document, objects) }
        self.archiver = archiverText
        self.top = document.object(top)
        self.objects = document.object(objects)
        (topID, objectsID) = (top, objects)
        (others, repeats) = Self.others(in: document)
        try checkNull(document)
    }

    private static func checkVersion(_ members: Members, _ document: Document) throws(Problem) {
        guard let version = members[.version] else { throw .memberMissing(.version) }
        switch document[version] {
        case .integer(let integer):
            if integer.value != Self.version { throw .version(integer.value.description, document, version) }
        case .real64(let value):
            if value != Double(Self.version) { throw .version(value.description, document, version) }
        case .real32(let value):
            if value != Float(Self.version) { throw .version(value.description, document, version) }
        default: throw .memberKind(.version, document, version)
        }
    }

    private static func others(in document: Document) -> (keys: [ObjectID], repeats: [Member]) {
        guard case .dictionary(let pairs) = document[document.root] else { return ([], []) }
        var others: [ObjectID] = []
        var repeats: [Member] = []
        var known: Set<Member> = []
        for (key, _) in pairs {
            let text = document.text(key)
            let member = Member.allCases.first { text?.elementsEqual($0.rawValue.utf16) == true }
            if let member {
                if !known.insert(member).inserted { repeats.append(member) }
            } else {
                others.append(key)
            }
        }
        return (others, repeats)
    }

    /// Object 0 must be `$null`, as UID 0 stands for nil.
    private func checkNull(_ document: Document) throws(Problem) {
        guard objects.count > 0 else { throw .objectsEmpty(document, objectsID) }
        let first = document.reference(0, of: objects)
        guard document.text(document.object(first), equals: "$null") else { throw .firstIsNotNull(document, first) }
    }

    /// The members of the root by name; none if the root is no dictionary.
    private struct Members {
        private var values: [Member: ObjectID] = [:]

        init(_ document: Document) {
            guard case .dictionary(let pairs) = document[document.root] else { return }
            for member in Member.allCases { values[member] = pairs.value(for: member.rawValue.utf16) }
        }

        subscript(member: Member) -> ObjectID? {
            values[member]
        }
    }
}
