import KeyedArchives
import SaveCodec

/// Writes the stored contents of objects, and numbers the new ones.
extension TemplateWriter {
    /// Returns the reference for a stored value of the template.
    func reference(_ stored: ObjectID) -> Reference {
        document.uid(stored).map { .object(Int($0)) } ?? .inPlace(stored)
    }

    func original(_ number: Int) -> Contents {
        let uid = UID(number)
        let stored = archive.stored(uid)
        guard stored.kind == .dictionary else { return .value(archive.objectID(uid)) }
        let hasLists =
            switch archive.encoding(of: uid) {
            case .elements, .pairs: true
            default: false
            }
        var keys: [ObjectID] = []
        var members: [Member] = []
        for position in 0..<stored.count {
            keys.append(document.key(position, of: stored))
            members.append(member(document.value(position, of: stored), isList: hasLists))
        }
        return .members(keys: keys, members)
    }

    private func member(_ value: ObjectID, isList: Bool) -> Member {
        let object = document.object(value)
        guard isList, object.kind == .array else { return .reference(reference(value)) }
        return .list((0..<object.count).map { reference(document.reference($0, of: object)) })
    }

    var originalTop: (keys: [ObjectID], members: [Member]) {
        let top = archive.top
        return (
            (0..<top.count).map { document.key($0, of: top) },
            (0..<top.count).map { .reference(reference(document.value($0, of: top))) }
        )
    }

    /// Returns the contents of an object with the value at a position of its view replaced.
    func replacing(_ position: Int, of uid: UID, in contents: Contents, with new: Reference) -> Contents {
        guard case .members(let keys, var members) = contents else { return contents }
        switch archive.encoding(of: uid) {
        case .fields(_, let classMember):
            members[position < classMember ? position : position + 1] = .reference(new)
        case .elements, .pairs:
            let member = keys.firstIndex { document.text($0)?.elementsEqual("NS.objects".utf16) ?? false }
            if let member, case .list(var list) = members[member] {
                list[position] = new
                members[member] = .list(list)
            }
        case .numbered, .numberedPairs:
            let name = "NS.object.\(position)".utf16
            let member = keys.firstIndex { document.text($0)?.elementsEqual(name) ?? false }
            if let member { members[member] = .reference(new) }
        default: break
        }
        return .members(keys: keys, members)
    }

    /// Returns the stored contents of a container that was written.
    mutating func composed(_ frame: Frame) -> Contents {
        switch frame.kind {
        case .top:
            let (keys, values) = pairs(of: frame)
            return .members(keys: keys.compactMap(\.inPlace), values.map { .reference($0) })
        case .fields(let record): return fields(of: frame, record)
        case .dictionary(let record):
            let (keys, values) = pairs(of: frame)
            return collection(
                of: frame, record, lists: [("NS.keys", "NS.key", keys), ("NS.objects", "NS.object", values)])
        case .list(let record):
            let values = frame.slots.compactMap(\.result)
            return collection(of: frame, record, lists: [("NS.objects", "NS.object", values)])
        }
    }

    private func pairs(of frame: Frame) -> (keys: [Reference], values: [Reference]) {
        var keys: [Reference] = []
        var values: [Reference] = []
        for (position, slot) in frame.slots.enumerated() {
            guard let value = slot.result else { continue }
            switch slot.key {
            case .isKey, .none: continue
            case .name(let name): keys.append(.inPlace(name))
            case .object(let key): keys.append(key)
            case .slotBefore: keys.append(frame.slots[position - 1].result ?? .object(0))
            }
            values.append(value)
        }
        return (keys, values)
    }

    private mutating func fields(of frame: Frame, _ record: Int) -> Contents {
        let (names, values) = pairs(of: frame)
        var keys = names.compactMap(\.inPlace)
        var members = values.map { Member.reference($0) }
        var position = keys.count
        var name: ObjectID?
        if let template = frame.template {
            let stored = archive.stored(UID(template))
            let member = archive.classMember(of: UID(template))
            name = document.key(member, of: stored)
            if member < stored.count - 1 { position = min(member, position) }
        }
        keys.insert(name ?? string("$class"), at: position)
        members.insert(.reference(.object(record)), at: position)
        return .members(keys: keys, members)
    }

    /// Returns the contents of a collection, with the members of its counterpart or, for a new one, the members that
    /// the archiver writes.
    private mutating func collection(
        of frame: Frame, _ record: Int, lists: [(name: String, prefix: String, references: [Reference])]
    ) -> Contents {
        if let template = frame.template, case .members(let keys, var members) = original(template) {
            switch archive.encoding(of: UID(template)) {
            case .elements, .pairs:
                for (position, key) in keys.enumerated() {
                    let name = document.text(key)?.string
                    if let list = lists.first(where: { $0.name == name }) { members[position] = .list(list.references) }
                }
                return .members(keys: keys, members)
            default: return numbered(lists, record: record, known: keys)
            }
        }
        if archive.numbersElements { return numbered(lists, record: record, known: []) }
        return .members(
            keys: lists.map { string($0.name) } + [string("$class")],
            lists.map { .list($0.references) } + [.reference(.object(record))])
    }

    /// Returns a collection whose elements are numbered fields, starting with the known fields in their order.
    private mutating func numbered(
        _ lists: [(name: String, prefix: String, references: [Reference])], record: Int, known: [ObjectID]
    ) -> Contents {
        var fields: [String: Reference] = [:]
        var names: [String] = []
        for position in 0..<(lists.first?.references.count ?? 0) {
            for list in lists {
                names.append("\(list.prefix).\(position)")
                fields[names[names.count - 1]] = list.references[position]
            }
        }
        names.append("$class")
        fields["$class"] = .object(record)
        var keys: [ObjectID] = []
        var members: [Member] = []
        for key in known {
            guard let name = document.text(key)?.string, let reference = fields.removeValue(forKey: name) else {
                continue
            }
            keys.append(key)
            members.append(.reference(reference))
        }
        for name in names {
            guard let reference = fields[name] else { continue }
            keys.append(string(name))
            members.append(.reference(reference))
        }
        return .members(keys: keys, members)
    }

    // MARK: The document

    /// Returns the document with the changed objects.
    consuming func finish(top: (keys: [ObjectID], members: [Member])) throws(Problem) -> Document {
        let before = originalTop
        guard !contents.isEmpty || top.members != before.members || top.keys != before.keys else { return document }
        let originals = reached(from: before.members, isEdited: false)
        let kept = reached(from: top.members, isEdited: true)
        var free = (1..<max(archive.count, 1)).filter { originals.contains($0) && !kept.contains($0) }
        var numbers: [Int: Int] = [:]
        var taken: Set<Int> = []
        let freed = Set(free)
        let added = (archive.count..<nextNumber).filter(kept.contains)
        for number in added {
            guard let old = replaced[number], freed.contains(old), taken.insert(old).inserted else { continue }
            numbers[number] = old
        }
        free = free.filter { !taken.contains($0) }.reversed()
        var count = archive.count
        for number in added where numbers[number] == nil {
            if let old = free.popLast() {
                numbers[number] = old
            } else {
                numbers[number] = count
                count += 1
            }
        }
        var list: [ObjectID?] = (0..<count).map { index in
            guard index < archive.count, !freed.contains(index) else { return nil }
            return archive.objectID(UID(index))
        }
        for (number, contents) in contents where kept.contains(number) {
            list[numbers[number] ?? number] = object(of: contents, numbers)
        }
        while list.last == .some(nil) { list.removeLast() }
        let topID = top.members == before.members ? nil : object(of: .members(keys: top.keys, top.members), numbers)
        let null = archive.objectID(.null)
        editor.setObjects(list.map { $0 ?? null }, top: topID, of: archive)
        let document = try editor.finish()
        // Verifies the invariants of archives instead of assuming them.
        _ = try KeyedArchive(document)
        return document
    }

    private mutating func object(of contents: Contents, _ numbers: [Int: Int]) -> ObjectID {
        guard case .members(let keys, let members) = contents else {
            if case .value(let id) = contents { return id }
            return archive.objectID(.null)
        }
        var values: [ObjectID] = []
        for member in members {
            switch member {
            case .reference(let reference): values.append(stored(reference, numbers))
            case .list(let references):
                let list = editor.addContainer(.array)
                editor.setContents(of: list, to: references.map { stored($0, numbers) })
                values.append(list)
            }
        }
        let object = editor.addContainer(.dictionary)
        editor.setContents(of: object, to: keys + values)
        return object
    }

    private mutating func stored(_ reference: Reference, _ numbers: [Int: Int]) -> ObjectID {
        switch reference {
        case .inPlace(let id): id
        case .object(let number):
            editor.add { $0.add(StoredUID(UInt32(truncatingIfNeeded: numbers[number] ?? number))) }
        }
    }

    /// Returns the objects that the roots reach, in the template or in the edited archive.
    private func reached(from roots: [Member], isEdited: Bool) -> Bitmap {
        var reached = Bitmap(count: nextNumber)
        var containers = Bitmap(count: document.count)
        var pending = roots.flatMap(Self.references)
        while let reference = pending.popLast() {
            switch reference {
            case .object(let number):
                guard !reached.contains(number) else { continue }
                reached.insert(number)
                if isEdited, let contents = contents[number] {
                    if case .members(_, let members) = contents { pending += members.flatMap(Self.references) }
                } else if number < archive.count {
                    pending.append(.inPlace(archive.objectID(UID(number))))
                }
            case .inPlace(let id):
                guard id.index < document.count, !containers.contains(id.index),
                    let container = document.container(id)
                else { continue }
                containers.insert(id.index)
                for position in 0..<container.referenceCount {
                    pending.append(self.reference(document.reference(position, of: container)))
                }
            }
        }
        return reached
    }

    private static func references(of member: Member) -> [Reference] {
        switch member {
        case .reference(let reference): [reference]
        case .list(let references): references
        }
    }
}

extension TemplateWriter.Reference {
    var inPlace: ObjectID? {
        guard case .inPlace(let id) = self else { return nil }
        return id
    }
}
