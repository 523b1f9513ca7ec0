import KeyedArchives
import SaveCodec

/// The members of a JSON object that stands for a value of an archive: those that belong to graph JSON, and the data.
///
/// Plain JSON, as `get` prints it, has names that begin with `$` as they are. A name that the container has which is
/// there is such a name.
struct GivenMembers {
    /// The members that belong to graph JSON.
    private(set) var forms: [(name: GraphName, value: ObjectID)] = []
    /// The other members.
    private(set) var data: [(key: ObjectID, value: ObjectID)] = []
    private let document: Document
    private let id: ObjectID

    /// - Parameter isPresent: whether a key of this name is there.
    init(of id: ObjectID, in document: Document, isPresent: ([UInt16]) -> Bool) throws(Problem) {
        (self.document, self.id) = (document, id)
        let stored = document.object(id)
        for position in 0..<stored.count {
            let (key, value) = (document.key(position, of: stored), document.value(position, of: stored))
            guard let name = document.text(key), GraphMembers.isForm(name) else {
                data.append((key, value))
                continue
            }
            if isPresent(Array(name)) {
                data.append((key, value))
            } else if let form = GraphName.ofValues.first(where: { name.elementsEqual($0.rawValue.utf16) }) {
                guard self[form] == nil else { throw document.graphNameTwice(name, at: id) }
                forms.append((form, value))
            } else {
                throw document.graphName(name, at: id)
            }
        }
    }

    subscript(name: GraphName) -> ObjectID? {
        forms.first { $0.name == name }?.value
    }

    /// The value of the only member, if that has this name.
    func sole(_ name: GraphName) -> ObjectID? {
        forms.count == 1 && data.isEmpty ? self[name] : nil
    }

    /// Refuses members of graph JSON beside those named, and data if `allowsData` is false.
    func check(only names: [GraphName], allowsData: Bool) throws(Problem) {
        if let other = forms.first(where: { !names.contains($0.name) }) {
            throw document.graphMisplaced(other.name, at: id)
        }
        if !data.isEmpty, !allowsData, let last = names.last { throw document.graphMixed(last, at: id) }
    }
}

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
            return name.first == 0x24 && !name.starts(with: [0x24, 0x24])
        }

        /// The strings that the key may be, the likeliest first.
        var candidates: [[UInt16]] {
            guard case .name(let name, let isPlain) = self else { return [] }
            return isPlain || !name.starts(with: [0x24, 0x24]) ? [name] : [Array(name.dropFirst()), name]
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
