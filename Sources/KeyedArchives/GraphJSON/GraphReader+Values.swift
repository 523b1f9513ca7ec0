import SaveCodec

/// Values in fields and collections: references, and what is stored in place.
extension GraphReader {
    // MARK: References

    /// The object that a JSON value stands for where a reference does.
    mutating func reference(to id: ObjectID) throws(Problem) -> UID {
        if plainObjects[id.index] > 0 { return UID(Int(plainObjects[id.index])) }
        let object = document.object(id)
        switch object.kind {
        case .null: return .null
        case .uid: throw document.graphUID(at: id)
        case .set:
            throw document.graphProblem(
                "graph.set", "a set of a property list; expected {\"$class\": \"NSSet\", \"$elements\": […]}", at: id)
        case .array, .date: return try reserve(id)
        case .dictionary: return try reference(toObject: id)
        case .oneByteString, .utf16String, .integer, .real, .true, .false, .data:
            if document.text(object, equals: "$null") { return .null }
            return self.object(for: id)
        }
    }

    private mutating func add(plain object: StoredObject) -> UID {
        let document = document
        return builder.add { $0.add(object, of: document) }
    }

    /// The object that text, data or a number stands for. Those that come again are known by their number.
    private mutating func object(for id: ObjectID) -> UID {
        if plainObjects[id.index] > 0 { return UID(Int(plainObjects[id.index])) }
        let uid = add(plain: document.object(id))
        plainObjects[id.index] = UInt32(truncatingIfNeeded: uid.index)
        return uid
    }

    private mutating func reference(toObject id: ObjectID) throws(Problem) -> UID {
        let members = try shapes.members(of: id, in: document)
        if let number = members.sole(.ref) { return try mention(number, in: id) }
        if let object = members.sole(.object) { return try reference(toScalar: object, id) }
        if members.sole(.inline) != nil {
            throw document.graphProblem("graph.inline", "$inline in a collection, whose elements are objects", at: id)
        }
        for name in [GraphName.ref, .object, .inline] where members[name] != nil {
            throw document.graphMixed(name, at: id)
        }
        if let raw = members.sole(.raw), !document.object(raw).kind.isContainer {
            try checkRaw(raw)
            isSound = false
            return add(plain: document.object(raw))
        }
        return try reserve(id, number: try number(members, id))
    }

    /// `{"$object": X}` says of a number that it is an object; X is a value that could be an element.
    private mutating func reference(toScalar value: ObjectID, _ id: ObjectID) throws(Problem) -> UID {
        let object = document.object(value)
        guard object.kind.isNumber else {
            throw document.graphProblem(
                "graph.object", "$object is for numbers and booleans; everything else is an object without it", at: id)
        }
        return self.object(for: value)
    }

    /// Adds an object that nothing refers to. Text, data or a number is an object of its own, not the equal one that
    /// something refers to.
    mutating func addUnreferenced(_ id: ObjectID) throws(Problem) {
        let members = document.object(id).kind == .dictionary ? try shapes.members(of: id, in: document) : nil
        let (number, raw) = (members?.sole(.object), members?.sole(.raw))
        let scalar = document.object(number ?? raw ?? id)
        let isPlain = scalar.kind.isNumber || number == nil && (scalar.kind.isString || scalar.kind == .data)
        guard isPlain || raw != nil, !scalar.kind.isContainer, !document.text(scalar, equals: "$null") else {
            _ = try reference(to: id)
            return
        }
        if let raw {
            try checkRaw(raw)
            isSound = false
        }
        let document = document
        _ = builder.addApart { $0.add(scalar, of: document) }
    }

    private func number(_ members: GraphMembers, _ id: ObjectID) throws(Problem) -> Int128? {
        guard let member = members[.id] else { return nil }
        guard case .integer(let integer) = document[member], integer.value > 0 else {
            throw document.graphMember(.id, member, expected: "a whole number from 1", at: id)
        }
        return integer.value
    }

    // MARK: Fields

    /// Adds the name of a field or key: one `$` less than in JSON, if it begins with two.
    mutating func addName(_ key: ObjectID, in id: ObjectID) throws(Problem) {
        let object = document.object(key)
        if object.kind == .uid { throw document.graphUID(at: key) }
        guard !object.kind.isContainer else {
            throw document.graphProblem("graph.field-name", "the name of a field is an array or an object", at: id)
        }
        guard object.kind.isString, object.count > 0, case let name = StoredString(document, object), name[0] == 0x24
        else {
            plainNames.insert(key.index)
            return scalars.add(key, of: document, to: &builder.contents)
        }
        guard !GraphMembers.isForm(name) else { throw document.graphName(name, at: id) }
        builder.contents.add(utf16: Array(name.dropFirst()).span)
    }

    /// Adds what a field holds.
    mutating func addField(_ id: ObjectID) throws(Problem) {
        if document.object(id).kind.isNumber {
            scalars.add(id, of: document, to: &builder.contents)
        } else if let value = try inlineValue(id) {
            try addInline(value)
        } else {
            builder.refer(to: try reference(to: id))
        }
    }

    /// The X of `{"$inline": X}`; nil for any other value.
    private func inlineValue(_ id: ObjectID) throws(Problem) -> ObjectID? {
        guard let object = document.container(id), object.kind == .dictionary, object.count == 1,
            document.text(document.object(document.key(0, of: object)), equals: "$inline")
        else { return nil }
        return document.value(0, of: object)
    }

    /// Adds a value in place. What is in it are references, unless it says that it is in place as well.
    private mutating func addInline(_ id: ObjectID) throws(Problem) {
        var path: [(id: ObjectID, container: StoredObject, next: Int)] = []
        try open(id, &path)
        while let frame = path.last {
            guard frame.next < frame.container.count else {
                path.removeLast()
                builder.contents.close()
                continue
            }
            path[path.count - 1].next += 1
            var element = document.reference(frame.next, of: frame.container)
            if frame.container.kind == .dictionary {
                try addName(element, in: frame.id)
                element = document.value(frame.next, of: frame.container)
            }
            if let value = try inlineValue(element) {
                try open(value, &path)
            } else {
                builder.refer(to: try reference(to: element))
            }
        }
    }

    private mutating func open(
        _ id: ObjectID, _ path: inout [(id: ObjectID, container: StoredObject, next: Int)]
    ) throws(Problem) {
        let object = document.object(id)
        switch object.kind {
        case .array: builder.contents.open(.array)
        case .set: builder.contents.open(.set)
        case .dictionary:
            isSound = false
            builder.contents.open(.dictionary)
        case .uid: throw document.graphUID(at: id)
        default: scalars.add(id, of: document, to: &builder.contents)
        }
        if object.kind.isContainer { path.append((id, object, 0)) }
    }

    // MARK: Collections

    /// Adds a field that is an array of references.
    mutating func addElements(_ elements: Elements, under name: String) throws(Problem) {
        builder.contents.add(string: name)
        builder.contents.open(.array)
        for element in elements { builder.refer(to: try reference(to: element)) }
        builder.contents.close()
    }

    /// Adds the fields of a dictionary whose keys are names.
    mutating func addEntries(_ pairs: Pairs, _ id: ObjectID) throws(Problem) {
        builder.contents.add(string: "NS.keys")
        builder.contents.open(.array)
        for (key, _) in pairs { builder.refer(to: try reference(toName: key, in: id)) }
        builder.contents.close()
        builder.contents.add(string: "NS.objects")
        builder.contents.open(.array)
        for (_, value) in pairs { builder.refer(to: try reference(to: value)) }
        builder.contents.close()
    }

    private mutating func reference(toName key: ObjectID, in id: ObjectID) throws(Problem) -> UID {
        guard let name = document.text(key) else { throw document.graphKey(at: id) }
        guard name.count > 0, name[0] == 0x24 else { return object(for: key) }
        guard !GraphMembers.isForm(name) else { throw document.graphName(name, at: id) }
        let units = Array(name.dropFirst())
        return builder.add { $0.add(utf16: units.span) }
    }
}
