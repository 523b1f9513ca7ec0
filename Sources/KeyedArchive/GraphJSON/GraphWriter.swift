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
    }

    // MARK: The envelope

    /// Writes the whole text.
    mutating func write(to output: inout ByteWriter) {
        output.write("{")
        writeMember("$archiver", at: 1, isFirst: true, to: &output)
        scalars.writeString(archive.archiver.object, to: &output)
        writeMember("$version", at: 1, to: &output)
        output.write("100000")
        if !labels.described.isEmpty { writeClasses(to: &output) }
        writeMember("$top", at: 1, to: &output)
        openTop(to: &output)
        writeContents(to: &output)
        if let survey, !survey.unreferenced.isEmpty {
            writeMember("$unreferenced", at: 1, to: &output)
            output.write("[")
            open(
                GraphFrame(.elements, .objects(survey.unreferenced), indentation: 2, depth: 2, closing: "]"),
                to: &output)
            writeContents(to: &output)
        }
        if !deferred.isEmpty { writeShared(to: &output) }
        output.write(options.isCompact ? "}\n" : "\n}\n")
    }

    private mutating func openTop(to output: inout ByteWriter) {
        let contents = GraphFrame.Contents.pairs(archive.top, omitting: archive.top.count)
        if hasNames(archive.top) {
            output.write("{")
            let order = order(of: archive.top, omitting: archive.top.count)
            open(GraphFrame(.fields, contents, indentation: 2, depth: 2, closing: "}", order: order), to: &output)
        } else {
            output.write(options.isCompact ? "{\"$dict\":[" : "{\"$dict\": [")
            open(GraphFrame(.fieldPairs, contents, indentation: 2, depth: 3, closing: "]}"), to: &output)
        }
    }

    /// Writes `$classes`: a chain, null where none is stored, or all that the record holds.
    private func writeClasses(to output: inout ByteWriter) {
        writeMember("$classes", at: 1, to: &output)
        output.write("{")
        for (index, position) in labels.described.enumerated() {
            if index > 0 { output.write(UInt8(ascii: ",")) }
            startLine(2, to: &output)
            let record = archive.classes[position]
            let label = labels.labels[position]
            let isNamed = record.name.elementsEqual(label)
            if isNamed {
                writeEscaped(record.name.object, to: &output)
            } else {
                ScalarText.writeString(label.first == 0x24 ? [0x24] + label : label, to: &output)
            }
            output.write(options.isCompact ? ":" : ": ")
            writeRecord(record, isNamed: isNamed && record.hints == nil, to: &output)
        }
        startLine(1, to: &output)
        output.write("}")
    }

    func writeRecord(_ record: ClassRecord, isNamed: Bool, to output: inout ByteWriter) {
        if isNamed { return writeNames(record.chain, to: &output) }
        output.write(options.isCompact ? "{\"name\":" : "{\"name\": ")
        scalars.writeString(record.name.object, to: &output)
        output.write(options.isCompact ? ",\"chain\":" : ", \"chain\": ")
        writeNames(record.chain, to: &output)
        if let hints = record.hints {
            output.write(options.isCompact ? ",\"hints\":" : ", \"hints\": ")
            writeNames(hints, to: &output)
        }
        output.write("}")
    }

    private func writeNames(_ names: NameList?, to output: inout ByteWriter) {
        guard let names else { return output.write("null") }
        output.write("[")
        for (index, name) in names.enumerated() {
            if index > 0 { output.write(options.isCompact ? "," : ", ") }
            scalars.writeString(name.object, to: &output)
        }
        output.write("]")
    }

    /// Writes the objects that stood too deep. Those in them that stand too deep again follow.
    private mutating func writeShared(to output: inout ByteWriter) {
        writeMember("$shared", at: 1, to: &output)
        output.write("{")
        var next = 0
        while next < deferred.count, !output.hasFailed {
            let uid = deferred[next]
            if next > 0 { output.write(UInt8(ascii: ",")) }
            startLine(2, to: &output)
            output.write("\"\(numbers[uid] ?? 0)\"")
            output.write(options.isCompact ? ":" : ": ")
            writeInstance(uid, number: nil, at: (indentation: 3, depth: 3), to: &output)
            writeContents(to: &output)
            next += 1
        }
        startLine(1, to: &output)
        output.write("}")
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
            if frame.next > 0 || frame.isBegun { output.write(UInt8(ascii: ",")) }
            if !frame.isLine {
                startLine(frame.indentation, to: &output)
            } else if frame.next > 0, !options.isCompact {
                output.write(UInt8(ascii: " "))
            }
            writeContent(frame.order.map { Int($0[frame.next]) } ?? frame.next, of: frame, to: &output)
        }
    }

    private func close(_ frame: GraphFrame, to output: inout ByteWriter) {
        let isEmpty = frame.contents.count == 0
        if !isEmpty || frame.isBegun, !frame.isLine {
            startLine(frame.indentation - 1, to: &output)
        }
        output.write(frame.closing)
        if frame.isWrapped {
            startLine(frame.indentation - 2, to: &output)
            output.write("}")
        }
        endValue(to: &output)
    }

    /// Writes what stands behind a complete value before any comma: in a list of pairs, the bracket of the pair.
    func endValue(to output: inout ByteWriter) {
        guard let form = frames.last?.form, form == .fieldPairs || form == .inlinePairs else { return }
        output.write(UInt8(ascii: "]"))
    }

    // MARK: Names and lines

    /// Writes a member's name that belongs to the form.
    func writeMember(
        _ name: StaticString, at indentation: Int, isFirst: Bool = false, to output: inout ByteWriter
    ) {
        if !isFirst { output.write(UInt8(ascii: ",")) }
        startLine(indentation, to: &output)
        output.write(UInt8(ascii: "\""))
        output.write(name)
        output.write(options.isCompact ? "\":" : "\": ")
    }

    /// Writes a stored name as a JSON name: one that begins with `$` gets one more.
    func writeEscaped(_ name: StoredObject, to output: inout ByteWriter) {
        let begins = name.count > 0 && Text(document, name)[0] == 0x24
        scalars.writeString(name, prefix: begins ? "$" : "", to: &output)
    }

    func startLine(_ indentation: Int, to output: inout ByteWriter) {
        guard !options.isCompact else { return }
        output.write(UInt8(ascii: "\n"))
        output.write(UInt8(ascii: " "), times: 2 * indentation)
    }
}
