import KeyedArchives
import SaveCodec

/// A container of the JSON text: its kind, class and contents.
struct GivenContainer {
    enum Key {
        /// A name. Unless `keepsDollarNames` is set, a name that begins with `$` may have one `$` more than the key.
        case name([UInt16], keepsDollarNames: Bool)
        case value(ObjectID)

        /// Whether the name begins with exactly one `$`, so that none was added to the key.
        var hasSingleDollar: Bool {
            guard case .name(let name, keepsDollarNames: false) = self else { return false }
            return GraphJSONName.isReserved(name)
        }

        /// The possible keys, the most likely first.
        var candidates: [[UInt16]] {
            guard case .name(let name, let keepsDollarNames) = self else { return [] }
            guard !keepsDollarNames, let stored = GraphJSONName.unescaped(name), stored.count < name.count else {
                return [name]
            }
            return [Array(stored), name]
        }
    }

    let id: ObjectID
    var kind: ContainerKind
    var className: ArchiveClass?
    /// Whether the class is given only by name.
    var isClassNamed = true
    /// Whether the container is given as `$raw`: a plain value without a class.
    var isRaw = false
    /// Whether the contents are given as pairs, so that keys may be duplicated.
    var hasPairs = false
    /// The `$id` of the container, or its number in `$shared`.
    var number: Int128?
    /// The contents. Elements have no keys.
    var members: [(key: Key?, value: ObjectID)]

    /// Whether one of the members has this name.
    func hasName(_ name: String.UTF16View) -> Bool {
        members.contains { member in
            guard case .name(let given, _)? = member.key else { return false }
            return given.elementsEqual(name)
        }
    }
}

/// A container that a ``ValueReader`` has begun to read.
struct OpenContainer {
    let given: GivenContainer
    /// The container of the draft: the present one, or a new one.
    let target: Draft.ID
    /// Whether the target is the present container, which is edited if the contents differ.
    let editsPresentContainer: Bool
    /// The container whose contents are the templates of the members; nil for a container without a template.
    var template: Draft.ID?
    /// For a patch, the container that this one replaces. Its contents only determine the storage of scalars.
    var replaced: Draft.ID?
    let isPresent: Bool
    /// Whether the contents are plain values of a property list.
    let isRaw: Bool
    /// Whether the text may show the target in several slots.
    let isShared: Bool
    /// Whether this is the dictionary of an archive's roots.
    let isTop: Bool
    /// The number of its slot in the ``EnclosingSlots`` of the reader; negative if it has none.
    let enclosingSlot: Int
    let owner: Owner
    let members: [Member]
    /// The values of the members read so far.
    private(set) var values: [ValueReader.Value] = []
    /// The kinds of the elements of the template, except null; nil until they are needed.
    var elementKinds: Set<ValueKind>?
    /// Whether one of the values is a copy that was split from a shared object.
    var isSplit = false

    enum Owner: Equatable {
        /// The container is the whole value.
        case value
        /// The container is the value that the frame with this index read last.
        case container(Int)
        /// The container is a key, or inside a key.
        case key
    }

    struct Member {
        /// The given key; nil for an element.
        let key: GivenContainer.Key?
        /// The key, if it is a string.
        var name: [UInt16]?
        /// The key in the draft; nil if the key of the template is kept.
        var keyID: Draft.ID?
        let value: ObjectID
        /// The position in the template of the value that this one replaces; nil for a new member.
        var position: Int?
        /// For a new element, the position in the template of the element that determines its storage; nil for none.
        var model: Int?
    }
}

extension OpenContainer {
    /// The position of the member that is being read.
    var position: Int { values.count }

    /// The member that is being read; nil after the last one.
    var current: Member? { position < members.count ? members[position] : nil }

    /// Ends the current member.
    mutating func append(_ value: ValueReader.Value) {
        values.append(value)
    }

    /// Replaces the value that was read last.
    fileprivate mutating func replaceLast(with copy: Draft.ID) {
        values[values.count - 1].id = copy
    }
}

/// The containers that a ``ValueReader`` is reading, from the outermost to the innermost.
struct OpenContainers {
    var frames: [OpenContainer] = []
    /// The container or key that contains the current value.
    var owner = OpenContainer.Owner.value
    /// The copy that replaces the whole value; nil unless the value was split after its container was opened.
    private(set) var result: Draft.ID?

    /// Prepares for another value.
    mutating func begin() {
        owner = .value
        result = nil
    }

    /// Replaces a container that was read with a copy, where its owner has it.
    mutating func replace(valueOf owner: OpenContainer.Owner, with copy: Draft.ID) {
        switch owner {
        case .value: result = copy
        case .container(let number):
            frames[number].replaceLast(with: copy)
            frames[number].isSplit = true
        case .key: break
        }
    }
}
