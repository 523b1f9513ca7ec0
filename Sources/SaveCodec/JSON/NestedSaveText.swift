/// Makes the file of a save that stands in a JSON text in place of data. Whoever knows archives makes one of graph JSON.
package typealias NestedSaveWriter =
    @Sendable (_ save: Document, _ format: Format, _ limits: Limits, _ output: inout ByteWriter) throws(Problem) -> Void

/// Saves that stand in a JSON text in place of the data that holds them (see <doc:TypedJSON>).
///
///     {"prefs": {"$bplist": {"gems": 7}}}
///                └─ read as a document of its own ─▶ file ─▶ data <62 70 6C 69 73 74 …>
package enum NestedSaveText {
    /// How many may stand in each other.
    package static let maxLevel = 64

    /// Writes the file of a save that is no archive.
    package static let write: NestedSaveWriter = { save, format, limits, output throws(Problem) in
        guard !save.isGraphJSON else {
            throw Problem(
                "json.nested-archive", "an archive stands here, of which only a reader of archives can make data")
        }
        if let loss = save.losses(as: format, limits: limits).first { throw loss }
        try save.write(as: format, to: &output, options: WriteOptions(keyOrder: .stored), limits: limits)
    }

    /// What is written, if that is not more than there is room for.
    package static func bytes(
        within room: Int, _ write: (inout ByteWriter) throws(Problem) -> Void
    ) throws(Problem) -> [UInt8] {
        var bytes = ImageBuffer([])
        var output = ByteWriter { piece in
            guard piece.count <= room - bytes.count else { throw Problem.nestedTooLarge() }
            bytes.append(piece)
        }
        try write(&output)
        guard (try? output.finish()) != nil else { throw .nestedTooLarge() }
        return bytes.takeBytes()
    }
}

/// Opens data that JSON is to show as the save that it holds; nil for data that stays data.
package typealias NestedSaveOpener = @Sendable (_ data: ArraySlice<UInt8>) -> OpenedSave?

/// A save in data, about to be written in JSON.
package struct OpenedSave {
    /// Writes it as the value of a member in so many containers, without white space around it.
    package typealias Writer = (_ indentation: Int, _ output: inout ByteWriter) -> Void

    let isXML: Bool
    let write: Writer

    /// - Parameter isXML: whether it is an XML property list, and no binary one.
    package init(isXML: Bool, _ write: @escaping Writer) {
        (self.isXML, self.write) = (isXML, write)
    }
}

extension JSONOutput {
    /// Writes data as the save that it holds.
    ///
    /// - Returns: false, having written nothing, for any other value, and for data that is to be data.
    package mutating func writeNested(
        _ value: StoredObject, of document: Document, _ options: WriteOptions, to output: inout ByteWriter
    ) -> Bool {
        guard let open = options.nested, value.kind == .data,
            let save = open(document.image[value.start..<value.start + value.count])
        else { return false }
        tag(save.isXML ? "$xplist" : "$bplist", to: &output)
        write(to: &output) { [indentation] in save.write(indentation, &$0) }
        return true
    }
}

extension Problem {
    package static func nestedTooLarge() -> Problem {
        Problem("limit.nested", "what is nested in this file is far larger than the file")
    }

    static func nestedTooDeep(at place: SourceLocation) -> Problem {
        Problem("limit.nested", "more than \(NestedSaveText.maxLevel) saves are nested in each other", at: place)
    }
}
