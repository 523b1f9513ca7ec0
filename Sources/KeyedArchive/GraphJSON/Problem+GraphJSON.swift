import SaveCodec

/// What graph JSON cannot be, and what is no graph JSON (design.md §5.2).
extension Problem {
    static func inlineTooDeep(_ depth: Int, allowed: Int) -> Problem {
        Problem(
            "graph.depth",
            "values in place are nested \(depth) deep; graph JSON goes \(allowed) deep, typed JSON (--raw) deeper")
    }

    static func keyUnwritable(_ name: String, at address: Address) -> Problem {
        Problem(
            "graph.key-kind", "a name is \(name), which graph JSON cannot hold; typed JSON (--raw) can",
            address: address)
    }

    /// A problem of the object or array `id` of the JSON text. Its address is looked for only now.
    private static func graph(_ kind: String, _ message: String, _ document: Document, _ id: ObjectID) -> Problem {
        Problem("graph.\(kind)", message, address: document.address(of: id))
    }

    // MARK: Members

    /// - Parameter found: the value of the member; nil if it is missing.
    static func graphMember(
        _ name: GraphName, _ found: ObjectID?, _ expected: String, _ document: Document, _ id: ObjectID
    ) -> Problem {
        let shown = found.map { "\(name.rawValue) is \(document.valueName($0))" } ?? "there is no \(name.rawValue)"
        return graph("member", "\(shown); expected \(expected)", document, id)
    }

    static func graphPair(_ name: GraphName, _ document: Document, _ id: ObjectID) -> Problem {
        graph(
            "member", "\(name.rawValue) holds other things than pairs; expected arrays of a key and a value", document,
            id)
    }

    static func graphName(_ name: Text, _ document: Document, _ id: ObjectID) -> Problem {
        let shown = SafeText.escaping(name.prefix(40))
        return graph(
            "name", "the name \"\(shown)\" is unknown here; a stored name that begins with $ is written \"$\(shown)\"",
            document, id)
    }

    static func graphNameTwice(_ name: Text?, _ document: Document, _ id: ObjectID) -> Problem {
        let shown = name.map { SafeText.escaping($0.prefix(40)) } ?? ""
        return graph(
            "name-twice",
            "the name \"\(shown)\" stands twice; expected \"$fields\" or \"$entries\" for names that repeat",
            document, id)
    }

    static func graphMisplaced(_ name: GraphName, _ document: Document, _ id: ObjectID) -> Problem {
        graph("misplaced", "\(name.rawValue) does not belong here", document, id)
    }

    static func graphClassField(_ document: Document, _ id: ObjectID) -> Problem {
        graph("class-field", "a field is named $class, as the class of the object is stored", document, id)
    }

    static func graphMixed(_ name: GraphName, _ document: Document, _ id: ObjectID) -> Problem {
        graph("mixed", "there are other members beside \(name.rawValue)", document, id)
    }

    static func graphKey(_ document: Document, _ id: ObjectID) -> Problem {
        graph("key", "a key is no string", document, id)
    }

    static func graphFieldName(_ document: Document, _ id: ObjectID) -> Problem {
        graph("field-name", "the name of a field is an array or an object", document, id)
    }

    // MARK: Objects

    static func graphReference(_ number: Int128, _ document: Document, _ id: ObjectID) -> Problem {
        graph("reference", "no object has the $id \(number)", document, id)
    }

    static func graphNumber(_ document: Document, _ id: ObjectID) -> Problem {
        graph("number", "a name in $shared is no number", document, id)
    }

    static func graphNumberTwice(_ number: Int128, _ document: Document, _ id: ObjectID) -> Problem {
        graph("number-twice", "another object has the $id \(number) as well", document, id)
    }

    static func graphShared(
        _ document: Document, _ id: ObjectID, under key: ObjectID, in shared: ObjectID
    ) -> Problem {
        // Equal scalars of a text are one object, which may stand elsewhere too.
        var address = document.address(of: shared)
        if let name = document.text(key) { address.append(key: name) }
        return Problem(
            "graph.shared", "\(document.kindName(id)) in $shared; expected an object or an array", address: address)
    }

    static func graphUID(_ document: Document, _ id: ObjectID) -> Problem {
        graph("uid", "a UID; objects are referred to by \"$ref\"", document, id)
    }

    static func graphSet(_ document: Document, _ id: ObjectID) -> Problem {
        graph("set", "a set of a property list; expected {\"$class\": \"NSSet\", \"$elements\": […]}", document, id)
    }

    static func graphInline(_ document: Document, _ id: ObjectID) -> Problem {
        graph("inline", "$inline in a collection, whose elements are objects", document, id)
    }

    static func graphObject(_ document: Document, _ id: ObjectID) -> Problem {
        graph("object", "$object is for numbers and booleans; everything else is an object without it", document, id)
    }

    // MARK: Classes

    static func graphClass(_ name: Text, _ document: Document, _ id: ObjectID) -> Problem {
        graph("class", "class \(name.shownAsClass) is neither in $classes nor one of Foundation's", document, id)
    }

    static func graphCollection(_ member: GraphName, _ name: Text, _ document: Document, _ id: ObjectID) -> Problem {
        graph(
            "collection", "objects of class \(name.shownAsClass) have no \(member.rawValue)", document,
            id)
    }

    static func graphClassName(_ document: Document, _ id: ObjectID) -> Problem {
        graph("class-name", "name is something else than the name of a class", document, id)
    }

    static func graphChain(_ document: Document, _ id: ObjectID) -> Problem {
        graph("chain", "a class is described by something else than an array of class names or null", document, id)
    }

    static func graphClassMember(_ document: Document, _ id: ObjectID) -> Problem {
        graph("class-member", "a class has other members than name, chain and hints", document, id)
    }
}
