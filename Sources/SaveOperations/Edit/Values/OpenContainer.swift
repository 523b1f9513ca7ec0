import KeyedArchives
import SaveCodec

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
    var members: [Member]
    var next = 0
    var values: [ValueReader.Value] = []
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
