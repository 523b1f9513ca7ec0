import KeyedArchives
import SaveCodec
import SaveOperations

/// A save as the commands have it that compare and change saves: what was read, the view of it, and how it is written
/// back, in the format and the style that it has.
final class SaveFile {
    /// The name that messages call it by, `-` for standard input.
    let name: String
    /// What was read, and the contents without the layers around them.
    let file: [UInt8]
    let bytes: [UInt8]
    /// The layers.
    let wrapping: Wrapping
    /// The format of the bytes.
    let format: Format
    /// What addresses lead into. Of graph JSON the archive that it describes.
    let view: ObjectView
    /// Whether the file is the graph of an archive as JSON.
    let isGraphJSON: Bool
    /// What stands in the file, and where in the text; nil for a binary file.
    let source: Document
    let map: SourceMap?
    let limits: Limits
    /// Where in the bytes addresses lead.
    let places: FilePlaces
    /// The value that holds the save; nil for that of a whole file.
    let holder: SaveHolder?

    /// Reads a file. Says what the reader warns of.
    ///
    /// - Parameters:
    ///   - title: what messages call it; nil for its name.
    convenience init(
        reading name: String, titled title: String? = nil, _ options: ReadOptions, _ invocation: Invocation
    ) throws {
        self.init(try invocation.open(name, titled: title, options), name: title ?? name)
    }

    /// A save that was read.
    init(_ save: Save, name: String, in holder: SaveHolder? = nil) {
        self.name = name
        self.holder = holder
        (file, bytes, wrapping) = (save.file, save.bytes, save.wrapping)
        format = save.format
        view = save.view
        limits = save.limits
        isGraphJSON = save.source.isGraphJSON && save.view.archive != nil
        source = isGraphJSON ? save.source : save.view.document
        map = save.map
        places = save.places
    }

    /// A file that is to be made, with this document to begin with, written as its format is by default.
    init(new document: Document, name: String, as format: Format, limits: Limits) throws(Problem) {
        self.name = name
        holder = nil
        self.format = format
        self.limits = limits
        let view = try ObjectView(of: document, limits: limits, isRaw: false, nesting: Nesting(limits: limits))
        self.view = view
        isGraphJSON = format.has(.objectGraphs) && view.archive != nil
        source = document
        map = nil
        (file, bytes, wrapping) = ([], [], Wrapping())
        places = FilePlaces(in: bytes, as: format, limits: limits)
    }

    /// A problem with the line and column of the address that it has; in a binary file the problem as it is.
    func located(_ problem: Problem) -> Problem {
        var problem = problem
        if holder != nil { return based(problem) }
        if problem.place == nil, let address = problem.address { problem.place = places.line(of: address, in: view) }
        return problem
    }

    /// Problems of an edited save with the addresses by which the file is edited.
    func inView(_ problems: [Problem], of edited: ObjectView) -> [Problem] {
        problems.isEmpty ? [] : edited.inView(problems).map(based)
    }

    /// Throws if the edits of the file have no result: if it is read only, and no database, whose edits are statements.
    func checkIsEdited() throws(Problem) {
        if !format.has(.database) { try checkIsWritten() }
    }

    /// Refuses a file in a format that is read only, before anybody takes pains to change it.
    func checkIsWritten() throws(Problem) {
        if format.writing == nil { throw .readOnly(format) }
    }

    /// What of an edited save the file cannot hold in its format.
    func losses(of edited: ObjectView) -> [Problem] {
        if isGraphJSON, let archive = edited.archive { return GraphJSON.losses(in: archive) }
        return edited.document.losses(as: format, limits: limits)
    }

    /// Writes an edited save as the file is written: its format, of JSON its white space, of XML its order of keys.
    func write(_ edited: ObjectView, to output: inout ByteWriter) throws(Problem) {
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

    /// The options by which the file would be written as it is; where none does that, those that come nearest.
    private func style() -> WriteOptions {
        let styles = format.writing?.styles ?? []
        if bytes.isEmpty || styles.count == 1, let usual = styles.first { return usual }
        return styles.first(where: isWritten)
            ?? WriteOptions(keyOrder: .stored, isCompact: !bytes.contains(UInt8(ascii: "\n")))
    }

    /// Whether the file looks as one that is written anew.
    var isInUsualStyle: Bool { format.writing?.styles.contains(where: isWritten) ?? false }

    /// Whether writing the unedited document with these options gives the very bytes of the file.
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

    /// Stops a comparison at the first byte that differs.
    private struct OtherStyle: Error {}
}
