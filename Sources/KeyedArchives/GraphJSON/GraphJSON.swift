public import SaveCodec

/// Graph JSON: the object graph of a keyed archive as JSON, both ways, no object lost (see <doc:GraphJSON>).
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
/// What stands in a field is a reference or is stored in place, and JSON's own values say which as a rule: text, dates,
/// data, arrays and objects are references, numbers and booleans stand in place; `{"$object": X}` and `{"$inline": X}`
/// say the other thing. The elements of a collection are always references. See ``GraphWriter`` and ``GraphReader``.
public enum GraphJSON {
    /// Whether a document that was read from JSON is graph JSON: its root has `$archiver` and `$top`, and no `$objects`.
    package static func isPresent(in document: Document) -> Bool {
        document.isGraphJSON
    }

    /// What writing would lose: members of the root and of class records that no archiver writes, and of a text format
    /// which value of a repeated name counts.
    package static func losses(in archive: KeyedArchive) -> [Problem] {
        archive.unwritable + RepeatedTextKeys.losses(in: archive.document)
    }

    /// Writes an archive as graph JSON, ending with a line feed.
    ///
    /// - Throws: a problem, before anything is written, if values in place are nested deeper than JSON readers go, if a
    ///   name is a container or a UID, or if the text would be far larger than the archive, as long strings and names of
    ///   classes stand wherever something refers to them.
    public static func write(
        _ archive: KeyedArchive, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        var writer = GraphWriter(archive, survey: try survey(archive, limits), options: options)
        writer.write(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    /// What is to be known of an archive that can be written.
    static func survey(_ archive: KeyedArchive, _ limits: Limits) throws(Problem) -> GraphSurvey {
        let survey = GraphSurvey(archive)
        try limits.check(expandedSize: survey.repeatedSize, of: archive.document)
        guard survey.depth <= maxInlineDepth else {
            throw Problem(
                "graph.depth",
                "values in place are nested \(survey.depth) deep; graph JSON goes \(maxInlineDepth) deep, typed JSON (--raw) deeper"
            )
        }
        if let key = survey.oddKey {
            throw Problem(
                "graph.key-kind",
                "a name is \(archive.document.kindName(key)), which graph JSON cannot hold; typed JSON (--raw) can",
                address: archive.document.address(of: key))
        }
        return survey
    }

    /// The archive that graph JSON describes, built as NSKeyedArchiver builds one.
    ///
    /// - Throws: the first thing that is no graph JSON, with its address in the JSON text.
    public static func archive(from document: Document) throws(Problem) -> Document {
        var reader = try GraphReader(document)
        try reader.read()
        return try reader.finish()
    }

    /// On this level of nesting objects stand apart, in `$shared`.
    static let maxDepth = 200

    /// Containers in place take up to four levels of JSON each; the reader of graph JSON counts only the containers, of
    /// which it goes down 512.
    private static let maxInlineDepth = 150
}

extension Document {
    /// The archive that graph JSON describes; of all else the document itself.
    package func resolvingGraphJSON() throws(Problem) -> Document {
        GraphJSON.isPresent(in: self) ? try GraphJSON.archive(from: self) : self
    }
}
