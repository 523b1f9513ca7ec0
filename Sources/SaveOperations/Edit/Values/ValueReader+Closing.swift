import KeyedArchives
import SaveCodec

/// The end of a container: what has been read is what is there, is what it becomes, or is stored as a new one.
extension ValueReader {
    /// Stores the contents of a container that have been read.
    mutating func close(_ frame: Frame, in draft: inout Draft) throws(Problem) {
        guard frame.keeps else {
            try refuseNil(in: frame, in: &draft)
            return fill(frame.target, frame, in: &draft)
        }
        visited[frame.target]?.frames.removeLast()
        let isUnchanged = isUnchanged(frame, in: &draft)
        if !isUnchanged { try refuseNil(in: frame, in: &draft) }
        guard !isFirstReading else { return note(frame, isUnchanged, in: &draft) }
        guard !isUnchanged, let container = visited[frame.target] else { return }
        hasEdited = true
        if container.original == nil { noteLostFields(of: frame, in: &draft) }
        let isSplit = container.isContradicted || frame.isSplit && container.differs
        if !isSplit, container.original != nil { return }
        guard let number = draft.open(frame.target) else { return }
        // What is in a property list stands for its value.
        let isEditable = inArchive ? draft.isEditable(frame.target) : !frame.isShared
        if !isSplit, frame.owner == .key || isEditable {
            noteShared(frame, in: &draft)
            let original = draft.add(draft.containers[number])
            for open in container.frames { frames[open].example = original }
            visited[frame.target]?.original = original
            let version = version(frame.given.id, isShared: frame.isShared)
            visited[frame.target]?.changes[version] = frame.target
            return edit(frame, in: &draft)
        }
        var copy = DraftContainer(
            draft.containers[number].kind, classNumber: draft.containers[number].classNumber)
        copy.isRaw = draft.containers[number].isRaw
        let new = draft.add(copy)
        fill(new, frame, in: &draft)
        if !inArchive { for value in frame.values where draft.isContainer(value.id) { draft.noteShared(value.id) } }
        let version = version(frame.given.id, isShared: frame.isShared)
        visited[frame.target]?.changes[version] = new
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
