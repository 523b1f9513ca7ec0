import SaveCodec

/// Objects that name their class, and plain values that stand for objects.
extension GraphReader {
    mutating func describeInstance(
        _ uid: UID, _ label: ObjectID, _ members: GraphMembers, _ id: ObjectID
    ) throws(Problem) {
        guard let name = document.text(label) else { throw .graphMember("$class", "the name of a class", document, id) }
        let label = Array(name)
        guard let record = classes.record(label, in: &builder) else { throw .graphClass(name, document, id) }
        let layout = classes.layout(label)
        builder.begin(uid, of: record)
        if let elements = members["$elements"] {
            try members.check(only: ["$class", "$id", "$elements"], allowsData: false, id)
            try addElements(elements, layout, name, id)
        } else if let entries = members["$entries"] {
            try members.check(only: ["$class", "$id", "$entries"], allowsData: false, id)
            try addEntries(entries, layout, name, id)
        } else if let fields = members["$fields"] {
            try members.check(only: ["$class", "$id", "$fields"], allowsData: false, id)
            try addFieldPairs(fields, id)
        } else {
            try members.check(only: ["$class", "$id"], allowsData: true, id)
            try addFields(id)
        }
        builder.end()
    }

    private mutating func addElements(
        _ list: ObjectID, _ layout: FoundationClass.Layout?, _ name: Text, _ id: ObjectID
    ) throws(Problem) {
        guard case .array(let elements) = document[list] else {
            throw .graphMember("$elements", "an array", document, id)
        }
        switch layout {
        case .elements?: try addElements(elements, under: "NS.objects")
        case .numbered?:
            for (index, element) in elements.enumerated() {
                builder.contents.add(string: "NS.object.\(index)")
                builder.refer(to: try reference(to: element))
            }
        default: throw .graphCollection("$elements", name, document, id)
        }
    }

    private mutating func addEntries(
        _ list: ObjectID, _ layout: FoundationClass.Layout?, _ name: Text, _ id: ObjectID
    ) throws(Problem) {
        guard case .pairs? = layout else { throw .graphCollection("$entries", name, document, id) }
        switch document[list] {
        case .dictionary(let pairs):
            if document.object(list).count > 0 {
                let entries = try GraphMembers(of: list, in: document, known: [])
                try entries.checkNone(list)
            }
            try addEntries(pairs, list)
        case .array(let elements):
            let pairs = try pairs(elements, "$entries", id)
            for (position, field) in ["NS.keys", "NS.objects"].enumerated() {
                builder.contents.add(string: field)
                builder.contents.open(.array)
                for pair in pairs { builder.refer(to: try reference(to: pair[position])) }
                builder.contents.close()
            }
        default: throw .graphMember("$entries", "an object or an array of pairs", document, id)
        }
    }

    private mutating func addFieldPairs(_ list: ObjectID, _ id: ObjectID) throws(Problem) {
        guard case .array(let elements) = document[list] else {
            throw .graphMember("$fields", "an array of pairs", document, id)
        }
        for pair in try pairs(elements, "$fields", id) {
            guard !document.object(pair[0]).kind.isContainer else { throw .graphKey(document, id) }
            try addName(pair[0], in: id)
            try addField(pair[1])
        }
    }

    private func pairs(_ elements: Elements, _ member: String, _ id: ObjectID) throws(Problem) -> [Elements] {
        var pairs: [Elements] = []
        for element in elements {
            guard case .array(let pair) = document[element], pair.count == 2 else {
                throw .graphMember(member, "an array of pairs", document, id)
            }
            pairs.append(pair)
        }
        return pairs
    }

    private mutating func addFields(_ id: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[id] else { return }
        for (key, value) in pairs {
            if let name = document.text(key), GraphMembers.isForm(name) { continue }
            try addName(key, in: id)
            try addField(value)
        }
    }

    /// Describes an object that is a property list value as it stands.
    mutating func describeRaw(_ uid: UID, _ raw: ObjectID, _ members: GraphMembers, _ id: ObjectID) throws(Problem) {
        try members.check(only: ["$id", "$raw"], allowsData: false, id)
        var contents = NestedContents(of: document.object(raw), in: document)
        while let (found, object) = contents.next() {
            if object.kind == .uid { throw .graphUID(document, found) }
        }
        builder.beginValue(uid)
        builder.contents.add(raw, of: document) { $0 }
        builder.end()
    }
}
