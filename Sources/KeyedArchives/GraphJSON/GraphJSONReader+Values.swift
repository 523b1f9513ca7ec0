import SaveCodec

/// Values in fields and collections: references and values in place.
extension GraphJSONReader {
    // MARK: References

    /// Returns the object that a JSON value describes where a reference is expected.
    mutating func reference(to id: ObjectID) throws(Problem) -> UID {
        if plainObjects[id.index] > 0 { return UID(Int(plainObjects[id.index])) }
        let object = document.object(id)
        switch object.kind {
        case .null: return .null
        case .uid: throw document.graphUID(at: id)
        case .set:
            throw document.graphSet(at: id)
        case .array, .date: return try reserve(id)
        case .dictionary:
            return shapes.isUnnumbered(object) ? try reserve(id) : try reference(to: shapes.object(id))
        case .oneByteString, .utf16String, .integer, .real, .true, .false, .data:
            if document.text(object, equals: "$null") { return .null }
            return self.object(for: id)
        }
    }

    private mutating func add(plain object: StoredObject) -> UID {
        let document = document
        return builder.add { $0.add(object, of: document) }
    }

    /// Returns the object for text, data or a number. Equal values of the JSON text are one object of the document, by
    /// which later occurrences are recognized.
    private mutating func object(for id: ObjectID) -> UID {
        if plainObjects[id.index] > 0 { return UID(Int(plainObjects[id.index])) }
        let uid = add(plain: document.object(id))
        plainObjects[id.index] = UInt32(truncatingIfNeeded: uid.index)
        return uid
    }

    private mutating func reference(to object: GraphJSONObject) throws(Problem) -> UID {
        try object.checkNames()
        switch object.valueKind {
        case .ref(let number): return self.object(numbered: try object.checkedReference(number), at: object.id)
        case .object(let scalar): return try reference(toScalar: scalar, object.id)
        case .inline:
            throw document.graphProblem(
                "graph.inline", "found $inline in a collection; its elements must be objects", at: object.id)
        case .raw(let raw) where object.count == 1 && !document.object(raw).kind.isContainer:
            try checkRaw(raw)
            isSound = false
            return add(plain: document.object(raw))
        case .raw, .instance, .plain:
            try object.checkAlone()
            return try reserve(object.id, number: try object.checkedNumber())
        }
    }

    /// Returns the object for X in `{"$object": X}`, which must be a number or a Boolean.
    private mutating func reference(toScalar value: ObjectID, _ id: ObjectID) throws(Problem) -> UID {
        let object = document.object(value)
        guard object.kind.isNumber else {
            throw document.graphProblem(
                "graph.object", "$object is only for numbers and booleans; other values are objects without it", at: id)
        }
        return self.object(for: value)
    }

    /// Adds an object that nothing refers to. Text, data or a number becomes a separate object, even if an equal one
    /// exists.
    mutating func addUnreferenced(_ id: ObjectID) throws(Problem) {
        var (number, raw): (ObjectID?, ObjectID?)
        if document.object(id).kind == .dictionary {
            let object = shapes.object(id)
            try object.checkNames()
            switch object.valueKind {
            case .object(let value): number = value
            case .raw(let value) where object.count == 1: raw = value
            default: break
            }
        }
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

    // MARK: Fields

    /// Adds the name of a field or key. A name that begins with `$$` loses one `$`.
    mutating func addName(_ key: ObjectID, in id: ObjectID) throws(Problem) {
        let object = document.object(key)
        if object.kind == .uid { throw document.graphUID(at: key) }
        guard !object.kind.isContainer else { throw document.graphFieldName(at: id) }
        guard object.kind.isString, object.count > 0, case let name = StoredString(document, object), name[0] == 0x24
        else {
            plainNames.insert(key.index)
            return scalars.add(key, of: document, to: &builder.contents)
        }
        guard let stored = GraphJSONName.unescaped(name) else { throw document.graphName(name, at: id) }
        builder.contents.add(utf16: Array(stored).span)
    }

    mutating func addField(_ id: ObjectID) throws(Problem) {
        let object = document.object(id)
        if object.kind.isNumber { return scalars.add(id, of: document, to: &builder.contents) }
        if object.kind == .dictionary, case .inline(let value) = document.soleValueKind(of: id) {
            return try addInline(value)
        }
        builder.refer(to: try reference(to: id))
    }

    /// Adds a value in place. The values in it are references unless they are marked `$inline`, too.
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
            if case .inline(let value) = document.soleValueKind(of: element) {
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

    /// Adds a field that lists references to values.
    mutating func addList(_ name: String, of values: some Sequence<ObjectID>) throws(Problem) {
        builder.openList(under: name)
        for value in values { refer(toElement: try reference(to: value)) }
        builder.contents.close()
    }

    private mutating func refer(toElement uid: UID) {
        if uid == .null { hasProvedFields = false }
        builder.refer(to: uid)
    }

    /// Adds the fields of a dictionary whose keys are strings.
    mutating func addEntries(_ pairs: Pairs, _ id: ObjectID) throws(Problem) {
        builder.openList(under: "NS.keys")
        for (key, _) in pairs { refer(toElement: try reference(toName: key, in: id)) }
        builder.contents.close()
        try addList("NS.objects", of: pairs.lazy.map(\.value))
    }

    private mutating func reference(toName key: ObjectID, in id: ObjectID) throws(Problem) -> UID {
        guard let name = document.text(key) else { throw document.graphKey(at: id) }
        guard name.count > 0, name[0] == 0x24 else { return object(for: key) }
        guard let stored = GraphJSONName.unescaped(name) else { throw document.graphName(name, at: id) }
        let units = Array(stored)
        return builder.add { $0.add(utf16: units.span) }
    }
}
