import KeyedArchives
import SaveCodec

/// The values of operations, and the addresses of objects that they refer to.
extension DifferencePatchWriter {
    /// Writes an operation with a value, followed by operations for the parts of the value that are nested too deep.
    mutating func write(
        _ name: StaticString, at target: Target, of walk: DifferenceReplay, in draft: inout Draft,
        to output: inout ByteWriter
    ) throws(Problem) {
        let present = draft.find(target.path)
        try begin(name, target.path, to: &output)
        output.write(", \"value\": ")
        var deferred = try writeValue(at: target, of: walk, in: &draft, to: &output)
        if name.description == "replace", let present,
            draft.changesType(from: draft.value(present).variant, to: difference.after[target.id].variant)
        {
            output.write(", \"change-type\": true")
        }
        output.write("}")
        while let next = deferred.popLast() {
            var path = try address(ofObject: next.container, of: walk, in: &draft)
            draft.append(slot: next.position, of: try walk.image(next.container, &draft), to: &path)
            let target = Target(
                path: path, location: .inside(next.container, position: next.position), id: next.value,
                stored: reference(next), isInPlace: false, template: template(of: next, in: &draft))
            try begin("replace", path, to: &output)
            output.write(", \"value\": ")
            deferred += try writeValue(at: target, of: walk, in: &draft, to: &output)
            output.write("}")
        }
    }

    private func reference(_ deferred: NewObjects.Deferred) -> ObjectID {
        difference.after.storedItem(deferred.position, of: difference.after[deferred.container].contents).value
    }

    private mutating func writeValue(
        at target: Target, of walk: DifferenceReplay, in draft: inout Draft, to output: inout ByteWriter
    ) throws(Problem) -> [NewObjects.Deferred] {
        let (after, id) = (difference.after, target.id)
        let isScalar = after.scalar(id) != nil
        if !isScalar, values != nil, difference.partner(ofAfter: id) != nil || isKnown(id) {
            output.write("{\"$ref\": ")
            let pointer = try address(ofObject: id, of: walk, in: &draft).pointer
            try objects.add(pointer.count, limit: limit)
            ScalarText.writeString(pointer, to: &output)
            output.write("}")
            return []
        }
        let scan = try objects.scan(id, at: target.location, in: after, limit: limit) {
            values != nil && difference.partner(ofAfter: $0) != nil
        }
        guard var values else {
            try writePlain(isScalar: isScalar, at: target, to: &output)
            return []
        }
        if isScalar {
            writeScalar(at: target, with: values, to: &output)
        } else {
            values.substitutes = try substitutes(in: scan, of: walk, in: &draft)
            values.shared = scan.shared
            values.write(
                target.stored, explicitSlots: explicitSlots(of: scan, like: target.template, in: &draft),
                isExplicitObject: target.isInPlace == false && isInPlaceContainer(target.template, in: draft),
                to: &output)
        }
        return scan.deferred
    }

    // MARK: Storage

    /// Returns the slots of new containers whose values need a storage tag, `$inline` or `$object`. A value without a
    /// tag is stored like the value that it replaces, or like the same field of other objects of the class.
    private func explicitSlots(
        of scan: NewObjects.ValueScan, like template: StorageTemplate?, in draft: inout Draft
    ) -> Set<ObjectSlot> {
        var slots: Set<ObjectSlot> = []
        var replaced: [Draft.ID?] = []
        for (number, container) in scan.containers.enumerated() {
            var present = number == 0 ? template : nil
            if let parent = container.parent {
                present = self.template(
                    of: container.position, in: scan.containers[parent].id, like: replaced[parent], &draft)
            }
            guard let uid = difference.after.uid(container.id) else {
                replaced.append(nil)
                continue
            }
            // An object that occurs more than once replaces nothing.
            let known = scan.shared.contains(uid) ? nil : self.replaced(by: container.id, like: present, in: &draft)
            replaced.append(known)
            insertSlots(of: container.id, uid, like: known, into: &slots, &draft)
        }
        return slots
    }

    /// Returns the container that a new one replaces, see ``Draft/patchReplaced(by:className:like:)``.
    private func replaced(by id: ViewID, like template: StorageTemplate?, in draft: inout Draft) -> Draft.ID? {
        let value = difference.after[id]
        guard let kind = ContainerKind(value.variant), let className = className(of: value) else { return nil }
        return draft.patchReplaced(by: kind, className: className.name, like: template)
    }

    private func insertSlots(
        of id: ViewID, _ uid: UID, like replaced: Draft.ID?, into slots: inout Set<ObjectSlot>, _ draft: inout Draft
    ) {
        let value = difference.after[id]
        for slot in 0..<value.contents.count {
            guard let template = template(of: slot, in: id, like: replaced, &draft),
                isStoredOtherwise(slot, of: value, like: template, in: &draft)
            else { continue }
            slots.insert(ObjectSlot(uid, slot))
        }
    }

    private func className(of value: ViewValue) -> ArchiveClass? {
        guard let position = value.classPosition, let archive = difference.after.archive else { return nil }
        return ArchiveClass(archive.classes[position])
    }

    /// Returns the template for a slot of a new container: the slot of the replaced container, or else the same field
    /// of other objects of the class.
    private func template(
        of slot: Int, in container: ViewID, like replaced: Draft.ID?, _ draft: inout Draft
    ) -> StorageTemplate? {
        let after = difference.after
        let value = after[container]
        guard let key = after.item(slot, of: value.contents).key else {
            return replaced.flatMap { draft.patchTemplate(at: slot, of: $0) }
        }
        guard let name = after.text(key) else { return nil }
        if let replaced, let position = draft.position(of: name, in: replaced),
            let template = draft.patchTemplate(at: position, of: replaced)
        {
            return template
        }
        guard case .object = value.variant, let record = className(of: value),
            let number = draft.classes.number(ofRecord: record)
        else { return nil }
        return draft.template(field: Array(name), ofClass: number)
    }

    /// Whether graph JSON without explicit storage would store a value differently.
    private func isStoredOtherwise(
        _ slot: Int, of container: ViewValue, like template: StorageTemplate, in draft: inout Draft
    ) -> Bool {
        let after = difference.after
        let stored = after.storedItem(slot, of: container.contents).value
        let isInPlace = after.document.object(stored).kind != .uid
        let id = after.identity(of: stored)
        guard let node = after.scalar(id) else { return !isInPlace && isInPlaceContainer(template, in: draft) }
        // All other values state their storage: {"$object": 5}, {"$inline": "x"}, {"$class": …}.
        var isBare = !isInPlace
        if case .object = container.variant { isBare = (ScalarGroup(node) == .number) == isInPlace }
        let className = className(of: after[id])
        guard isBare, className.needsNoClass(for: node) else { return false }
        let storage = draft.patchStorage(of: node, className, like: template)
        return storage.isInPlace ?? isInPlace != isInPlace || storage.isOther
    }

    private func isInPlaceContainer(_ template: StorageTemplate?, in draft: borrowing Draft) -> Bool {
        guard let template else { return false }
        return template.isInPlace && draft.isContainer(template.value)
    }

    private func template(of deferred: NewObjects.Deferred, in draft: inout Draft) -> StorageTemplate? {
        let after = difference.after
        guard let archive = after.archive, let position = after[deferred.container].classPosition,
            let number = draft.classes.number(ofRecord: ArchiveClass(archive.classes[position])),
            let key = after.item(deferred.position, of: after[deferred.container].contents).key,
            let name = after.text(key)
        else { return nil }
        return draft.template(field: Array(name), ofClass: number)
    }

    private func isKnown(_ id: ViewID) -> Bool {
        difference.after.uid(id) != nil && objects[id] != nil
    }

    private mutating func substitutes(
        in scan: NewObjects.ValueScan, of walk: DifferenceReplay, in draft: inout Draft
    ) throws(Problem) -> [UID: ObjectSubstitute] {
        var substitutes: [UID: ObjectSubstitute] = [:]
        for next in scan.deferred { substitutes[difference.after.uid(next.value) ?? .null] = .null }
        for id in scan.elsewhere {
            guard let uid = difference.after.uid(id) else { continue }
            let address = try address(ofObject: id, of: walk, in: &draft)
            try objects.add(address.pointer.count, limit: limit)
            substitutes[uid] = .pointer(address)
        }
        return substitutes
    }

    /// Writes a scalar for an archive, with explicit storage if needed.
    private func writeScalar(at target: Target, with values: GraphJSONValueWriter, to output: inout ByteWriter) {
        let isInPlace = target.isInPlace ?? false
        if isInPlace, target.isDefault {
            return ScalarText.writeTyped(difference.after.document[target.stored], to: &output)
        }
        let isObject = !isInPlace && !target.isDefault
        values.write(target.stored, isExplicitObject: isObject, to: &output)
    }

    /// Writes a value if at least one of the documents is not an archive.
    private func writePlain(
        isScalar: Bool, at target: Target, to output: inout ByteWriter
    ) throws(Problem) {
        let (after, id) = (difference.after, target.id)
        let options = WriteOptions(isCompact: true)
        if after.archive != nil {
            // A plain document takes the value of a boxed scalar and ignores its class.
            guard let object = after.scalarObject(id) else { throw .patchMixed(at: target.path) }
            var builder = DocumentBuilder()
            builder.add(object, of: after.document)
            let scalar = try builder.finish()
            return ScalarText.writeTyped(scalar[scalar.root], to: &output)
        }
        guard isScalar || difference.before.archive == nil else { throw .patchMixed(at: target.path) }
        JSONWriter.writeValue(of: after.document, root: after.stored(id), indentation: 0, options: options, to: &output)
    }

    // MARK: Addresses

    /// Returns the current address of a pair.
    func address(
        ofPair number: Int, of walk: DifferenceReplay, in draft: inout Draft
    ) throws(Problem) -> JSONPointer {
        var path: [Int] = []
        var pair = number
        while pair > 0 {
            path.append(pair)
            pair = Int(difference.pairs[pair].parent)
        }
        var address = JSONPointer.root
        for pair in path.reversed() {
            let parent = draft.id(of: difference.pairs[Int(difference.pairs[pair].parent)].before)
            draft.append(slot: walk.position(ofPair: pair), of: parent, to: &address)
        }
        return address
    }

    /// Returns the current address of an object of the later document. The object must be in a pair or new.
    func address(
        ofObject id: ViewID, of walk: DifferenceReplay, in draft: inout Draft
    ) throws(Problem) -> JSONPointer {
        if let pair = difference.partner(ofAfter: id) { return try address(ofPair: pair, of: walk, in: &draft) }
        var steps: [(container: ViewID, position: Int)] = []
        var location = objects[id]
        while case .inside(let container, let position)? = location {
            steps.append((container, position))
            location = objects[container]
        }
        guard case .slot(let pair, let after)? = location else {
            throw Problem("patch.key", "a patch cannot refer to an object inside a key")
        }
        var address = try address(ofPair: pair, of: walk, in: &draft)
        let parent = draft.id(of: difference.pairs[pair].before)
        draft.append(slot: walk.position(ofAfter: after, in: pair), of: parent, to: &address)
        for (container, position) in steps.reversed() {
            draft.append(slot: position, of: try walk.image(container, &draft), to: &address)
        }
        return address
    }
}

extension Optional where Wrapped == ArchiveClass {
    /// Whether a scalar of this class is written without its class, because it has none or is a date.
    func needsNoClass(for node: Node) -> Bool {
        if case .date = node { return true }
        return self == nil
    }
}
