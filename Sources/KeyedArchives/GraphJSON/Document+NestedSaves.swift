package import SaveCodec

/// Reads files as commands do: of JSON, archives that stand in it in place of data are data, too.
extension Document {
    /// Reads a document of a known format, see `read(_:as:limits:)`.
    ///
    /// - Parameter allowsNestedLoss: whether data that stands in JSON as a save may hold the nearest thing to what the
    ///   format of that save cannot hold, which ``nestedNotes`` tells then; else that is an error.
    package static func readSave(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits(), allowsNestedLoss: Bool = false
    ) throws(Problem) -> Document {
        do throws(Problem) {
            return try format.definition.read(bytes, limits: limits, nested: nested.allowing(loss: allowsNestedLoss))
                .warningOfLayers(in: bytes)
        } catch {
            throw error.diagnosed(in: bytes)
        }
    }

    /// Reads a document and where its values stand, see `readMapped(_:as:limits:)`.
    package static func readSaveMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits(), allowsNestedLoss: Bool = false
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        do throws(Problem) {
            let (document, map) = try format.definition.readMapped(
                bytes, limits: limits, nested: nested.allowing(loss: allowsNestedLoss))
            return (document.warningOfLayers(in: bytes), map)
        } catch {
            throw error.diagnosed(in: bytes)
        }
    }

    private static let nested = NestedSaveWriter(translating: GraphJSON.shownAddress) { save throws(Problem) in
        try save.resolvingGraphJSON()
    }
}
