import KeyedArchives
package import SaveCodec

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
package struct ValueReader {
    /// A value of the draft, and whether it is to stand in place; nil for as it comes.
    typealias Value = (id: Draft.ID, isInPlace: Bool?)
    /// A field of the objects of a class.
    typealias Field = (name: [UInt16], classNumber: Int)
    /// A slot of a container, by position.
    typealias Slot = (container: Draft.ID, position: Int)

    let document: Document
    var rules: TypeRules
    /// Where the value goes.
    private var origin: Origin
    /// Whether objects have classes, and values stand in place or not.
    let inArchive: Bool
    var frames: [Frame] = []
    /// The objects that have an `$id`.
    var numbered: [Int128: Draft.ID] = [:]
    /// The numbers of objects that stand apart, in `$shared` of graph JSON.
    var sharedNumbers: [ObjectID: Int128] = [:]
    /// The value that is being read.
    var root: ObjectID
    /// The digits of the value as a whole as they were given, if it is a number.
    private var literal: String?
    /// The field that the value as a whole becomes, if an object gets a new one.
    var field: Field?
    /// The fields of the records beside the value as a whole, if it comes into a list of such.
    var recordFields: RecordFields?
    /// Where each `$id` stands in it, once asked for.
    var numberedValues: [Int128: ObjectID]?
    /// The containers that are there and have been visited.
    var visited: [Draft.ID: VisitedContainer] = [:]
    /// Whether a container that is there has been edited.
    var hasEdited = false
    /// Whether this is the first of two readings, in which containers that are there are only looked at.
    var isFirstReading = false
    /// The containers that hold others which are there, as the value shows them, if any are to be split.
    var holders: [Draft.ID: Set<Draft.ID>]?
    /// The copies of those that have been split from what others see of them.
    var splits: [Draft.ID: Draft.ID] = [:]
    var hashes = ContentHashes()
    /// What need not be read, as it says what stands there.
    var unchanged = UnchangedValues()
    /// What stands at its place in a text with references.
    var places = SamePlaces()
    /// How many keys are being read, each of which is in the one before.
    var keyDepth = 0
    /// What the value that is being read is part of.
    var owner = Owner.value
    /// What the value as a whole is.
    var result: Draft.ID?
    /// The scalars that have been added, as equal ones of the text are one, but for dates with and without a class.
    var added: [ObjectID: Draft.ID] = [:]
    var addedRaw: [ObjectID: Draft.ID] = [:]
    var trails: [Place] = []
    var fingerprints: Fingerprints
    /// The reals that had to be rounded.
    var roundings: [Rounding] = []

    /// Where the value goes. Only messages tell the address, and of most values there is none.
    private enum Origin {
        case address(JSONPointer)
        case path(SlotPath)
    }

    /// The address of the value.
    var address: JSONPointer {
        get {
            switch origin {
            case .address(let address): address
            case .path(let path): path.address
            }
        }
        set { origin = .address(newValue) }
    }

    /// - Parameter document: the JSON text that values are read from.
    package init(_ document: Document, rules: TypeRules, for draft: borrowing Draft) {
        self.init(document, at: .address(.root), rules: rules, for: draft)
    }

    /// - Parameter path: where the value goes.
    init(_ document: Document, at path: SlotPath, rules: TypeRules, for draft: borrowing Draft) {
        self.init(document, at: .path(path), rules: rules, for: draft)
    }

    private init(_ document: Document, at origin: Origin, rules: TypeRules, for draft: borrowing Draft) {
        self.document = document
        self.origin = origin
        self.rules = rules
        inArchive = draft.view.archive != nil
        fingerprints = Fingerprints(document)
        root = document.root
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - example: the value after whose example it is stored.
    ///   - isTop: whether it takes the place of the roots of an archive.
    ///   - slot: where it goes, if what others refer to besides is to be split where it changes: they see what they saw.
    /// - Throws: a problem for what is no value, and for a value of another kind if the rules refuse that.
    mutating func read(
        _ id: ObjectID, like example: Example?, isTop: Bool = false,
        splitting slot: Slot? = nil, in draft: inout Draft
    ) throws(Problem) -> Value {
        // The number of an object is known in the value that it stands in only.
        numberedValues = nil
        root = id
        visited = [:]
        hashes = ContentHashes()
        unchanged = UnchangedValues()
        if rules.keepsObjects, rules.readsPlain, rules.takesClasses, let example, example.isPresent,
            let value = draft.viewID(of: example.value)
        {
            unchanged = UnchangedValues(comparing: document, from: id, with: value, in: draft)
        }
        guard rules.keepsObjects, inArchive else {
            return try readOnce(id, like: example, isTop: isTop, in: &draft)
        }
        places = SamePlaces()
        if let example, example.isPresent, document.hasReferences {
            places = SamePlaces(comparing: id, with: example.value, for: &self, in: &draft)
        }
        // An object may be shown in several places: what becomes of it is known once all have been seen.
        let notes = (new: draft.newFields, lost: draft.lostFields)
        isFirstReading = true
        (holders, splits) = (slot == nil ? nil : [:], [:])
        let seen = try readOnce(id, like: example, isTop: isTop, in: &draft)
        isFirstReading = false
        guard visited.values.contains(where: \.isChanged) else { return seen }
        if let slot { split(from: slot, in: &draft) }
        roundings = []
        (draft.newFields, draft.lostFields) = notes
        return try readOnce(id, like: example, isTop: isTop, in: &draft)
    }

    /// Reads a value that somebody gives. What is wrong in it is told by where it would stand.
    mutating func read(
        _ given: GivenValue, like example: Example?, isTop: Bool = false, splitting slot: Slot? = nil,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        literal = given.literal
        defer { literal = nil }
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
        _ id: ObjectID, like example: Example?, isTop: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        numbered = [:]
        trails = []
        keyDepth = 0
        owner = .value
        result = nil
        if let example, isUnchanged(id, example) { return (example.value, example.isInPlace) }
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
    func literal(of id: ObjectID) -> String? { frames.isEmpty && id == root ? literal : nil }

    /// Whether a container says what its example is and nothing else.
    func isUnchanged(_ id: ObjectID, _ example: Example) -> Bool {
        example.isPresent && unchanged.say(id, is: example.value)
    }

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
    private func example(of member: Member, _ frame: Int, in draft: inout Draft) -> Example? {
        let (container, isPresent) = (frames[frame].example, frames[frame].isPresent)
        if frame == 0, let name = member.name, let field = recordFields?.fields[name], let example = field.example {
            if field.isUniform { return example }
            // Text is a date, or data, only where all records have one.
            if case .string = document[member.value] { return nil }
        }
        if let container, let position = member.position, let item = draft.item(position, of: container),
            !draft.isNull(item.value) || document.object(member.value).kind == .null
        {
            var example = Example(item.value, isInPlace: item.isInPlace, isPresent: isPresent)
            if isPresent {
                example.place = Place(trail: frames[frame].trail, container: container, position: position)
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
            return Example(item.value, isInPlace: item.isInPlace, isPresent: false)
        }
        return draft.neighbour(at: frames[frame].next - 1, of: container)
    }
}
