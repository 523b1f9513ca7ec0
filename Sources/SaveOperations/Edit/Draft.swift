package import KeyedArchives
package import SaveCodec

/// An editor of a document through its view: it changes values, in plain documents and archives alike. The draft knows
/// how each class stores its contents, and which values are stored in place and which as references.
///
///     var draft = Draft(view)
///     if let level = draft.find(address) { … draft.replace(at: position, of: map, with: draft.add(.boolean(true))) }
///     let edited = try draft.finish()
///
/// A container in several slots is one value with one identity: an edit of it is visible in all of them. A scalar is
/// replaced only in the edited slot. Unedited values keep their bytes, see ``DocumentEditor``, and objects of an
/// archive keep their UIDs.
package struct Draft: ~Copyable {
    /// A value of the draft: a value of the view, with the same number, or a new value.
    package struct ID: Hashable, Sendable {
        /// The number. Values of the view are below ``ObjectView/count``; new values follow.
        let index: Int
    }

    struct Value {
        /// The scalar, or the kind of container.
        let variant: ViewValue.Variant
        /// The number of slots of a container; 0 for a scalar.
        let count: Int
    }

    /// The contents of a slot.
    struct Item {
        /// The key, or the name of the field; nil for an element.
        let key: ID?
        let value: ID
        /// Whether the value is stored in place, not as a reference of an archive.
        let isInPlace: Bool
    }

    struct Slot: Hashable {
        let container: ID
        let position: Int
    }

    let view: ObjectView
    var root: ID
    var values: DraftValues
    /// Whether a given value contradicts its tag, as in `{"$set": 255}`. The document can then only be plain JSON, in
    /// which tags are ordinary names.
    var becomesPlainJSON = false
    /// Whether the names that plain JSON has for keys that are not strings lead to them, see
    /// ``position(of:at:exactly:)``.
    var findsPlainNames = false
    var sources: [DraftSource] = []
    /// Whether a new element of a collection may be nil, because it is from a save that has it.
    var acceptsNil = false
    /// The number of references to each container; nil until needed, and after a reference was removed.
    var referenceCounts: [Int: Int]?
    /// The slots to remove when the draft is finished, and the slots that are set in containers that are not open.
    var slotEdits = SlotEdits()
    /// The scalar that was set last, and its values in the draft.
    var lastScalar: RepeatedScalar?
    var sharing = DraftSharing()
    /// The storage of the fields of each class; nil until needed.
    var fieldStorages: FieldStorages?
    var unexpectedFields = UnexpectedFields()
    var lostFields = LostFields()
    var classes: DraftClasses

    /// Creates a draft of a view's document, without edits.
    package init(_ view: ObjectView) {
        self.view = view
        root = ID(index: view.root.index)
        values = DraftValues(view)
        classes = DraftClasses(view.archive)
    }

    /// Returns the value of the draft for a value of the view.
    package func id(of id: ViewID) -> ID { ID(index: id.index) }

    /// Returns the value of the view for a value of the draft; nil for a new value.
    func viewID(of id: ID) -> ViewID? { values.viewID(of: id) }

    /// The addresses of the first shared objects that were edited inside a given value.
    package var sharedEdits: [JSONPointer] { sharing.editedObjects }

    // MARK: Looking

    /// Returns a scalar, or nil for a container.
    package func scalar(_ id: ID) -> Node? { values.scalar(id) }

    func text(_ id: ID) -> StoredString? {
        guard case .string(let text) = scalar(id) else { return nil }
        return text
    }

    /// Returns the kind and size of a value.
    mutating func value(_ id: ID) -> Value {
        if let node = scalar(id) { return Value(variant: .scalar(node), count: 0) }
        guard let number = open(id) else { return Value(variant: .scalar(.null), count: 0) }
        let container = values.containers[number]
        return Value(variant: container.kind.variant, count: container.count)
    }

    mutating func item(_ position: Int, of container: ID) -> Item? {
        guard let number = open(container), position >= 0, position < values.containers[number].count else {
            return nil
        }
        let slot = values.containers[number][position]
        return Item(
            key: slot.key == DraftContainer.Slot.none ? nil : ID(index: Int(slot.key)),
            value: ID(index: Int(slot.value)), isInPlace: slot.isInPlace)
    }

    /// Returns the position of a string key, or nil. A duplicate key has the position of its effective value.
    mutating func position(of key: some Collection<UInt16>, in container: ID) -> Int? {
        position(ofKeyHash: Self.hash(key), in: container) { draft, id in
            draft.text(id)?.elementsEqual(key) ?? false
        }
    }

    /// Returns the position of the key that has a hash and that `matches` accepts; nil if no key matches. A duplicate
    /// key has the position of its effective value.
    mutating func position(
        ofKeyHash hash: Int, in container: ID, _ matches: (borrowing Draft, ID) -> Bool
    ) -> Int? {
        let positions = positions(ofKeyHash: hash, in: container, matches)
        return view.document.lastDuplicateWins ? positions.max() : positions.min()
    }

    /// Returns the positions of the keys that have a hash and that `matches` accepts. A duplicate key has several
    /// positions.
    private mutating func positions(
        ofKeyHash hash: Int, in container: ID, _ matches: (borrowing Draft, ID) -> Bool
    ) -> [Int] {
        guard let number = openIndexed(container) else { return [] }
        return values.containers[number].positions(withKeyHash: hash).filter { position in
            matches(self, ID(index: Int(values.containers[number][position].key)))
        }
    }

    /// Returns the positions of all slots with the same string key as a slot. Only one of them has the effective value.
    package mutating func positions(ofKeyAt position: Int, in container: ID) -> [Int] {
        guard let key = item(position, of: container)?.key, let text = text(key) else { return [position] }
        return positions(ofKeyHash: Self.hash(text), in: container) { draft, id in
            draft.text(id)?.elementsEqual(text) ?? false
        }
    }

    /// Whether another slot has the same string key. The search ends at the second slot with the key, so it is fast
    /// even with very many duplicates.
    mutating func isRepeated(keyAt position: Int, in container: ID) -> Bool {
        guard let key = item(position, of: container)?.key, let text = text(key), let number = openIndexed(container)
        else { return false }
        var count = 0
        for slot in values.containers[number].slots(withKeyHash: Self.hash(text)) {
            if self.text(ID(index: Int(slot.key)))?.elementsEqual(text) ?? false { count += 1 }
            if count == 2 { return true }
        }
        return false
    }

    /// Returns the index in ``DraftValues/containers`` of a container with keys, after indexing the keys; nil for any
    /// other value.
    private mutating func openIndexed(_ container: ID) -> Int? {
        guard let number = open(container), values.containers[number].kind.isKeyed else { return nil }
        if !values.containers[number].isIndexed { indexKeys(of: number) }
        return number
    }

    /// Returns the class of a value; nil for a plain value.
    mutating func classOf(_ id: ID) -> ArchiveClass? {
        guard let number = classNumber(of: id) else { return nil }
        return classes[number]
    }

    private mutating func indexKeys(of number: Int) {
        var hashes: [UInt32: Int?] = [:]
        var container = values.containers[number]
        container.index { key in
            if let known = hashes[key] { return known }
            let hash = hash(ofKey: ID(index: Int(key)))
            hashes[key] = .some(hash)
            return hash
        }
        values.containers[number] = container
    }

    static func hash(_ key: some Collection<UInt16>) -> Int {
        var hasher = Hasher()
        for unit in key { hasher.combine(unit) }
        return hasher.finalize()
    }

    /// Returns the hash of a slot's key; nil if addresses have no token for the key.
    func keyHash(_ slot: DraftContainer.Slot) -> Int? {
        guard slot.key != DraftContainer.Slot.none else { return nil }
        return hash(ofKey: ID(index: Int(slot.key)))
    }

    /// Returns the hash of a key: of its text if it is a string, otherwise of its address token, such as `=5`, or of
    /// its annotation. Returns nil for a key with none of them.
    private func hash(ofKey key: ID) -> Int? {
        if let text = text(key) { return Self.hash(text) }
        let text = extensionToken(ofKey: key) ?? (findsPlainNames ? annotation(ofKey: key) : nil)
        return text.map { Self.hash($0.utf16) }
    }
}

/// A class, as recorded in an archive.
struct ArchiveClass: Sendable, Hashable {
    let name: [UInt16]
    /// The class and its ancestors; nil if the record has none.
    let chain: [[UInt16]]?
    /// The fallback class names; nil if the record has none.
    let hints: [[UInt16]]?

    init(name: [UInt16], chain: [[UInt16]]?, hints: [[UInt16]]? = nil) {
        self.name = name
        self.chain = chain
        self.hints = hints
    }

    /// The first 80 characters of the name, escaped for messages.
    var shownName: String { Self.shown(name) }

    /// Returns the first 80 characters of a class name as people see it, escaped for messages.
    static func shown(_ name: some RandomAccessCollection<UInt16>) -> String {
        SafeText.escaping(SwiftTypeName.text(ofClass: name)?.prefix(80) ?? Array(name.prefix(80))[...])
    }
}

extension Draft {
    /// Returns the class that a JSON value describes: a name, a chain of names, or the members of a class record.
    func readClass(_ id: ObjectID, of document: Document) throws(Problem) -> ArchiveClass {
        switch document[id] {
        case .string(let name): return try knownClass(name)
        case .array(let elements):
            let chain = document.names(elements)
            guard let chain, let name = chain.first else { break }
            return ArchiveClass(name: name, chain: chain)
        case .dictionary(let pairs):
            guard let name = pairs.value(for: "name".utf16).flatMap({ document.text($0) }) else { break }
            return ArchiveClass(
                name: Array(name), chain: document.names(pairs.value(for: "chain".utf16)),
                hints: document.names(pairs.value(for: "hints".utf16)))
        default: break
        }
        throw .patchClassValue(document[id].kind)
    }

    private func knownClass(_ text: StoredString) throws(Problem) -> ArchiveClass {
        let name = Array(text)
        if let number = classes.number(ofNew: name) { return classes[number] }
        guard classes.number(ofStored: name) != nil || KeyedArchive.chain(ofClass: name) != nil else {
            throw .patchUnknownClass(text, Suggestion.sentence(nearestClass(to: name)))
        }
        return classes.named(name)
    }
}

extension Document {
    /// Returns the strings of an array; nil if it contains anything else.
    fileprivate func names(_ elements: Elements) -> [[UInt16]]? {
        let names = elements.compactMap { text($0) }.map { Array($0) }
        return names.count == elements.count ? names : nil
    }

    fileprivate func names(_ id: ObjectID?) -> [[UInt16]]? {
        guard let id, case .array(let elements) = self[id] else { return nil }
        return names(elements)
    }
}

/// Suggestions for mistyped class names.
extension Draft {
    /// The unknown classes that the draft adds to the archive, if their names are similar to the name of a known class.
    package var mistypedClasses: [(name: String, nearest: String)] {
        classes.new.compactMap { new in
            guard KeyedArchive.chain(ofClass: new.name) == nil, let nearest = nearestClass(to: new.name) else {
                return nil
            }
            return (new.shownName, nearest)
        }
    }

    func nearestClass(to name: [UInt16]) -> String? {
        let word = MistypedWord(name)
        let names =
            (view.archive?.classes.prefix(Self.maximumNames) ?? []).map { Array($0.name) }
            + KeyedArchive.knownClassNames
        var best: (name: [UInt16], distance: Int)?
        for name in names {
            guard let distance = word.distance(to: name), distance > 0, distance < best?.distance ?? .max else {
                continue
            }
            best = (name, distance)
        }
        return best.map { ArchiveClass(name: $0.name, chain: nil).shownName }
    }

    /// The maximum number of names to search for a suggestion.
    static let maximumNames = 10_000
}
