import KeyedArchives
package import SaveCodec

/// Writes a comparison as a JSON Patch that leads from the document before to the one after, one operation a line.
///
///     [
///       {"op": "remove", "path": "/root/charList/1"},
///       {"op": "add", "path": "/root/charList/3", "value": {"$class":"Player","map":{"$ref":"/root"}}},
///       {"op": "replace", "path": "/root/$class", "value": "Cave"}
///     ]
///
/// The operations are applied to a draft as they are written, so that each has the addresses that are valid then.
struct DifferencePatch {
    /// Where a value goes.
    struct Target {
        let path: JSONPointer
        let location: NewObjects.Location
        /// The value in the document after.
        let id: ViewID
        /// The value as it is stored there.
        let stored: ObjectID
        /// Whether it stands in place; nil for a plain document.
        var isInPlace: Bool?
        /// Whether it would stand so without being told.
        var isDefault = true
        /// The value after whose example it is stored if nothing is said.
        var example: StorageTemplate?
    }

    let difference: Difference
    /// Writes the values of an archive for an archive.
    let values: GraphValueWriter?
    /// How long a patch may become. In a chain of objects the addresses add up to the square of its length.
    let limit: Int
    var objects = NewObjects()
    private(set) var isEmpty: Bool
    /// The slots after whose values hold saves: what is different in these has operations of its own.
    private let saveSlots: Set<SaveSlot>
    /// The address of the container of the pair at which the walk is.
    private var current: (pair: Int, address: JSONPointer)?

    /// A slot of a pair of containers.
    private struct SaveSlot: Hashable {
        let pair: Int
        let after: Int
    }

    /// - Parameter isEmpty: whether nothing has been written yet.
    init(_ difference: Difference, _ limits: Limits, isEmpty: Bool) {
        self.difference = difference
        self.isEmpty = isEmpty
        saveSlots = Set(
            difference.changesInSaves.map { SaveSlot(pair: $0.node, after: Int($0.slots.after)) })
        if let before = difference.before.archive, let after = difference.after.archive {
            values = GraphValueWriter(after, receiver: before.classes, receiverHasPlainDates: before.hasPlainDates)
        } else {
            values = nil
        }
        let size = difference.before.document.imageSize + difference.after.document.imageSize
        limit = min(
            limits.expansionFloor + 4 * size,
            max(
                limits.maxExpandedSize(of: difference.before.document),
                limits.maxExpandedSize(of: difference.after.document)))
    }

    // MARK: Steps

    /// Writes a step of a walk, which has not been taken yet.
    mutating func write(
        _ step: DifferenceWalk.Step, of walk: DifferenceWalk, in draft: inout Draft, to output: inout ByteWriter
    ) throws(Problem) {
        if case .replaceRoot = step {
            guard difference.changesInSaves.isEmpty else { return }
            let root = difference.after.root
            let target = Target(path: .root, location: .root, id: root, stored: difference.after.stored(root))
            return try write("replace", at: target, of: walk, in: &draft, to: &output)
        }
        let container = draft.id(of: difference.pairs[walk.pair].before)
        var path = try address(of: walk, in: &draft)
        switch step {
        case .replaceRoot: break
        case .remove(let position):
            if draft.isRepeated(keyAt: position, in: container) {
                // The key would take the other pairs as well.
                path.append(form: "#\(position)")
            } else {
                draft.append(slot: position, of: container, to: &path)
            }
            try begin("remove", path, to: &output)
            output.write("}")
        case .move(let from, let to):
            var source = path
            source.append(index: from)
            path.append(index: to)
            try begin("move", path, from: source, to: &output)
            output.write("}")
        case .setClass(let position):
            try writeClass(position, of: container, at: path, in: &draft, to: &output)
        case .insert(let value):
            try append(keyOf: value, in: container, of: walk, to: &path, in: &draft)
            let key = path.tokens.last ?? []
            let example = draft.isKeyed(container) ? draft.example(at: nil, key: key, of: container) : nil
            let storage = storage(of: value.id, at: nil, of: container, like: example, in: &draft)
            let target = target(of: value, at: path, storage: storage, like: example, of: walk)
            try write("add", at: target, of: walk, in: &draft, to: &output)
        case .set(let value) where saveSlots.contains(SaveSlot(pair: walk.pair, after: value.slot)): break
        case .set(let value):
            draft.append(slot: value.position, of: container, to: &path)
            let example = draft.example(at: value.position, key: path.tokens.last, of: container)
            let storage = storage(of: value.id, at: value.position, of: container, like: example, in: &draft)
            let target = target(of: value, at: path, storage: storage, like: example, of: walk)
            try write("replace", at: target, of: walk, in: &draft, to: &output)
        }
    }

    /// The target of a value at the present address of its slot.
    private func target(
        of value: DifferenceWalk.Value, at path: JSONPointer, storage: Bool?, like example: StorageTemplate?,
        of walk: DifferenceWalk
    ) -> Target {
        let after = difference.after
        let contents = after[difference.pairs[walk.pair].after].contents
        return Target(
            path: path, location: .slot(pair: walk.pair, after: walk.isInArray ? value.slot : value.position),
            id: after.item(value.slot, of: contents).id, stored: after.storedItem(value.slot, of: contents).value,
            isInPlace: value.isInPlace, isDefault: value.isInPlace == nil || value.isInPlace == storage,
            example: example)
    }

    /// Where a value comes to stand if nothing is said of it; nil if it would become another one.
    private func storage(
        of value: Draft.ID, at position: Int?, of container: Draft.ID, like example: StorageTemplate?,
        in draft: inout Draft
    ) -> Bool? {
        let byDefault = draft.isInPlaceByDefault(value, at: position, of: container)
        guard values != nil, let node = draft.scalar(value), draft.classOf(value).isPlain(for: node) else {
            return byDefault
        }
        let storage = draft.patchStorage(of: node, draft.classOf(value), like: example)
        return storage.isOther ? nil : storage.isInPlace ?? byDefault
    }

    private mutating func writeClass(
        _ position: Int, of container: Draft.ID, at path: JSONPointer, in draft: inout Draft,
        to output: inout ByteWriter
    ) throws(Problem) {
        if case .dictionary = draft.value(container).form, draft.position(of: "$class".utf16, in: container) != nil {
            throw .patchClassKey(at: path)
        }
        var path = path
        path.append(key: "$class".utf16)
        try begin("replace", path, to: &output)
        output.write(", \"value\": ")
        values?.writeClass(position, to: &output)
        output.write("}")
    }

    /// Goes one step down, to the place of a slot that is not there yet.
    private func append(
        keyOf value: DifferenceWalk.Value, in container: Draft.ID, of walk: DifferenceWalk,
        to path: inout JSONPointer, in draft: inout Draft
    ) throws(Problem) {
        let after = difference.after
        let key = after.item(value.slot, of: after[difference.pairs[walk.pair].after].contents).key
        guard let key else { return path.append(index: value.position) }
        let image = try walk.image(key, &draft)
        if let text = draft.text(image) {
            path.append(key: text)
        } else if let form = draft.form(ofKey: image) {
            path.append(form: form)
        } else {
            throw .patchKey(at: path)
        }
        guard path.lastToken.flatMap({ draft.position(of: $0, at: container) }) == nil else {
            throw .patchRepeatedKey(at: path)
        }
    }

    private mutating func address(of walk: DifferenceWalk, in draft: inout Draft) throws(Problem) -> JSONPointer {
        if let current, current.pair == walk.pair { return current.address }
        let address = try address(ofPair: walk.pair, of: walk, in: &draft)
        current = (walk.pair, address)
        return address
    }

    // MARK: Operations

    /// Writes an operation up to its value.
    mutating func begin(
        _ name: StaticString, _ path: JSONPointer, from source: JSONPointer? = nil, to output: inout ByteWriter
    ) throws(Problem) {
        output.write(isEmpty ? "[\n  {\"op\": \"" : ",\n  {\"op\": \"")
        isEmpty = false
        output.write(name)
        if let source {
            output.write("\", \"from\": ")
            try write(source, to: &output)
            output.write(", \"path\": ")
        } else {
            output.write("\", \"path\": ")
        }
        try write(path, to: &output)
    }

    private mutating func write(_ address: JSONPointer, to output: inout ByteWriter) throws(Problem) {
        let pointer = (difference.base.after?.entering(address) ?? address).pointer
        try objects.add(pointer.count, limit: limit)
        ScalarText.writeString(pointer, to: &output)
    }

}

extension Difference {
    /// Writes the JSON Patch that makes the document after of the document before: with typed JSON of a plain document,
    /// with graph JSON of an archive, see ``JSONPatch``.
    ///
    /// - Throws: a problem for what a patch cannot say, and if it would be far larger than the documents.
    package func writePatch(to output: inout ByteWriter, limits: Limits = Limits()) throws(Problem) {
        var isEmpty = true
        try writeOperations(&isEmpty, to: &output, limits)
        output.write(isEmpty ? "[]\n" : "\n]\n")
    }

    /// Writes the operations, and then those within saves that are stored in values.
    private func writeOperations(
        _ isEmpty: inout Bool, to output: inout ByteWriter, _ limits: Limits
    ) throws(Problem) {
        var draft = Draft(before)
        var walk = DifferenceWalk(self, &draft, keepsOrder: false)
        var patch = DifferencePatch(self, limits, isEmpty: isEmpty)
        try walk.run(on: &draft) { step, walk, draft throws(Problem) in
            try patch.write(step, of: walk, in: &draft, to: &output)
        }
        isEmpty = patch.isEmpty
        for change in changesInSaves { try inside(change)?.writeOperations(&isEmpty, to: &output, limits) }
    }

    /// The changes of values that hold saves, at places that are the same before and after, or at the roots.
    fileprivate var changesInSaves: [Change] {
        changes.filter { $0.nested != nil && ($0.node < pairs.count || pairs.isEmpty) }
    }
}
