package import KeyedArchives
package import SaveCodec

/// A save, from the bytes of its file to the values that commands use:
///
///     file ─▶ layers such as gzip ─▶ bytes ─▶ format ─▶ document ─▶ archive, if it is one ─▶ view
///
/// All reading uses this class, except for ``Validation``, which collects findings. All editing uses
/// ``edited(to:keepsComments:beginningWith:from:)``.
package final class Save: Sendable {
    let decoded: DecodedFile
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
