public import SaveCodec

/// Graph JSON: the object graph of a keyed archive as JSON, converted in both directions without loss of objects (see
/// <doc:GraphJSON>).
///
///     archive                                        graph JSON
///     $top      root: UID 1                          {
///     $objects  1  {$class: 5, name: 2,                "$archiver": "NSKeyedArchiver", "$version": 100000,
///                   health: 100, friends: 3}           "$classes": {"Player": ["Player", "NSObject"]},
///               2  "Ada"                               "$top": {
///               3  {$class: 4, NS.objects: [1]}          "root": {
///               4  NSArray                                 "$class": "Player", "$id": 1,
///               5  Player, NSObject                        "name": "Ada", "health": 100,
///                                                          "friends": [{"$ref": 1}]
///                                                    }}}
///
/// A field holds a reference or a value in place. Usually the JSON value shows which: text, dates, data, arrays and
/// objects are references; numbers and Booleans are in place. `{"$object": X}` and `{"$inline": X}` select the other
/// storage. The elements of a collection are always references. See ``GraphJSONWriter`` and ``GraphJSONReader``.
public enum GraphJSON {
    /// Whether a document read from JSON is graph JSON: its root has `$archiver` and `$top`, and no `$objects`.
    package static func isPresent(in document: Document) -> Bool {
        document.isGraphJSON
    }

    /// Returns the losses of writing an archive as graph JSON.
    ///
    /// These are members of the root and of class records that no archiver writes, and the effective values of
    /// duplicate keys in an archive from a text format.
    package static func losses(in archive: KeyedArchive) -> [Problem] {
        archive.unwritable + DuplicateTextKeys.losses(in: archive.document)
    }

    /// Writes an archive as graph JSON, ending with a line feed.
    ///
    /// - Throws: A problem, before anything is written, if values in place are nested deeper than JSON readers allow,
    ///   if a name is a container or a UID, or if the text would be far larger than the archive. The text can be larger
    ///   because it repeats strings and class names at every reference.
    public static func write(
        _ archive: KeyedArchive, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        let scan = try scan(archive, limits, showsRuns: options.showsRuns)
        var writer = GraphJSONWriter(archive, scan: scan, options: options)
        writer.write(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    /// Returns the facts about an archive that its writer needs, or throws if it cannot be written.
    static func scan(
        _ archive: KeyedArchive, _ limits: Limits, showsRuns: Bool = false
    ) throws(Problem) -> GraphScan {
        let scan = GraphScan(archive, showsRuns: showsRuns)
        try limits.check(expandedSize: scan.repeatedSize, of: archive.document)
        guard scan.depth <= maxInlineDepth else {
            throw Problem(
                "graph.depth",
                "in-place values are nested \(scan.depth) levels deep; graph JSON allows \(maxInlineDepth), so use typed JSON (--raw)"
            )
        }
        if let key = scan.invalidKey {
            throw Problem(
                "graph.key-kind",
                "a name is \(archive.document.kindName(key)), which graph JSON cannot represent; use typed JSON (--raw)",
                address: archive.document.address(of: key))
        }
        return scan
    }

    /// Returns the archive that graph JSON describes, built as NSKeyedArchiver builds one.
    ///
    /// - Throws: The first part that is not valid graph JSON, with its address in the JSON text.
    public static func archive(from document: Document) throws(Problem) -> Document {
        try construction(from: document).archive
    }

    /// Returns the archive that graph JSON describes, and whether its construction proves that ``KeyedArchive`` would
    /// report no errors in it.
    ///
    /// - Throws: The first part that is not valid graph JSON, with its address in the JSON text.
    package static func construction(
        from document: Document
    ) throws(Problem) -> (archive: Document, isFaultless: Bool) {
        var reader = try GraphJSONReader(document)
        try reader.read()
        let isFaultless = reader.isFaultless
        return (try reader.finish(), isFaultless)
    }

    /// The nesting depth of JSON containers from which on objects are written in `$shared`.
    static let maxDepth = 200

    /// The maximum nesting of containers in place. Each takes up to four levels of JSON; the reader of graph JSON
    /// counts containers only, to a depth of 512.
    private static let maxInlineDepth = 150
}

extension Document {
    /// Returns the archive that graph JSON describes, or the document itself if it is not graph JSON.
    package func resolvingGraphJSON() throws(Problem) -> Document {
        GraphJSON.isPresent(in: self) ? try GraphJSON.archive(from: self) : self
    }
}

// MARK: Addresses

extension GraphJSON {
    /// Translates an address in graph JSON to the address of the same value in the archive. If a token does not exist,
    /// it and the tokens after it are kept unchanged.
    ///
    ///     /$top/root/level/$entries/0/1      /root/level/name
    ///     /$top/root/fog/NS.data/$inline     /root/fog
    static func shownAddress(_ address: JSONPointer, in text: Document) -> JSONPointer {
        var translator = AddressTranslator(text)
        for depth in address.tokens.indices {
            guard translator.step(address.token(at: depth), isFirst: depth == 0) else {
                return translator.shown.appending(address, from: depth)
            }
        }
        return translator.shown
    }
}

/// A cursor that follows an address in graph JSON and collects the steps that lead to the same value in the archive.
private struct AddressTranslator {
    private let text: ObjectView
    private var id: ViewID
    private(set) var shown = JSONPointer.root
    /// The contents of the object, if the last step was `$entries` or `$fields`; otherwise nil. An address in the
    /// archive does not have such a step.
    private var contents: GraphJSONContents?
    /// The pair `[key, value]` at the cursor. The next step, to its value, is not part of the archive's address.
    private var pair: ViewID?
    /// Whether the cursor is inside `$raw`.
    private var isRaw = false

    init(_ text: Document) {
        self.text = ObjectView(text)
        id = self.text.root
    }

    private var document: Document { text.document }

    /// Takes one step. Returns false if the token does not exist.
    mutating func step(_ token: AddressToken, isFirst: Bool) -> Bool {
        guard !token.isExtension, let position = text.position(of: token, in: id) else { return false }
        let item = text.item(position, of: text[id].contents)
        if item.key == nil {
            stepToElement(item.id, at: position)
        } else {
            stepToMember(token.units, isFirst: isFirst)
        }
        id = item.id
        return true
    }

    private mutating func stepToMember(_ name: [UInt16], isFirst: Bool) {
        contents = nil
        if isRaw { return shown.append(key: name) }
        if let stored = GraphJSONName.unescaped(name) {
            if !isContents(name) { shown.append(key: stored) }
            return
        }
        switch GraphJSONName(name) {
        case .elements, .inline, .object: break
        case .entries, .fields: contents = GraphJSONObject(text.stored(id), in: document).contents
        case .raw: isRaw = true
        case .top where isFirst: break
        default: shown.append(key: name)
        }
    }

    private mutating func stepToElement(_ element: ViewID, at position: Int) {
        if let contents, contents.arePairs, let (key, _) = document.graphPair(text.stored(element)) {
            append(key, at: position, of: contents)
            pair = element
        } else if pair != id {
            shown.append(index: position)
        }
        contents = nil
    }

    private mutating func append(_ key: ObjectID, at position: Int, of pairs: GraphJSONContents) {
        guard let name = document.text(key) else {
            return shown.append(AddressToken(key: document[key], at: position))
        }
        if let name = pairs.storedName(name) { shown.append(key: name) }
    }

    /// Whether a field, such as `NS.time`, holds the whole value of an object of a Foundation class. Addresses in the
    /// archive then have no step for the field.
    private func isContents(_ name: [UInt16]) -> Bool {
        guard ["NS.data", "NS.bytes", "NS.string", "NS.time"].contains(String(decoding: name, as: UTF16.self)),
            case .instance(let label) = GraphJSONObject(text.stored(id), in: document).valueKind,
            let className = document.text(label)
        else { return false }
        return className.starts(with: "NS".utf16)
    }
}

// MARK: Problems

/// Problems of graph JSON that several readers report. They have the address of `id`, an object or array of the text.
extension Document {
    func graphProblem(_ kind: String, _ message: String, at id: ObjectID) -> Problem {
        Problem(kind, message, address: address(of: id))
    }

    // MARK: Members

    /// - Parameter found: The value of the member; nil if it is missing.
    func graphMember(_ name: GraphJSONName, _ found: ObjectID?, expected: String, at id: ObjectID) -> Problem {
        let shown = found.map { "\(name.rawValue) is \(valueName($0))" } ?? "\(name.rawValue) is missing"
        return graphProblem("graph.member", "\(shown); expected \(expected)", at: id)
    }

    package func graphName(_ name: some Collection<UInt16>, at id: ObjectID) -> Problem {
        let shown = Phrase.name(name)
        return graphProblem(
            "graph.name",
            "unknown name \"\(shown)\"; write a stored name that begins with $ as \"$\(shown)\"",
            at: id)
    }

    package func graphNameTwice(_ name: (some Collection<UInt16>)?, at id: ObjectID) -> Problem {
        let shown = name.map { Phrase.quoted($0) } ?? "\"\""
        return graphProblem(
            "graph.name-twice",
            "duplicate name \(shown); use \"$fields\" or \"$entries\" for duplicate names", at: id)
    }

    func graphMisplaced(_ name: GraphJSONName, at id: ObjectID) -> Problem {
        graphProblem("graph.misplaced", "\(name.rawValue) is not allowed here", at: id)
    }

    package func graphMixed(_ name: GraphJSONName, at id: ObjectID) -> Problem {
        graphProblem("graph.mixed", "found unexpected members next to \(name.rawValue)", at: id)
    }

    func graphKey(at id: ObjectID) -> Problem {
        graphProblem("graph.key", "found a non-string key", at: id)
    }

    package func graphFieldName(at id: ObjectID) -> Problem {
        graphProblem("graph.field-name", "the name of a field is an array or an object; expected a scalar", at: id)
    }

    // MARK: Objects

    package func graphUID(at id: ObjectID) -> Problem {
        graphProblem("graph.uid", "found a UID; refer to objects with \"$ref\"", at: id)
    }

    package func graphSet(at id: ObjectID) -> Problem {
        graphProblem(
            "graph.set", "found a property-list set; expected {\"$class\": \"NSSet\", \"$elements\": […]}", at: id)
    }

    package func graphNumberTwice(_ number: Int128, at id: ObjectID) -> Problem {
        graphProblem("graph.number-twice", "another object already has the $id \(number)", at: id)
    }

    package func graphReference(_ number: Int128, at id: ObjectID) -> Problem {
        graphProblem("graph.reference", "no object has the $id \(number)", at: id)
    }

    // MARK: Classes

    func graphCollection(_ member: GraphJSONName, of shownName: String, at id: ObjectID) -> Problem {
        graphProblem("graph.collection", "objects of class \(shownName) have no \(member.rawValue)", at: id)
    }

    func graphChain(at id: ObjectID) -> Problem {
        graphProblem(
            "graph.chain", "a class description is invalid; expected an array of class names or null", at: id)
    }
}

// MARK: Names

/// A name that graph JSON defines.
package enum GraphJSONName: String, CaseIterable {
    case archiver = "$archiver"
    case version = "$version"
    case classes = "$classes"
    case top = "$top"
    case unreferenced = "$unreferenced"
    case shared = "$shared"
    case className = "$class"
    case id = "$id"
    case elements = "$elements"
    case entries = "$entries"
    case fields = "$fields"
    case raw = "$raw"
    case ref = "$ref"
    case object = "$object"
    case inline = "$inline"

    /// The JSON object in which a name may be used.
    package enum Role {
        /// The root of the text.
        case root
        /// An object that describes a value.
        case value
    }

    package var role: Role {
        switch self {
        case .archiver, .version, .classes, .top, .unreferenced, .shared: .root
        case .className, .id, .elements, .entries, .fields, .raw, .ref, .object, .inline: .value
        }
    }

    /// Fails unless the name is one that graph JSON defines.
    package init?(_ name: some RandomAccessCollection<UInt16>) {
        let match = Self.allNames.first { $0.units.count == name.count && name.elementsEqual($0.units) }
        guard let match else { return nil }
        self = match.name
    }

    private static let allNames = allCases.map { (name: $0, units: Array($0.rawValue.utf16)) }

    /// Whether a name begins with exactly one `$`. Graph JSON reserves all of these.
    @inlinable
    package static func isReserved(_ name: some RandomAccessCollection<UInt16>) -> Bool {
        name.first == 0x24 && name.dropFirst().first != 0x24
    }

    /// Returns the name that is stored for a JSON name: without the first `$` if it begins with `$$`. Returns nil for a
    /// reserved name.
    @inlinable
    package static func unescaped<Name: RandomAccessCollection<UInt16>>(_ name: Name) -> Name.SubSequence? {
        guard name.first == 0x24 else { return name[...] }
        return isReserved(name) ? nil : name.dropFirst()
    }
}
