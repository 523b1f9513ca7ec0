import SaveCodec

/// A writer of an object graph as graph JSON: the counterpart of ``GraphJSONReader``, with a list of open containers
/// instead of recursion.
///
/// A shared object is written at its first occurrence, with an `$id`; later occurrences are a `$ref`. An object that is
/// nested too deeply is also a `$ref`, and is written in `$shared` at the end.
struct GraphJSONWriter {
    let archive: KeyedArchive
    let document: Document
    /// The scan of the graph; nil when writing single values.
    let scan: GraphScan?
    let labels: ClassLabels
    let scalars: JSONScalarWriter
    let options: WriteOptions
    var json: JSONOutput
    var numbers: [UID: Int] = [:]
    var deferred: [UID] = []
    /// The recently read key sets, and whether each consists of names, see ``hasNames(_:)``.
    private var keySets: RecentKeySets
    private var areNames = [Bool](repeating: false, count: RecentKeySets.slotCount)
    /// For single values only: the substitutes for objects that are not written, and the objects that are reached more
    /// than once.
    var substitutes: [UID: ObjectSubstitute] = [:]
    var shared: Set<UID> = []
    /// The slots to tag with `$inline` or `$object`.
    var explicitSlots: Set<ObjectSlot> = []
    private var frames: [GraphJSONFrame] = []

    /// - Parameter indentation: The number of containers around the text, which the caller writes.
    init(_ archive: KeyedArchive, scan: GraphScan, options: WriteOptions, indentation: Int = 0) {
        self.init(
            archive, scan: scan, labels: ClassLabels(archive.classes, used: scan.usedClasses), options: options,
            indentation: indentation)
    }

    init(
        _ archive: KeyedArchive, scan: GraphScan?, labels: ClassLabels, options: WriteOptions, indentation: Int = 0
    ) {
        self.archive = archive
        self.scan = scan
        self.options = options
        self.labels = labels
        document = archive.document
        keySets = RecentKeySets(document)
        scalars = JSONScalarWriter(document, isCompact: options.isCompact)
        json = JSONOutput(options.isCompact ? .compact : .indented, indentation: indentation)
    }

    // MARK: The envelope

    /// Writes the complete text, without surrounding white space.
    mutating func write(to output: inout ByteWriter) {
        json.open(.object, to: &output)
        json.name("$archiver", to: &output)
        write(archive.archiver, to: &output)
        json.member("$version", 100_000, to: &output)
        if !labels.described.isEmpty { writeClasses(to: &output) }
        json.name("$top", to: &output)
        openTop(to: &output)
        writeContents(to: &output)
        if let scan, !scan.unreferenced.isEmpty {
            json.name("$unreferenced", to: &output)
            json.open(.array, to: &output)
            open(GraphJSONFrame(form: .elements, contents: .objects(scan.unreferenced), depth: 2), to: &output)
            writeContents(to: &output)
        }
        if !deferred.isEmpty { writeShared(to: &output) }
        json.close(to: &output)
    }

    mutating func openTop(to output: inout ByteWriter) {
        let contents = GraphJSONFrame.Contents.pairs(archive.top, omitting: archive.top.count)
        if hasNames(archive.top) {
            json.open(.object, to: &output)
            let order = order(of: archive.top, omitting: archive.top.count)
            open(GraphJSONFrame(form: .fields, contents: contents, depth: 2, order: order), to: &output)
        } else {
            json.tag("$dict", to: &output)
            json.open(.array, to: &output)
            open(GraphJSONFrame(form: .fieldPairs, contents: contents, depth: 3), to: &output)
        }
    }

    /// Writes `$classes`: for each class its chain, null for a class without one, or its complete record.
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

    private mutating func write(_ names: ClassNameList?, to output: inout ByteWriter) {
        guard let names else { return json.writeNull(to: &output) }
        json.open(.array, .row, to: &output)
        for name in names { write(name, to: &output) }
        json.close(to: &output)
    }

    /// Writes the objects that were nested too deeply. If one of them in turn contains an object that is nested too
    /// deeply, that object is appended to the list.
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
    mutating func open(_ frame: GraphJSONFrame, to output: inout ByteWriter) {
        if frame.contents.count > 0 { frames.append(frame) } else { close(frame, to: &output) }
    }

    /// Writes the contents of the open containers, and closes them.
    mutating func writeContents(to output: inout ByteWriter) {
        while var frame = frames.popLast() {
            let outer = frames.count
            while frame.next < frame.contents.count, frames.count == outer {
                guard !output.hasFailed else { return }
                frame.next += 1
                writeContent(frame.order.map { Int($0[frame.next - 1]) } ?? frame.next - 1, of: frame, to: &output)
            }
            // If the slot opened a container, that one is written first.
            if frames.count > outer { frames.insert(frame, at: outer) } else { close(frame, to: &output) }
        }
    }

    private mutating func close(_ frame: GraphJSONFrame, to output: inout ByteWriter) {
        json.close(to: &output)
        if frame.isWrapped { json.close(to: &output) }
    }

    // MARK: Scalars

    mutating func write(_ scalar: StoredObject, to output: inout ByteWriter) {
        json.write(scalar, by: scalars, to: &output)
    }

    mutating func write(_ text: StoredString, to output: inout ByteWriter) {
        write(text.object, to: &output)
    }

    mutating func writeName(_ name: StoredObject, to output: inout ByteWriter) {
        json.name(name, prefix: prefix(of: name), by: scalars, to: &output)
    }

    /// Returns the prefix of a written name: another `$` if the stored name begins with one, so that it is not
    /// reserved.
    func prefix(of name: StoredObject) -> StaticString {
        document.firstCodeUnit(of: name) == 0x24 ? "$" : ""
    }
}

/// A container of graph JSON that is being written.
struct GraphJSONFrame {
    /// The JSON notation of the contents.
    enum Form {
        /// Members of an object: the fields of an instance, or the roots.
        case fields
        /// Fields as `[name, value]`, if names are duplicates or not strings.
        case fieldPairs
        /// Elements of an array, all of them references.
        case elements
        /// Members of an object, all of them references.
        case entries
        /// Pairs `[key, value]`, both references.
        case entryPairs
        /// Elements in place, or references.
        case inlineElements
        /// Members in place, or references.
        case inlineEntries
        /// Pairs `[key, value]`, with values in place or references.
        case inlinePairs
    }

    enum Contents {
        /// The pairs of a stored dictionary except one.
        case pairs(StoredObject, omitting: Int)
        case elements(StoredObject)
        /// A key and a value, both references.
        case entry(key: ObjectID, value: ObjectID)
        /// References that are stored as separate fields.
        case numbered(NumberedReferences)
        /// The elements of two stored arrays, one of keys and one of values.
        case entries(keys: StoredObject, values: StoredObject)
        case objects([UID])

        var count: Int {
            switch self {
            case .pairs(let stored, let omitted): omitted < stored.count ? stored.count - 1 : stored.count
            case .elements(let stored): stored.count
            case .entry: 2
            case .numbered(let references): references.count
            case .entries(let keys, _): keys.count
            case .objects(let uids): uids.count
            }
        }
    }

    let form: Form
    let contents: Contents
    /// The object that owns the contents; nil for contents in place.
    var object: UID?
    /// The number of JSON containers around the contents.
    let depth: Int
    /// The order in which the contents are written; nil for the stored order.
    var order: [UInt32]?
    /// Whether the container is a member such as `$elements` of a JSON object that is closed together with it.
    var isWrapped = false
    /// The number of slots that have been begun.
    var next = 0

    var isField: Bool { form == .fields || form == .fieldPairs }
}

/// Names: whether keys can be written as names of JSON members, and in which order.
extension GraphJSONWriter {
    /// Whether all keys of a stored dictionary are distinct strings. For an object, `$class` is one of them.
    mutating func hasNames(_ dictionary: StoredObject) -> Bool {
        let slot = keySets.slot(of: dictionary)
        if slot.isKnown { return areNames[slot.number] }
        let areNames = !document.hasNonStringKey(dictionary) && document.firstDuplicateKey(of: dictionary) == nil
        self.areNames[slot.number] = areNames
        return areNames
    }

    /// Whether all elements of an array refer to distinct plain strings.
    func hasTexts(_ keys: StoredObject) -> Bool {
        var seen: Set<[UInt16]> = []
        for position in 0..<keys.count {
            let uid = Int(document.uid(document.object(document.reference(position, of: keys))))
            guard archive.entries[uid].kind == .value, let text = document.text(archive.objectID(UID(uid))) else {
                return false
            }
            // A single key cannot be a duplicate.
            if keys.count > 1, !seen.insert(Array(text)).inserted { return false }
        }
        return true
    }

    /// Returns the order in which to write the pairs of a stored dictionary, except one pair; nil for the stored order.
    func order(of dictionary: StoredObject, omitting pair: Int) -> [UInt32]? {
        guard options.keyOrder == .sorted else { return nil }
        return document.sortedPositions(
            ofKeys: (0..<dictionary.count).filter { $0 != pair }.map { document.key($0, of: dictionary) })
    }

    /// Returns the order in which to write the entries of a dictionary, given the references to its keys, or nil for
    /// the stored order.
    func order(ofKeys keys: StoredObject) -> [UInt32]? {
        guard options.keyOrder == .sorted else { return nil }
        return document.sortedPositions(
            ofKeys: (0..<keys.count).map { archive.objectID(archive.target(of: document.reference($0, of: keys))) })
    }
}
