import KeyedArchives
import SaveCodec

extension ValueReader {
    /// Begins to read a container.
    ///
    /// - Parameters:
    ///   - isInPlace: The storage given by `$inline` or `$object`, or nil.
    ///   - isTop: Whether it is the dictionary of an archive's roots.
    mutating func open(
        _ given: GivenContainer, like template: StorageTemplate?, isInPlace: Bool?, isTop: Bool = false,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        let template = splitTemplate(template)
        if let template, given.hasName("NSString".utf16) { draft.openStoredFields(of: template.value) }
        var model = try model(of: given, template, in: &draft)
        var replaced: Draft.ID?
        // A patch describes containers completely, so they have no template. The exception is a container without
        // `$inline` or `$object` that replaces a container in place.
        if !rules.infersClasses, inArchive, isInPlace != nil || template?.isInPlace != true {
            model = nil
            if isInPlace == nil || given.className != nil, !given.isRaw, given.number == nil {
                replaced = draft.patchReplaced(by: given.kind, className: given.className?.name, like: template)
            }
        }
        let isElsewhere = isInPlace != nil && template.map { $0.isInPlace != isInPlace } ?? false
        let keepsClass = model != nil && !isElsewhere && (rules.infersClasses || given.className != nil)
        let storage = given.className != nil ? false : isInPlace ?? (model == nil ? nil : template?.isInPlace)
        var keeps = false
        var source = model == nil ? nil : template?.value
        if let template, keepsClass, rules.keepsObjects, template.isPresent {
            if let changes = visited[template.value]?.changes, !changes.isEmpty,
                let new = changes[visited.version(given.id, isShared: isShared(template.value, in: draft))]
            {
                if let number = given.number { objects.read[number] = new }
                if new != template.value, case .container(let holder) = stack.owner {
                    stack.frames[holder].isSplit = true
                }
                return (new, storage)
            }
            keeps = true
            source = visited[template.value]?.original ?? source
        }
        var new = DraftContainer(
            given.kind, classNumber: given.className.map { draft.classes.number(adding: $0) })
        new.isRaw = given.isRaw && inArchive
        if let model, keepsClass {
            new = DraftContainer(model.kind, classNumber: model.classNumber)
            new.isRaw = model.isRaw
        }
        let isRaw = !inArchive || new.isRaw
        let target = keeps ? template?.value ?? draft.root : draft.add(new)
        if let number = given.number { objects.read[number] = target }
        let slot = template?.slot.map { enclosingSlots.append($0) }
        let holder = stack.owner
        let isShared = isShared(target, in: draft)
        let members = try members(
            of: given, like: source, isPresent: template?.isPresent ?? false, isRaw: isRaw, in: &draft)
        if new.kind == .object, rules.infersClasses, let number = new.classNumber {
            noteNewFields(members, ofClass: number, at: template?.slot, in: &draft)
        }
        if keeps { visited.open(target, in: stack.frames.count) }
        stack.frames.append(
            OpenContainer(
                given: given, target: target, editsPresentContainer: keeps, template: source, replaced: replaced,
                isPresent: template?.isPresent ?? false, isRaw: isRaw, isShared: isShared, isTop: isTop,
                enclosingSlot: slot ?? -1, owner: holder, members: members))
        return (target, storage)
    }

    /// Returns the template, or its copy if it was split.
    private func splitTemplate(_ template: StorageTemplate?) -> StorageTemplate? {
        guard let template, template.isPresent, let copy = visited.splits[template.value] else { return template }
        var split = StorageTemplate(copy, isInPlace: template.isInPlace, isPresent: true)
        split.slot = template.slot
        return split
    }

    /// Records the fields that no object of the class has, if there are objects of the class.
    private func noteNewFields(
        _ members: [OpenContainer.Member], ofClass number: Int, at slot: EnclosingSlots.Slot?, in draft: inout Draft
    ) {
        guard members.contains(where: { $0.position == nil }), let names = draft.fields(ofClass: number)?.names,
            !names.isEmpty
        else { return }
        let new = members.filter { $0.position == nil }.compactMap(\.name).filter { !names.contains($0) }
        guard !new.isEmpty else { return }
        let address =
            draft.unexpectedFields.isFull(ofKinds: false) ? address : enclosingSlots.address(of: slot, in: &draft)
        for name in new { draft.unexpectedFields.add(name, of: number, at: address) }
    }

    /// Returns the container of the template if a given container has the same kind and, if it states one, the same
    /// class.
    ///
    /// - Throws: A problem if the rules refuse a container in place of a value of another kind.
    private mutating func model(
        of given: GivenContainer, _ template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> DraftContainer? {
        guard let template else { return nil }
        guard let number = draft.open(template.value) else {
            if !draft.isNull(template.value) {
                try refuse(given, template, in: &draft)
            }
            return nil
        }
        if isLike(given, container: number, template, in: &draft) { return draft.values.containers[number] }
        noteDictionary(given, beside: template, in: &draft)
        let kind = draft.values.containers[number].kind
        // A new container may state another class. A dictionary among objects has been recorded above.
        guard template.isPresent || (kind != given.kind && (kind, given.kind) != (.object, .dictionary)) else {
            return nil
        }
        try refuse(given, template, in: &draft)
        return nil
    }

    private mutating func refuse(
        _ given: GivenContainer, _ template: StorageTemplate, in draft: inout Draft
    ) throws(Problem) {
        let variant = given.kind.variant
        try refuse(TypePhrase.of(variant, given.className?.name), variant.kind, template, in: &draft)
    }

    /// Whether a given container has the kind of a present one, and its class if one is given.
    private func isLike(
        _ given: GivenContainer, container number: Int, _ template: StorageTemplate, in draft: inout Draft
    ) -> Bool {
        let kind = draft.values.containers[number].kind
        let present = draft.values.containers[number].classNumber.map { draft.classes[$0] }
        if let className = given.className {
            guard kind == given.kind, let present else { return false }
            return given.isClassNamed ? className.name == present.name : className == present
        }
        if given.isRaw, inArchive, present != nil { return false }
        if kind == given.kind {
            return rules.infersClasses || present == nil
                || TypePhrase.omittedClasses.contains { present?.name.elementsEqual($0.utf16) ?? false }
        }
        switch (given.kind, kind) {
        // Plain JSON represents sets as arrays.
        case (.array, .set): return rules.readsPlain
        case (.dictionary, .object):
            return rules.infersClasses && (template.isPresent || hasFields(of: given, template.value, in: &draft))
        default: return false
        }
    }

    /// Records the key that keeps a new dictionary from being read as an object like its neighbours.
    private func noteDictionary(
        _ given: GivenContainer, beside template: StorageTemplate, in draft: inout Draft
    ) {
        guard rules.infersClasses, !template.isPresent, given.kind == .dictionary, given.className == nil,
            case .object = draft.value(template.value).variant, let number = draft.classNumber(of: template.value)
        else { return }
        let name = given.members.lazy.compactMap(\.key?.candidates.first).first {
            draft.position(of: $0, in: template.value) == nil
        }
        guard let name else { return }
        let address =
            draft.unexpectedFields.isFull(ofKinds: false)
            ? address : enclosingSlots.address(of: template.slot, in: &draft)
        draft.unexpectedFields.add(name, of: number, .dictionary, at: address)
    }

    /// Whether an object has all keys of a nonempty dictionary as fields.
    private func hasFields(of given: GivenContainer, _ object: Draft.ID, in draft: inout Draft) -> Bool {
        guard !given.members.isEmpty else { return false }
        for (key, _) in given.members {
            guard let key, key.candidates.contains(where: { draft.position(of: $0, in: object) != nil }) else {
                return false
            }
        }
        return true
    }

    // MARK: The end of a container

    /// Stores the contents of a container after its members were read.
    mutating func close(_ frame: OpenContainer, in draft: inout Draft) throws(Problem) {
        guard frame.editsPresentContainer else {
            try checkMembers(of: frame, in: &draft)
            return fill(frame.target, frame, in: &draft)
        }
        visited[frame.target]?.frames.removeLast()
        let isUnchanged = isUnchanged(frame, in: &draft)
        guard !isFirstReading else {
            return visited.note(frame, contents: isUnchanged ? nil : contentsNumber(frame, in: &draft))
        }
        guard !isUnchanged, let container = visited[frame.target] else { return }
        try checkMembers(of: frame, in: &draft)
        hasEdited = true
        if container.original == nil { noteLostFields(of: frame, in: &draft) }
        let isSplit = container.isContradicted || frame.isSplit && container.differs
        if !isSplit, container.original != nil { return }
        guard let number = draft.open(frame.target) else { return }
        // In a property list a container is a value, not an object, so a shared one is copied.
        let isEditable = inArchive ? draft.isEditable(frame.target) : !frame.isShared
        if !isSplit, frame.owner == .key || isEditable {
            noteShared(frame, in: &draft)
            let original = draft.add(draft.values.containers[number])
            for open in container.frames { stack.frames[open].template = original }
            visited[frame.target]?.original = original
            let version = visited.version(frame.given.id, isShared: frame.isShared)
            visited[frame.target]?.changes[version] = frame.target
            return edit(frame, in: &draft)
        }
        var copy = DraftContainer(
            draft.values.containers[number].kind, classNumber: draft.values.containers[number].classNumber)
        copy.isRaw = draft.values.containers[number].isRaw
        let new = draft.add(copy)
        fill(new, frame, in: &draft)
        if !inArchive { for value in frame.values where draft.isContainer(value.id) { draft.noteShared(value.id) } }
        let version = visited.version(frame.given.id, isShared: frame.isShared)
        visited[frame.target]?.changes[version] = new
        if let number = frame.given.number { objects.read[number] = new }
        stack.replace(valueOf: frame.owner, with: new)
    }

    /// Throws if two scalars in a set are equal and the rules are strict. Readers keep only one of them.
    private func checkMembers(of frame: OpenContainer, in draft: inout Draft) throws(Problem) {
        guard rules.refusesKinds, case .set = draft.value(frame.target).variant else { return }
        var hashes = ContentHashes(byMeaning: true)
        var known: [Int: Node] = [:]
        for value in frame.values {
            guard let node = draft.scalar(value.id) else { continue }
            let other = known.updateValue(node, forKey: hashes.hash(of: value.id, in: &draft))
            if other?.isSame(as: node) ?? false {
                let slot = frame.enclosingSlot < 0 ? nil : enclosingSlots[frame.enclosingSlot]
                throw Problem(
                    .editMember, "two members of the set are equal",
                    address: enclosingSlots.address(of: slot, in: &draft))
            }
        }
    }

    private func noteLostFields(of frame: OpenContainer, in draft: inout Draft) {
        guard let template = frame.template, case .object = draft.value(template).variant else { return }
        let kept = Set(frame.members.compactMap(\.position))
        let lost = (0..<draft.value(template).count).filter { !kept.contains($0) }.compactMap { position in
            draft.item(position, of: template)?.key.flatMap { draft.text($0) }.map { Array($0) }
        }
        guard !lost.isEmpty else { return }
        let added = frame.members.filter { $0.position == nil }.compactMap(\.name)
        let slot = frame.enclosingSlot < 0 || draft.lostFields.isFull ? nil : enclosingSlots[frame.enclosingSlot]
        let address = enclosingSlots.address(of: slot, in: &draft)
        draft.lostFields.add(lost, added: added, at: address)
    }

    private func isUnchanged(_ frame: OpenContainer, in draft: inout Draft) -> Bool {
        guard let template = frame.template, draft.value(template).count == frame.members.count else { return false }
        let isArray = draft.isArray(template)
        for (index, member) in frame.members.enumerated() {
            guard let position = member.position, !isArray || position == index,
                isSame(frame.values[index], at: position, of: template, in: &draft)
            else { return false }
        }
        return true
    }

    private func isSame(_ value: Value, at position: Int, of container: Draft.ID, in draft: inout Draft) -> Bool {
        guard let item = draft.item(position, of: container), value.isInPlace ?? item.isInPlace == item.isInPlace else {
            return false
        }
        if value.id == item.value { return true }
        guard let a = draft.scalar(value.id), let b = draft.scalar(item.value) else { return false }
        return a.isIdentical(to: b) && draft.classOf(value.id) == draft.classOf(item.value)
    }

    /// Fills a new container. Pairs that match the template come first, in its order.
    private func fill(_ target: Draft.ID, _ frame: OpenContainer, in draft: inout Draft) {
        var order = Array(frame.members.indices)
        let isKeyed = draft.isKeyed(target)
        if isKeyed {
            order.sort { a, b in
                let (first, second) = (frame.members[a].position ?? .max, frame.members[b].position ?? .max)
                return first != second ? first < second : a < b
            }
        }
        for (position, index) in order.enumerated() {
            var key = frame.members[index].keyID
            if let template = frame.template, let matched = frame.members[index].position {
                key = draft.item(matched, of: template)?.key
            }
            let new = frame.values[index]
            draft.insert(new.id, key: isKeyed ? key : nil, at: position, of: target, inPlace: new.isInPlace)
        }
    }

    /// Changes a present container to the given contents.
    private func edit(_ frame: OpenContainer, in draft: inout Draft) {
        let count = draft.value(frame.target).count
        let isArray = draft.isArray(frame.target)
        let steps = ContainerSteps(edits(frame, count: count, isArray: isArray), isArray: isArray, count: count)
        for position in steps.removals { draft.remove(at: position, of: frame.target) }
        for (from, to) in steps.moves { draft.move(from: from, to: to, of: frame.target) }
        for index in steps.insertions {
            let end = draft.value(frame.target).count
            let new = frame.values[index]
            draft.insert(
                new.id, key: frame.members[index].keyID, at: isArray ? min(index, end) : end, of: frame.target,
                inPlace: new.isInPlace)
        }
        for (before, index) in steps.sets {
            let new = frame.values[index]
            draft.replace(
                at: steps.position(ofBefore: before), of: frame.target, with: new.id, inPlace: new.isInPlace)
        }
    }

    private func edits(_ frame: OpenContainer, count: Int, isArray: Bool) -> [SlotEdit] {
        let matched = frame.members.indices.compactMap { index in
            frame.members[index].position.map { (before: $0, after: index) }
        }
        let kept = Set(matched.map(\.before))
        var edits = (0..<count).filter { !kept.contains($0) }.map { SlotEdit.remove(before: $0) }
        edits += frame.members.indices.filter { frame.members[$0].position == nil }.map { .insert(after: $0) }
        edits += matched.map { .set(before: $0.before, after: $0.after) }
        if isArray {
            let rising = Set(LongestIncreasingSubsequence.positions(in: matched.map(\.before)))
            edits += matched.indices.filter { !rising.contains($0) }.map {
                .move(before: matched[$0].before, after: matched[$0].after)
            }
        }
        return edits
    }

    /// Whether the text may show a container in several slots, because it or a container around it is shared.
    func isShared(_ container: Draft.ID, in draft: borrowing Draft) -> Bool {
        switch stack.owner {
        case .key: return true
        case .container(let holder) where stack.frames[holder].isShared: return true
        case .container, .value:
            if !inArchive { return draft.isSharedInPropertyList(container) }
            return draft.viewID(of: container).map(draft.view.graph.isShared) ?? true
        }
    }

    /// Returns a hash of the members that were read. Present containers are hashed by identity, whether or not they
    /// change; other values by content.
    private mutating func contentsNumber(_ frame: OpenContainer, in draft: inout Draft) -> Int {
        let isKeyed = frame.given.kind.isKeyed
        var sum = 0
        for (index, member) in frame.members.enumerated() {
            var hasher = Hasher()
            if !isKeyed { hasher.combine(index) }
            hasher.combine(member.position)
            hasher.combine(member.name)
            if isThere(frame.values[index].id, in: draft) {
                hasher.combine(frame.values[index].id)
            } else {
                hasher.combine(matcher.hash(of: member.value, isRaw: frame.isRaw))
            }
            hasher.combine(frame.values[index].isInPlace)
            sum &+= hasher.finalize()
        }
        return sum
    }

    private func isThere(_ id: Draft.ID, in draft: borrowing Draft) -> Bool {
        draft.viewID(of: id) != nil && draft.scalar(id) == nil
    }

    /// Records that a shared object inside the value is about to be edited.
    private func noteShared(_ frame: OpenContainer, in draft: inout Draft) {
        guard frame.enclosingSlot >= 0, !draft.sharing.isFull,
            let present = draft.viewID(of: frame.target), draft.view.graph.isShared(present)
        else { return }
        let address = enclosingSlots.address(of: enclosingSlots[frame.enclosingSlot], in: &draft)
        draft.sharing.noteEdit(at: address)
    }
}

extension Draft {
    /// Whether a container may be edited. A shared container of a property list may not, nor a shared NSArray,
    /// NSDictionary or NSSet: they are values, and their other slots must not change.
    mutating func isEditable(_ id: ID) -> Bool {
        guard let present = viewID(of: id) else { return true }
        if let name = classOf(id)?.name, !TypePhrase.omittedClasses.contains(where: { name.elementsEqual($0.utf16) }) {
            return true
        }
        return !view.graph.isShared(present)
    }
}
