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
    let new: ObjectView
    let newArchive: KeyedArchive
    let notes: [UID: EncodedObjectMetadata]
    var objects: EditedObjects
    var classes: TemplateClasses
    var classMatches: [[Int]: Bool] = [:]
    var storages: FieldStorages
    /// The positions of fields by name, for each object in which a field was looked up.
    var fieldPositions: [ViewID: [[UInt16]: Int]] = [:]
    /// The object number of each encoded instance of a Swift class.
    private var instances: [UID: Int] = [:]
    private var path: WrittenPath
    private(set) var warnings: [Problem] = []
    private var warned: Set<String> = []
    /// The number of slots that may still be visited. The limit is needed because a hostile template may refer to one
    /// large object many times.
    private var budget: Int

    typealias Reference = EditedObjects.Reference
    typealias Member = EditedObjects.Member
    typealias Contents = EditedObjects.Contents
    typealias Frame = WrittenPath.Frame
    typealias Slot = WrittenPath.Slot

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
        old = ObjectView(template)
        source = ArchivedValueSource(old)
        newArchive = new
        self.new = ObjectView(new)
        self.notes = notes
        objects = EditedObjects(template)
        classes = TemplateClasses(template)
        storages = FieldStorages(template)
        path = WrittenPath(replacing: address)
        budget = Limits().maxExpandedSize(of: template.document)
            .addingSaturated(Limits().maxExpandedSize(of: new.document))
    }

    /// The template.
    var archive: KeyedArchive { objects.archive }

    var document: Document { archive.document }

    // MARK: Walking

    /// Returns the archive with its roots replaced by the encoded ones. Roots that were not encoded are kept.
    consuming func replacingRoots() throws(Problem) -> EncodedDocument {
        var top = Frame(source: nil, template: nil, kind: .top)
        top.slots = try fieldSlots(
            of: top, new[new.root].contents, template: old[old.root].contents, change: .none)
        guard case .members(let keys, let members) = try write(top).contents else { return (document, warnings) }
        let warnings = warnings
        return (try objects.finish(top: (keys, members)), warnings)
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
            throw Problem("encode.nil", "nil cannot be stored in place of a number", address: path.base)
        }
        var top = objects.originalTop
        if let uid = old.uid(container) {
            // The container may have been written as a part of the value.
            objects.replace(position, of: uid, with: reference)
        } else if container == old.root {
            top.members[position] = .reference(reference)
        } else {
            throw Problem(
                "encode.place", "the value is in a container that is stored in place; replace the enclosing object",
                address: path.base)
        }
        let warnings = warnings
        return (try objects.finish(top: top), warnings)
    }

    private mutating func write(_ first: Frame) throws(Problem) -> (contents: Contents?, slots: [Slot]) {
        path.append(first)
        while true {
            guard let source = path.nextSource() else {
                let frame = path.removeLast()
                guard !path.isEmpty else { return (composed(frame), frame.slots) }
                path.setResult(.object(finish(frame)))
                continue
            }
            guard case .encoded(let value, let model) = source else { continue }
            var result: Reference?
            if let node = new.scalar(new.identity(of: value)) {
                result = try reference(toScalar: node, value, model)
            } else if let uid = new.uid(new.identity(of: value)) {
                result = try reference(to: uid, model)
            }
            if let result { path.setResult(result) }
        }
    }

    /// Returns the reference to a container, or nil after pushing a frame that writes the container first.
    private mutating func reference(to uid: UID, _ model: StorageModel) throws(Problem) -> Reference? {
        if let number = instances[uid] { return .object(number) }
        if let text = text(ofGeometryValue: uid, model) { return text }
        var frame = try plan(uid, model)
        if notes[uid]?.isInstance ?? false {
            let number = objects.reserve(for: frame.template)
            instances[uid] = number
            frame.number = number
        }
        path.append(frame)
        return nil
    }

    /// Finishes a container, and returns its number.
    private mutating func finish(_ frame: Frame) -> Int {
        let composed = self.composed(frame)
        if let number = frame.number {
            objects.setContents(of: number, to: composed)
            return number
        }
        guard let template = frame.template else { return objects.add(composed) }
        let (number, isSplit) = objects.store(composed, for: template)
        if isSplit { warn("the template shares this object, but its values now differ; it was split in two") }
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

    var address: JSONPointer { path.address }
}

extension ObjectView {
    /// Whether a value is an object with fields.
    func isObject(_ id: ViewID) -> Bool {
        if case .object = self[id].variant { return true }
        return false
    }
}
