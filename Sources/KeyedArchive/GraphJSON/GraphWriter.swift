import SaveCodec

/// Writes an object graph as graph JSON: the mirror of ``GraphReader``, with a list of open containers instead of
/// recursion.
///
/// An object that is met more than once is written where it is met first, with an `$id`, and is a `$ref` from then on.
/// One that stands too deep is a `$ref` too, and is written in `$shared` at the end.
struct GraphWriter {
    let archive: KeyedArchive
    let document: Document
    /// What is known of the graph; nil where single values are written.
    let survey: GraphSurvey?
    let labels: ClassLabels
    let scalars: JSONScalarWriter
    let options: WriteOptions
    var json: JSONOutput
    var numbers: [UID: Int] = [:]
    var deferred: [UID] = []
    /// The dictionary whose keys were looked at last: objects of one class refer to the very same keys.
    var lastNames: (dictionary: StoredObject, areNames: Bool)?
    /// Of single values what stands in place of objects, and which objects are met more than once.
    var mentions: [UID: GraphMention] = [:]
    var shared: Set<UID> = []
    private var frames: [GraphFrame] = []

    init(_ archive: KeyedArchive, survey: GraphSurvey, options: WriteOptions) {
        self.init(archive, survey, ClassLabels(archive.classes, used: survey.usedClasses), options)
    }

    init(_ archive: KeyedArchive, _ survey: GraphSurvey?, _ labels: ClassLabels, _ options: WriteOptions) {
        self.archive = archive
        self.survey = survey
        self.options = options
        self.labels = labels
        document = archive.document
        scalars = JSONScalarWriter(document, isCompact: options.isCompact)
        json = JSONOutput(options.isCompact ? .compact : .indented)
    }

    // MARK: The envelope

    /// Writes the whole text.
    mutating func write(to output: inout ByteWriter) {
        json.open(.object, to: &output)
        json.name("$archiver", to: &output)
        write(archive.archiver, to: &output)
        json.member("$version", 100_000, to: &output)
        if !labels.described.isEmpty { writeClasses(to: &output) }
        json.name("$top", to: &output)
        openTop(to: &output)
        writeContents(to: &output)
        if let survey, !survey.unreferenced.isEmpty {
            json.name("$unreferenced", to: &output)
            json.open(.array, to: &output)
            open(GraphFrame(form: .elements, contents: .objects(survey.unreferenced), depth: 2), to: &output)
            writeContents(to: &output)
        }
        if !deferred.isEmpty { writeShared(to: &output) }
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    private mutating func openTop(to output: inout ByteWriter) {
        let contents = GraphFrame.Contents.pairs(archive.top, omitting: archive.top.count)
        if hasNames(archive.top) {
            json.open(.object, to: &output)
            let order = order(of: archive.top, omitting: archive.top.count)
            open(GraphFrame(form: .fields, contents: contents, depth: 2, order: order), to: &output)
        } else {
            json.tag("$dict", to: &output)
            json.open(.array, to: &output)
            open(GraphFrame(form: .fieldPairs, contents: contents, depth: 3), to: &output)
        }
    }

    /// Writes `$classes`: a chain, null where none is stored, or all that the record holds.
    private mutating func writeClasses(to output: inout ByteWriter) {
        json.name("$classes", to: &output)
        json.open(.object, to: &output)
        for position in labels.described {
            let record = archive.classes[position]
            let label = labels.labels[position]
            let isNamed = record.name.elementsEqual(label)
            if isNamed {
                writeName(record.name.object, to: &output)
            } else {
                json.name(to: &output) { JSONString.write(label.first == 0x24 ? [0x24] + label : label, to: &$0) }
            }
            write(record, isNamed: isNamed && record.hints == nil, to: &output)
        }
        json.close(to: &output)
    }

    mutating func write(_ record: ClassRecord, isNamed: Bool, to output: inout ByteWriter) {
        if isNamed { return write(record.chain, to: &output) }
        json.open(.object, .row, to: &output)
        json.name("name", to: &output)
        write(record.name, to: &output)
        json.name("chain", to: &output)
        write(record.chain, to: &output)
        if let hints = record.hints {
            json.name("hints", to: &output)
            write(hints, to: &output)
        }
        json.close(to: &output)
    }

    private mutating func write(_ names: NameList?, to output: inout ByteWriter) {
        guard let names else { return json.writeNull(to: &output) }
        json.open(.array, .row, to: &output)
        for name in names { write(name, to: &output) }
        json.close(to: &output)
    }

    /// Writes the objects that stood too deep. Those in them that stand too deep again follow.
    private mutating func writeShared(to output: inout ByteWriter) {
        json.name("$shared", to: &output)
        json.open(.object, to: &output)
        var next = 0
        while next < deferred.count, !output.hasFailed {
            let uid = deferred[next]
            json.name(to: &output) { [number = numbers[uid] ?? 0] in $0.write("\"\(number)\"") }
            writeInstance(uid, number: nil, depth: 3, to: &output)
            writeContents(to: &output)
            next += 1
        }
        json.close(to: &output)
    }

    // MARK: Containers

    /// Opens a container whose bracket has been written.
    mutating func open(_ frame: GraphFrame, to output: inout ByteWriter) {
        if frame.contents.count > 0 { frames.append(frame) } else { close(frame, to: &output) }
    }

    /// Writes what the open containers hold, and closes them.
    mutating func writeContents(to output: inout ByteWriter) {
        while let frame = frames.last, !output.hasFailed {
            guard frame.next < frame.contents.count else {
                frames.removeLast()
                close(frame, to: &output)
                continue
            }
            frames[frames.count - 1].next += 1
            writeContent(frame.order.map { Int($0[frame.next]) } ?? frame.next, of: frame, to: &output)
        }
    }

    private mutating func close(_ frame: GraphFrame, to output: inout ByteWriter) {
        json.close(to: &output)
        if frame.isWrapped { json.close(to: &output) }
    }

    // MARK: Scalars

    mutating func write(_ scalar: StoredObject, to output: inout ByteWriter) {
        json.write(to: &output) { scalars.writeScalar(scalar, to: &$0) }
    }

    mutating func write(_ text: Text, to output: inout ByteWriter) {
        write(text.object, to: &output)
    }

    /// Writes a stored name as a JSON name.
    mutating func writeName(_ name: StoredObject, to output: inout ByteWriter) {
        let prefix = prefix(of: name)
        json.name(to: &output) { scalars.writeString(name, prefix: prefix, to: &$0) }
    }

    /// What is written before a stored name, so that it is none of the form's own: of one that begins with `$` another.
    func prefix(of name: StoredObject) -> StaticString {
        name.count > 0 && Text(document, name)[0] == 0x24 ? "$" : ""
    }
}
