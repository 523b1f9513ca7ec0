import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

extension ObjectView {
    /// Whether the address is `/` and the root has no empty key. Commands that read a save then treat it as the root.
    func readsAsRoot(_ address: JSONPointer) -> Bool {
        guard address == .emptyKey, case .missing = find(address) else { return false }
        return true
    }
}

extension Invocation {
    /// Returns the address to read. If there is no empty key, `/` is read as the root, and a note is printed. Commands
    /// that write use addresses unchanged.
    func readAddress(_ address: JSONPointer, in view: ObjectView, of name: String) -> JSONPointer {
        guard view.readsAsRoot(address) else { return address }
        reportReadAsRoot(in: Self.shownName(name))
        return .root
    }

    /// Returns the pattern to read; see ``readAddress(_:in:of:)``.
    func readPattern(_ pattern: PointerPattern, in view: ObjectView, of name: String) -> PointerPattern {
        PointerPattern(readAddress(pattern.address, in: view, of: name))
    }

    /// Prints that `/` was treated as the root.
    func reportReadAsRoot(in name: String) {
        printError("\(name): /: there is no empty key, so / is read as the root, whose address is ''")
    }
}

/// The error message for an address that does not exist, with a description of its nearest existing container.
enum MissingValueLine {
    /// Returns the line for the file `name`.
    ///
    /// - Parameters:
    ///   - location: The location of the nearest existing container in a text file.
    ///   - besides: A clause to add after the statement that the value does not exist, such as a hint.
    static func render(
        _ missing: MissingValue, at address: JSONPointer, in name: String, _ location: SourceLocation? = nil,
        besides: String = ""
    ) -> String {
        let beginning = location.map { ProblemLine.beginning(name, $0) } ?? Invocation.shownName(name)
        let prefix = "\(beginning): \(TruncatedText.address(address)): no such value" + besides
        if let problem = missing.problem {
            return
                "\(prefix); \(TruncatedText.address(missing.prefix)) is a save that cannot be read: \(problem.message)"
        }
        return "\(prefix); \(container(missing))" + (patternAdvice(address) ?? missing.advice)
    }

    /// Returns a hint for an address with an asterisk; nil for other addresses. `*` and `**` are wildcards only in some
    /// commands, and only as whole tokens.
    private static func patternAdvice(_ address: JSONPointer) -> String? {
        let isPattern = address.tokens.contains { $0.elementsEqual("*".utf16) || $0.elementsEqual("**".utf16) }
        if isPattern { return "; * is an ordinary key here; \(GetCommand.command.called) accepts patterns" }
        let isInKey = address.tokens.contains { $0.contains(UInt16(UInt8(ascii: "*"))) }
        return isInKey ? "; * is a wildcard only if it is a whole token, as in /*/name" : nil
    }

    /// Describes the value at the longest prefix that exists: `/levels is an array with 3 elements, 0 to 2`.
    private static func container(_ missing: MissingValue) -> String {
        let address = TruncatedText.address(missing.prefix)
        guard missing.view.archive != nil, missing.id == missing.view.root else {
            return "\(address) is \(what(missing))"
        }
        let count = missing.value.contents.count
        guard count > 0 else { return "the archive has no roots" }
        let base = missing.prefix == .root ? "/" : address + "/"
        let roots = missing.nearKeys.map { base + TruncatedText.key($0) }.joined(separator: ", ")
        let all = "the " + Phrase.noun("root", for: count)
        return "the archive has \(count == missing.nearKeys.count ? all : "roots like") \(roots)"
    }

    private static func what(_ missing: MissingValue) -> String {
        let value = missing.value
        let count = value.contents.count
        switch value.variant {
        case .scalar(let node): return node.kind.withArticle + ", which has no contents"
        case .array:
            return "an array with " + Phrase.count(count, "element") + (count > 1 ? ", 0 to \(count - 1)" : "")
        case .set: return "a set with " + Phrase.count(count, "element")
        case .dictionary:
            return count == 0 ? "an empty dictionary" : "a dictionary" + keys(of: missing, "key", none: "")
        case .object:
            let name = value.classPosition.map { " of class " + missing.view.className($0) } ?? ""
            return "an object" + name + keys(of: missing, "field", none: "without fields")
        }
    }

    private static func keys(of missing: MissingValue, _ noun: String, none: String) -> String {
        let count = missing.value.contents.count
        guard count > 0 else { return " " + none }
        let keys = missing.nearKeys.map { TruncatedText.key($0) }.joined(separator: ", ")
        let nouns = Phrase.noun(noun, for: count)
        return " with " + (count == missing.nearKeys.count ? "the \(nouns) " : "\(nouns) like ") + keys
    }
}

extension FieldCondition {
    /// Returns the end of an error message that a field does not exist.
    static func noField(_ field: [UInt16], nearest: [UInt16]?) -> String {
        let name = TruncatedText.key(field)
        return "; there is no field \(name)" + Suggestion.sentence(nearest.map { TruncatedText.key($0) }, for: name)
    }
}

// MARK: Patterns

extension PointerPattern {
    /// Returns the error message for a pattern without matches, or without matches that satisfy the conditions.
    func noMatch(in view: ObjectView, of name: String, where conditions: [FieldCondition]) -> String {
        let line = "\(Invocation.shownName(name)): \(TruncatedText.address(address)): "
        guard conditions.isEmpty || !leadsSomewhere(in: view) else {
            return line + "no match satisfies \(Option.where.shown)" + Self.unknownField(of: conditions, in: view)
        }
        return line + "no such value" + advice(in: [view])
    }

    /// Returns the end of an error message if a condition names a field that does not exist in the view, otherwise an
    /// empty string.
    private static func unknownField(of conditions: [FieldCondition], in view: ObjectView) -> String {
        for condition in conditions {
            let field = PointerPattern(anywhere: [condition.field])
            let path = PointerPattern(anywhere: condition.keys)
            guard !field.leadsSomewhere(in: view), !path.leadsSomewhere(in: view) else { continue }
            return FieldCondition.noField(condition.field, nearest: field.nearest(in: [view])?.tokens.last)
        }
        return ""
    }

    /// Returns an iterator over the values that match the pattern. If there are no wildcards or conditions, the address
    /// itself is the only result, even if it does not exist.
    func targets(
        in view: ObjectView, where conditions: [FieldCondition]
    ) -> () throws(Problem) -> EditTarget? {
        guard hasWildcards || !conditions.isEmpty else {
            var sole: EditTarget? = EditTarget(.address(address))
            return { sole.take() }
        }
        var matches = PatternMatches(self, in: view, where: conditions)
        let pathOfLeaf = { matches.pathOfLeaf() }
        return { () throws(Problem) in
            guard try matches.next() != nil else { return nil }
            if let slot = try matches.leafSlot() { return EditTarget(.leaf(slot, path: pathOfLeaf)) }
            if let path = try matches.path() { return EditTarget(.path(path)) }
            return EditTarget(.address(try matches.address()))
        }
    }
}
