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
        _ given: GivenContainer, like example: Example?, isInPlace: Bool?, isTop: Bool = false, at place: Place?,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        let example = splitExample(example)
        var model = try model(of: given, example, at: place, in: &draft)
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
            if let changes = met[example.value]?.changes, !changes.isEmpty,
                let new = changes[fingerprints.fingerprint(of: given.id)]
            {
                if let number = given.number { numbered[number] = new }
                if new != example.value, case .container(let holder) = owner { frames[holder].isSplit = true }
                return (new, storage)
            }
            keeps = true
            source = met[example.value]?.original ?? source
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
        trails.append(place ?? Place(trail: -1, container: target, position: 0))
        let holder = owner
        let members = try members(
            of: given, like: source, isPresent: example?.isPresent ?? false, in: &draft)
        if new.kind == .object, rules.takesClasses, let number = new.classNumber {
            noteNewFields(members, ofClass: number, at: place, in: &draft)
        }
        if keeps { met[target, default: Meeting()].frames.append(frames.count) }
        frames.append(
            Frame(
                given: given, target: target, keeps: keeps, example: source, replaced: replaced,
                isPresent: example?.isPresent ?? false, isRaw: isRaw, isTop: isTop,
                trail: place == nil ? -1 : trails.count - 1, owner: holder, members: members))
        return (target, storage)
    }

    /// The example, or its copy if it has been split.
    private func splitExample(_ example: Example?) -> Example? {
        guard let example, example.isPresent, let copy = splits[example.value] else { return example }
        return Example(copy, isInPlace: example.isInPlace, isPresent: true)
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
        let address = draft.newFields.isFull ? address : address(of: place, in: &draft)
        for name in new { draft.newFields.add(name, of: number, at: address) }
    }

    /// The container of the example if that is of the same kind.
    ///
    /// - Throws: a problem if it is what is replaced and of another kind, and the rules refuse that.
    private mutating func model(
        of given: GivenContainer, _ example: Example?, at place: Place?, in draft: inout Draft
    ) throws(Problem) -> DraftContainer? {
        guard let example else { return nil }
        guard let number = draft.open(example.value) else {
            if !draft.isNull(example.value) {
                try refuse(TypePhrase.of(given.kind.form, given.className?.name), example, at: place, in: &draft)
            }
            return nil
        }
        if isLike(given, number, example, in: &draft) { return draft.containers[number] }
        noteDictionary(given, beside: example, at: place, in: &draft)
        try refuse(TypePhrase.of(given.kind.form, given.className?.name), example, at: place, in: &draft)
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
        _ given: GivenContainer, beside example: Example, at place: Place?, in draft: inout Draft
    ) {
        guard rules.takesClasses, !example.isPresent, given.kind == .dictionary, given.className == nil,
            case .object = draft.value(example.value).form, let number = draft.classNumber(of: example.value)
        else { return }
        let name = given.members.lazy.compactMap(\.key?.candidates.first).first {
            draft.position(of: $0, in: example.value) == nil
        }
        guard let name else { return }
        let address = draft.newFields.isFull ? address : address(of: place, in: &draft)
        draft.newFields.add(name, of: number, isDictionary: true, at: address)
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

    // MARK: The end

    /// Stores the contents of a container that have been read.
    mutating func close(_ frame: Frame, in draft: inout Draft) throws(Problem) {
        guard frame.keeps else {
            try refuseNil(in: frame, in: &draft)
            return fill(frame.target, frame, in: &draft)
        }
        met[frame.target]?.frames.removeLast()
        let isUnchanged = isUnchanged(frame, in: &draft)
        if !isUnchanged { try refuseNil(in: frame, in: &draft) }
        guard !isSurvey else { return note(frame, isUnchanged, in: &draft) }
        guard !isUnchanged, let meeting = met[frame.target] else { return }
        if meeting.original == nil { noteLostFields(of: frame, in: &draft) }
        let isSplit = meeting.isContradicted || frame.isSplit && meeting.differs
        if !isSplit, meeting.original != nil { return }
        guard let number = draft.open(frame.target) else { return }
        if !isSplit, frame.owner == .key || draft.isEditable(frame.target) {
            noteShared(frame, in: &draft)
            let original = draft.add(draft.containers[number])
            for open in meeting.frames { frames[open].example = original }
            met[frame.target]?.original = original
            met[frame.target]?.changes[fingerprints.fingerprint(of: frame.given.id)] = frame.target
            return edit(frame, in: &draft)
        }
        var copy = DraftContainer(
            draft.containers[number].kind, classNumber: draft.containers[number].classNumber)
        copy.isRaw = draft.containers[number].isRaw
        let new = draft.add(copy)
        fill(new, frame, in: &draft)
        met[frame.target]?.changes[fingerprints.fingerprint(of: frame.given.id)] = new
        if let number = frame.given.number { numbered[number] = new }
        switch frame.owner {
        case .value: result = new
        case .container(let number):
            frames[number].values[frames[number].values.count - 1].id = new
            frames[number].isSplit = true
        case .key: break
        }
    }

    /// Notes the fields that an object loses.
    private func noteLostFields(of frame: Frame, in draft: inout Draft) {
        guard let example = frame.example, case .object = draft.value(example).form else { return }
        let kept = Set(frame.members.compactMap(\.position))
        let lost = (0..<draft.value(example).count).filter { !kept.contains($0) }.compactMap { position in
            draft.item(position, of: example)?.key.flatMap { draft.text($0) }.map { Array($0) }
        }
        guard !lost.isEmpty else { return }
        let added = frame.members.filter { $0.position == nil }.compactMap(\.name)
        let place = frame.trail < 0 || draft.lostFields.isFull ? nil : trails[frame.trail]
        let address = address(of: place, in: &draft)
        draft.lostFields.add(lost, added: added, at: address)
    }

    /// Refuses nil that comes into a collection of an archive.
    private func refuseNil(in frame: Frame, in draft: inout Draft) throws(Problem) {
        guard rules.refusesNil else { return }
        for (index, member) in frame.members.enumerated() where draft.isNil(frame.values[index].id, in: frame.target) {
            if frame.isPresent, let position = member.position, let example = frame.example,
                draft.item(position, of: example)?.value == frame.values[index].id
            {
                continue
            }
            throw .editNil(address(of: index, in: frame, in: &draft))
        }
    }

    /// The address of one of the contents of a container that has been read: of one that is not there yet that of the
    /// value as a whole.
    private func address(of index: Int, in frame: Frame, in draft: inout Draft) -> JSONPointer {
        guard frame.trail >= 0 || frame.owner == .value else { return address }
        var address = address(of: frame.trail < 0 ? nil : trails[frame.trail], in: &draft)
        if let name = frame.members[index].name { address.append(key: name) } else { address.append(index: index) }
        return address
    }

    /// Whether what has been read is what was there.
    private func isUnchanged(_ frame: Frame, in draft: inout Draft) -> Bool {
        guard let example = frame.example, draft.value(example).count == frame.members.count else { return false }
        let isArray = draft.isArray(example)
        for (index, member) in frame.members.enumerated() {
            guard let position = member.position, !isArray || position == index,
                isSame(frame.values[index], at: position, of: example, in: &draft)
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

    /// Fills a new container: what takes the place of something in the example in the order of that, the rest behind it.
    private func fill(_ target: Draft.ID, _ frame: Frame, in draft: inout Draft) {
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
            if let example = frame.example, let matched = frame.members[index].position {
                key = draft.item(matched, of: example)?.key
            }
            let new = frame.values[index]
            draft.insert(new.id, key: isKeyed ? key : nil, at: position, of: target, inPlace: new.isInPlace)
        }
    }

    /// Makes what is there hold what is given.
    private func edit(_ frame: Frame, in draft: inout Draft) {
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

    private func edits(_ frame: Frame, count: Int, isArray: Bool) -> [SlotEdit] {
        let matched = frame.members.indices.compactMap { index in
            frame.members[index].position.map { (before: $0, after: index) }
        }
        let kept = Set(matched.map(\.before))
        var edits = (0..<count).filter { !kept.contains($0) }.map { SlotEdit.remove(before: $0) }
        edits += frame.members.indices.filter { frame.members[$0].position == nil }.map { .insert(after: $0) }
        edits += matched.map { .set(before: $0.before, after: $0.after) }
        if isArray {
            let rising = Set(RisingSequence.positions(in: matched.map(\.before)))
            edits += matched.indices.filter { !rising.contains($0) }.map {
                .move(before: matched[$0].before, after: matched[$0].after)
            }
        }
        return edits
    }
}

extension Draft {
    /// Whether a container may be edited where it is. One that stands for its value, be it in a property list or an
    /// NSArray, and that is referred to from elsewhere may not: the others are not to change with it.
    mutating func isEditable(_ id: ID) -> Bool {
        guard let present = viewID(of: id) else { return true }
        if let name = classOf(id)?.name, !TypePhrase.usualClasses.contains(where: { name.elementsEqual($0.utf16) }) {
            return true
        }
        return !view.graph.isShared(present)
    }
}
