import SaveCodec

/// The members of an object of graph JSON whose names begin with one `$`: they belong to the form, all others are data.
struct GraphMembers {
    private let document: Document
    private var values: [String: ObjectID] = [:]
    /// Whether there are members that are data.
    private(set) var hasData = false

    /// What an object that is a value can have.
    static let ofObjects = ["$class", "$id", "$elements", "$entries", "$fields", "$raw", "$ref", "$object", "$inline"]

    /// - Throws: a problem for a name that is unknown or stands twice, and for an object in which any name does.
    init(of id: ObjectID, in document: Document, known: [String]) throws(Problem) {
        self.document = document
        let stored = document.object(id)
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard key.kind.isString, Self.isForm(Text(document, key)) else {
                hasData = true
                continue
            }
            let name = Text(document, key)
            guard let match = known.first(where: { name.elementsEqual($0.utf16) }) else {
                throw .graphName(name, document, id)
            }
            values[match] = document.value(position, of: stored)
        }
        if let repeated = document.firstRepeatedKey(of: stored) {
            throw .graphNameTwice(document.text(document.key(repeated.first, of: stored)), document, id)
        }
    }

    /// Whether a name begins with just one `$`.
    static func isForm(_ name: Text) -> Bool {
        name.count > 0 && name[0] == 0x24 && (name.count == 1 || name[1] != 0x24)
    }

    subscript(name: String) -> ObjectID? {
        values[name]
    }

    /// How many there are.
    var count: Int { values.count }

    /// The only member of an object, if it has this name.
    func sole(_ name: String) -> ObjectID? {
        values.count == 1 && !hasData ? values[name] : nil
    }

    /// Refuses members beside those named, and data if `allowsData` is false.
    func check(only names: [String], allowsData: Bool, _ id: ObjectID) throws(Problem) {
        if let other = values.keys.filter({ !names.contains($0) }).min() { throw .graphMisplaced(other, document, id) }
        if hasData, !allowsData { throw .graphMixed(names.last ?? "", document, id) }
    }

    /// Refuses any member of the form.
    func checkNone(_ id: ObjectID) throws(Problem) {
        try check(only: [], allowsData: true, id)
    }
}
