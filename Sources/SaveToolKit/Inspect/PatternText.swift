import KeyedArchives
import SaveCodec
import SaveOperations

/// What commands say of patterns of addresses.
enum PatternText {
    static let rule = """
        ** looks into what is shared once, * wherever it stands; a key that is * itself is ~*.
        """

    static let condition = """
        --where takes only values in an object or dictionary with such a field, health<10 as in find, or
        those that have it themselves.
        """
}

extension PointerPattern {
    /// The line about a pattern that leads nowhere in a file, or to nothing that has such fields.
    func nothingThere(in view: ObjectView, of name: String, where conditions: [FieldCondition]) -> String {
        let line = "\(Invocation.shownName(name)): \(Shortened.address(address)): nothing is there"
        guard conditions.isEmpty || !leadsSomewhere(in: view) else {
            return line + " for which \(Option.where.shown) holds" + Self.unknownField(of: conditions, in: view)
        }
        return line + advice(in: [view])
    }

    /// The end of a sentence about conditions of which one names a field that nothing has.
    private static func unknownField(of conditions: [FieldCondition], in view: ObjectView) -> String {
        for condition in conditions {
            let field = PointerPattern(anywhere: condition.field)
            guard !field.leadsSomewhere(in: view) else { continue }
            let nearest = field.nearest(in: [view])?.tokens.last.map { Shortened.key($0) }
            return "; nothing has a field \(Shortened.key(condition.field))" + Suggestion.sentence(nearest)
        }
        return ""
    }

    /// The places in a view that the pattern leads to, one after the other. Where there is neither a wildcard nor a
    /// condition that is the address itself, even if it leads nowhere.
    func targets(
        in view: ObjectView, where conditions: [FieldCondition]
    ) -> () throws(Problem) -> EditTarget? {
        guard hasWildcards || !conditions.isEmpty else {
            var sole: EditTarget? = .address(address)
            return { sole.take() }
        }
        var matches = PatternMatches(self, in: view, where: conditions)
        return { () throws(Problem) in
            guard try matches.next() != nil else { return nil }
            return if let path = try matches.path() { .path(path) } else { .address(try matches.address()) }
        }
    }
}
