package import KeyedArchives
package import SaveCodec

/// A save, from the bytes of its file to the values that commands use:
///
///     file ─▶ layers such as gzip ─▶ bytes ─▶ format ─▶ document ─▶ archive, if it is one ─▶ view
///
/// All reading uses this class, except for ``Validation``, which collects findings. All editing uses
/// ``edited(to:keepsComments:beginningWith:from:)``.
package final class Save: Sendable {
    package let decoded: DecodedFile
    /// The value graph; for graph JSON, of the archive that it describes.
    package let view: ObjectView
    /// Whether the file is graph JSON, so that the view shows the described archive.
    package let isGraphJSON: Bool
    private let options: ReadOptions
    /// The locations of values in the bytes.
    package let locations: FileLocations
    /// The value that holds a nested save; nil for the save of a file.
    package let holder: Holder?

    /// The file as it is stored.
    package var file: [UInt8] { decoded.file }
    /// The file with all its layers: as it is stored, or the output of a program that was run on it.
    package var wrapped: [UInt8] { decoded.wrapped }
    /// The bytes inside all layers.
    package var bytes: [UInt8] { decoded.bytes }
    package var layers: Layers { decoded.layers }
    package var format: Format { decoded.format }
    /// The stored document. For graph JSON it holds the JSON text, not the archive that the text describes.
    package var source: Document { decoded.document }
    /// The locations of the values in a text; nil unless ``ReadOptions/isMapped`` is true.
    package var map: SourceMap? { decoded.map }
    package var limits: Limits { options.limits }
    /// Whether opening the save produced warnings.
    package var hasWarnings: Bool {
        !source.warnings.isEmpty || !source.nestedNotes.losses.isEmpty || view.archive?.objectErrors.isEmpty == false
    }

    /// Opens a save.
    ///
    /// - Parameters:
    ///   - output: The output of a program that was run on the file; nil to read the file itself.
    ///   - warn: Receives the warnings of the reader, the losses in nested saves, and the errors in objects that are
    ///     therefore shown with plain fields.
    package init(
        _ file: [UInt8], filtered output: [UInt8]? = nil, _ options: ReadOptions = ReadOptions(),
        warn: ([Problem]) -> Void = { _ in }
    ) throws(Problem) {
        let decoded = try DecodedFile(file, filtered: output, options, warn: warn)
        let (document, layers) = (decoded.document, decoded.layers)
        warn(document.nestedNotes.losses.map(layers.located))
        var options = options
        options.limits = decoded.limits
        self.decoded = decoded
        (self.options, holder) = (options, nil)
        locations = FileLocations(
            in: decoded.bytes, as: decoded.format, limits: options.limits, from: layers,
            mapped: decoded.map.map { (document, $0) })
        // An error in the archive that graph JSON describes has an address in that archive, not in the file.
        let isStored = !GraphJSON.isPresent(in: document)
        do throws(Problem) {
            view = try ObjectView(of: document, limits: options.limits, isRaw: options.isRaw, nesting: options.nesting)
        } catch {
            throw layers.located(isStored || error.kind.isOf(.graph) ? locations.located([error])[0] : error)
        }
        isGraphJSON = !isStored && view.archive != nil
        guard let faults = view.archive?.objectErrors else { return }
        warn((isStored ? locations.located(faults) : faults).map(layers.located))
    }

    /// Creates a save that does not exist yet. It is written in the default style of its format.
    package init(new document: Document, as format: Format, limits: Limits) throws(Problem) {
        decoded = DecodedFile(new: document, as: format)
        view = try ObjectView(of: document, limits: limits, isRaw: false, nesting: NestedSaveOptions(limits: limits))
        isGraphJSON = format.has(.objectGraphs) && view.archive != nil
        var options = ReadOptions(format: format, limits: limits)
        options.isMapped = true
        (self.options, holder) = (options, nil)
        locations = FileLocations(in: [], as: format, limits: limits)
    }

    /// Opens a nested save.
    init(_ nested: NestedSave, in holder: Holder?, limits: Limits) {
        decoded = DecodedFile(nested)
        view = nested.view
        isGraphJSON = nested.document.isGraphJSON && nested.view.archive != nil
        options = ReadOptions(format: nested.format, limits: limits, isRaw: nested.view.nesting?.isRaw ?? false)
        self.holder = holder
        locations = FileLocations(in: nested.bytes, as: nested.format, limits: limits)
    }

    /// Returns the document as it is stored, and the locations of its values. Reads the text again if the locations are
    /// not known.
    ///
    /// - Returns: nil for a binary file, and for a file that does not exist yet.
    func readMapped() throws(Problem) -> (document: Document, map: SourceMap)? {
        if let map { return (source, map) }
        guard format.has(.text), !bytes.isEmpty else { return nil }
        let (document, map) = try Document.readSaveMapped(
            bytes, as: format, limits: limits, allowsNestedLoss: true, dialect: options.dialect)
        return map.map { (document, $0) }
    }

    /// Opens new bytes in place of the bytes inside the layers of this save's file.
    ///
    /// - Parameter isMapped: Whether the locations of the values in a text are read, too.
    package func reopened(with bytes: [UInt8], isMapped: Bool = true) throws(Problem) -> Save {
        var options = options
        (options.format, options.layers, options.origin, options.isMapped) = (format, LayerOptions(), nil, isMapped)
        return try Save(bytes, options)
    }

    /// Throws if the format is read-only.
    package func checkIsWritable() throws(Problem) {
        if format.writing == nil { throw .readOnly(format) }
    }
}

extension KeyedArchive {
    /// The errors in objects of Foundation classes, which are therefore shown with plain fields.
    package var objectErrors: [Problem] { findings.filter { $0.severity == .error } }
}

// MARK: Nested saves

/// Nested saves, which are read and edited like files:
///
///     /savedGame/root/health ─▶ /savedGame  data ─▶ nested save, and the rest of the address, /root/health
///                                   ▲                     │ edited and written in its own format
///                                   └────── new data ◀────┘
extension Save {
    /// The value that holds a nested save.
    package struct Holder: Sendable {
        /// The save that contains the value.
        package let save: Save
        /// The address of the value.
        package let address: JSONPointer
        let nested: NestedSave
    }

    /// Opens the nested save at an entrance.
    convenience init(_ entrance: ObjectView.Entrance, in outer: Save) {
        self.init(
            entrance.save, in: Holder(save: outer, address: entrance.address, nested: entrance.save),
            limits: outer.limits)
    }

    /// Returns the innermost nested save on the way to an address, and the rest of the address inside it. Returns this
    /// save and the whole address if the address enters no nested save.
    package func innermostSave(at address: JSONPointer) -> (save: Save, address: JSONPointer) {
        var (save, address) = (self, address)
        while let entrance = save.view.entrance(on: address) {
            save = Save(entrance, in: save)
            address = entrance.rest
        }
        return (save, address)
    }

    /// The address of the save in its file; the root unless the save is nested.
    package var base: JSONPointer {
        guard let holder else { return .root }
        return holder.save.base.appending(holder.address)
    }

    /// Returns a problem with its address in the file. For a nested save, the problem loses its location.
    package func based(_ problem: Problem) -> Problem {
        holder == nil ? problem : problem.within(saveAt: base)
    }
}

extension Problem {
    /// Returns the problem of a nested save with its address in the save around it.
    ///
    /// - Parameter holder: The address of the value that holds the nested save.
    func within(saveAt holder: JSONPointer) -> Problem {
        var problem = self
        problem.address = holder.appending(address ?? .root)
        // The location refers to the nested save's own bytes.
        problem.location = nil
        return problem
    }
}

extension NestedSave {
    /// Returns the bytes of the save after edits.
    ///
    /// - Throws: The first value that its format cannot hold.
    func bytes(of edited: ObjectView, limits: Limits) throws(Problem) -> [UInt8] {
        let result = try Save(self, in: nil, limits: limits).edited(to: edited)
        try result.checkValues()
        return try result.bytes()
    }
}

extension ObjectView {
    /// The distinct values that may hold a save, judged by their first and last bytes, in graph order.
    package var nestedSaveValues: [ViewID] {
        // Most files have none. Finding that out is cheaper than building the graph.
        guard nesting != nil, document.mayHoldSaves else { return [] }
        var seen = Bitmap(count: count)
        var ids: [ViewID] = []
        for container in graph.containers {
            for position in 0..<container.count {
                let id = graph.value(position, of: container)
                guard !seen.contains(id.index) else { continue }
                seen.insert(id.index)
                if mayHoldSave(id) { ids.append(id) }
            }
        }
        return graph.containers.isEmpty && mayHoldSave(root) ? [root] : ids
    }
}

// MARK: Writing

extension ObjectView {
    /// Writes the view in a format. An archive is written as graph JSON if the format supports it, and otherwise as
    /// stored.
    package func write(
        as format: Format, to output: inout ByteWriter, options: WriteOptions = WriteOptions(), limits: Limits
    ) throws(Problem) {
        if format.has(.objectGraphs), let archive {
            try GraphJSON.write(archive, to: &output, options: options, limits: limits)
        } else {
            try document.write(as: format, to: &output, options: options, limits: limits)
        }
    }

    /// Returns the losses of writing the view in a format.
    package func losses(as format: Format, limits: Limits) -> [Problem] {
        if format.has(.objectGraphs), let archive { return GraphJSON.losses(in: archive) }
        return document.losses(as: format, limits: limits)
    }
}

extension Save {
    /// Returns the losses of writing an edited view in the save's format.
    package func losses(of edited: ObjectView) -> [Problem] {
        if isGraphJSON, let archive = edited.archive { return GraphJSON.losses(in: archive) }
        return edited.document.losses(as: format, limits: limits)
    }

    /// Writes an edited view from scratch in the save's format and style, such as the white space of JSON or the key
    /// order of XML.
    package func write(_ edited: ObjectView, to output: inout ByteWriter) throws(Problem) {
        try write(edited, style(), to: &output)
    }

    private func write(_ view: ObjectView, _ style: WriteOptions, to output: inout ByteWriter) throws(Problem) {
        if isGraphJSON, let archive = view.archive {
            try GraphJSON.write(archive, to: &output, options: style, limits: limits)
        } else {
            try view.document.write(as: format, to: &output, options: style, limits: limits)
        }
    }

    // MARK: Style

    /// Returns the options that reproduce the file, or the closest ones.
    private func style() -> WriteOptions {
        let styles = format.writing?.styles ?? []
        if bytes.isEmpty || styles.count == 1, let usual = styles.first { return usual }
        return styles.first(where: isWritten) ?? format.writing?.nearestStyle(to: bytes) ?? WriteOptions()
    }

    /// Whether writing the file from scratch reproduces it.
    var isInWriterStyle: Bool { format.writing?.styles.contains(where: isWritten) ?? false }

    /// Whether writing the unedited view with these options reproduces the bytes of the file.
    private func isWritten(_ style: WriteOptions) -> Bool {
        let bytes = bytes
        var position = 0
        var isSame = true
        var output = ByteWriter { chunk in
            isSame = isSame && chunk.count <= bytes.count - position
            for index in chunk.indices where isSame { isSame = chunk[index] == bytes[position + index] }
            position += chunk.count
            if !isSame { throw OtherStyle() }
        }
        let isWritten = (try? write(view, style, to: &output)) != nil && (try? output.finish()) != nil
        return isWritten && isSame && position == bytes.count
    }

    /// An error that ends a comparison at the first different byte.
    private struct OtherStyle: Error {}
}
