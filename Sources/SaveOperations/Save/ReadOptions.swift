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
    var refusesNestedLoss = false
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
