package import SaveCodec

/// Reads files as commands do: of JSON, archives that stand in it in place of data are data, too.
extension Document {
    /// Reads a document of a known format, see `read(_:as:limits:)`.
    package static func readSave(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits()
    ) throws(Problem) -> Document {
        try format.definition.read(bytes, limits: limits, nested: writeNested)
    }

    /// Reads a document and where its values stand, see `readMapped(_:as:limits:)`.
    package static func readSaveMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits()
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try format.definition.readMapped(bytes, limits: limits, nested: writeNested)
    }

    private static let writeNested: NestedSaveWriter = { save, format, limits, output throws(Problem) in
        try NestedSaveText.write(save.resolvingGraphJSON(), format, limits, &output)
    }
}
