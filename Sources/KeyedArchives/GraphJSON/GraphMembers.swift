package import SaveCodec

/// The members of an object of graph JSON whose names begin with one `$`: they belong to the form, all others are data.
package struct GraphMembers {
    private let document: Document
    private let id: ObjectID
    private let stored: StoredObject
    fileprivate let shape: Shape

    /// What the keys of an object tell.
    fileprivate struct Shape {
        /// The members that belong to the form, in their order.
        var names: [(name: GraphName, position: Int)] = []
        var hasData = false
    }

    /// Whether there are members that are data.
    var hasData: Bool { shape.hasData }

    /// Finds the members. A name may still stand twice, see ``checkRepeats()``.
    ///
    /// - Throws: a problem for a name that is unknown.
    init(of id: ObjectID, in document: Document, known: [GraphName]) throws(Problem) {
        let stored = document.object(id)
        var shape = Shape()
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard key.kind.isString, Self.isForm(StoredString(document, key)) else {
                shape.hasData = true
                continue
            }
            let name = StoredString(document, key)
            guard let match = known.first(where: { name.isSame(as: $0) }) else {
                throw document.graphName(name, at: id)
            }
            shape.names.append((match, position))
        }
        self.init(of: id, stored, in: document, shape)
    }

    fileprivate init(of id: ObjectID, _ stored: StoredObject, in document: Document, _ shape: Shape) {
        self.document = document
        self.id = id
        self.stored = stored
        self.shape = shape
    }

    /// Whether a name begins with just one `$`.
    package static func isForm(_ name: StoredString) -> Bool {
        name.count > 0 && name[0] == 0x24 && (name.count == 1 || name[1] != 0x24)
    }

    subscript(name: GraphName) -> ObjectID? {
        for member in shape.names where member.name == name { return document.value(member.position, of: stored) }
        return nil
    }

    /// The only member of an object, if it has this name.
    func sole(_ name: GraphName) -> ObjectID? {
        shape.names.count == 1 && !hasData ? self[name] : nil
    }

    /// Refuses an object in which any name stands twice.
    func checkRepeats() throws(Problem) {
        guard let repeated = document.firstRepeatedKey(of: stored) else { return }
        throw document.graphNameTwice(document.text(document.key(repeated.first, of: stored)), at: id)
    }

    /// Refuses members beside those named, and data if `allowsData` is false.
    func check(only names: [GraphName], allowsData: Bool) throws(Problem) {
        if let other = shape.names.first(where: { !names.contains($0.name) }) {
            throw document.graphMisplaced(other.name, at: id)
        }
        if hasData, !allowsData, let last = names.last { throw document.graphMixed(last, at: id) }
    }
}

/// What the keys of objects tell, kept for those that come with the very same keys, as objects of one class do.
struct GraphShapes {
    private struct Known {
        /// The object that had the keys.
        let stored: StoredObject
        let shape: GraphMembers.Shape
        /// Whether no name is known to stand twice.
        let isChecked: Bool
    }

    /// The objects that were looked at last, by what tells apart most sets of keys.
    private var known = [Known?](repeating: nil, count: 64)

    /// The members of an object that is a value.
    ///
    /// - Parameter checksRepeats: whether an object is refused in which any name stands twice.
    mutating func members(
        of id: ObjectID, in document: Document, checkingRepeats checksRepeats: Bool = false
    ) throws(Problem) -> GraphMembers {
        let stored = document.object(id)
        guard stored.count > 0 else { return try GraphMembers(of: id, in: document, known: GraphName.ofValues) }
        let slot = (document.key(0, of: stored).index &* 7 &+ stored.count) & (known.count - 1)
        if let known = known[slot], known.isChecked || !checksRepeats, document.hasSameKeys(known.stored, stored) {
            return GraphMembers(of: id, stored, in: document, known.shape)
        }
        let members = try GraphMembers(of: id, in: document, known: GraphName.ofValues)
        if checksRepeats { try members.checkRepeats() }
        known[slot] = Known(stored: stored, shape: members.shape, isChecked: checksRepeats)
        return members
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
