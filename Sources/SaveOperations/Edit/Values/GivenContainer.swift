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
