import SaveCodec

/// Objects that name their class, and plain values that stand for objects.
extension GraphReader {
    mutating func describeInstance(
        _ uid: UID, class label: ObjectID, _ members: GraphMembers, at id: ObjectID
    ) throws(Problem) {
        let known = try classRecord(label, id)
        builder.begin(uid, of: known.record)
        if let elements = members[.elements] {
            try members.check(only: [.className, .id, .elements], allowsData: false)
            try addElements(elements, of: known, at: id)
        } else if let entries = members[.entries] {
            try members.check(only: [.className, .id, .entries], allowsData: false)
            try addEntries(entries, of: known, at: id)
        } else if let fields = members[.fields] {
            try members.check(only: [.className, .id, .fields], allowsData: false)
            try addFieldPairs(fields, id)
        } else {
            try members.check(only: [.className, .id], allowsData: true)
            try addFields(id)
        }
        builder.end()
    }

    private mutating func classRecord(_ label: ObjectID, _ id: ObjectID) throws(Problem) -> ClassReader.Known {
        guard let name = document.text(label) else {
            throw document.graphMember(.className, label, expected: "the name of a class", at: id)
        }
        guard let known = classes.find(label, name, in: &builder) else {
            throw document.graphProblem(
                "graph.class", "class \(name.shownAsClass) is neither in $classes nor one of Foundation's", at: id)
        }
        return known
    }

    private mutating func addElements(
        _ list: ObjectID, of known: ClassReader.Known, at id: ObjectID
    ) throws(Problem) {
        guard case .array(let elements) = document[list] else {
            throw document.graphMember(.elements, list, expected: "an array", at: id)
        }
        switch known.layout {
        case .elements?: try addElements(elements, under: "NS.objects")
        case .numbered?:
            for (index, element) in elements.enumerated() {
                builder.contents.add(string: "NS.object.\(index)")
                builder.refer(to: try reference(to: element))
            }
        default: throw document.graphCollection(.elements, of: known.name.shownAsClass, at: id)
        }
    }

    private mutating func addEntries(
        _ list: ObjectID, of known: ClassReader.Known, at id: ObjectID
    ) throws(Problem) {
        guard case .pairs? = known.layout else {
            throw document.graphCollection(.entries, of: known.name.shownAsClass, at: id)
        }
        switch document[list] {
        case .dictionary(let pairs):
            try GraphMembers(of: list, in: document, known: []).checkRepeats()
            try addEntries(pairs, list)
        case .array(let elements):
            let pairs = try pairs(elements, of: .entries, at: id)
            for (position, field) in ["NS.keys", "NS.objects"].enumerated() {
                builder.contents.add(string: field)
                builder.contents.open(.array)
                for pair in pairs { builder.refer(to: try reference(to: pair[position])) }
                builder.contents.close()
            }
        default: throw document.graphMember(.entries, list, expected: "an object or an array of pairs", at: id)
        }
    }

    private mutating func addFieldPairs(_ list: ObjectID, _ id: ObjectID) throws(Problem) {
        guard case .array(let elements) = document[list] else {
            throw document.graphMember(.fields, list, expected: "an array of pairs", at: id)
        }
        for pair in try pairs(elements, of: .fields, at: id) {
            try addFieldName(pair[0], in: id)
            try addField(pair[1])
        }
    }

    private func pairs(_ elements: Elements, of member: GraphName, at id: ObjectID) throws(Problem) -> [Elements] {
        var pairs: [Elements] = []
        for element in elements {
            guard case .array(let pair) = document[element], pair.count == 2 else {
                throw document.graphProblem(
                    "graph.member",
                    "\(member.rawValue) holds other things than pairs; expected arrays of a key and a value",
                    at: id)
            }
            pairs.append(pair)
        }
        return pairs
    }

    private mutating func addFields(_ id: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[id] else { return }
        for (key, value) in pairs {
            if plainNames.contains(key.index) {
                scalars.add(key, of: document, to: &builder.contents)
            } else if let name = document.text(key), GraphMembers.isForm(name) {
                continue
            } else {
                try addFieldName(key, in: id)
            }
            try addField(value)
        }
    }

    /// Adds the name of a field, which cannot be `$class`: no unarchiver could tell it from the class.
    private mutating func addFieldName(_ key: ObjectID, in id: ObjectID) throws(Problem) {
        if document.text(document.object(key), equals: "$$class") {
            throw document.graphProblem(
                "graph.class-field", "a field is named $class, as the class of the object is stored", at: id)
        }
        try addName(key, in: id)
    }

    /// Describes an object that is a property list value as it stands.
    mutating func describeRaw(_ uid: UID, _ raw: ObjectID, in members: GraphMembers, at id: ObjectID) throws(Problem) {
        try members.check(only: [.id, .raw], allowsData: false)
        try checkRaw(raw)
        isSound = false
        builder.beginValue(uid)
        builder.contents.add(raw, of: document, scalars: &scalars)
        builder.end()
    }

    /// Refuses UIDs: what stands in `$objects` without a class cannot refer to objects.
    func checkRaw(_ raw: ObjectID) throws(Problem) {
        let object = document.object(raw)
        if object.kind == .uid { throw document.graphUID(at: raw) }
        var contents = NestedContents(of: object, in: document)
        while let (found, object) = contents.next() {
            if object.kind == .uid { throw document.graphUID(at: found) }
        }
    }
}
