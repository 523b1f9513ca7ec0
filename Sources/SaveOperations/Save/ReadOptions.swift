package import KeyedArchives
package import SaveCodec

/// The options by which the bytes of a file become a save.
package struct ReadOptions: Sendable {
    /// The format; nil to detect it from the content.
    package var format: Format?
    /// The treatment of typed JSON tags.
    package var dialect = JSON.Dialect.detected
    /// Whether Base64 and XOR layers are removed, besides gzip and zlib.
    package var decodes: Bool
    package var limits: Limits
    /// Whether an archive is read as the property list that it is stored as.
    package var isRaw: Bool
    /// Whether values are not searched for nested saves.
    package var isOpaque = false
    /// Whether a text is read together with the locations of its values.
    package var isMapped = false
    /// Whether the tables of a database are read as arrays of their rows.
    package var hasRowArrays = false
    /// Whether a nested save in JSON is an error if its own format cannot hold one of its values. Otherwise the nearest
    /// value is read, and the loss is reported.
    package var refusesNestedLoss = false
    /// The name of the bytes in locations if a program made them from the file: `output of --filter-in`.
    package var origin: String?

    /// Creates options that detect everything from the content.
    package init(
        format: Format? = nil, decodes: Bool = false, limits: Limits = Limits(), isRaw: Bool = false
    ) {
        (self.format, self.decodes, self.limits, self.isRaw) = (format, decodes, limits, isRaw)
    }

    /// How nested saves are opened; nil if they are not.
    package var nesting: Nesting? { isOpaque ? nil : Nesting(limits: limits, isRaw: isRaw) }

    /// The options for the tables of a database.
    var database: SQLite.Reading { SQLite.Reading(hasRowArrays: hasRowArrays, isRaw: isRaw) }
}
