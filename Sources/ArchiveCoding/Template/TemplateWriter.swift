import KeyedArchives
import SaveCodec

/// Facts about an encoded object that its contents do not show.
struct EncodedObjectMetadata {
    /// For each keyed container that the type has requested, a function that returns the container's key for a name, or
    /// nil if its keys do not include the name.
    ///
    /// A name that is included but was not encoded is a field with the value nil. A name that no container includes is
    /// not a field of the type.
    var keys: [(String) -> (any CodingKey)?] = []
    /// Whether the class name was derived from the type name.
    var hasImpliedClass = false
    /// Whether the object is of a Foundation type whose class has other fields. It can only replace an object that was
    /// read as the type.
    var isOfUnknownClass = false
    /// Whether the object is an instance of a Swift class, which is one object however often it is encoded.
    var isInstance = false
    /// Whether the object is the text of a point, a size or a rectangle, which other writers format differently.
    var isGeometry = false
}

/// A writer of encoded values into a template, the archive that they were read from.
///
/// Every value takes the storage of its counterpart, and fields that the Swift types do not mention are kept.
///
///     template   Player {type ─▶ 3, position.x: real32 10.5, health: 100, mood ─▶ "calm"}
///     encoded    Player {type: 3, position.x: real64 10.5, health: 55}
///     result     Player {type ─▶ 3, position.x: real32 10.5, health: 55, mood ─▶ "calm"}
///
/// Both graphs are walked in parallel from the roots, each encoded object once, with an explicit stack. An object keeps
/// its number in the template. Only changed objects are rewritten; the others keep their bytes.
struct TemplateWriter: ~Copyable {
    let old: ObjectView
    let source: ArchivedValueSource
    let archive: KeyedArchive
    let new: ObjectView
    let newArchive: KeyedArchive
    let notes: [UID: EncodedObjectMetadata]
    var editor: DocumentEditor
    var storages: FieldStorages
    /// The contents of new and changed objects, by number. The numbers of new objects follow the numbers of the
    /// template's objects.
    var contents: [Int: Contents] = [:]
    var nextNumber: Int
    /// For each new object, the template object that it replaces. The new object takes over that number if nothing
    /// refers to the template object any more.
    var replaced: [Int: Int] = [:]
    /// For each object of the template, the numbers of the objects written for it, by contents.
    private var variants: [Int: [Contents: Int]] = [:]
    /// The objects of the template that are already the counterpart of a value.
    private var taken: Set<Int> = []
    /// The object number of each encoded instance of a Swift class.
    private var instances: [UID: Int] = [:]
    private var frames: [Frame] = []
    var scalarObjects: [ObjectID: Int] = [:]
    var records: [UID: Int] = [:]
    let classNumbers: ClassNumbers
    var classMatches: [[Int]: Bool] = [:]
    /// The number of an NSNull, once it is needed.
    var nullObject: Int?
    /// The positions of fields by name, for each object in which a field was looked up.
    var fieldPositions: [ViewID: [[UInt16]: Int]] = [:]
    private(set) var warnings: [Problem] = []
    private var warned: Set<String> = []
    /// The number of slots that may still be visited. The limit is needed because a hostile template may refer to one
    /// large object many times.
    private var budget: Int
    /// The address of the value that is written, for warnings.
    private let base: JSONPointer
    /// Whether a single value of the template is replaced, rather than its roots.
    private let isPart: Bool

    /// The contents of a slot: a value in place, or a reference to an object by number.
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

    /// The contents of an object in `$objects`.
    enum Contents: Hashable {
        case value(ObjectID)
        case members(keys: [ObjectID], [Member])
    }

    struct Frame {
        let source: UID?
        /// The counterpart in the template.
        let template: Int?
        /// The number of an instance, which may be referred to before it is complete.
        var number: Int?
        let kind: FrameKind
        var slots: [Slot] = []
        var next = 0
    }

    enum FrameKind {
        case top
        /// The fields of an object, and the number of its class record.
        case fields(Int)
        case dictionary(Int)
        case list(Int)
    }

    struct Slot {
        /// The name of a field, or the key of a pair.
        var key: Key
        let source: Source
        let token: AddressToken
        var result: Reference?

        enum Key {
            case none
            case name(ObjectID)
            case object(Reference)
            /// The previous slot is the key.
            case slotBefore
            /// This slot is a key.
            case isKey
        }
    }

    enum Source {
        /// The template's value, unchanged.
        case kept
        /// An encoded value, and the model of its storage.
        case encoded(ObjectID, StorageModel)
    }

    /// The model of a value's storage: the counterpart in the template or, without one, a similar value.
    struct StorageModel {
        /// The counterpart as stored in the template; nil for none.
        var slot: ObjectID?
        /// A similar value, whose storage and class the new value takes, and whether that value is in place.
        var example: (value: ViewID, isInPlace: Bool)?
        /// Whether the value must be an object.
        var isElement = false
        /// The warning to report if the template has no model for the value; nil for none.
        var lack: String?
    }

    /// - Parameter address: The address of the value that is replaced; nil for the roots.
    init(
        _ template: KeyedArchive, new: KeyedArchive, notes: [UID: EncodedObjectMetadata],
        replacing address: JSONPointer? = nil
    ) {
        archive = template
        old = ObjectView(template)
        source = ArchivedValueSource(old)
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

    /// Returns the archive with its roots replaced by the encoded ones. Roots that were not encoded are kept.
    consuming func replacingRoots() throws(Problem) -> EncodedDocument {
        var top = Frame(source: nil, template: nil, kind: .top)
        top.slots = try fieldSlots(
            of: top, new[new.root].contents, template: old[old.root].contents, change: .none)
        guard case .members(let keys, let members) = try write(top).contents else { return (document, warnings) }
        let warnings = warnings
        return (try finish(top: (keys, members)), warnings)
    }

    /// Returns the archive with one value replaced by the encoded root `root`.
    ///
    /// - Parameters:
    ///   - position: The slot of the value in its container.
    ///   - container: An object of the archive, or the roots.
    consuming func document(replacing position: Int, of container: ViewID) throws(Problem) -> EncodedDocument {
        let stored = old.storedItem(position, of: old[container].contents).value
        let value = new.storedItem(0, of: new[new.root].contents).value
        let isElement = old.uid(container) != nil && !old.isObject(container)
        var frame = Frame(source: nil, template: nil, kind: .top)
        frame.slots = [
            Slot(
                key: .none, source: .encoded(value, StorageModel(slot: stored, isElement: isElement)),
                token: AddressToken([]))
        ]
        guard let reference = try write(frame).slots[0].result else {
            throw Problem("encode.nil", "nil cannot be stored in place of a number", address: base)
        }
        var top = originalTop
        if let uid = old.uid(container) {
            // The container may have been written as a part of the value.
            let before = contents[uid.index] ?? original(uid.index)
            contents[uid.index] = replacing(position, of: uid, in: before, with: reference)
        } else if container == old.root {
            top.members[position] = .reference(reference)
        } else {
            throw Problem(
                "encode.place", "the value is in a container that is stored in place; replace the enclosing object",
                address: base)
        }
        let warnings = warnings
        return (try finish(top: top), warnings)
    }

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

    /// Returns the reference to a container, or nil after pushing a frame that writes the container first.
    private mutating func reference(to uid: UID, _ model: StorageModel) throws(Problem) -> Reference? {
        if let number = instances[uid] { return .object(number) }
        if let text = text(ofGeometryValue: uid, model) { return text }
        var frame = try plan(uid, model)
        if notes[uid]?.isInstance ?? false {
            let number = number(for: frame)
            instances[uid] = number
            frame.number = number
        }
        frames.append(frame)
        return nil
    }

    /// Returns the number of an object before its contents are known: the number of its counterpart, unless another
    /// object has taken it.
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

    /// Finishes a container, and returns its number.
    ///
    /// If several values have the same counterpart, equal ones remain one object.
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
            warn("the template shares this object, but its values now differ; it was split in two")
        }
        variants[template, default: [:]][composed] = number
        return number
    }

    // MARK: Limits and warnings

    /// Subtracts work that depends on the size of the template from the budget.
    mutating func charge(_ count: Int) throws(Problem) {
        guard count <= budget else {
            throw Problem(
                "encode.expansion", "the template has too many references to large objects", address: address)
        }
        budget -= count
    }

    /// Reports that the storage of the current value cannot be determined from the template, once for each `key`.
    mutating func warn(_ sentence: String, once key: String? = nil) {
        guard warned.insert(key ?? "\(address) \(sentence)").inserted else { return }
        warnings.append(Problem("encode.storage", sentence, severity: .warning, address: address))
    }

    var address: JSONPointer {
        var address = base
        for (depth, frame) in frames.enumerated() where frame.next > 0 && !(isPart && depth == 0) {
            address.append(frame.slots[frame.next - 1].token)
        }
        return address
    }
}

extension ObjectView {
    /// Whether a value is an object with fields.
    func isObject(_ id: ViewID) -> Bool {
        if case .object = self[id].variant { return true }
        return false
    }
}
