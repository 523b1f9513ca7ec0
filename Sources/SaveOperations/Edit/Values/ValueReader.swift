import KeyedArchives
import SaveCodec

/// A reader of JSON values into a draft. It accepts plain JSON as printed by `get`, typed JSON and, for an archive,
/// graph JSON. Each member may use any of these dialects. Types that a value does not state come from a template, which
/// usually is the value that it replaces.
///
///     now     HighScoreRecord {Name: "Ada", TotalScore: 98200 (an object), DateRecorded: a date}
///     given   {"Name": "Ada", "TotalScore": 98300, "DateRecorded": "2009-09-06T12:34:56Z"}
///     read    HighScoreRecord {"Ada" as it was, 98300 as an object, the date as it was}
///
/// A value that reads like the present one is the present one: the same object, not edited. `$inline`, `$object` and
/// the tags of typed JSON take precedence. See <doc:Editing>.
///
/// Iterative: an open container is a frame, and its members are read one after the other. Only keys inside keys are
/// read recursively, to a limited depth. A reference to an enclosing object becomes a reference to the same object,
/// which preserves cycles.
struct ValueReader {
    /// A value and its storage: in place, as a reference, or (nil) whichever its kind uses by default.
    typealias Value = (id: Draft.ID, isInPlace: Bool?)
    typealias Field = (name: [UInt16], classNumber: Int)

    let document: Document
    var rules: TypeRules
    /// Whether the draft is an archive. If so, objects have classes, and a value is stored in place or as a reference.
    let inArchive: Bool
    var stack = OpenContainers()
    var objects: NumberedObjects
    var matcher: ElementMatcher
    var visited: VisitedContainers
    /// The slots on the path to the current value, for messages.
    var enclosingSlots: EnclosingSlots
    /// Whether this is the first of two readings, which only compares present containers and edits none.
    private(set) var isFirstReading = false
    var hasEdited = false
    var hints = Hints()
    /// The nesting depth of keys inside keys.
    var keyDepth = 0
    /// The scalars of the text that were added to the draft, so that each is added once.
    var added: [AddedScalar: Draft.ID] = [:]
    var roundings: [RoundedNumber] = []

    /// Facts about the whole value that are not in the text.
    struct Hints {
        /// The digits of a number as the user typed them.
        var literal: String?
        /// The field that receives the value, if an object gets a new field.
        var field: Field?
        /// The fields of the other records, if the value is inserted into a list of records.
        var recordFields: RecordFields?
    }

    /// A scalar of the text as added to the draft. A date with a class and one without are different values.
    struct AddedScalar: Hashable {
        let id: ObjectID
        let isRawDate: Bool
    }

    /// The address of the whole value.
    var address: JSONPointer { enclosingSlots.address }

    /// - Parameters:
    ///   - document: The JSON text to read from.
    ///   - enclosingSlots: The location of the value.
    init(
        _ document: Document, at enclosingSlots: EnclosingSlots = EnclosingSlots(at: .root), rules: TypeRules,
        for draft: borrowing Draft
    ) {
        self.document = document
        self.enclosingSlots = enclosingSlots
        self.rules = rules
        inArchive = draft.view.archive != nil
        objects = NumberedObjects(in: document)
        matcher = ElementMatcher(document, rules: rules, for: draft)
        visited = VisitedContainers(in: document)
    }

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - template: The template of the whole value.
    ///   - isTop: Whether the value replaces the roots of an archive.
    ///   - slot: The slot that receives the value. Shared objects that change are then copied for this slot, and other
    ///     references keep the originals. If nil, a shared object changes for all references.
    /// - Throws: A problem if the text is not a valid value, or if the rules refuse a value of another kind.
    mutating func read(
        _ id: ObjectID, like template: StorageTemplate?, isTop: Bool = false,
        splitting slot: Draft.Slot? = nil, in draft: inout Draft
    ) throws(Problem) -> Value {
        objects.root = id
        visited.begin(splits: slot != nil)
        var replaced: ViewID?
        if rules.keepsObjects, rules.readsPlain, rules.infersClasses, let template, template.isPresent {
            replaced = draft.viewID(of: template.value)
        }
        matcher.begin(id, replacing: replaced, in: draft)
        guard rules.keepsObjects, inArchive else {
            return try readOnce(id, like: template, isTop: isTop, in: &draft)
        }
        if let template, template.isPresent {
            matcher.compareContainers(of: id, with: template.value, resolving: &objects, rules: rules, in: &draft)
        }
        // The text may show an object in several slots. Its change is only known after all these slots were read.
        let notes = (new: draft.unexpectedFields, lost: draft.lostFields)
        isFirstReading = true
        let seen = try readOnce(id, like: template, isTop: isTop, in: &draft)
        isFirstReading = false
        guard visited.hasChanges else { return seen }
        if let slot { visited.split(from: slot, in: &draft) }
        roundings = []
        (draft.unexpectedFields, draft.lostFields) = notes
        return try readOnce(id, like: template, isTop: isTop, in: &draft)
    }

    /// Reads a given value. An error has the address of the slot that receives the value.
    mutating func read(
        _ given: GivenValue, like template: StorageTemplate?, isTop: Bool = false, splitting slot: Draft.Slot? = nil,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        hints.literal = given.literal
        defer { hints.literal = nil }
        do throws(Problem) {
            return try read(given.document.root, like: template, isTop: isTop, splitting: slot, in: &draft)
        } catch {
            guard error.kind.isOf(.graph), let errorAddress = error.address else { throw error }
            var error = error
            error.address = address.appending(errorAddress)
            throw error
        }
    }

    private mutating func readOnce(
        _ id: ObjectID, like template: StorageTemplate?, isTop: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        objects.read = [:]
        enclosingSlots.removeAll()
        keyDepth = 0
        stack.begin()
        if let template, matcher.isUnchanged(id, template) { return (template.value, template.isInPlace) }
        var new: Value
        if isTop, inArchive, document.object(id).kind == .dictionary {
            let given = GivenContainer(id: id, kind: .dictionary, members: pairs(of: id, keepsDollarNames: false))
            new = try open(given, like: template, isInPlace: nil, isTop: true, in: &draft)
        } else {
            // A patch must also mark values in place with `$inline` inside a container without a class.
            let isRaw = rules.infersClasses && template.map { draft.isWithinRaw($0.value) } ?? false
            new = try value(id, like: template, isRaw: !inArchive || isRaw, in: &draft)
        }
        while !stack.frames.isEmpty { try step(in: &draft) }
        if let result = stack.result { new.id = result }
        return new
    }

    /// Returns the digits of a number as given; nil unless the number is the whole value and its digits are known.
    func literal(of id: ObjectID) -> String? { stack.frames.isEmpty && id == objects.root ? hints.literal : nil }

    /// Reads the next member of the innermost container, or closes the container.
    private mutating func step(in draft: inout Draft) throws(Problem) {
        let top = stack.frames.count - 1
        guard let member = stack.frames[top].current else { return try close(stack.frames.removeLast(), in: &draft) }
        stack.owner = .container(top)
        let template = template(of: member, top, in: &draft)
        var new = try value(member.value, like: template, isRaw: stack.frames[top].isRaw, in: &draft)
        if new.isInPlace == nil, stack.frames[top].isTop, draft.isNumber(new.id) { new.isInPlace = true }
        stack.frames[top].append(new)
    }

    /// Returns the template of a member: the value that it replaces, the same field of other objects of the class, or a
    /// neighbouring element.
    private func template(of member: OpenContainer.Member, _ frame: Int, in draft: inout Draft) -> StorageTemplate? {
        let (container, isPresent) = (stack.frames[frame].template, stack.frames[frame].isPresent)
        if frame == 0, let name = member.name, let field = hints.recordFields?.fields[name],
            let template = field.template
        {
            if field.isUniform { return template }
            // Text is only read as a date or data if all records have one there.
            if case .string = document[member.value] { return nil }
        }
        if let container, let position = member.position, let item = draft.item(position, of: container),
            !draft.isNull(item.value) || document.object(member.value).kind == .null
        {
            var template = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: isPresent)
            if isPresent {
                template.slot = EnclosingSlots.Slot(
                    parent: stack.frames[frame].enclosingSlot, container: container, position: position)
            }
            return template
        }
        if let replaced = stack.frames[frame].replaced {
            var position: Int? = stack.frames[frame].position
            if member.key != nil { position = member.name.flatMap { draft.position(of: $0, in: replaced) } }
            if let template = draft.patchTemplate(at: position, of: replaced) { return template }
        }
        if member.key != nil {
            guard let name = member.name, let number = draft.classNumber(of: stack.frames[frame].target) else {
                return nil
            }
            return draft.template(field: name, ofClass: number)
        }
        guard rules.infersClasses, let container else { return nil }
        if let model = member.model, let item = draft.item(model, of: container) {
            return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
        }
        return draft.neighbour(at: stack.frames[frame].position, of: container)
    }

    // MARK: Values

    /// Reads a value, or opens it if it is a container.
    ///
    /// - Parameters:
    ///   - isRaw: Whether the value is a plain value of a property list.
    mutating func value(
        _ id: ObjectID, like template: StorageTemplate?, isRaw: Bool, in draft: inout Draft
    ) throws(Problem) -> Value {
        if let template, matcher.isUnchanged(id, template) { return (template.value, template.isInPlace) }
        if isRaw { return try plainValue(id, like: template, in: &draft) }
        guard document.object(id).kind == .dictionary else {
            return try value(bare: id, isInPlace: nil, like: template, in: &draft)
        }
        let object = try graphObject(id, like: template, in: &draft)
        switch object.valueKind {
        case .inline(let bare):
            return try value(bare: bare, isInPlace: true, like: template, in: &draft)
        case .object(let bare):
            return try value(bare: bare, isInPlace: false, like: template, in: &draft)
        case .ref, .raw, .instance, .plain:
            return try read(object, like: template, isInPlace: nil, in: &draft)
        }
    }

    /// Reads the value that was inside an `$inline` or `$object`, or a value that had neither.
    private mutating func value(
        bare: ObjectID, isInPlace: Bool?, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        switch document.object(bare).kind {
        case .uid: throw document.graphUID(at: bare)
        case .set where isInPlace != true: throw document.graphSet(at: bare)
        case .array, .set:
            return try open(elements(of: bare), like: template, isInPlace: isInPlace, in: &draft)
        case .dictionary:
            let object = try graphObject(bare, like: template, in: &draft)
            return try read(object, like: template, isInPlace: isInPlace, in: &draft)
        default:
            return try scalar(bare, like: template, isInPlace: isInPlace, in: &draft)
        }
    }

    private mutating func plainValue(
        _ id: ObjectID, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let kind = document.object(id).kind
        if kind == .uid, inArchive { throw document.graphUID(at: id) }
        if rules.readsPlain, kind == .dictionary, let template {
            if isUnchangedUID(id, as: template.value, in: draft) { return (template.value, template.isInPlace) }
            if refers(id, to: template, draft) { return (template.value, template.isInPlace) }
        }
        switch kind {
        case .array, .set:
            var given = elements(of: id)
            given.isRaw = inArchive
            return try open(given, like: template, isInPlace: nil, in: &draft)
        case .dictionary:
            let given = GivenContainer(
                id: id, kind: .dictionary, isRaw: inArchive, members: pairs(of: id, keepsDollarNames: true))
            return try open(given, like: template, isInPlace: nil, in: &draft)
        default: return try scalar(id, like: template, isInPlace: nil, in: &draft)
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

    /// Returns the pairs of a dictionary of the JSON text.
    ///
    /// - Parameter keepsDollarNames: Whether names that begin with `$` are stored unchanged.
    func pairs(of id: ObjectID, keepsDollarNames: Bool) -> [(key: GivenContainer.Key?, value: ObjectID)] {
        let stored = document.object(id)
        return (0..<stored.count).map {
            (key(document.key($0, of: stored), keepsDollarNames: keepsDollarNames), document.value($0, of: stored))
        }
    }

    /// Returns a key of the JSON text.
    ///
    /// - Parameter keepsDollarNames: Whether a name that begins with `$` is stored unchanged.
    func key(_ id: ObjectID, keepsDollarNames: Bool) -> GivenContainer.Key {
        document.text(id).map { .name(Array($0), keepsDollarNames: keepsDollarNames) } ?? .value(id)
    }

    /// Whether a value is the plain JSON of the present UID: `{"CF$UID": 5}`.
    private func isUnchangedUID(_ id: ObjectID, as present: Draft.ID, in draft: borrowing Draft) -> Bool {
        guard case .uid(let uid) = draft.scalar(present), case .dictionary(let pairs) = document[id], pairs.count == 1,
            let value = pairs.value(for: "CF$UID".utf16), case .integer(let number) = document[value]
        else { return false }
        return number.value == Int128(uid.value)
    }
}

extension Draft {
    /// Whether a container is stored in place inside an object without a class.
    mutating func isWithinRaw(_ id: ID) -> Bool {
        guard let present = viewID(of: id), view.uid(present) == nil, let number = open(id) else { return false }
        return values.containers[number].isRaw
    }

    func isNull(_ id: ID) -> Bool {
        if case .null = scalar(id) { true } else { false }
    }

    /// Whether a value is a number or a Boolean.
    func isNumber(_ id: ID) -> Bool {
        switch scalar(id) {
        case .boolean, .integer, .real32, .real64: true
        default: false
        }
    }
}
