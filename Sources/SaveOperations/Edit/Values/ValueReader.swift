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
    package typealias Value = (id: Draft.ID, isInPlace: Bool?)
    /// A slot of a container, by position.
    package typealias Slot = (container: Draft.ID, position: Int)

    /// A container that is being read.
    struct Frame {
        /// The container as it is given.
        let given: GivenContainer
        /// The container of the draft: what is there, or a new one.
        let target: Draft.ID
        /// Whether the target is what is there, to be edited if the contents are others.
        let keeps: Bool
        /// The container after whose contents those of this one are stored; nil where there is none.
        var example: Draft.ID?
        /// Of a patch the container that this one replaces, if its contents tell how these are stored and no more.
        var replaced: Draft.ID?
        /// Whether the example is what this one replaces.
        let isPresent: Bool
        /// Whether the contents are plain values of a property list.
        let isRaw: Bool
        /// Whether it is the dictionary of an archive's roots.
        let isTop: Bool
        /// Where the container stands, for messages.
        let trail: Int
        /// What it is part of.
        let owner: Owner
        var members: [Member]
        var next = 0
        var values: [Value] = []
        /// Whether one of the values has taken the place of an object that stays what it is.
        var isSplit = false
    }

    /// What a container that is being read is part of.
    enum Owner: Equatable {
        /// It is the value as a whole.
        case value
        /// It is the last of the values in a frame.
        case container(Int)
        /// It is a key, or in one.
        case key
    }

    /// One of the contents of a container.
    struct Member {
        /// The key as it is given; nil for elements.
        let key: GivenContainer.Key?
        /// The key if it is a string.
        var name: [UInt16]?
        /// The key in the draft, once it is there.
        var keyID: Draft.ID?
        /// The value, in the JSON text.
        let value: ObjectID
        /// The position in the example that it takes the place of.
        var position: Int?
        /// The position in the example of an element after which a new one is stored.
        var model: Int?
    }

    /// A slot of a container that is there, for messages.
    struct Place {
        let trail: Int
        let container: Draft.ID
        let position: Int
    }

    /// A real that had to be rounded to the bytes that it takes.
    package struct Rounding: Sendable, Equatable {
        package let address: JSONPointer
        /// The number that it is.
        package let number: String
        package let byteCount: Int
    }

    let document: Document
    let rules: TypeRules
    /// The address of the value.
    let address: JSONPointer
    /// Whether objects have classes, and values stand in place or not.
    let inArchive: Bool
    /// The number of the JSON text in the draft.
    let source: Int
    var frames: [Frame] = []
    /// The objects that have an `$id`.
    var numbered: [Int128: Draft.ID] = [:]
    /// The numbers of objects that stand apart, in `$shared` of graph JSON.
    var sharedNumbers: [ObjectID: Int128] = [:]
    /// The value that is being read.
    var root: ObjectID
    /// Where each `$id` stands in it, once asked for.
    var numberedValues: [Int128: ObjectID]?
    /// The containers that are there and have been met.
    var met: [Draft.ID: Meeting] = [:]
    /// Whether containers that are there are only looked at.
    var isSurvey = false
    /// The containers that hold others which are there, as the value shows them, if any are to be split.
    var holders: [Draft.ID: Set<Draft.ID>]?
    /// The copies of those that have been split from what others see of them.
    var splits: [Draft.ID: Draft.ID] = [:]
    var hashes = ContentHashes()
    /// What stands at its place in a text with references.
    var places = SamePlaces()
    /// How many keys are being read, each of which is in the one before.
    var keyDepth = 0
    /// What the value that is being read is part of.
    var owner = Owner.value
    /// What the value as a whole is.
    var result: Draft.ID?
    /// The scalars that have been added, as equal ones of the text are one.
    var added: [ObjectID: Draft.ID] = [:]
    var trails: [Place] = []
    var fingerprints: Fingerprints
    /// The reals that had to be rounded.
    package internal(set) var roundings: [Rounding] = []

    /// - Parameters:
    ///   - document: the JSON text that values are read from.
    ///   - address: where the value goes, for messages.
    package init(
        _ document: Document, at address: JSONPointer = .root, rules: TypeRules, for draft: inout Draft
    ) {
        self.document = document
        self.address = address
        self.rules = rules
        inArchive = draft.view.archive != nil
        source = draft.addDocument(document)
        fingerprints = Fingerprints(document)
        root = document.root
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - literal: the digits of a number as they were given.
    ///   - example: the value after whose example it is stored.
    ///   - isTop: whether it takes the place of the roots of an archive.
    ///   - slot: where it goes, if what others refer to besides is to be split where it changes: they see what they saw.
    /// - Throws: a problem for what is no value, and for a value of another kind if the rules refuse that.
    package mutating func read(
        _ id: ObjectID, literal: String? = nil, like example: Example?, isTop: Bool = false,
        splitting slot: Slot? = nil, in draft: inout Draft
    ) throws(Problem) -> Value {
        // The number of an object is known in the value that it stands in only.
        numberedValues = nil
        root = id
        met = [:]
        hashes = ContentHashes()
        guard rules.keepsObjects, inArchive else {
            return try readOnce(id, literal: literal, like: example, isTop: isTop, in: &draft)
        }
        places = SamePlaces()
        if let example, example.isPresent, document.hasReferences {
            places = SamePlaces(comparing: id, with: example.value, for: &self, in: &draft)
        }
        // An object may be shown in several places: what becomes of it is known once all have been seen.
        let notes = (new: draft.newFields, lost: draft.lostFields)
        isSurvey = true
        (holders, splits) = (slot == nil ? nil : [:], [:])
        let seen = try readOnce(id, literal: literal, like: example, isTop: isTop, in: &draft)
        isSurvey = false
        guard met.values.contains(where: \.isChanged) else { return seen }
        if let slot { split(from: slot, in: &draft) }
        roundings = []
        (draft.newFields, draft.lostFields) = notes
        return try readOnce(id, literal: literal, like: example, isTop: isTop, in: &draft)
    }

    private mutating func readOnce(
        _ id: ObjectID, literal: String?, like example: Example?, isTop: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        numbered = [:]
        trails = []
        keyDepth = 0
        owner = .value
        result = nil
        var new: Value
        if isTop, inArchive, document.object(id).kind == .dictionary {
            let given = GivenContainer(id: id, kind: .dictionary, members: pairs(of: id, isPlain: false))
            new = try open(given, like: example, isInPlace: nil, isTop: true, at: nil, in: &draft)
        } else {
            let isRaw = example.map { draft.isWithinRaw($0.value) } ?? false
            new = try value(id, literal: literal, like: example, isRaw: !inArchive || isRaw, at: nil, in: &draft)
        }
        while !frames.isEmpty { try step(in: &draft) }
        if let result { new.id = result }
        return new
    }

    /// Reads the next value of the innermost container, or closes it.
    private mutating func step(in draft: inout Draft) throws(Problem) {
        let top = frames.count - 1
        guard frames[top].next < frames[top].members.count else { return try close(frames.removeLast(), in: &draft) }
        let member = frames[top].members[frames[top].next]
        frames[top].next += 1
        owner = .container(top)
        let (example, place) = example(of: member, top, in: &draft)
        var new = try value(member.value, like: example, isRaw: frames[top].isRaw, at: place, in: &draft)
        if new.isInPlace == nil, frames[top].isTop, draft.isNumber(new.id) { new.isInPlace = true }
        frames[top].values.append(new)
    }

    /// What the value of a member is stored after: what it replaces, what the same field holds in other objects of the
    /// class, or what stands beside it.
    private func example(of member: Member, _ frame: Int, in draft: inout Draft) -> (Example?, Place?) {
        let (container, isPresent) = (frames[frame].example, frames[frame].isPresent)
        if let container, let position = member.position, let item = draft.item(position, of: container),
            !draft.isNull(item.value) || document.object(member.value).kind == .null
        {
            let example = Example(item.value, isInPlace: item.isInPlace, isPresent: isPresent)
            guard isPresent else { return (example, nil) }
            return (example, Place(trail: frames[frame].trail, container: container, position: position))
        }
        if let replaced = frames[frame].replaced {
            var position: Int? = frames[frame].next - 1
            if member.key != nil { position = member.name.flatMap { draft.position(of: $0, in: replaced) } }
            if let example = draft.patchExample(at: position, of: replaced) { return (example, nil) }
        }
        if member.key != nil {
            guard let name = member.name, let number = draft.classNumber(of: frames[frame].target) else {
                return (nil, nil)
            }
            return (draft.example(field: name, ofClass: number), nil)
        }
        guard rules.takesClasses, let container else { return (nil, nil) }
        if let model = member.model, let item = draft.item(model, of: container) {
            return (Example(item.value, isInPlace: item.isInPlace, isPresent: false), nil)
        }
        return (draft.neighbour(at: frames[frame].next - 1, of: container), nil)
    }

    // MARK: Values

    /// Reads a value, or as much of it as comes before its contents.
    ///
    /// - Parameters:
    ///   - isRaw: whether it is a plain value of a property list.
    ///   - place: where it stands among what is there.
    mutating func value(
        _ id: ObjectID, literal: String? = nil, like example: Example?, isRaw: Bool, at place: Place?,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        if isRaw { return try plainValue(id, literal: literal, like: example, at: place, in: &draft) }
        let (bare, isInPlace) = unwrapped(id, like: example, in: &draft)
        switch document.object(bare).kind {
        case .uid: throw document.graphUID(at: bare)
        case .set where isInPlace != true:
            throw document.graphProblem(
                "graph.set", "a set of a property list; expected {\"$class\": \"NSSet\", \"$elements\": […]}", at: bare)
        case .array, .set:
            return try open(elements(of: bare), like: example, isInPlace: isInPlace, at: place, in: &draft)
        case .dictionary:
            return try object(bare, like: example, isInPlace: isInPlace, at: place, in: &draft)
        default:
            return try scalar(bare, literal: literal, like: example, isInPlace: isInPlace, at: place, in: &draft)
        }
    }

    /// Reads a value that is no object of a class.
    private mutating func plainValue(
        _ id: ObjectID, literal: String?, like example: Example?, at place: Place?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let kind = document.object(id).kind
        if kind == .uid, inArchive { throw document.graphUID(at: id) }
        if rules.readsPlain, kind == .dictionary, let example {
            if isUnchangedUID(id, example.value, draft) { return (example.value, example.isInPlace) }
            if mentions(id, example, draft) { return (example.value, example.isInPlace) }
        }
        switch kind {
        case .array, .set: return try open(elements(of: id), like: example, isInPlace: nil, at: place, in: &draft)
        case .dictionary:
            let given = GivenContainer(
                id: id, kind: .dictionary, isRaw: inArchive, members: pairs(of: id, isPlain: true))
            return try open(given, like: example, isInPlace: nil, at: place, in: &draft)
        default: return try scalar(id, literal: literal, like: example, isInPlace: nil, at: place, in: &draft)
        }
    }

    /// The X of `{"$inline": X}` and of `{"$object": X}`, and whether it is to stand in place.
    private func unwrapped(
        _ id: ObjectID, like example: Example?, in draft: inout Draft
    ) -> (ObjectID, isInPlace: Bool?) {
        for (name, isInPlace) in [(GraphName.inline, true), (.object, false)] {
            guard let value = document.soleMember(name, of: id) else { continue }
            if rules.takesClasses, let example, draft.position(of: name.rawValue.utf16, in: example.value) != nil {
                break
            }
            return (value, isInPlace)
        }
        return (id, nil)
    }

    private func elements(of id: ObjectID) -> GivenContainer {
        let stored = document.object(id)
        var given = GivenContainer(
            id: id, kind: stored.kind == .set ? .set : .array,
            members: (0..<stored.count).map { (nil, document.reference($0, of: stored)) })
        given.number = sharedNumbers[id]
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

    /// Whether a value is what plain JSON has for one that is there where it would become too large otherwise:
    /// `{"$ref": "/b"}`, with an address at which the very same stands. In a property list anything else is data.
    private func mentions(_ id: ObjectID, _ example: Example, _ draft: borrowing Draft) -> Bool {
        guard example.isPresent, draft.scalar(example.value) == nil, let pointer = document.soleMember(.ref, of: id),
            let text = document.text(pointer), let address = JSONPointer(units: text)
        else { return false }
        return rules.trustsReferences || draft.presentValue(at: address) == example.value
    }

    /// Whether a value is the plain JSON of a UID that is there: `{"CF$UID": 5}`.
    private func isUnchangedUID(_ id: ObjectID, _ present: Draft.ID, _ draft: borrowing Draft) -> Bool {
        guard case .uid(let uid) = draft.scalar(present), let value = document.soleMember("CF$UID", of: id),
            case .integer(let number) = document[value]
        else { return false }
        return number.value == Int128(uid.value)
    }
}

extension Document {
    /// The value of the only member of a dictionary, if it has this name.
    func soleMember(_ name: GraphName, of id: ObjectID) -> ObjectID? { soleMember(name.rawValue, of: id) }

    fileprivate func soleMember(_ name: String, of id: ObjectID) -> ObjectID? {
        let stored = object(id)
        guard stored.kind == .dictionary, stored.count == 1,
            text(key(0, of: stored))?.elementsEqual(name.utf16) ?? false
        else { return nil }
        return value(0, of: stored)
    }
}

extension Draft {
    /// The number by which scalars of a document are known.
    mutating func addDocument(_ document: Document) -> Int {
        documents.append(document)
        return documents.count - 1
    }

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
