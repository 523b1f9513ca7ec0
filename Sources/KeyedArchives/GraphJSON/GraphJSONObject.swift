package import SaveCodec

/// The meaning of a JSON value in graph JSON.
package enum GraphJSONValueKind {
    /// `{"$ref": X}`: an object that is described elsewhere, given by its `$id` or, in a patch, its address.
    case ref(ObjectID)
    /// `{"$object": X}`: a value that is stored as an object of its own.
    case object(ObjectID)
    /// `{"$inline": X}`: a value that is stored in place.
    case inline(ObjectID)
    /// `{"$raw": X}`: a property-list value in `$objects`. The names in it are stored unchanged.
    case raw(ObjectID)
    /// An object with a `$class`. The associated value is the value of `$class`.
    case instance(ObjectID)
    case plain
}

/// A parsed JSON object of graph JSON: its meaning, its `$id`, its contents.
///
///     {"$ref": 1}                                        ref
///     {"$class": "Player", "$id": 1, "name": "Ada"}      instance    contents: fields   name: "Ada"
///     {"$class": "NSSet", "$elements": [1, 2]}           instance    contents: elements 1, 2
///     {"$$x": 3}                                         plain       contents: fields   $x: 3
///
/// Parsing never fails. Code that reads graph JSON calls the throwing functions, which make one check each. Code that
/// only inspects a text, such as ``GraphJSONOffsets``, does not.
package struct GraphJSONObject {
    /// A member whose name begins with exactly one `$`. The name is nil if graph JSON does not define it.
    fileprivate typealias Reserved = (name: GraphJSONName?, position: Int)

    package let id: ObjectID
    private let document: Document
    fileprivate let stored: StoredObject
    /// The reserved members, in the order of the text.
    fileprivate private(set) var reserved: [Reserved]

    /// Parses the JSON object `id`.
    package init(_ id: ObjectID, in document: Document) {
        let stored = document.object(id)
        self.init(id, stored, in: document, reserved: Self.reserved(of: stored, in: document))
    }

    fileprivate init(_ id: ObjectID, _ stored: StoredObject, in document: Document, reserved: [Reserved]) {
        (self.id, self.stored, self.document, self.reserved) = (id, stored, document, reserved)
    }

    fileprivate static func reserved(of stored: StoredObject, in document: Document) -> [Reserved] {
        var reserved: [Reserved] = []
        guard stored.kind == .dictionary else { return reserved }
        for position in 0..<stored.count {
            let key = document.object(document.key(position, of: stored))
            guard key.kind.isString, case let name = StoredString(document, key), GraphJSONName.isReserved(name) else {
                continue
            }
            reserved.append((GraphJSONName(name), position))
        }
        return reserved
    }

    // MARK: Members

    /// The total number of members.
    package var count: Int { stored.count }

    /// The number of members that are data: fields of an object, or entries of a dictionary.
    package var dataCount: Int { stored.count - reserved.count }

    /// The value of the first member with a name.
    package subscript(name: GraphJSONName) -> ObjectID? {
        position(of: name).map { document.value($0, of: stored) }
    }

    /// Returns the position of the first member with a name.
    package func position(of name: GraphJSONName) -> Int? {
        for member in reserved where member.name == name { return member.position }
        return nil
    }

    /// Whether all reserved members have one of these names.
    package func hasOnly(_ names: [GraphJSONName]) -> Bool {
        reserved.allSatisfy { member in member.name.map { names.contains($0) } ?? false }
    }

    /// Treats some reserved members as data, because plain JSON stores all names unchanged, even if they begin with one
    /// `$`.
    ///
    /// - Parameter isData: Whether a member is data, given its name as text and, if graph JSON defines it, as a
    ///   ``GraphJSONName``.
    package mutating func treatAsData(where isData: (_ name: StoredString, _ known: GraphJSONName?) -> Bool) {
        let (document, stored) = (document, stored)
        reserved.removeAll { member in
            document.text(document.key(member.position, of: stored)).map { isData($0, member.name) } ?? false
        }
    }

    /// The members that are data, in the order of the text.
    package var data: DataMembers { DataMembers(self) }

    package struct DataMembers: Sequence, IteratorProtocol {
        private let object: GraphJSONObject
        private var position = 0
        /// The number of reserved members before the position.
        private var passed = 0

        fileprivate init(_ object: GraphJSONObject) { self.object = object }

        /// The number of members that are left.
        package var underestimatedCount: Int {
            (object.stored.count - position) - (object.reserved.count - passed)
        }

        package mutating func next() -> (key: ObjectID, value: ObjectID)? {
            let (document, stored) = (object.document, object.stored)
            return nextPosition().map { (document.key($0, of: stored), document.value($0, of: stored)) }
        }

        mutating func nextPosition() -> Int? {
            while passed < object.reserved.count, object.reserved[passed].position == position {
                (passed, position) = (passed + 1, position + 1)
            }
            guard position < object.stored.count else { return nil }
            defer { position += 1 }
            return position
        }
    }

    // MARK: Kind of value

    package var valueKind: GraphJSONValueKind {
        if stored.count == 1, let member = reserved.first {
            let value = document.value(member.position, of: stored)
            switch member.name {
            case .ref: return .ref(value)
            case .object: return .object(value)
            case .inline: return .inline(value)
            default: break
            }
        }
        if let raw = self[.raw] { return .raw(raw) }
        return self[.className].map { .instance($0) } ?? .plain
    }

    /// The integer in `$id`; nil if it is missing or of another kind.
    package var number: Int128? {
        guard let member = self[.id], case .integer(let integer) = document[member] else { return nil }
        return integer.value
    }

    /// The contents of an object or a dictionary. A member `$elements`, `$entries` or `$fields` whose value has the
    /// wrong kind is ignored.
    package var contents: GraphJSONContents {
        if let list = self[.elements], document.object(list).kind == .array { return .elements(list) }
        if let list = self[.entries] {
            switch document.object(list).kind {
            case .dictionary: return .entries(list)
            case .array: return .entryPairs(list)
            default: break
            }
        }
        if let list = self[.fields], document.object(list).kind == .array { return .fieldPairs(list) }
        return .fields(self)
    }

    // MARK: Checks

    /// Throws an error if a reserved name is undefined or has a role other than `role`. With a nil role, no reserved
    /// name is allowed.
    package func checkNames(_ role: GraphJSONName.Role? = .value) throws(Problem) {
        guard let member = reserved.first(where: { $0.name == nil || $0.name?.role != role }) else { return }
        let name = document.object(document.key(member.position, of: stored))
        throw document.graphName(StoredString(document, name), at: id)
    }

    /// Throws an error if a name is a duplicate.
    func checkDuplicates() throws(Problem) {
        guard let duplicate = document.firstDuplicateKey(of: stored) else { return }
        throw document.graphNameTwice(document.text(document.key(duplicate.first, of: stored)), at: id)
    }

    /// Throws an error if a reserved name is a duplicate. Other names may be duplicates here, because they may denote
    /// keys of different kinds.
    package func checkReservedDuplicates() throws(Problem) {
        for (index, member) in reserved.enumerated()
        where reserved[..<index].contains(where: { $0.name == member.name }) {
            throw document.graphNameTwice(document.text(document.key(member.position, of: stored)), at: id)
        }
    }

    /// Throws an error if `$ref`, `$object` or `$inline` is not the only member.
    package func checkAlone() throws(Problem) {
        guard stored.count > 1, !reserved.isEmpty else { return }
        for name in [GraphJSONName.ref, .object, .inline] where self[name] != nil {
            throw document.graphMixed(name, at: id)
        }
    }

    /// Throws an error if there is a reserved member with another name, or data if `allowsData` is false.
    private func check(only names: [GraphJSONName], allowsData: Bool) throws(Problem) {
        for case (let name?, _) in reserved where !names.contains(name) { throw document.graphMisplaced(name, at: id) }
        if dataCount > 0, !allowsData, let last = names.last { throw document.graphMixed(last, at: id) }
    }

    /// Returns the `$id`, or nil if it is missing. Throws an error if it is not a positive integer.
    package func checkedNumber() throws(Problem) -> Int128? {
        guard let member = self[.id] else { return nil }
        guard let number, number > 0 else {
            throw document.graphMember(.id, member, expected: "an integer from 1", at: id)
        }
        return number
    }

    /// Returns the number in `$ref`. Throws an error if it is not an integer.
    package func checkedReference(_ reference: ObjectID) throws(Problem) -> Int128 {
        guard case .integer(let integer) = document[reference] else {
            throw document.graphMember(.ref, reference, expected: "the number of an object", at: id)
        }
        return integer.value
    }

    /// Throws an error if there is any member except data.
    package func checkPlain() throws(Problem) {
        try check(only: [], allowsData: true)
    }

    /// Throws an error if there is any member except `$raw` and `$id`.
    package func checkRaw() throws(Problem) {
        try check(only: [.id, .raw], allowsData: false)
    }

    /// Throws an error if there is an `$id`.
    func checkUnnumbered() throws(Problem) {
        if self[.id] != nil { throw document.graphMisplaced(.id, at: id) }
    }

    /// Returns the contents of an object that names its class, after checking them.
    ///
    /// - Parameters:
    ///   - kind: The kind of collection that objects of the class are; nil if they have fields.
    ///   - shownClass: The name of the class, escaped for a message.
    package func checkedContents(
        of kind: ContainerKind?, _ shownClass: @autoclosure () -> String
    ) throws(Problem) -> GraphJSONContents {
        // Most objects have no reserved member besides `$class`.
        if reserved.count == 1, reserved[0].name == .className { return .fields(self) }
        if let list = self[.elements] {
            try check(only: [.className, .id, .elements], allowsData: false)
            guard document.object(list).kind == .array else {
                throw document.graphMember(.elements, list, expected: "an array", at: id)
            }
            guard let kind, !kind.isKeyed else { throw document.graphCollection(.elements, of: shownClass(), at: id) }
        } else if let list = self[.entries] {
            try check(only: [.className, .id, .entries], allowsData: false)
            guard kind == .dictionary else { throw document.graphCollection(.entries, of: shownClass(), at: id) }
            if document.object(list).kind != .dictionary {
                try checkPairs(list, of: .entries, expected: "an object or an array of pairs")
            }
        } else if let list = self[.fields] {
            try check(only: [.className, .id, .fields], allowsData: false)
            try checkPairs(list, of: .fields, expected: "an array of pairs")
        } else {
            try check(only: [.className, .id], allowsData: true)
        }
        return contents
    }

    private func checkPairs(_ list: ObjectID, of name: GraphJSONName, expected: String) throws(Problem) {
        guard case .array(let elements) = document[list] else {
            throw document.graphMember(name, list, expected: expected, at: id)
        }
        guard elements.allSatisfy({ document.graphPair($0) != nil }) else {
            throw document.graphProblem(
                "graph.member",
                "\(name.rawValue) contains elements that are not pairs; expected arrays of a key and a value", at: id)
        }
    }
}

/// The contents of a container of graph JSON.
package enum GraphJSONContents {
    /// An array: `[1, 2]`, or the list of `"$elements": [1, 2]`.
    case elements(ObjectID)
    /// The data members of an object or a dictionary: `"a": 1`.
    case fields(GraphJSONObject)
    /// Fields with duplicate or non-string names: `"$fields": [["a", 1]]`.
    case fieldPairs(ObjectID)
    /// A dictionary whose keys are strings: `"$entries": {"a": 1}`.
    case entries(ObjectID)
    /// A dictionary whose keys are values: `"$entries": [["a", 1]]`.
    case entryPairs(ObjectID)
    /// A dictionary in `$raw`.
    case rawMembers(ObjectID)

    /// Creates the contents of a value; nil for a scalar. Members with undefined names are data.
    package init?(of id: ObjectID, in document: Document, isRaw: Bool) {
        switch document.object(id).kind {
        case .array, .set: self = .elements(id)
        case .dictionary where isRaw: self = .rawMembers(id)
        case .dictionary:
            var object = GraphJSONObject(id, in: document)
            object.treatAsData { _, known in known?.role != .value }
            self = object.contents
        default: return nil
        }
    }

    var arePairs: Bool {
        switch self {
        case .fieldPairs, .entryPairs: true
        case .elements, .fields, .entries, .rawMembers: false
        }
    }

    /// Whether names that begin with `$` are stored unchanged. Otherwise they have one `$` more than the stored name.
    package var hasPlainNames: Bool {
        switch self {
        case .elements, .entryPairs, .rawMembers: true
        case .fields, .fieldPairs, .entries: false
        }
    }

    /// Returns the stored name of a key, or nil for a reserved name.
    package func storedName(_ name: StoredString) -> Slice<StoredString>? {
        hasPlainNames ? name[...] : GraphJSONName.unescaped(name)
    }

    /// Returns the slots: each value with its key, which is nil for an element. In a list of pairs, elements that are
    /// not arrays of two are omitted.
    package func slots(in document: Document) -> [(key: ObjectID?, value: ObjectID)] {
        switch self {
        case .elements(let list):
            let stored = document.object(list)
            return (0..<stored.count).map { (nil, document.reference($0, of: stored)) }
        case .fields(let object): return object.data.map { ($0.key, $0.value) }
        case .entries(let members), .rawMembers(let members):
            let stored = document.object(members)
            return (0..<stored.count).map { (document.key($0, of: stored), document.value($0, of: stored)) }
        case .fieldPairs(let list), .entryPairs(let list):
            return document.graphPairs(list).map { ($0.key, $0.value) }
        }
    }
}

extension Document {
    /// Returns the meaning of a JSON object with a single member, or `.plain` for any other value. Takes constant time.
    package func soleValueKind(of id: ObjectID) -> GraphJSONValueKind {
        guard let stored = container(id), stored.kind == .dictionary, stored.count == 1 else { return .plain }
        return GraphJSONObject(id, in: self).valueKind
    }

    /// Returns the value in `$inline`, `$object` and `$raw`, and whether it is in `$raw`. Any other value is returned
    /// unchanged.
    package func unwrapping(_ id: ObjectID) -> (id: ObjectID, isRaw: Bool) {
        var id = id
        // An object with `$raw` may also have an `$id`.
        while let stored = container(id), stored.kind == .dictionary, stored.count <= 2 {
            switch GraphJSONObject(id, in: self).valueKind {
            case .inline(let value), .object(let value): id = value
            case .raw(let value): return (value, true)
            case .ref, .instance, .plain: return (id, false)
            }
        }
        return (id, false)
    }

    /// Returns the key and the value of a pair; nil if the JSON value is not an array of two elements.
    func graphPair(_ id: ObjectID) -> (key: ObjectID, value: ObjectID)? {
        let pair = object(id)
        guard pair.kind == .array, pair.count == 2 else { return nil }
        return (reference(0, of: pair), reference(1, of: pair))
    }

    func graphPairs(_ list: ObjectID) -> [(key: ObjectID, value: ObjectID)] {
        guard case .array(let elements) = self[list] else { return [] }
        return elements.compactMap(graphPair)
    }

    /// Returns the number of an object in `$shared`, given its member name, or nil if the name is not a number.
    package func sharedNumber(_ key: ObjectID) -> Int128? {
        guard let text = text(key)?.string, let number = Int128(text), String(number) == text else { return nil }
        return number
    }

    /// Throws an error for a field named `$class`, because unarchivers could not distinguish it from the class.
    package func checkFieldName(_ name: some Collection<UInt16>, at id: ObjectID) throws(Problem) {
        guard name.first == 0x24, name.elementsEqual("$$class".utf16) else { return }
        throw graphProblem("graph.class-field", "a field has the reserved name $class", at: id)
    }
}

/// A parser that caches the reserved members of objects with the same keys, because objects of one class usually share
/// them.
struct ReservedMemberCache {
    private struct CachedMembers {
        let reserved: [GraphJSONObject.Reserved]
        /// Whether each object describes a new object that has no number.
        let areUnnumbered: Bool
        /// Whether the names have been checked.
        var isChecked = false

        init(_ reserved: [GraphJSONObject.Reserved]) {
            self.reserved = reserved
            areUnnumbered = reserved.allSatisfy { member in
                switch member.name {
                case .className, .elements, .entries, .fields: true
                default: false
                }
            }
        }
    }

    private let document: Document
    private var keySets: RecentKeySets
    private var known = [CachedMembers](repeating: CachedMembers([]), count: RecentKeySets.slotCount)

    init(_ document: Document) {
        self.document = document
        keySets = RecentKeySets(document)
    }

    mutating func object(_ id: ObjectID) -> GraphJSONObject {
        let stored = document.object(id)
        return GraphJSONObject(id, stored, in: document, reserved: known[slot(of: stored)].reserved)
    }

    /// Whether a JSON object describes a new object that has no number, because none of its names is `$id`, `$ref`,
    /// `$object`, `$inline`, `$raw` or undefined.
    mutating func isUnnumbered(_ stored: StoredObject) -> Bool {
        known[slot(of: stored)].areUnnumbered
    }

    /// Parses an object, and throws an error if it has undefined or duplicate names.
    mutating func checkedObject(_ id: ObjectID) throws(Problem) -> GraphJSONObject {
        let stored = document.object(id)
        let slot = slot(of: stored)
        let object = GraphJSONObject(id, stored, in: document, reserved: known[slot].reserved)
        guard !known[slot].isChecked else { return object }
        try object.checkNames()
        try object.checkDuplicates()
        known[slot].isChecked = true
        return object
    }

    /// Returns the slot of an object's key set, whose members are known afterwards.
    private mutating func slot(of stored: StoredObject) -> Int {
        let (slot, isKnown) = keySets.slot(of: stored)
        if !isKnown { known[slot] = CachedMembers(GraphJSONObject.reserved(of: stored, in: document)) }
        return slot
    }
}
