import KeyedArchives
import SaveCodec
import SaveOperations

/// The document of a file to convert.
struct ConversionSource {
    let document: Document
    /// The file, or nil for flat lines, which are not a file format.
    let file: DecodedFile?
    /// The losses in reading the text; see `Document.readingLosses(of:)`.
    let losses: [Problem]

    var format: Format? { file?.format }
    var layers: Layers { file?.layers ?? Layers() }

    /// The number of comments in the text.
    var commentCount: Int {
        // JSON is searched only if its reader found comments.
        guard let format, !format.has(.typedJSON) || document.hasJSONComments else { return 0 }
        return format.definition.comments(in: file?.text ?? []).count
    }

    /// Returns the values in nested saves that the saves' other readers cannot read once the saves are data again.
    /// Empty for typed JSON, which only savetool reads back.
    func nestedForeignValues(_ plan: ConvertPlan) -> [Problem] {
        plan.target.has(.typedJSON) ? [] : document.nestedNotes.foreignValues
    }
}

extension ConvertPlan {
    func source(_ file: [UInt8], named name: String, warn: ([Problem]) -> Void) throws(Problem) -> ConversionSource {
        guard !readsFlat else {
            let (document, losses) = try FlatReader.read(file, limits: reading.limits)
            return ConversionSource(document: document, file: nil, losses: losses)
        }
        let read = try reading.decode(file, named: name, warn: warn)
        guard !reading.options.hasRowArrays || read.format.has(.database) else {
            throw Problem(
                "convert.no-database", "not an SQLite database; \(Option.rows.shown) applies only to databases")
        }
        let losses = read.document.readingLosses(of: read.text).map(read.layers.located)
        return ConversionSource(document: read.document, file: read, losses: losses)
    }

    /// Returns the layers to write around a result.
    ///
    /// A file that is converted in place keeps its layers. A result made with a template has the template's layers.
    /// Other results have none.
    func layers(of layers: Layers, isTemplate: Bool = false) -> OutputLayers {
        OutputLayers(
            layers: destination == .inPlace || isTemplate ? layers : Layers(), filter: filterOut,
            limits: reading.limits)
    }

    /// Whether a file can stay as it is: it would be overwritten in its own format, and has the requested style.
    func keeps(_ file: DecodedFile) -> Bool {
        guard destination == .inPlace, nesting == nil, let writing = target.writing, file.format == target,
            writing.isStyled(file.document, file.text, as: options)
        else { return false }
        switch treatment {
        case .raw: return true
        case .natural: return !target.has(.objectGraphs) || !KeyedArchive.isArchive(file.document)
        case .plain, .archive: return false
        }
    }
}

/// The result of a conversion, ready to be written: the document itself, its object graph, or another document.
final class ConversionResult {
    private enum Result {
        case document(Document)
        case graph(KeyedArchive)
    }

    private let result: Result
    /// The archive; nil if the document was not read as one, or was built without errors.
    let archive: KeyedArchive?
    /// The losses in making the result.
    private let conversionLosses: [Problem]
    /// The nested saves; nil until they are written.
    private(set) var saves: NestedSaveRenderer?

    /// Converts a document as the plan requires.
    convenience init(of document: Document, _ plan: ConvertPlan) throws(Problem) {
        guard plan.treatment != .raw else {
            if document.has(.objectsOnly) { throw .typedStreamRaw() }
            self.init(.document(document))
            return
        }
        if plan.treatment == .archive, GraphJSON.isPresent(in: document) {
            let (built, isFaultless) = try GraphJSON.construction(from: document)
            self.init(.document(built), isFaultless ? nil : try KeyedArchive(built, limits: plan.reading.limits))
            return
        }
        let document = try document.resolvingGraphJSON()
        let isArchive = KeyedArchive.isArchive(document)
        if plan.needsNames, KeyedArchive.isTypedStream(document) { throw .fieldsWithoutNames() }
        switch plan.treatment {
        case .plain:
            guard isArchive else {
                throw Problem(
                    "plain.no-archive",
                    "not a keyed archive; \(Option.plain.shown) applies only to keyed archives")
            }
            let archive = try KeyedArchive(document, limits: plan.reading.limits)
            let (plain, losses) = try PlainUnarchiver.plain(archive, limits: plan.reading.limits)
            self.init(.document(plain), archive, conversionLosses: losses)
        case .archive where document.hasGraphMembers:
            // With `--to archive`, incomplete graph JSON is a mistake and not plain JSON.
            self.init(.document(try GraphJSON.archive(from: document)))
        case .archive where !isArchive:
            self.init(.document(try PlainArchiver.archive(of: document)))
        case .natural where isArchive && plan.target.has(.objectGraphs):
            let archive = try KeyedArchive(document, limits: plan.reading.limits)
            self.init(.graph(archive), archive)
        case .archive: self.init(.document(document), try KeyedArchive(document, limits: plan.reading.limits))
        default: self.init(.document(document))
        }
    }

    private init(_ result: Result, _ archive: KeyedArchive? = nil, conversionLosses: [Problem] = []) {
        self.result = result
        self.archive = archive
        self.conversionLosses = conversionLosses
    }

    /// The refusal to convert an archive whose values have no exact plain counterparts; nil if all of them do.
    var cannotUnarchive: Refusal? {
        guard !conversionLosses.isEmpty else { return nil }
        return Refusal(
            "not converted: a plain property list cannot hold",
            valuesThen: "omit \(Option.plain.shown) to write objects with their classes, or "
                + "use \(Option.allowLoss.shown) to write the nearest values")
    }

    /// Returns the number of 32-bit reals that the target format widens to 64 bits.
    func widenedReals(_ plan: ConvertPlan) -> Int {
        if case .document(let document) = result { document.widenedReals(as: plan.target) } else { 0 }
    }

    /// Returns the losses in making and writing the result. If an archive is written, the losses have addresses in
    /// its value graph.
    func losses(_ plan: ConvertPlan) -> [Problem] {
        switch result {
        case .document(let document):
            conversionLosses + inView(document.losses(as: plan.target, limits: plan.reading.limits), of: document, plan)
        case .graph(let archive): ObjectView(archive).inView(GraphJSON.losses(in: archive))
        }
    }

    /// Returns the values that the target can hold but its other readers cannot read. Empty for typed JSON, which only
    /// savetool reads back.
    func foreignValues(_ plan: ConvertPlan) -> [Problem] {
        guard case .document(let document) = result, !plan.target.has(.typedJSON) else { return [] }
        return inView(document.foreignValues(as: plan.target), of: document, plan)
    }

    private func inView(_ problems: [Problem], of document: Document, _ plan: ConvertPlan) -> [Problem] {
        guard !problems.isEmpty, plan.treatment != .raw,
            let view = try? ObjectView(of: document, limits: plan.reading.limits, isRaw: false)
        else { return problems }
        return view.inView(problems)
    }

    func write(_ plan: ConvertPlan, to output: inout ByteWriter) throws(Problem) {
        guard let nesting = plan.nesting else { return try write(plan, plan.options, to: &output) }
        let document = if case .document(let document) = result { document } else { archive?.document }
        let saves = NestedSaveRenderer(imageSize: document?.imageSize ?? 0, nesting, plan.options)
        try saves.write(to: &output) { options, output throws(Problem) in
            try write(plan, options, to: &output)
        }
        self.saves = saves
    }

    private func write(_ plan: ConvertPlan, _ options: WriteOptions, to output: inout ByteWriter) throws(Problem) {
        switch result {
        case .document(let document):
            try document.write(as: plan.target, to: &output, options: options, limits: plan.reading.limits)
        case .graph(let archive):
            try GraphJSON.write(archive, to: &output, options: options, limits: plan.reading.limits)
        }
    }

    /// Reports the number of data values that look like saves but cannot be opened.
    func reportUnopened(in name: String, _ invocation: Invocation) {
        guard let count = saves?.unopenedCount, count > 0 else { return }
        let what =
            count == 1
            ? "1 data value begins like a property list but cannot be opened; it is kept as data"
            : "\(count) data values begin like property lists but cannot be opened; they are kept as data"
        invocation.printError("\(Invocation.shownName(name)): \(what)")
    }
}

extension ConvertPlan {
    /// Whether the fields of an archive need names, because the result is a keyed archive or its property list.
    fileprivate var needsNames: Bool {
        switch treatment {
        case .natural: !target.has(.objectGraphs)
        case .archive: true
        case .raw, .plain: false
        }
    }
}

extension Problem {
    fileprivate static func fieldsWithoutNames() -> Problem {
        Problem(
            "convert.no-names",
            "a typedstream cannot become a keyed archive because its fields have no names; "
                + "\(Option.to.shown) json writes its objects, \(Option.plain.shown) its Foundation values"
        )
    }

    fileprivate static func typedStreamRaw() -> Problem {
        Problem(
            "convert.no-property-list",
            "a typedstream is not stored as a property list; omit \(Option.raw.shown) to convert its objects")
    }
}
