import KeyedArchives
import SaveCodec

/// Containers: of which class they are, and what becomes of the one that is there.
extension ValueReader {
    /// Begins to read a container.
    ///
    /// - Parameters:
    ///   - isInPlace: whether it is said to stand in place; nil if nothing is said.
    ///   - isTop: whether it is the dictionary of an archive's roots.
    mutating func open(
        _ given: GivenContainer, like example: Example?, isInPlace: Bool?, isTop: Bool = false, in draft: inout Draft
    ) throws(Problem) -> Value {
        let example = splitExample(example)
        var model = try model(of: given, example, in: &draft)
        var replaced: Draft.ID?
        // A patch tells what containers are, but for one in place of which it is not said that.
        if !rules.takesClasses, inArchive, isInPlace != nil || example?.isInPlace != true {
            model = nil
            if isInPlace == nil || given.className != nil, !given.isRaw, given.number == nil {
                replaced = draft.patchReplaced(by: given.kind, className: given.className?.name, like: example)
            }
        }
        let isElsewhere = isInPlace != nil && example.map { $0.isInPlace != isInPlace } ?? false
        let keepsClass = model != nil && !isElsewhere && (rules.takesClasses || given.className != nil)
        let storage = given.className != nil ? false : isInPlace ?? (model == nil ? nil : example?.isInPlace)
        var keeps = false
        var source = model == nil ? nil : example?.value
        if let example, keepsClass, rules.keepsObjects, example.isPresent {
            if let changes = visited[example.value]?.changes, !changes.isEmpty,
                let new = changes[version(given.id, isShared: isShared(example.value, in: draft))]
            {
                if let number = given.number { numbered[number] = new }
                if new != example.value, case .container(let holder) = owner { frames[holder].isSplit = true }
                return (new, storage)
            }
            keeps = true
            source = visited[example.value]?.original ?? source
        }
        var new = DraftContainer(
            given.kind, classNumber: given.className.map { draft.number(of: $0) })
        new.isRaw = given.isRaw && inArchive
        if let model, keepsClass {
            new = DraftContainer(model.kind, classNumber: model.classNumber)
            new.isRaw = model.isRaw
        }
        let isRaw = !inArchive || new.isRaw
        let target = keeps ? example?.value ?? draft.root : draft.add(new)
        if let number = given.number { numbered[number] = target }
        trails.append(example?.place ?? Place(trail: -1, container: target, position: 0))
        let holder = owner
        let isShared = isShared(target, in: draft)
        let members = try members(
            of: given, like: source, isPresent: example?.isPresent ?? false, isRaw: isRaw, in: &draft)
        if new.kind == .object, rules.takesClasses, let number = new.classNumber {
            noteNewFields(members, ofClass: number, at: example?.place, in: &draft)
        }
        if keeps { visited[target, default: VisitedContainer()].frames.append(frames.count) }
        frames.append(
            Frame(
                given: given, target: target, keeps: keeps, example: source, replaced: replaced,
                isPresent: example?.isPresent ?? false, isRaw: isRaw, isShared: isShared, isTop: isTop,
                trail: example?.place == nil ? -1 : trails.count - 1, owner: holder, members: members))
        return (target, storage)
    }

    /// The example, or its copy if it has been split.
    private func splitExample(_ example: Example?) -> Example? {
        guard let example, example.isPresent, let copy = splits[example.value] else { return example }
        var split = Example(copy, isInPlace: example.isInPlace, isPresent: true)
        split.place = example.place
        return split
    }

    /// Notes the fields that no object of the class has, if there are objects of it.
    private func noteNewFields(
        _ members: [Member], ofClass number: Int, at place: Place?, in draft: inout Draft
    ) {
        guard members.contains(where: { $0.position == nil }), let names = draft.fields(ofClass: number)?.names,
            !names.isEmpty
        else { return }
        let new = members.filter { $0.position == nil }.compactMap(\.name).filter { !names.contains($0) }
        guard !new.isEmpty else { return }
        let address = draft.newFields.isFull(ofKinds: false) ? address : address(of: place, in: &draft)
        for name in new { draft.newFields.add(name, of: number, at: address) }
    }

    /// The container of the example if that is of the same kind.
    ///
    /// - Throws: a problem if it is what is replaced and of another kind, and the rules refuse that.
    private mutating func model(
        of given: GivenContainer, _ example: Example?, in draft: inout Draft
    ) throws(Problem) -> DraftContainer? {
        guard let example else { return nil }
        guard let number = draft.open(example.value) else {
            if !draft.isNull(example.value) {
                try refuse(TypePhrase.of(given.kind.form, given.className?.name), example, in: &draft)
            }
            return nil
        }
        if isLike(given, number, example, in: &draft) { return draft.containers[number] }
        noteDictionary(given, beside: example, in: &draft)
        let kind = draft.containers[number].kind
        // Of what is new another class is as it is told, and a dictionary beside objects has been noted.
        guard example.isPresent || (kind != given.kind && (kind, given.kind) != (.object, .dictionary)) else {
            return nil
        }
        try refuse(TypePhrase.of(given.kind.form, given.className?.name), example, in: &draft)
        return nil
    }

    /// Whether a container is given for one of its kind: of its class if it tells one.
    private func isLike(
        _ given: GivenContainer, _ number: Int, _ example: Example, in draft: inout Draft
    ) -> Bool {
        let kind = draft.containers[number].kind
        let present = draft.containers[number].classNumber.map { draft.archiveClass($0) }
        if let className = given.className {
            guard kind == given.kind, let present else { return false }
            return given.isClassNamed ? className.name == present.name : className == present
        }
        if given.isRaw, inArchive, present != nil { return false }
        if kind == given.kind {
            return rules.takesClasses || present == nil
                || TypePhrase.usualClasses.contains { present?.name.elementsEqual($0.utf16) ?? false }
        }
        switch (given.kind, kind) {
        // Plain JSON has sets as arrays.
        case (.array, .set): return rules.readsPlain
        case (.dictionary, .object):
            return rules.takesClasses && (example.isPresent || hasFields(of: given, example.value, in: &draft))
        default: return false
        }
    }

    /// Notes the key that keeps a dictionary from being an object like those beside it.
    private func noteDictionary(
        _ given: GivenContainer, beside example: Example, in draft: inout Draft
    ) {
        guard rules.takesClasses, !example.isPresent, given.kind == .dictionary, given.className == nil,
            case .object = draft.value(example.value).form, let number = draft.classNumber(of: example.value)
        else { return }
        let name = given.members.lazy.compactMap(\.key?.candidates.first).first {
            draft.position(of: $0, in: example.value) == nil
        }
        guard let name else { return }
        let address = draft.newFields.isFull(ofKinds: false) ? address : address(of: example.place, in: &draft)
        draft.newFields.add(name, of: number, .dictionary, at: address)
    }

    /// Whether an object has all keys of a dictionary as fields.
    private func hasFields(of given: GivenContainer, _ object: Draft.ID, in draft: inout Draft) -> Bool {
        guard !given.members.isEmpty else { return false }
        for (key, _) in given.members {
            guard let key, key.candidates.contains(where: { draft.position(of: $0, in: object) != nil }) else {
                return false
            }
        }
        return true
    }
}
