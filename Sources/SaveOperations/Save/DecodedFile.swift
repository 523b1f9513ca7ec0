package import KeyedArchives
package import SaveCodec

/// The options for reading the bytes of a file as a save.
package struct ReadOptions: Sendable {
    /// The format; nil to detect it from the content.
    package var format: Format?
    /// The dialect of JSON that is accepted.
    package var dialect: JSON.Dialect
    /// The layers to remove, in addition to gzip and zlib.
    package var layers: LayerOptions
    package var limits: Limits
    /// Whether an archive is read as a plain property list.
    package var isRaw: Bool
    /// Whether nested saves stay closed.
    package var isOpaque = false
    /// Whether a text is read together with the locations of its values.
    package var isMapped = false
    /// Whether the tables of a database are read as arrays of their rows.
    package var hasRowArrays = false
    /// Whether a nested save in JSON is an error if its format cannot hold one of its values. Otherwise the nearest
    /// value is read, and the loss is reported.
    package var refusesNestedLoss = false
    /// The name of the bytes in locations, such as `output of --filter-in`, if a program produced them from the file.
    package var origin: String?

    /// Creates options that detect the format and the dialect. JSON may have comments unless it is named as the format.
    package init(
        format: Format? = nil, layers: LayerOptions = LayerOptions(), limits: Limits = Limits(), isRaw: Bool = false
    ) {
        (self.format, self.layers, self.limits, self.isRaw) = (format, layers, limits, isRaw)
        dialect = format == nil ? .commented : .detected
    }

    /// The options for opening nested saves; nil to leave them closed.
    package var nesting: NestedSaveOptions? { isOpaque ? nil : NestedSaveOptions(limits: limits, isRaw: isRaw) }

    var database: SQLite.ReadOptions { SQLite.ReadOptions(hasRowArrays: hasRowArrays, isRaw: isRaw) }
}

/// The document in a file, and the layers around it:
///
///     file ─▶ layers such as gzip ─▶ bytes ─▶ format ─▶ document
package struct DecodedFile: Sendable {
    /// The file as it is stored.
    let file: [UInt8]
    /// The file with all its layers: as it is stored, or the output of a program that was run on it.
    let wrapped: [UInt8]
    /// The bytes inside all layers.
    let bytes: [UInt8]
    package let layers: Layers
    /// The limits of the options. For a file in layers, they refer to the size of the file as it is stored.
    let limits: Limits
    package let format: Format
    /// The stored document. For graph JSON it holds the JSON text, not the archive that the text describes.
    package let document: Document
    /// The locations of the values in a text; nil unless ``ReadOptions/isMapped`` is true.
    let map: SourceMap?

    /// Decodes a file. Losses in nested saves are not passed to `warn`; they are in the document's `nestedNotes`.
    ///
    /// - Parameters:
    ///   - output: The output of a program that was run on the file; nil to decode the file itself.
    ///   - warn: Receives the warnings of the reader.
    package init(
        _ file: [UInt8], filtered output: [UInt8]? = nil, _ options: ReadOptions, warn: ([Problem]) -> Void
    ) throws(Problem) {
        self.file = file
        wrapped = output ?? file
        (bytes, layers) = try Layers.unwrap(
            wrapped, outOf: options.origin, options.layers, limits: options.limits)
        limits = layers.limits(options.limits, inside: wrapped)
        do throws(Problem) {
            format = if let format = options.format { format } else { try Format.recognize(bytes, limits: limits) }
            if format.has(.database), options.isRaw || options.hasRowArrays {
                document = try SQLite.read(bytes, limits: limits, as: options.database).allowing(limits)
                map = nil
            } else if options.isMapped {
                (document, map) = try Document.readSaveMapped(
                    bytes, as: format, limits: limits, allowsNestedLoss: !options.refusesNestedLoss,
                    dialect: options.dialect)
            } else {
                document = try Document.readSave(
                    bytes, as: format, limits: limits, allowsNestedLoss: !options.refusesNestedLoss,
                    dialect: options.dialect)
                map = nil
            }
        } catch {
            throw layers.located(error.namingDialect(options.format, options.dialect, of: bytes))
        }
        warn(document.warnings.map(layers.located))
    }

    /// Wraps a nested save, which has already been read.
    init(_ save: NestedSave) {
        (file, wrapped, bytes, layers, limits) = (save.bytes, save.bytes, save.bytes, Layers(), Limits())
        (format, document, map) = (save.format, save.document, nil)
    }

    /// Creates a file that does not exist yet.
    init(new document: Document, as format: Format) {
        (file, wrapped, bytes, layers, limits) = ([], [], [], Layers(), Limits())
        (self.format, self.document, map) = (format, document, nil)
    }

    /// The text in UTF-8, which is decoded again at each call; empty for a binary format.
    package var text: [UInt8] { (try? format.definition.utf8Text(of: bytes)) ?? [] }

    /// Returns the file with `bytes` inside its layers.
    package func replacing(_ bytes: [UInt8]) -> [UInt8] {
        bytes == self.bytes ? file : layers.wrap(bytes)
    }
}

extension Problem {
    /// Returns a syntax error in JSON. If the format was named as JSON and the text has comments, the error also names
    /// the option that allows comments and trailing commas.
    package func namingDialect(_ format: Format?, _ dialect: JSON.Dialect, of bytes: [UInt8]) -> Problem {
        guard format?.has(.typedJSON) ?? false, !dialect.allowsComments, id == "json.syntax", JSON.hasComments(bytes)
        else { return self }
        return Problem(
            kind, message + "; use --from jsonc for JSON with comments and trailing commas", severity: severity,
            at: location, address: address)
    }
}
