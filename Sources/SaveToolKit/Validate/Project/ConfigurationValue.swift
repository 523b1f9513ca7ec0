import SaveCodec
import SaveOperations

/// A value in a project file or a migration rules file, with its path from the root, so that every error has a
/// location.
///
/// These files are read strictly, because an unknown member would be a requirement that is never checked.
struct ConfigurationValue: Sendable {
    /// The text, and the document read from it.
    struct Source: Sendable {
        let bytes: [UInt8]
        let document: Document
    }

    private let source: Source
    private let id: ObjectID
    private(set) var address = JSONPointer.root
    /// The position in each container, from the root down.
    private var path: [Int] = []

    /// Creates the root value of a file.
    init(_ bytes: [UInt8]) throws(Problem) {
        source = Source(bytes: bytes, document: try JSON.readPlain(bytes))
        id = source.document.root
    }

    private init(_ container: ConfigurationValue, _ id: ObjectID, at position: Int) {
        (source, self.id, address, path) = (container.source, id, container.address, container.path)
        path.append(position)
    }

    /// Returns the value at the same path in another document.
    ///
    /// - Parameter document: The document that results from reading the same text as typed JSON.
    func typed(in document: Document) -> ObjectID {
        path.reduce(document.root) { document.member($1, of: document.object($0)) }
    }

    /// Whether the text of the file consists of these bytes.
    func hasText(_ bytes: [UInt8]) -> Bool { source.bytes == bytes }

    var location: SourceLocation? { JSON.location(of: path, in: source.bytes) }

    /// Returns a problem with this value, or with its member name.
    func problem(_ id: String, _ sentence: String, isAboutName: Bool = false) -> Problem {
        let location = JSON.location(of: path, isName: isAboutName, in: source.bytes)
        return Problem(id, sentence, at: location, address: address)
    }

    private func wrongType(_ expected: String) -> Problem {
        let found =
            switch source.document[id].kind {
            case .dictionary: ValueKind.object.withArticle
            case .boolean: "true or false"
            case .integer, .real: "a number"
            case let kind: kind.withArticle
            }
        return problem("project.type", "found \(found); expected \(expected)")
    }

    // MARK: Contents

    /// Returns the members of an object.
    ///
    /// - Parameter known: The allowed names; nil for any.
    func members(_ known: [String]?) throws(Problem) -> [(name: String, value: ConfigurationValue)] {
        guard case .dictionary(let pairs) = source.document[id] else { throw wrongType("an object") }
        var members: [(name: String, value: ConfigurationValue)] = []
        var seen: Set<[UInt16]> = []
        for (position, pair) in pairs.enumerated() {
            let units = source.document.text(pair.key).map { Array($0) } ?? []
            let name = String(decoding: units, as: UTF16.self)
            var member = ConfigurationValue(self, pair.value, at: position)
            member.address.append(key: units)
            guard seen.insert(units).inserted else {
                throw member.problem(
                    "project.repeated-member", "duplicate member", isAboutName: true)
            }
            if let known, !known.contains(name) {
                let advice = Self.advice(name, known) { "\"\($0)\"" }
                throw member.problem("project.member", "unknown member; " + advice, isAboutName: true)
            }
            members.append((name, member))
        }
        return members
    }

    func elements(_ expected: String) throws(Problem) -> [ConfigurationValue] {
        guard case .array(let elements) = source.document[id] else { throw wrongType(expected) }
        return elements.enumerated().map { position, id in
            var element = ConfigurationValue(self, id, at: position)
            element.address.append(index: position)
            return element
        }
    }

    /// Returns a string that is not empty.
    func string(_ expected: String) throws(Problem) -> String {
        guard let text = source.document.text(id) else { throw wrongType(expected) }
        guard text.count > 0 else { throw problem("project.empty", "found an empty string; expected \(expected)") }
        return text.string
    }

    func boolean() throws(Problem) -> Bool {
        guard case .boolean(let value) = source.document[id] else { throw wrongType("true or false") }
        return value
    }

    func choice<Choice>(_ names: [String], _ choose: (String) -> Choice?) throws(Problem) -> Choice {
        let name = try string("a name")
        if let choice = choose(name) { return choice }
        throw problem("project.name", "unknown name \(Phrase.quoted(name)); " + Self.advice(name, names) { $0 })
    }

    /// Returns the id of a finding that the article of findings describes.
    func findingID() throws(Problem) -> String {
        let id = try string("the id of a finding")
        let article = FindingArticle.compiled
        if article.isKnown(id) { return id }
        let near = Suggestion.nearest(to: id, in: article.ids)
        throw problem(
            "project.name",
            "unknown finding \(Phrase.quoted(id))"
                + (near.map { "; did you mean \"\($0)\"?" } ?? "; validate prints the id of a finding in brackets"))
    }

    /// Returns a suggestion for a name, or the list of allowed names.
    private static func advice(_ name: String, _ known: [String], shown: (String) -> String) -> String {
        if let near = Suggestion.nearest(to: name, in: known) { return "did you mean \"\(near)\"?" }
        return "expected " + UsageError.list(known.map(shown))
    }

    func pointer() throws(Problem) -> JSONPointer {
        let text = try string("an address")
        if let address = JSONPointer(text) { return address }
        throw problem(
            "project.address",
            "found \"\(Phrase.name(text.utf16))\"; expected an address such as /root/version"
                + Suggestion.sentence(Suggestion.address(withSlashBefore: text)))
    }

    func globs() throws(Problem) -> [Glob] {
        var globs: [Glob] = []
        for element in try elements("an array of patterns") {
            let pattern = try element.string("a pattern")
            do throws(GlobFault) {
                globs.append(try Glob(pattern))
            } catch {
                throw element.problem("project.pattern", error.sentence)
            }
        }
        return globs
    }
}
