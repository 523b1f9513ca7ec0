package import SaveCodec

/// Problems of graph JSON that several readers report. The address of `id`, an object or array of the text, is looked up
/// here.
extension Document {
    func graphProblem(_ kind: String, _ message: String, at id: ObjectID) -> Problem {
        Problem(kind, message, address: address(of: id))
    }

    // MARK: Members

    /// - Parameter found: the value of the member; nil if it is missing.
    func graphMember(_ name: GraphName, _ found: ObjectID?, expected: String, at id: ObjectID) -> Problem {
        let shown = found.map { "\(name.rawValue) is \(valueName($0))" } ?? "there is no \(name.rawValue)"
        return graphProblem("graph.member", "\(shown); expected \(expected)", at: id)
    }

    package func graphName(_ name: some Collection<UInt16>, at id: ObjectID) -> Problem {
        let shown = SafeText.escaping(Array(name.prefix(40)))
        return graphProblem(
            "graph.name",
            "the name \"\(shown)\" is unknown here; a stored name that begins with $ is written \"$\(shown)\"",
            at: id)
    }

    package func graphNameTwice(_ name: (some Collection<UInt16>)?, at id: ObjectID) -> Problem {
        let shown = name.map { SafeText.escaping(Array($0.prefix(40))) } ?? ""
        return graphProblem(
            "graph.name-twice",
            "the name \"\(shown)\" stands twice; expected \"$fields\" or \"$entries\" for names that repeat", at: id)
    }

    func graphMisplaced(_ name: GraphName, at id: ObjectID) -> Problem {
        graphProblem("graph.misplaced", "\(name.rawValue) does not belong here", at: id)
    }

    package func graphMixed(_ name: GraphName, at id: ObjectID) -> Problem {
        graphProblem("graph.mixed", "there are other members beside \(name.rawValue)", at: id)
    }

    func graphKey(at id: ObjectID) -> Problem {
        graphProblem("graph.key", "a key is no string", at: id)
    }

    package func graphFieldName(at id: ObjectID) -> Problem {
        graphProblem("graph.field-name", "the name of a field is an array or an object", at: id)
    }

    // MARK: Objects

    package func graphUID(at id: ObjectID) -> Problem {
        graphProblem("graph.uid", "a UID; objects are referred to by \"$ref\"", at: id)
    }

    package func graphSet(at id: ObjectID) -> Problem {
        graphProblem(
            "graph.set", "a set of a property list; expected {\"$class\": \"NSSet\", \"$elements\": […]}", at: id)
    }

    package func graphNumberTwice(_ number: Int128, at id: ObjectID) -> Problem {
        graphProblem("graph.number-twice", "another object has the $id \(number) as well", at: id)
    }

    package func graphReference(_ number: Int128, at id: ObjectID) -> Problem {
        graphProblem("graph.reference", "no object has the $id \(number)", at: id)
    }

    // MARK: Classes

    func graphCollection(_ member: GraphName, of shownName: String, at id: ObjectID) -> Problem {
        graphProblem("graph.collection", "objects of class \(shownName) have no \(member.rawValue)", at: id)
    }

    func graphChain(at id: ObjectID) -> Problem {
        graphProblem(
            "graph.chain", "a class is described by something else than an array of class names or null", at: id)
    }
}
