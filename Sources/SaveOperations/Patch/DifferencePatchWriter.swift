import KeyedArchives
package import SaveCodec

/// A writer for the JSON Patch that turns the earlier document into the later one, with one operation per line.
///
///     [
///       {"op": "remove", "path": "/root/charList/1"},
///       {"op": "add", "path": "/root/charList/3", "value": {"$class":"Player","map":{"$ref":"/root"}}},
///       {"op": "replace", "path": "/root/$class", "value": "Cave"}
///     ]
///
/// Each operation is applied to a draft once it is written, so that the addresses of the next one are valid.
struct DifferencePatchWriter {
    /// A value to write, and its slot.
    struct Target {
        let path: JSONPointer
        let location: NewObjects.Location
        /// The value in the later document.
        let id: ViewID
        /// The object of the document that stores the value.
        let stored: ObjectID
        /// Whether the value is stored in place; nil for a plain document.
        var isInPlace: Bool?
        /// Whether the default storage is correct, so that the patch need not state it.
        var isDefault = true
        /// The template that decides the default storage.
        var template: StorageTemplate?
    }

    let difference: Difference
    /// The writer of values; nil unless both documents are archives.
    let values: GraphJSONValueWriter?
    /// The maximum size of the patch. A limit is needed because the total length of the addresses is quadratic in the
    /// length of a chain of objects.
    let limit: Int
    var objects = NewObjects()
    private(set) var isEmpty: Bool
    /// The slots whose values hold nested saves. Their differences have operations of their own.
    private let saveSlots: Set<SaveSlot>
    /// The address of the container of the current pair.
    private var current: (pair: Int, address: JSONPointer)?

    private struct SaveSlot: Hashable {
        let pair: Int
        let after: Int
    }

    /// - Parameter isEmpty: Whether nothing has been written yet.
    init(_ difference: Difference, _ limits: Limits, isEmpty: Bool) {
        self.difference = difference
        self.isEmpty = isEmpty
        saveSlots = Set(
            difference.changesInSaves.map { SaveSlot(pair: $0.node, after: Int($0.slots.after)) })
        if let before = difference.before.archive, let after = difference.after.archive {
            values = GraphJSONValueWriter(
                after, receiver: before.classes, receiverHasPlainDates: before.hasClasslessDates)
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

    /// Writes a step of a walk, before the step is made.
    mutating func write(
        _ step: DifferenceReplay.Step, of walk: DifferenceReplay, in draft: inout Draft, to output: inout ByteWriter
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
                // An address with the key would remove all duplicates of the key.
                path.append(extensionToken: "#\(position)")
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
            let template = draft.isKeyed(container) ? draft.template(at: nil, key: key, of: container) : nil
            let storage = storage(of: value.id, at: nil, of: container, like: template, in: &draft)
            let target = target(of: value, at: path, storage: storage, like: template, of: walk)
            try write("add", at: target, of: walk, in: &draft, to: &output)
        case .set(let value) where saveSlots.contains(SaveSlot(pair: walk.pair, after: value.slot)): break
        case .set(let value):
            draft.append(slot: value.position, of: container, to: &path)
            let template = draft.template(at: value.position, key: path.tokens.last, of: container)
            let storage = storage(of: value.id, at: value.position, of: container, like: template, in: &draft)
            let target = target(of: value, at: path, storage: storage, like: template, of: walk)
            try write("replace", at: target, of: walk, in: &draft, to: &output)
        }
    }

    /// Returns the target for a value at the current address of its slot.
    private func target(
        of value: DifferenceReplay.Value, at path: JSONPointer, storage: Bool?, like template: StorageTemplate?,
        of walk: DifferenceReplay
    ) -> Target {
        let after = difference.after
        let contents = after[difference.pairs[walk.pair].after].contents
        return Target(
            path: path, location: .slot(pair: walk.pair, after: walk.isInArray ? value.slot : value.position),
            id: after.item(value.slot, of: contents).id, stored: after.storedItem(value.slot, of: contents).value,
            isInPlace: value.isInPlace, isDefault: value.isInPlace == nil || value.isInPlace == storage,
            template: template)
    }

    /// Returns whether a patch without storage tags stores a value in place; nil if it would store a different value.
    private func storage(
        of value: Draft.ID, at position: Int?, of container: Draft.ID, like template: StorageTemplate?,
        in draft: inout Draft
    ) -> Bool? {
        let byDefault = draft.isInPlaceByDefault(value, at: position, of: container)
        guard values != nil, let node = draft.scalar(value), draft.classOf(value).needsNoClass(for: node) else {
            return byDefault
        }
        let storage = draft.patchStorage(of: node, draft.classOf(value), like: template)
        return storage.isOther ? nil : storage.isInPlace ?? byDefault
    }

    private mutating func writeClass(
        _ position: Int, of container: Draft.ID, at path: JSONPointer, in draft: inout Draft,
        to output: inout ByteWriter
    ) throws(Problem) {
        if case .dictionary = draft.value(container).variant, draft.position(of: "$class".utf16, in: container) != nil {
            throw Problem(
                "patch.class", "a patch cannot change the class of a dictionary that has the key \"$class\"",
                address: path)
        }
        try begin("replace", path.appending(key: "$class".utf16), to: &output)
        output.write(", \"value\": ")
        values?.writeClass(position, to: &output)
        output.write("}")
    }

    /// Appends the token of a slot that does not exist yet.
    private func append(
        keyOf value: DifferenceReplay.Value, in container: Draft.ID, of walk: DifferenceReplay,
        to path: inout JSONPointer, in draft: inout Draft
    ) throws(Problem) {
        let after = difference.after
        let key = after.item(value.slot, of: after[difference.pairs[walk.pair].after].contents).key
        guard let key else { return path.append(index: value.position) }
        let image = try walk.image(key, &draft)
        if let text = draft.text(image) {
            path.append(key: text)
        } else if let form = draft.extensionToken(ofKey: image) {
            path.append(extensionToken: form)
        } else {
            throw .patchKey(at: path)
        }
        guard path.lastToken.flatMap({ draft.position(of: $0, at: container) }) == nil else {
            throw Problem("patch.key", "a patch cannot add a duplicate key", address: path)
        }
    }

    private mutating func address(of walk: DifferenceReplay, in draft: inout Draft) throws(Problem) -> JSONPointer {
        if let current, current.pair == walk.pair { return current.address }
        let address = try address(ofPair: walk.pair, of: walk, in: &draft)
        current = (walk.pair, address)
        return address
    }

    // MARK: Operations

    /// Writes the start of an operation, up to its value.
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
        let pointer = (difference.base.after?.appending(nested: address) ?? address).pointer
        try objects.add(pointer.count, limit: limit)
        ScalarText.writeString(pointer, to: &output)
    }

}

extension Difference {
    /// Writes the JSON Patch that turns the earlier document into the later one. Values are typed JSON for a plain
    /// document, and graph JSON for an archive, see ``JSONPatch``.
    ///
    /// - Throws: A problem if a patch cannot express a change, or if it would be far larger than the documents.
    package func writePatch(to output: inout ByteWriter, limits: Limits = Limits()) throws(Problem) {
        var isEmpty = true
        try writeOperations(&isEmpty, to: &output, limits)
        output.write(isEmpty ? "[]\n" : "\n]\n")
    }

    /// Writes the operations, followed by those for nested saves.
    private func writeOperations(
        _ isEmpty: inout Bool, to output: inout ByteWriter, _ limits: Limits
    ) throws(Problem) {
        var draft = Draft(before)
        var walk = DifferenceReplay(self, &draft, keepsOrder: false)
        var patch = DifferencePatchWriter(self, limits, isEmpty: isEmpty)
        try walk.run(on: &draft) { step, walk, draft throws(Problem) in
            try patch.write(step, of: walk, in: &draft, to: &output)
        }
        isEmpty = patch.isEmpty
        for change in changesInSaves {
            try nestedDifference(of: change)?.writeOperations(&isEmpty, to: &output, limits)
        }
    }

    /// The changes of values that hold nested saves, in slots that both documents have or at the roots.
    fileprivate var changesInSaves: [Change] {
        changes.filter { $0.nested != nil && ($0.node < pairs.count || pairs.isEmpty) }
    }
}
