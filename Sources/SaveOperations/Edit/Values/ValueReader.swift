import KeyedArchives
import SaveCodec

/// Reads JSON values into a draft: plain JSON as `get` prints it, typed JSON, of an archive also graph JSON, member by
/// member one or the other. What a value leaves open it takes from an example, as a rule from what stands where it goes.
///
///     there   HighScoreRecord {Name: "Ada", TotalScore: 98200 (an object), DateRecorded: a date}
///     given   {"Name": "Ada", "TotalScore": 98300, "DateRecorded": "2009-09-06T12:34:56Z"}
///     read    HighScoreRecord {"Ada" as it was, 98300 as an object, the date as it was}
///
/// A value that reads like what is there is what is there: the same object, and not edited. `$inline`, `$object` and the
/// tags of typed JSON say otherwise, and win. See <doc:Editing>.
///
/// Iterative: a container is a frame, and what is in it is read when its turn comes; only keys that are in keys are read
/// by calls, so many at most. References to an object that is
/// above are references to that object, so that circles are what they were.
struct ValueReader {
    /// A value of the draft, and whether it is to stand in place; nil for as it comes.
    typealias Value = (id: Draft.ID, isInPlace: Bool?)
    /// A field of the objects of a class.
    typealias Field = (name: [UInt16], classNumber: Int)
    /// A slot of a container, by position.
    typealias Slot = (container: Draft.ID, position: Int)

    let document: Document
    var rules: TypeRules
    /// Whether objects have classes, and values stand in place or not.
    let inArchive: Bool
    var frames: [OpenContainer] = []
    var objects: NumberedObjects
    var matcher: ElementMatcher
    var visited: VisitedContainers
    /// The way to the value that is being read, for messages.
    var trail: SlotTrail
    /// Whether this is the first of two readings, in which containers that are there are only looked at.
    private(set) var isFirstReading = false
    /// Whether a container that is there has been edited.
    var hasEdited = false
    /// The facts about the value as a whole that are not in the text.
    var hints = Hints()
    /// The number of keys that are being read, each of which is in the one before.
    var keyDepth = 0
    /// The container or key that the value that is being read is part of.
    var owner = OpenContainer.Owner.value
    /// The value as a whole, if it is another one than it was when its container was opened.
    var result: Draft.ID?
    /// The scalars that have been added; equal ones of the text are one in the draft.
    var added: [AddedScalar: Draft.ID] = [:]
    /// The reals that had to be rounded.
    var roundings: [Rounding] = []

    /// Facts about the value as a whole that are not in the text.
    struct Hints {
        /// The digits of a number as the user typed them.
        var literal: String?
        /// The field that the value becomes, if an object gets a new one.
        var field: Field?
        /// The fields of the records beside it, if it comes into a list of records.
        var recordFields: RecordFields?
    }

    /// A scalar of the text that has been added to the draft: a date without a class is another value than one with.
    struct AddedScalar: Hashable {
        let id: ObjectID
        let isRawDate: Bool
    }

    /// The address of the value as a whole.
    var address: JSONPointer { trail.address }

    /// - Parameters:
    ///   - document: the JSON text that values are read from.
    ///   - trail: where the value goes.
    init(
        _ document: Document, at trail: SlotTrail = SlotTrail(at: .root), rules: TypeRules, for draft: borrowing Draft
    ) {
        self.document = document
        self.trail = trail
        self.rules = rules
        inArchive = draft.view.archive != nil
        objects = NumberedObjects(in: document)
        matcher = ElementMatcher(document, rules: rules, for: draft)
        visited = VisitedContainers(in: document)
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - example: the value after whose example it is stored.
    ///   - isTop: whether it takes the place of the roots of an archive.
    ///   - slot: where it goes, if what others refer to besides is to be split where it changes: they see what they saw.
    /// - Throws: a problem for what is no value, and for a value of another kind if the rules refuse that.
    mutating func read(
        _ id: ObjectID, like example: StorageTemplate?, isTop: Bool = false,
        splitting slot: Slot? = nil, in draft: inout Draft
    ) throws(Problem) -> Value {
        objects.root = id
        visited.begin(splits: slot != nil)
        var replaced: ViewID?
        if rules.keepsObjects, rules.readsPlain, rules.takesClasses, let example, example.isPresent {
            replaced = draft.viewID(of: example.value)
        }
        matcher.begin(id, replacing: replaced, in: draft)
        guard rules.keepsObjects, inArchive else {
            return try readOnce(id, like: example, isTop: isTop, in: &draft)
        }
        if let example, example.isPresent {
            matcher.comparePlaces(of: id, with: example.value, resolving: &objects, rules: rules, in: &draft)
        }
        // An object may be shown in several places: what becomes of it is known once all have been seen.
        let notes = (new: draft.newFields, lost: draft.lostFields)
        isFirstReading = true
        let seen = try readOnce(id, like: example, isTop: isTop, in: &draft)
        isFirstReading = false
        guard visited.hasChanges else { return seen }
        if let slot { visited.split(from: slot, in: &draft) }
        roundings = []
        (draft.newFields, draft.lostFields) = notes
        return try readOnce(id, like: example, isTop: isTop, in: &draft)
    }

    /// Reads a value that somebody gives. What is wrong in it is told by where it would stand.
    mutating func read(
        _ given: GivenValue, like example: StorageTemplate?, isTop: Bool = false, splitting slot: Slot? = nil,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        hints.literal = given.literal
        defer { hints.literal = nil }
        do throws(Problem) {
            return try read(given.document.root, like: example, isTop: isTop, splitting: slot, in: &draft)
        } catch {
            guard error.kind.isOf(.graph), let place = error.address else { throw error }
            var error = error
            error.address = address.appending(place)
            throw error
        }
    }

    private mutating func readOnce(
        _ id: ObjectID, like example: StorageTemplate?, isTop: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        objects.read = [:]
        trail.removeAll()
        keyDepth = 0
        owner = .value
        result = nil
        if let example, matcher.isUnchanged(id, example) { return (example.value, example.isInPlace) }
        var new: Value
        if isTop, inArchive, document.object(id).kind == .dictionary {
            let given = GivenContainer(id: id, kind: .dictionary, members: pairs(of: id, isPlain: false))
            new = try open(given, like: example, isInPlace: nil, isTop: true, in: &draft)
        } else {
            // A patch says of what it puts into a value without a class, too, that it stands in place.
            let isRaw = rules.takesClasses && example.map { draft.isWithinRaw($0.value) } ?? false
            new = try value(id, like: example, isRaw: !inArchive || isRaw, in: &draft)
        }
        while !frames.isEmpty { try step(in: &draft) }
        if let result { new.id = result }
        return new
    }

    /// The digits of a number as they were given; nil where nobody knows more than the number.
    func literal(of id: ObjectID) -> String? { frames.isEmpty && id == objects.root ? hints.literal : nil }

    /// Reads the next value of the innermost container, or closes it.
    private mutating func step(in draft: inout Draft) throws(Problem) {
        let top = frames.count - 1
        guard frames[top].next < frames[top].members.count else { return try close(frames.removeLast(), in: &draft) }
        let member = frames[top].members[frames[top].next]
        frames[top].next += 1
        owner = .container(top)
        let example = example(of: member, top, in: &draft)
        var new = try value(member.value, like: example, isRaw: frames[top].isRaw, in: &draft)
        if new.isInPlace == nil, frames[top].isTop, draft.isNumber(new.id) { new.isInPlace = true }
        frames[top].values.append(new)
    }

    /// What the value of a member is stored after: what it replaces, what the same field holds in other objects of the
    /// class, or what stands beside it.
    private func example(of member: OpenContainer.Member, _ frame: Int, in draft: inout Draft) -> StorageTemplate? {
        let (container, isPresent) = (frames[frame].example, frames[frame].isPresent)
        if frame == 0, let name = member.name, let field = hints.recordFields?.fields[name], let example = field.example
        {
            if field.isUniform { return example }
            // Text is a date, or data, only where all records have one.
            if case .string = document[member.value] { return nil }
        }
        if let container, let position = member.position, let item = draft.item(position, of: container),
            !draft.isNull(item.value) || document.object(member.value).kind == .null
        {
            var example = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: isPresent)
            if isPresent {
                example.slot = SlotTrail.Slot(parent: frames[frame].trail, container: container, position: position)
            }
            return example
        }
        if let replaced = frames[frame].replaced {
            var position: Int? = frames[frame].next - 1
            if member.key != nil { position = member.name.flatMap { draft.position(of: $0, in: replaced) } }
            if let example = draft.patchExample(at: position, of: replaced) { return example }
        }
        if member.key != nil {
            guard let name = member.name, let number = draft.classNumber(of: frames[frame].target) else {
                return nil
            }
            return draft.example(field: name, ofClass: number)
        }
        guard rules.takesClasses, let container else { return nil }
        if let model = member.model, let item = draft.item(model, of: container) {
            return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
        }
        return draft.neighbour(at: frames[frame].next - 1, of: container)
    }

    // MARK: Values

    /// Reads a value, or as much of it as comes before its contents.
    ///
    /// - Parameters:
    ///   - isRaw: whether it is a plain value of a property list.
    mutating func value(
        _ id: ObjectID, like example: StorageTemplate?, isRaw: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        if let example, matcher.isUnchanged(id, example) { return (example.value, example.isInPlace) }
        if isRaw { return try plainValue(id, like: example, in: &draft) }
        guard document.object(id).kind == .dictionary else {
            return try value(bare: id, isInPlace: nil, like: example, in: &draft)
        }
        let object = try graphObject(id, like: example, in: &draft)
        switch object.form {
        case .inline(let bare):
            return try value(bare: bare, isInPlace: true, like: example, in: &draft)
        case .object(let bare):
            return try value(bare: bare, isInPlace: false, like: example, in: &draft)
        case .ref, .raw, .instance, .plain:
            return try read(object, like: example, isInPlace: nil, in: &draft)
        }
    }

    /// Reads a value without the `$inline` or `$object` that was around it.
    private mutating func value(
        bare: ObjectID, isInPlace: Bool?, like example: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        switch document.object(bare).kind {
        case .uid: throw document.graphUID(at: bare)
        case .set where isInPlace != true: throw document.graphSet(at: bare)
        case .array, .set:
            return try open(elements(of: bare), like: example, isInPlace: isInPlace, in: &draft)
        case .dictionary:
            let object = try graphObject(bare, like: example, in: &draft)
            return try read(object, like: example, isInPlace: isInPlace, in: &draft)
        default:
            return try scalar(bare, like: example, isInPlace: isInPlace, in: &draft)
        }
    }

    /// Reads a value that is no object of a class.
    private mutating func plainValue(
        _ id: ObjectID, like example: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let kind = document.object(id).kind
        if kind == .uid, inArchive { throw document.graphUID(at: id) }
        if rules.readsPlain, kind == .dictionary, let example {
            if isUnchangedUID(id, example.value, draft) { return (example.value, example.isInPlace) }
            if refers(id, to: example, draft) { return (example.value, example.isInPlace) }
        }
        switch kind {
        case .array, .set:
            var given = elements(of: id)
            given.isRaw = inArchive
            return try open(given, like: example, isInPlace: nil, in: &draft)
        case .dictionary:
            let given = GivenContainer(
                id: id, kind: .dictionary, isRaw: inArchive, members: pairs(of: id, isPlain: true))
            return try open(given, like: example, isInPlace: nil, in: &draft)
        default: return try scalar(id, like: example, isInPlace: nil, in: &draft)
        }
    }

    private func elements(of id: ObjectID) -> GivenContainer {
        let stored = document.object(id)
        var given = GivenContainer(
            id: id, kind: stored.kind == .set ? .set : .array,
            members: (0..<stored.count).map { (nil, document.reference($0, of: stored)) })
        given.number = objects.shared[id]
        return given
    }

    /// The pairs of a dictionary of the JSON text.
    ///
    /// - Parameter isPlain: whether names that begin with `$` stand as they are.
    func pairs(of id: ObjectID, isPlain: Bool) -> [(key: GivenContainer.Key?, value: ObjectID)] {
        let stored = document.object(id)
        return (0..<stored.count).map {
            (key(document.key($0, of: stored), isPlain: isPlain), document.value($0, of: stored))
        }
    }

    /// A key of the JSON text.
    ///
    /// - Parameter isPlain: whether a name that begins with `$` stands as it is.
    func key(_ id: ObjectID, isPlain: Bool) -> GivenContainer.Key {
        document.text(id).map { .name(Array($0), isPlain: isPlain) } ?? .value(id)
    }

    /// Whether a value is the plain JSON of a UID that is there: `{"CF$UID": 5}`.
    private func isUnchangedUID(_ id: ObjectID, _ present: Draft.ID, _ draft: borrowing Draft) -> Bool {
        guard case .uid(let uid) = draft.scalar(present), case .dictionary(let pairs) = document[id], pairs.count == 1,
            let value = pairs.value(for: "CF$UID".utf16), case .integer(let number) = document[value]
        else { return false }
        return number.value == Int128(uid.value)
    }
}

extension Draft {
    /// Whether a container is in one that stands in `$objects` without a class.
    mutating func isWithinRaw(_ id: ID) -> Bool {
        guard let present = viewID(of: id), view.uid(present) == nil, let number = open(id) else { return false }
        return containers[number].isRaw
    }

    /// Whether a value is null, which has no type.
    func isNull(_ id: ID) -> Bool {
        if case .null = scalar(id) { return true }
        return false
    }

    /// Whether a value is a number or a boolean.
    func isNumber(_ id: ID) -> Bool {
        switch scalar(id) {
        case .boolean, .integer, .real32, .real64: true
        default: false
        }
    }
}
