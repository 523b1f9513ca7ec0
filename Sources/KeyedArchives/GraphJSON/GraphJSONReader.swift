import SaveCodec

/// A reader that turns graph JSON into an archive: the counterpart of ``GraphJSONWriter``.
///
/// The JSON text has been read into a document already. Objects whose contents are not read yet wait in a work list, so
/// neither nesting nor cycles cause recursion.
struct GraphJSONReader: ~Copyable {
    let document: Document
    var builder: KeyedArchiveBuilder
    /// The objects that have a UID but whose contents have not been read yet, and the JSON values that describe them.
    private var pending: [(uid: UID, id: ObjectID)] = []
    /// The objects that have an `$id` or to which a `$ref` refers.
    var numbered: [Int128: NumberedObject] = [:]
    var classes: GraphJSONClasses
    var scalars: ScalarCopies
    /// The number of the archive object for each text, data or number of the JSON document; 0 until it is added.
    var plainObjects: [UInt32]
    /// The keys that are stored unchanged because they do not begin with `$`.
    var plainNames: Bitmap
    var shapes: ReservedMemberCache
    /// Whether the archive is sound by construction: it has neither raw values, whose contents are arbitrary, nor
    /// dictionaries in place.
    var isSound = true
    /// Whether each object of a Foundation class is known to have the fields that ``ArchiveCheck`` expects: it is a
    /// date, or a collection without nil.
    var hasProvedFields = true
    /// The records of the classes that JSON writes without `$class`.
    private var foundationRecords: [ClassLabels.BareClass: UID] = [:]

    struct NumberedObject {
        let uid: UID
        /// The JSON value that describes the object, or the one with the first `$ref` to it.
        let id: ObjectID
        var isDescribed = false
    }

    init(_ document: Document) throws(Problem) {
        let members = GraphJSONObject(document.root, in: document)
        try members.checkNames(.root)
        try members.checkDuplicates()
        guard members.dataCount == 0 else { throw document.graphMixed(.top, at: document.root) }
        guard let archiver = members[.archiver].flatMap({ document.text($0) }) else {
            throw document.graphMember(.archiver, members[.archiver], expected: "a string", at: document.root)
        }
        if let version = members[.version] {
            guard case .integer(let integer) = document[version], integer.value == ArchiveRoot.version else {
                throw document.graphMember(.version, version, expected: "100000", at: document.root)
            }
        }
        classes = try GraphJSONClasses(members[.classes], in: document)
        shapes = ReservedMemberCache(document)
        builder = KeyedArchiveBuilder(archiver: Array(archiver), expectedSize: document.imageSize)
        self.document = document
        self.members = members
        scalars = ScalarCopies(count: document.count)
        plainObjects = [UInt32](repeating: 0, count: document.count)
        plainNames = Bitmap(count: document.count)
    }

    private let members: GraphJSONObject

    mutating func read() throws(Problem) {
        try readTop()
        if let list = members[.unreferenced] {
            guard case .array(let elements) = document[list] else {
                throw document.graphMember(.unreferenced, list, expected: "an array", at: document.root)
            }
            for element in elements { try addUnreferenced(element) }
        }
        if let shared = members[.shared] { try readShared(shared) }
        try describePending()
    }

    /// Returns the JSON values that describe numbered objects, by number: the objects with an `$id`, and those in
    /// `$shared`.
    static func numberedObjects(in document: Document) throws(Problem) -> [Int128: ObjectID] {
        var reader = try GraphJSONReader(document)
        try reader.read()
        return reader.numbered.mapValues(\.id)
    }

    /// Whether ``ArchiveCheck`` would find no errors.
    var isFaultless: Bool { isSound && hasProvedFields }

    consuming func finish() throws(Problem) -> Document {
        try builder.finish(keepingUnreachable: true, isSound: isSound)
    }

    // MARK: The envelope

    private mutating func readTop() throws(Problem) {
        guard let top = members[.top], case .dictionary(let pairs) = document[top] else {
            throw document.graphMember(.top, members[.top], expected: "an object", at: document.root)
        }
        builder.beginTop()
        for (key, value) in pairs {
            try addName(key, in: top)
            try addField(value)
        }
        builder.end()
    }

    /// Reads `$shared`, which maps numbers to the objects that were nested too deeply.
    private mutating func readShared(_ shared: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[shared] else {
            throw document.graphMember(.shared, shared, expected: "an object", at: document.root)
        }
        for (key, value) in pairs {
            guard let number = document.sharedNumber(key) else {
                throw document.graphProblem("graph.number", "a name in $shared is not a number", at: shared)
            }
            try checkShared(value, under: key, in: shared)
            let uid = try markDescribed(number, by: value)
            pending.append((uid, value))
        }
    }

    /// Throws an error if a value in `$shared` is not an object or has an `$id` of its own.
    private mutating func checkShared(_ id: ObjectID, under key: ObjectID, in shared: ObjectID) throws(Problem) {
        switch document.object(id).kind {
        case .array, .date: break
        case .dictionary:
            let object = shapes.object(id)
            try object.checkNames()
            try object.checkUnnumbered()
        default:
            // Equal scalars of a text are one object, so `id` may have the address of another occurrence.
            var address = document.address(of: shared)
            if let name = document.text(key) { address.append(key: name) }
            throw Problem(
                "graph.shared", "found \(document.kindName(id)) in $shared; expected an object or an array",
                address: address)
        }
    }

    // MARK: Objects

    private mutating func describePending() throws(Problem) {
        while let (uid, id) = pending.popLast() { try describe(uid, id) }
        let missing = numbered.filter { !$0.value.isDescribed }.min { $0.value.id < $1.value.id }
        if let missing { throw document.graphReference(missing.key, at: missing.value.id) }
    }

    /// Returns the UID of an object whose contents are read later.
    mutating func reserve(_ id: ObjectID, number: Int128? = nil) throws(Problem) -> UID {
        let uid = if let number { try markDescribed(number, by: id) } else { builder.reserve() }
        pending.append((uid, id))
        return uid
    }

    /// Marks the object with an `$id` as described by a JSON value, and returns its UID.
    private mutating func markDescribed(_ number: Int128, by id: ObjectID) throws(Problem) -> UID {
        let known = numbered[number]
        if known?.isDescribed == true { throw document.graphNumberTwice(number, at: id) }
        let uid = known?.uid ?? builder.reserve()
        numbered[number] = NumberedObject(uid: uid, id: id, isDescribed: true)
        return uid
    }

    /// Returns the object to which a `$ref` refers.
    mutating func object(numbered number: Int128, at id: ObjectID) -> UID {
        if let known = numbered[number] { return known.uid }
        let uid = builder.reserve()
        numbered[number] = NumberedObject(uid: uid, id: id)
        return uid
    }

    private mutating func describe(_ uid: UID, _ id: ObjectID) throws(Problem) {
        let stored = document.object(id)
        switch stored.kind {
        case .array: try describeArray(uid, Elements(document, stored))
        case .date: describeDate(uid, document.real64(stored))
        case .dictionary:
            let object = try shapes.checkedObject(id)
            switch object.valueKind {
            case .raw(let raw): try describeRaw(uid, raw, in: object)
            case .instance(let label): try describeInstance(uid, class: label, object)
            case .ref, .object, .inline, .plain:
                try object.checkPlain()
                try describeDictionary(uid, Pairs(document, stored), at: id)
            }
        default: break
        }
    }

    /// Returns the record of a class that JSON writes without `$class`.
    private mutating func foundationRecord(_ bare: ClassLabels.BareClass) -> UID {
        if let record = foundationRecords[bare] { return record }
        let label = Array(bare.rawValue.utf16)
        if classes.isDescribed(label) { hasProvedFields = false }
        let record = classes.record(label, in: &builder) ?? .null
        foundationRecords[bare] = record
        return record
    }

    private mutating func describeArray(_ uid: UID, _ elements: Elements) throws(Problem) {
        builder.begin(uid, of: foundationRecord(.array))
        try addList("NS.objects", of: elements)
        builder.end()
    }

    private mutating func describeDate(_ uid: UID, _ seconds: Double) {
        builder.begin(uid, of: foundationRecord(.date))
        builder.contents.add(string: "NS.time")
        builder.contents.add(real64: seconds)
        builder.end()
    }

    private mutating func describeDictionary(_ uid: UID, _ pairs: Pairs, at id: ObjectID) throws(Problem) {
        builder.begin(uid, of: foundationRecord(.dictionary))
        try addEntries(pairs, id)
        builder.end()
    }
}

// MARK: Instances

/// Objects that name their class, and raw values.
extension GraphJSONReader {
    private mutating func describeInstance(
        _ uid: UID, class label: ObjectID, _ object: GraphJSONObject
    ) throws(Problem) {
        let id = object.id
        let known = try classRecord(label, id)
        if known.layout != nil, object[.elements] == nil { hasProvedFields = false }
        builder.begin(uid, of: known.record)
        switch try object.checkedContents(of: known.kind, known.name.shownAsClass) {
        case .elements(let list): try addElements(list, of: known)
        case .entries(let list): try addEntries(list)
        case .entryPairs(let list): try addEntryPairs(list)
        case .fieldPairs(let list):
            for pair in document.graphPairs(list) {
                try addFieldName(pair.key, in: id)
                try addField(pair.value)
            }
        case .fields, .rawMembers: try addFields(of: object)
        }
        builder.end()
    }

    private mutating func classRecord(_ label: ObjectID, _ id: ObjectID) throws(Problem)
        -> GraphJSONClasses.ResolvedClass
    {
        guard let name = document.text(label) else {
            throw document.graphMember(.className, label, expected: "the name of a class", at: id)
        }
        guard let known = classes.find(label, name, in: &builder) else {
            throw document.graphProblem(
                "graph.class", "unknown class \(name.shownAsClass); expected one in $classes or of Foundation", at: id)
        }
        return known
    }

    private mutating func addElements(_ list: ObjectID, of known: GraphJSONClasses.ResolvedClass) throws(Problem) {
        guard case .array(let elements) = document[list] else { return }
        guard case .numbered? = known.layout else { return try addList("NS.objects", of: elements) }
        hasProvedFields = false
        for (index, element) in elements.enumerated() {
            builder.contents.add(string: "NS.object.\(index)")
            builder.refer(to: try reference(to: element))
        }
    }

    private mutating func addEntries(_ list: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[list] else { return }
        let entries = GraphJSONObject(list, in: document)
        try entries.checkNames(nil)
        try entries.checkDuplicates()
        try addEntries(pairs, list)
    }

    private mutating func addEntryPairs(_ list: ObjectID) throws(Problem) {
        let pairs = document.graphPairs(list)
        try addList("NS.keys", of: pairs.lazy.map(\.key))
        try addList("NS.objects", of: pairs.lazy.map(\.value))
    }

    private mutating func addFields(of object: GraphJSONObject) throws(Problem) {
        for (key, value) in object.data {
            if plainNames.contains(key.index) {
                scalars.add(key, of: document, to: &builder.contents)
            } else {
                try addFieldName(key, in: object.id)
            }
            try addField(value)
        }
    }

    private mutating func addFieldName(_ key: ObjectID, in id: ObjectID) throws(Problem) {
        if let name = document.text(key) { try document.checkFieldName(name, at: id) }
        try addName(key, in: id)
    }

    /// Describes an object that is a plain property-list value.
    private mutating func describeRaw(_ uid: UID, _ raw: ObjectID, in object: GraphJSONObject) throws(Problem) {
        try object.checkRaw()
        try checkRaw(raw)
        isSound = false
        builder.beginValue(uid)
        builder.contents.add(raw, of: document, scalars: &scalars)
        builder.end()
    }

    /// Throws an error if a raw value contains a UID. A value without a class cannot refer to objects.
    func checkRaw(_ raw: ObjectID) throws(Problem) {
        let object = document.object(raw)
        if object.kind == .uid { throw document.graphUID(at: raw) }
        var contents = InPlaceWalk(of: object, in: document)
        while let (found, object) = contents.next() {
            if object.kind == .uid { throw document.graphUID(at: found) }
        }
    }
}
