import KeyedArchives
import SaveCodec

/// A container that is given, as it is read: what it is, and its contents in JSON.
struct GivenContainer {
    /// A key.
    enum Key {
        /// A name, and whether it is just that: else one that begins with `$` may have one `$` more than the key.
        case name([UInt16], isPlain: Bool)
        /// Any other value of the JSON text.
        case value(ObjectID)

        /// Whether it begins with one `$`, which no name does that has one `$` more.
        var isPlain: Bool {
            guard case .name(let name, isPlain: false) = self else { return false }
            return GraphName.isReserved(name)
        }

        /// The strings that the key may be, the likeliest first.
        var candidates: [[UInt16]] {
            guard case .name(let name, let isPlain) = self else { return [] }
            guard !isPlain, let stored = GraphName.unescaped(name), stored.count < name.count else { return [name] }
            return [Array(stored), name]
        }
    }

    /// Where it stands in the JSON text.
    let id: ObjectID
    /// What it is.
    var kind: ContainerKind
    /// Its class, if it is told.
    var className: ArchiveClass?
    /// Whether the class is told by its name only.
    var isClassNamed = true
    /// Whether it is a value of a property list in a place where an object of a class is usual, see `$raw`.
    var isRaw = false
    /// Whether the contents are given as pairs, so that keys may repeat.
    var hasPairs = false
    /// Its `$id`.
    var number: Int128?
    /// The contents. Elements have no keys.
    var members: [(key: Key?, value: ObjectID)]
}
