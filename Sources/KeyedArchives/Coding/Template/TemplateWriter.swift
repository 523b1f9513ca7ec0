import SaveCodec

/// Facts about an encoded object that its contents do not show.
struct EncodedObject {
    /// One predicate for each container that the type has requested: whether its keys include a name. If they do and
    /// the name was not encoded, the field is nil; if no container includes it, the field does not belong to the type.
    var knowsName: [(String) -> Bool] = []
    /// Whether the class is merely named like the type.
    var hasImpliedClass = false
    /// Whether the object is an instance of a Swift class, which is one object however often it is encoded.
    var isInstance = false
    /// Whether the object is the text of a point, a size or a rectangle, which other writers spell in other ways.
    var isGeometry = false
}

/// Writes encoded values into a template, the archive that they were read from. Every value takes the storage of its
/// counterpart, and fields that the Swift types do not mention stay unchanged.
///
///     template   Player {type ─▶ 3, position.x: real32 10.5, health: 100, mood ─▶ "calm"}
///     encoded    Player {type: 3, position.x: real64 10.5, health: 55}
///     result     Player {type ─▶ 3, position.x: real32 10.5, health: 55, mood ─▶ "calm"}
///
/// Both graphs are walked side by side from the roots down, each encoded object once, on a stack of its own. An object
/// keeps its number in the template. Only changed objects are rewritten, so that the rest keeps its bytes.
struct TemplateWriter: ~Copyable {
    let old: ObjectView
    let archive: KeyedArchive
    let new: ObjectView
    let newArchive: KeyedArchive
    let notes: [UID: EncodedObject]
    var editor: DocumentEditor
    var storages: FieldStorages
    /// The contents of objects that are new or have changed, by number. New ones have numbers from the template's count.
    var contents: [Int: Contents] = [:]
    var nextNumber: Int
    /// The objects of the template that new ones replace, whose numbers they take if nothing else refers to those.
    var replaced: [Int: Int] = [:]
    /// The objects that objects of the template have become, by their contents.
    private var variants: [Int: [Contents: Int]] = [:]
    /// The objects of the template that have a counterpart already.
    private var taken: Set<Int> = []
    /// The numbers of instances of Swift classes.
    private var instances: [UID: Int] = [:]
    private var frames: [Frame] = []
    var scalarObjects: [ObjectID: Int] = [:]
    var records: [UID: Int] = [:]
    let classNumbers: ClassNumbers
    var kinships: [[Int]: Kinship] = [:]
    /// The number of an NSNull, once one is needed.
    var nullObject: Int?
    /// The positions of fields by name, of objects whose fields are looked up.
    var fieldPositions: [ViewID: [[UInt16]: Int]] = [:]
    private(set) var warnings: [Problem] = []
    private var warned: Set<String> = []
    /// The number of slots that may still be visited. A hostile template may refer to one large object many times.
    private var budget: Int
    /// The address of the value that is written, for warnings.
    private let base: JSONPointer
    /// Whether one value of the template is replaced, and not its roots.
    private let isPart: Bool

    /// The content of a slot: what is stored in place, or a reference to the object of a number.
    enum Reference: Hashable {
        case inPlace(ObjectID)
        case object(Int)
    }

    /// The value of a member of a stored dictionary.
    enum Member: Hashable {
        case reference(Reference)
        /// The elements, keys or values of a collection.
        case list([Reference])
    }

    /// The content of an object's slot in `$objects`.
    enum Contents: Hashable {
        case value(ObjectID)
        case members(keys: [ObjectID], [Member])
    }

    /// A container that is being written.
    struct Frame {
        let source: UID?
        /// The counterpart in the template.
        let template: Int?
        /// The number of an instance, which may be referred to before it is complete.
        var number: Int?
        let form: Form
        var slots: [Slot] = []
        var next = 0
    }

    enum Form {
        /// The roots.
        case top
        /// Fields of an object, and the number of its class record.
        case fields(Int)
        case dictionary(Int)
        case list(Int)
    }

    struct Slot {
        /// The name of a field, or the key of a pair.
        var key: Key
        let source: Source
        /// The step in addresses.
        let token: AddressToken
        var result: Reference?

        enum Key {
            case none
            case name(ObjectID)
            case object(Reference)
            /// The slot before has the key.
            case slotBefore
            /// The slot is a key.
            case isKey
        }
    }

    enum Source {
        /// The template's own, unchanged.
        case kept
        /// A value as it was encoded, and where its storage is found.
        case encoded(ObjectID, Model)
    }

    /// Where the storage of a value is found.
    struct Model {
        /// The counterpart, as it is stored in the template.
        var slot: ObjectID?
        /// Another value that is stored in the same way, with its class, and whether it is in place.
        var example: (value: ViewID, isInPlace: Bool)?
        /// Whether the value must be an object.
        var isElement = false
        /// The reason for a missing model; nil if no model is needed.
        var lack: String?
    }

    /// - Parameter address: the address of the value that is replaced; nil for the roots.
    init(
        _ template: KeyedArchive, new: KeyedArchive, notes: [UID: EncodedObject], replacing address: JSONPointer? = nil
    ) {
        archive = template
        old = ObjectView(template)
        newArchive = new
        self.new = ObjectView(new)
        self.notes = notes
        base = address ?? .root
        isPart = address != nil
        editor = DocumentEditor(template.document)
        storages = FieldStorages(template)
        classNumbers = ClassNumbers(template)
        nextNumber = template.count
        budget = Limits().maxExpandedSize(of: template.document)
            .addingSaturated(Limits().maxExpandedSize(of: new.document))
    }

    var document: Document { archive.document }

    // MARK: Walking

    /// The archive with the encoded roots in the place of its own. Roots that were not encoded stay.
    consuming func replacingRoots() throws(Problem) -> (document: Document, warnings: [Problem]) {
        var top = Frame(source: nil, template: nil, form: .top)
        top.slots = try fieldSlots(
            of: top, new[new.root].contents, template: old[old.root].contents, knows: { _ in false }, change: .none)
        guard case .members(let keys, let members) = try write(top).contents else { return (document, warnings) }
        let warnings = warnings
        return (try finish(top: (keys, members)), warnings)
    }

    /// The archive with the encoded root `root` in the place of one value.
    ///
    /// - Parameters:
    ///   - position: the slot of the value in its container.
    ///   - container: an object of the archive, or the roots.
    consuming func document(
        replacing position: Int, of container: ViewID
    ) throws(Problem) -> (document: Document, warnings: [Problem]) {
        let stored = old.storedItem(position, of: old[container].contents).value
        let value = new.storedItem(0, of: new[new.root].contents).value
        let isElement = old.uid(container) != nil && !old.isObject(container)
        var frame = Frame(source: nil, template: nil, form: .top)
        frame.slots = [
            Slot(
                key: .none, source: .encoded(value, Model(slot: stored, isElement: isElement)),
                token: AddressToken([]))
        ]
        guard let reference = try write(frame).slots[0].result else {
            throw Problem("encode.nil", "nil cannot be stored in place of a number", address: base)
        }
        var top = original(top: ())
        if let uid = old.uid(container) {
            // It may have been written as a part of the value.
            let before = contents[uid.index] ?? original(uid.index)
            contents[uid.index] = replacing(position, of: uid, in: before, with: reference)
        } else if container == old.root {
            top.members[position] = .reference(reference)
        } else {
            throw Problem(
                "encode.place", "the value is in a container that is stored in place; replace an object around it",
                address: base)
        }
        let warnings = warnings
        return (try finish(top: top), warnings)
    }

    /// Writes a container and all in it.
    private mutating func write(_ first: Frame) throws(Problem) -> (contents: Contents?, slots: [Slot]) {
        frames = [first]
        while true {
            let last = frames.count - 1
            let position = frames[last].next
            guard position < frames[last].slots.count else {
                let frame = frames.removeLast()
                guard !frames.isEmpty else { return (composed(frame), frame.slots) }
                let number = finish(frame)
                let around = frames.count - 1
                frames[around].slots[frames[around].next - 1].result = .object(number)
                continue
            }
            frames[last].next += 1
            guard case .encoded(let value, let model) = frames[last].slots[position].source else { continue }
            if let node = new.scalar(new.identity(of: value)) {
                frames[last].slots[position].result = try reference(toScalar: node, value, model)
            } else if let uid = new.uid(new.identity(of: value)) {
                frames[last].slots[position].result = try reference(to: uid, model)
            }
        }
    }

    /// The reference to an object that contains others; nil if it is written first, by a frame that was pushed.
    private mutating func reference(to uid: UID, _ model: Model) throws(Problem) -> Reference? {
        if let number = instances[uid] { return .object(number) }
        if let text = geometryReference(uid, model) { return text }
        var frame = try plan(uid, model)
        if notes[uid]?.isInstance ?? false {
            let number = number(for: frame)
            instances[uid] = number
            frame.number = number
        }
        frames.append(frame)
        return nil
    }

    /// Returns the number of an object before its contents are known: the counterpart's, unless another object has
    /// taken it.
    private mutating func number(for frame: Frame) -> Int {
        guard let template = frame.template, taken.insert(template).inserted else { return add() }
        return template
    }

    mutating func add(_ contents: Contents? = nil, replacing old: Int? = nil) -> Int {
        let number = nextNumber
        nextNumber += 1
        self.contents[number] = contents
        replaced[number] = old
        return number
    }

    /// Ends a container: an object of the template that was one object for several values stays one where they are equal.
    private mutating func finish(_ frame: Frame) -> Int {
        let composed = self.composed(frame)
        let original = frame.template.map { self.original($0) }
        if let number = frame.number {
            if number != frame.template || composed != original { contents[number] = composed }
            return number
        }
        guard let template = frame.template else { return add(composed) }
        if let known = variants[template]?[composed] { return known }
        let number: Int
        if taken.insert(template).inserted {
            number = template
            if composed != original { contents[number] = composed }
        } else {
            number = add(composed)
            warn("the template has one object here and elsewhere, whose values now differ; it became two")
        }
        variants[template, default: [:]][composed] = number
        return number
    }

    // MARK: Limits and warnings

    /// Charges work that depends on the template's size.
    mutating func charge(_ count: Int) throws(Problem) {
        guard count <= budget else {
            throw Problem(
                "encode.expansion", "the template refers to large objects from too many places", address: address)
        }
        budget -= count
    }

    /// Reports that the storage of the current value cannot be found in the template, once for each `key`.
    mutating func warn(_ sentence: String, once key: String? = nil) {
        guard warned.insert(key ?? "\(address) \(sentence)").inserted else { return }
        warnings.append(Problem("encode.storage", sentence, severity: .warning, address: address))
    }

    /// The address of the current value.
    var address: JSONPointer {
        var address = base
        for (depth, frame) in frames.enumerated() where frame.next > 0 && !(isPart && depth == 0) {
            address.append(frame.slots[frame.next - 1].token)
        }
        return address
    }
}

extension ObjectView {
    /// Whether a value has fields.
    func isObject(_ id: ViewID) -> Bool {
        if case .object = self[id].form { return true }
        return false
    }
}
