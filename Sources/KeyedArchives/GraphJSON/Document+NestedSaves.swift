package import SaveCodec

/// Reads files as commands do. A nested save that JSON shows in place of data becomes data again.
extension Document {
    /// Reads a document of a known format, see `read(_:as:limits:)`.
    ///
    /// - Parameter allowsNestedLoss: Whether a save shown in JSON may contain values that its format cannot represent.
    ///   If so, the closest value is stored and ``nestedNotes`` reports the losses; otherwise such a value is an error.
    package static func readSave(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits(), allowsNestedLoss: Bool = false,
        dialect: JSON.Dialect = .detected
    ) throws(Problem) -> Document {
        do throws(Problem) {
            return try readUndiagnosed(
                bytes, as: format, limits: limits, allowsNestedLoss: allowsNestedLoss, dialect: dialect)
        } catch {
            throw error.diagnosed(in: bytes, limits)
        }
    }

    /// Reads a document like `readSave(_:as:limits:)`, but throws the error of the reader without a search for its cause.
    static func readUndiagnosed(
        _ bytes: [UInt8], as format: Format, limits: Limits, allowsNestedLoss: Bool = false,
        dialect: JSON.Dialect = .detected
    ) throws(Problem) -> Document {
        let nested = nested.allowing(loss: allowsNestedLoss).reading(dialect)
        return try format.definition.read(bytes, limits: limits, nested: nested).allowing(limits)
            .addingLayerWarning(for: bytes, limits)
    }

    /// Reads a document and the locations of its values, see `readMapped(_:as:limits:)`.
    package static func readSaveMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits(), allowsNestedLoss: Bool = false,
        dialect: JSON.Dialect = .detected
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let nested = nested.allowing(loss: allowsNestedLoss).reading(dialect)
        do throws(Problem) {
            let (document, map) = try format.definition.readMapped(bytes, limits: limits, nested: nested)
            return (try document.allowing(limits).addingLayerWarning(for: bytes, limits), map)
        } catch {
            throw error.diagnosed(in: bytes, limits)
        }
    }

    /// Reads JSON that a user gives as a value or a patch.
    ///
    /// It is read as typed JSON, in which names of graph JSON such as `$object` may occur. If a tag has invalid
    /// contents, the dialect is detected instead.
    package static func readGiven(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        do throws(Problem) {
            return try readSave(bytes, as: .json, limits: limits, dialect: .typed)
        } catch {
            guard error.kind.isOf(.json) else { throw error }
            return try readSave(bytes, as: .json, limits: limits)
        }
    }

    private static let nested = NestedSaveConverter(translating: GraphJSON.shownAddress) { save throws(Problem) in
        try save.resolvingGraphJSON()
    }
}
