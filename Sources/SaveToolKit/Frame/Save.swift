import KeyedArchives
import SaveCodec
import SaveOperations

/// How bytes are taken for a save.
struct ReadOptions {
    /// The format; nil if the content says it.
    var format: Format?
    /// The treatment of typed JSON tags.
    var dialect = JSON.Dialect.detected
    /// What gives the contents of a file; nil for the file itself.
    var filter: Filter?
    /// Whether Base64 text and XOR are taken off, too, beside gzip and zlib.
    var decodes = false
    var limits = Limits()
    /// Whether an archive is taken as the property list that it is stored as.
    var isRaw = false
    /// Whether what data holds is data, even where that is a property list.
    var isOpaque = false
    /// Whether it is kept where the values of a text stand.
    var isMapped = false
    /// Whether the tables of a database are arrays of their rows.
    var hasRowArrays = false

    /// How a database is taken.
    var database: SQLite.Reading { SQLite.Reading(hasRowArrays: hasRowArrays, isRaw: isRaw) }

    /// How saves in values are opened; nil if they are not.
    var nesting: Nesting? { isOpaque ? nil : Nesting(limits: limits, isRaw: isRaw) }
}

/// What a file holds, from its bytes to the document in them:
///
///     file ─▶ filter ─▶ layers such as gzip ─▶ bytes ─▶ format ─▶ document
struct StoredContents {
    /// The contents, without the layers around them.
    let bytes: [UInt8]
    let wrapping: Wrapping
    let document: Document
    /// Where in the text the values stand, if that was asked for.
    let map: SourceMap?
    let format: Format

    /// Reads a file. What its nested notes tell is left to the caller.
    init(of file: [UInt8], _ options: ReadOptions, warn: ([Problem]) -> Void) throws(Problem) {
        (bytes, wrapping) = try options.unwrap(file)
        do throws(Problem) {
            format = if let format = options.format { format } else { try Format.recognize(bytes) }
            if format.has(.database), options.isRaw || options.hasRowArrays {
                document = try SQLite.read(bytes, limits: options.limits, as: options.database)
                map = nil
            } else if options.isMapped {
                (document, map) = try Document.readSaveMapped(
                    bytes, as: format, limits: options.limits, allowsNestedLoss: true, dialect: options.dialect)
            } else {
                document = try Document.readSave(
                    bytes, as: format, limits: options.limits, allowsNestedLoss: true, dialect: options.dialect)
                map = nil
            }
        } catch {
            throw wrapping.located(error)
        }
        warn(document.warnings.map(wrapping.located))
    }
}

extension ReadOptions {
    /// The same for contents in a format, which are in no layers.
    func ofContents(as format: Format) -> ReadOptions {
        var options = self
        (options.format, options.filter, options.decodes) = (format, nil, false)
        return options
    }

    /// What is in a file, and the layers that it is in.
    func unwrap(_ file: [UInt8]) throws(Problem) -> (contents: [UInt8], wrapping: Wrapping) {
        let output = try filter?.output(of: file, limits)
        return try Wrapping.unwrap(
            output ?? file, outOf: filter == nil ? nil : Filter.origin, decodes: decodes, limits: limits)
    }
}

/// A save, from its bytes to what addresses lead into. Bytes become a save nowhere else:
///
///     file ─▶ contents ─▶ document ─▶ archive, if it is one ─▶ view
final class Save {
    /// What was read, and the contents without the layers around them.
    let file: [UInt8]
    let bytes: [UInt8]
    let wrapping: Wrapping
    let format: Format
    /// What addresses lead into; of graph JSON the archive that it describes.
    let view: ObjectView
    /// What stands in the file, and where in the text, if that was asked for.
    let source: Document
    let map: SourceMap?
    let limits: Limits
    /// Where in the bytes addresses lead.
    let places: FilePlaces

    /// Opens a save.
    ///
    /// - Parameter warn: takes what the reader warns of, and what is wrong in objects that are shown all the same.
    init(_ file: [UInt8], _ options: ReadOptions, warn: ([Problem]) -> Void) throws(Problem) {
        let read = try StoredContents(of: file, options, warn: warn)
        warn(read.document.nestedNotes.losses.map(read.wrapping.located))
        self.file = file
        (bytes, wrapping, format) = (read.bytes, read.wrapping, read.format)
        source = read.document
        map = read.map
        limits = options.limits
        places = FilePlaces(in: bytes, as: format, limits: limits, from: wrapping)
        // What is wrong with the archive that graph JSON describes has an address in the archive, which is nowhere.
        let isStored = !GraphJSON.isPresent(in: read.document)
        do throws(Problem) {
            view = try ObjectView(
                of: read.document, limits: limits, isRaw: options.isRaw, nesting: options.nesting)
        } catch {
            throw wrapping.located(isStored || error.kind.isOf(.graph) ? places.located([error])[0] : error)
        }
        guard let faults = view.archive?.faultyObjects else { return }
        warn((isStored ? places.located(faults) : faults).map(wrapping.located))
    }
}

extension ObjectView {
    /// Writes the view in a format: the graph of an archive as JSON, and in all other formats what is stored.
    func write(
        as format: Format, to output: inout ByteWriter, options: WriteOptions = WriteOptions(), limits: Limits
    ) throws(Problem) {
        if format.has(.objectGraphs), let archive {
            try GraphJSON.write(archive, to: &output, options: options, limits: limits)
        } else {
            try document.write(as: format, to: &output, options: options, limits: limits)
        }
    }

    /// What a format cannot hold of the view.
    func losses(as format: Format, limits: Limits) -> [Problem] {
        if format.has(.objectGraphs), let archive { return GraphJSON.losses(in: archive) }
        return document.losses(as: format, limits: limits)
    }
}

extension KeyedArchive {
    /// What is wrong in objects of Foundation's classes, which are taken as plain fields therefore.
    var faultyObjects: [Problem] { remarks.filter { $0.severity == .error } }
}

extension Arguments {
    /// The nearest existing address or pattern in the first file; nil if none is near or the file cannot be read.
    func nearest(to meant: UsageError.Meant, _ invocation: Invocation) -> UsageError.Meant? {
        guard let name = operands.first, name != "-",
            (try? FileSystem.status(invocation.path(name)))?.kind == .regular, let bytes = try? invocation.read(name),
            let options = try? readOptions(), let save = try? Save(bytes, options, warn: { _ in })
        else { return nil }
        return meant.nearest(in: save.view)
    }
}
