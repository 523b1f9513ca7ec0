package import KeyedArchives
package import SaveCodec

/// Edits a document through its view: what is an entry or an element there is one here, of plain documents and archives
/// alike. The draft knows how each class stores its contents, and what stands in place and what is referred to.
///
///     var draft = Draft(view)
///     if let level = draft.find(address) { … draft.replace(at: position, of: map, with: draft.add(.boolean(true))) }
///     let edited = try draft.finish()
///
/// A value has an identity: a container that several slots hold is the same to all of them. Scalars are replaced where
/// they stand. What is not touched keeps its bytes, see ``DocumentEditor``, and objects of an archive keep their UIDs.
package struct Draft: ~Copyable {
    /// A value of the draft: one of the view, by the same number, or a new one.
    package struct ID: Hashable, Sendable {
        /// The number: below ``ObjectView/count`` that of the view, above it of new values.
        let index: Int
    }

    /// What a value is.
    struct Value {
        /// A scalar, or what kind of container.
        let form: ViewValue.Form
        /// How much a container holds.
        let count: Int
    }

    /// One of the contents of a container.
    struct Item {
        /// The key, or the name of the field; nil for elements.
        let key: ID?
        /// The value.
        let value: ID
        /// Whether the value stands in place; false for one that an archive refers to.
        let isInPlace: Bool
    }

    /// A value that the view does not have.
    enum Added {
        case scalar(DraftScalar)
        /// A container, by its number in ``Draft/containers``.
        case container(Int)
    }

    /// A slot of a container that has been copied for what is edited behind it.
    struct SplitSlot: Hashable {
        let container: ID
        let position: Int
    }

    /// The view that is edited, as it was.
    let view: ObjectView
    /// The value that the others are contents of.
    var root: ID
    var added: [Added] = []
    var containers: [DraftContainer] = []
    /// The containers of the view that were taken out, by their number in ``containers``.
    var opened: NumberTable
    /// Whether a value was given that makes JSON without tagged values plain JSON: `{"$set": 255}`.
    var becomesPlainJSON = false
    var sources: [DraftSource] = []
    /// The containers in place in values that stand in `$objects` without a class, once asked for.
    var rawContents: Bitmap?
    /// How often each container is referred to, once asked for and while it is so.
    var referenceCounts: [Int: Int]?
    /// The positions of slots that are to be removed once all are known, by container.
    var removals: [ID: Set<Int>] = [:]
    /// The copies of containers that have been split from what others see of them.
    var splitCopies: [Int: ID] = [:]
    /// The slots whose objects are such copies.
    var splitSlots: Set<SplitSlot> = []
    /// The containers of a property list that several slots refer to since a container around them was copied.
    var sharedByCopies: Set<ID> = []
    /// How many slots have been copied with what is split.
    package internal(set) var splitSize = 0
    /// What a slot of a copy counts.
    package static let bytesOfSlot = 8
    /// How objects store their fields, once asked for.
    var fieldStorages: FieldStorages?
    /// The fields of objects that have been given and that are new to the class.
    var newFields = NewFields()
    /// The objects that lose fields as they are replaced.
    var lostFields = LostFields()
    /// Where the first objects stand that were edited as part of a value that was read, and that others refer to, too.
    package internal(set) var sharedEdits: [JSONPointer] = []
    /// The classes that the archive does not have, numbered behind those that it has.
    var newClasses: [ArchiveClass] = []
    /// What the archive is to record of classes that it has, by their number.
    var changedClasses: [Int: ArchiveClass] = [:]
    var classNumbers: [ArchiveClass: Int] = [:]
    /// The first class of each name: of those that the archive has, and of the new ones.
    var knownNames: [[UInt16]: Int] = [:]
    var newNames: [[UInt16]: Int] = [:]

    /// Begins to edit the document of a view.
    package init(_ view: ObjectView) {
        self.view = view
        root = ID(index: view.root.index)
        opened = NumberTable(count: view.count)
        indexClasses()
    }

    /// The value that one of the view is.
    package func id(of id: ViewID) -> ID { ID(index: id.index) }

    /// The value of the view that a value is; nil for new ones.
    func viewID(of id: ID) -> ViewID? {
        if id.index < view.document.count { return view.id(stored: ObjectID(id.index)) }
        guard view.archive != nil, id.index < view.count else { return nil }
        return view.id(of: UID(id.index - view.document.count))
    }

    // MARK: Looking

    /// The value if it is a scalar.
    package func scalar(_ id: ID) -> Node? {
        if let id = viewID(of: id) { return view.scalar(id) }
        guard case .scalar(let scalar) = added[id.index - view.count] else { return nil }
        return scalar.node
    }

    /// The text of a value, or nil if it is no string.
    func text(_ id: ID) -> StoredString? {
        guard case .string(let text) = scalar(id) else { return nil }
        return text
    }

    /// What a value is.
    mutating func value(_ id: ID) -> Value {
        if let node = scalar(id) { return Value(form: .scalar(node), count: 0) }
        guard let number = open(id) else { return Value(form: .scalar(.null), count: 0) }
        let container = containers[number]
        return Value(form: container.kind.form, count: container.count)
    }

    /// The content at a position of a container.
    mutating func item(_ position: Int, of container: ID) -> Item? {
        guard let number = open(container), position >= 0, position < containers[number].count else { return nil }
        let slot = containers[number][position]
        return Item(
            key: slot.key == DraftContainer.Slot.none ? nil : ID(index: Int(slot.key)),
            value: ID(index: Int(slot.value)), isInPlace: slot.isInPlace)
    }

    /// The position of a string key, of a repeated one the one that counts; nil if there is none.
    mutating func position(of key: some Collection<UInt16>, in container: ID) -> Int? {
        position(ofKeyHash: Self.hash(key), in: container) { draft, id in
            draft.text(id)?.elementsEqual(key) ?? false
        }
    }

    /// The position of a key with a hash, of a repeated one the one that counts; nil if there is none that matches.
    mutating func position(
        ofKeyHash hash: Int, in container: ID, _ matches: (borrowing Draft, ID) -> Bool
    ) -> Int? {
        let positions = positions(ofKeyHash: hash, in: container, matches)
        return view.document.lastRepeatedKeyWins ? positions.max() : positions.min()
    }

    /// The positions of a key with a hash: one, but for repeated keys.
    private mutating func positions(
        ofKeyHash hash: Int, in container: ID, _ matches: (borrowing Draft, ID) -> Bool
    ) -> [Int] {
        guard let number = openIndexed(container) else { return [] }
        return containers[number].positions(withKeyHash: hash).filter { position in
            matches(self, ID(index: Int(containers[number][position].key)))
        }
    }

    /// The positions of all slots that have the same string for a key as one has, of which one counts.
    package mutating func positions(ofKeyAt position: Int, in container: ID) -> [Int] {
        guard let key = item(position, of: container)?.key, let text = text(key) else { return [position] }
        return positions(ofKeyHash: Self.hash(text), in: container) { draft, id in
            draft.text(id)?.elementsEqual(text) ?? false
        }
    }

    /// Whether another slot has the same string for a key as one has. It takes no longer where very many have.
    mutating func isRepeated(keyAt position: Int, in container: ID) -> Bool {
        guard let key = item(position, of: container)?.key, let text = text(key), let number = openIndexed(container)
        else { return false }
        var count = 0
        for slot in containers[number].slots(withKeyHash: Self.hash(text)) {
            if self.text(ID(index: Int(slot.key)))?.elementsEqual(text) ?? false { count += 1 }
            if count == 2 { return true }
        }
        return false
    }

    /// The number of a container that has keys, which are indexed then; nil for any other value.
    private mutating func openIndexed(_ container: ID) -> Int? {
        guard let number = open(container), containers[number].kind.isKeyed else { return nil }
        if !containers[number].isIndexed { indexKeys(of: number) }
        return number
    }

    /// The class of a value; nil for plain values.
    mutating func classOf(_ id: ID) -> ArchiveClass? {
        guard let number = classNumber(of: id) else { return nil }
        return archiveClass(number)
    }

    private mutating func indexKeys(of number: Int) {
        var hashes: [UInt32: Int?] = [:]
        var container = containers[number]
        container.index { key in
            if let known = hashes[key] { return known }
            let hash = hash(ofKey: ID(index: Int(key)))
            hashes[key] = .some(hash)
            return hash
        }
        containers[number] = container
    }

    static func hash(_ key: some Collection<UInt16>) -> Int {
        var hasher = Hasher()
        for unit in key { hasher.combine(unit) }
        return hasher.finalize()
    }

    /// The hash of the key that a slot has, if addresses have a token for it.
    func keyHash(_ slot: DraftContainer.Slot) -> Int? {
        guard slot.key != DraftContainer.Slot.none else { return nil }
        return hash(ofKey: ID(index: Int(slot.key)))
    }

    /// The hash of a string, or of the form that another key has in addresses; nil for keys without one.
    private func hash(ofKey key: ID) -> Int? {
        text(key).map { Self.hash($0) } ?? form(ofKey: key).map { Self.hash($0.utf16) }
    }
}

/// A class as an archive records it.
struct ArchiveClass: Sendable, Hashable {
    /// Its name.
    let name: [UInt16]
    /// The class and its ancestors; nil where none are recorded.
    let chain: [[UInt16]]?
    /// Names to fall back to; nil where none are recorded.
    let hints: [[UInt16]]?

    package init(name: [UInt16], chain: [[UInt16]]?, hints: [[UInt16]]? = nil) {
        self.name = name
        self.chain = chain
        self.hints = hints
    }

    /// The beginning of the name, as sentences have it.
    var shownName: String { SafeText.escaping(name.prefix(80)) }
}
