import KeyedArchives
import SaveCodec

/// Composes the stored contents of the objects that were written.
extension TemplateWriter {
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
        keys.insert(name ?? objects.string("$class"), at: position)
        members.insert(.reference(.object(record)), at: position)
        return .members(keys: keys, members)
    }

    /// Returns the contents of a collection, with the members of its counterpart or, for a new one, the members that
    /// the archiver writes.
    private mutating func collection(
        of frame: Frame, _ record: Int, lists: [(name: String, prefix: String, references: [Reference])]
    ) -> Contents {
        if let template = frame.template, case .members(let keys, var members) = objects.original(template) {
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
            keys: lists.map { objects.string($0.name) } + [objects.string("$class")],
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
            keys.append(objects.string(name))
            members.append(.reference(reference))
        }
        return .members(keys: keys, members)
    }
}
