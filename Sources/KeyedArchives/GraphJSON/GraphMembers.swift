package import SaveCodec

/// The members of an object of graph JSON whose names begin with one `$`: they belong to the form, all others are data.
package struct GraphMembers {
    private let document: Document
    private let id: ObjectID
    private var values: [(name: GraphName, value: ObjectID)] = []
    /// Whether there are members that are data.
    private(set) var hasData = false

    /// Finds the members. A name may still stand twice, see ``checkRepeats()``.
    ///
    /// - Throws: a problem for a name that is unknown.
    init(of id: ObjectID, in document: Document, known: [GraphName]) throws(Problem) {
        self.document = document
        self.id = id
        let stored = document.object(id)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard key.kind.isString, Self.isForm(StoredString(document, key)) else {
                hasData = true
                continue
            }
            let name = StoredString(document, key)
            guard let match = known.first(where: { name.isSame(as: $0) }) else {
                throw document.graphName(name, at: id)
            }
            values.append((match, document.value(position, of: stored)))
        }
    }

    /// Whether a name begins with just one `$`.
    package static func isForm(_ name: StoredString) -> Bool {
        name.count > 0 && name[0] == 0x24 && (name.count == 1 || name[1] != 0x24)
    }

    subscript(name: GraphName) -> ObjectID? {
        values.first { $0.name == name }?.value
    }

    /// The only member of an object, if it has this name.
    func sole(_ name: GraphName) -> ObjectID? {
        values.count == 1 && !hasData ? self[name] : nil
    }

    /// Refuses an object in which any name stands twice.
    func checkRepeats() throws(Problem) {
        let stored = document.object(id)
        guard let repeated = document.firstRepeatedKey(of: stored) else { return }
        throw document.graphNameTwice(document.text(document.key(repeated.first, of: stored)), at: id)
    }

    /// Refuses members beside those named, and data if `allowsData` is false.
    func check(only names: [GraphName], allowsData: Bool) throws(Problem) {
        if let other = values.first(where: { !names.contains($0.name) }) {
            throw document.graphMisplaced(other.name, at: id)
        }
        if hasData, !allowsData, let last = names.last { throw document.graphMixed(last, at: id) }
    }
}

extension StoredString {
    fileprivate func isSame(as name: GraphName) -> Bool {
        count == name.rawValue.utf8.count && elementsEqual(name.rawValue.utf16)
    }
}

/// The names that graph JSON has for itself.
package enum GraphName: String, CaseIterable {
    case archiver = "$archiver"
    case version = "$version"
    case classes = "$classes"
    case top = "$top"
    case unreferenced = "$unreferenced"
    case shared = "$shared"
    case className = "$class"
    case id = "$id"
    case elements = "$elements"
    case entries = "$entries"
    case fields = "$fields"
    case raw = "$raw"
    case ref = "$ref"
    case object = "$object"
    case inline = "$inline"

    /// The names of the members of the root.
    package static let ofRoot: [GraphName] = [.archiver, .version, .classes, .top, .unreferenced, .shared]
    /// The names of the members of an object that is a value.
    package static let ofValues: [GraphName] = [
        .className, .id, .elements, .entries, .fields, .raw, .ref, .object, .inline,
    ]
}
