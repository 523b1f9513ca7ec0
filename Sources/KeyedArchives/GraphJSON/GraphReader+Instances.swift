import SaveCodec

/// Objects that name their class, and plain values that stand for objects.
extension GraphReader {
    mutating func describeInstance(
        _ uid: UID, class label: ObjectID, _ object: GraphObject
    ) throws(Problem) {
        let id = object.id
        let known = try classRecord(label, id)
        builder.begin(uid, of: known.record)
        switch try object.checkedContents(of: known.kind, known.name.shownAsClass) {
        case .elements(let list): try addElements(list, of: known)
        case .entries(let list): try addEntries(list)
        case .entryPairs(let list): try addEntryPairs(list)
        case .fieldPairs(let list):
            for pair in document.graphPairs(list) {
                try addFieldName(pair.key, in: id)
                try addField(pair.value)
            }
        case .fields, .rawMembers: try addFields(of: object)
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

    private mutating func addElements(_ list: ObjectID, of known: ClassReader.Known) throws(Problem) {
        guard case .array(let elements) = document[list] else { return }
        guard case .numbered? = known.layout else { return builder.addCollection(try references(to: elements)) }
        for (index, element) in elements.enumerated() {
            builder.contents.add(string: "NS.object.\(index)")
            builder.refer(to: try reference(to: element))
        }
    }

    private mutating func addEntries(_ list: ObjectID) throws(Problem) {
        guard case .dictionary(let pairs) = document[list] else { return }
        let entries = GraphObject(list, in: document)
        try entries.checkNames(nil)
        try entries.checkDuplicates()
        try addEntries(pairs, list)
    }

    private mutating func addEntryPairs(_ list: ObjectID) throws(Problem) {
        let pairs = document.graphPairs(list)
        let keys = try references(to: pairs.lazy.map(\.key))
        builder.addCollection(keys: keys, try references(to: pairs.lazy.map(\.value)))
    }

    private mutating func addFields(of object: GraphObject) throws(Problem) {
        for (key, value) in object.data {
            if plainNames.contains(key.index) {
                scalars.add(key, of: document, to: &builder.contents)
            } else {
                try addFieldName(key, in: object.id)
            }
            try addField(value)
        }
    }

    private mutating func addFieldName(_ key: ObjectID, in id: ObjectID) throws(Problem) {
        if let name = document.text(key) { try document.checkFieldName(name, at: id) }
        try addName(key, in: id)
    }

    /// Describes an object that is a property list value as it stands.
    mutating func describeRaw(_ uid: UID, _ raw: ObjectID, in object: GraphObject) throws(Problem) {
        try object.checkRaw()
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
