import KeyedArchives
import SaveCodec

/// A container that a ``ValueReader`` has begun to read.
struct OpenContainer {
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
    /// Whether the text may show the target in several places.
    let isShared: Bool
    /// Whether it is the dictionary of an archive's roots.
    let isTop: Bool
    /// Where the container stands, for messages.
    let trail: Int
    /// What it is part of.
    let owner: Owner
    var members: [Member]
    var next = 0
    var values: [ValueReader.Value] = []
    /// Whether one of the values has taken the place of an object that stays what it is.
    var isSplit = false

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
}
