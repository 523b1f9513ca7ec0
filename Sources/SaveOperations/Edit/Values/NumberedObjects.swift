import KeyedArchives
import SaveCodec

/// The objects of a JSON text that have a number: an `$id`, or a name among the shared objects of graph JSON.
struct NumberedObjects {
    let text: Document
    /// The numbers of the objects in `$shared` of graph JSON.
    var shared: [ObjectID: Int128] = [:]
    /// The values of the draft for the numbered objects read so far.
    var read: [Int128: Draft.ID] = [:]
    /// The value to search for numbered objects. A number refers only to an object inside the same value.
    var root: ObjectID {
        didSet { found = nil }
    }
    /// The object of each number; nil until needed.
    private var found: [Int128: ObjectID]?

    init(in text: Document) {
        self.text = text
        root = text.root
    }

    /// Returns the object with a number, in ``root`` or among the shared objects.
    mutating func object(_ number: Int128) -> ObjectID? {
        if let found { return found[number] }
        var found: [Int128: ObjectID] = [:]
        var seen: Set<ObjectID> = []
        var pending = [root] + shared.keys.sorted(by: >)
        while let id = pending.popLast() {
            let stored = text.object(id)
            guard stored.kind.isContainer, seen.insert(id).inserted else { continue }
            if stored.kind == .dictionary {
                let object = GraphJSONObject(id, in: text)
                if let number = object.number, found[number] == nil { found[number] = id }
                if case .raw = object.valueKind { continue }
            }
            pending += (0..<stored.referenceCount).map { text.reference($0, of: stored) }
        }
        for (id, number) in shared { found[number] = id }
        self.found = found
        return found[number]
    }
}
