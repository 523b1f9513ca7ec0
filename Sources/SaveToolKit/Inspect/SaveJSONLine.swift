import KeyedArchives
import SaveCodec
import SaveOperations

/// The description of a save as one line of JSON. The schema is `Fixtures/schemas/inspect-row.schema.json`.
///
///     {"file":"a.save","format":"binary","archive":true,"size":2113,"classes":{"Player":3},"values":{"/root/gems":7}}
///     {"file":"b.save","error":{"id":"bplist.trailer","message":"byte 0x20: …"}}
struct SaveJSONLine: FileResult {
    let text: [UInt8]
    var size: Int { text.count }
    /// The error that prevented reading the file; nil for none.
    let error: (any Error)?
    /// Whether the address `/` was treated as the root.
    private(set) var readsAsRoot = false

    /// - Parameter addresses: The addresses whose values are included, if they exist.
    init(
        of bytes: Result<[UInt8], SystemError>, _ file: InputFile, at addresses: [JSONPointer],
        _ reading: FileReadOptions
    ) {
        let members: JSONMembers
        do {
            let save = try reading.open(bytes, of: file)
            members = try Self.members(of: save, at: addresses)
            readsAsRoot = addresses.contains(where: save.view.readsAsRoot)
            error = nil
        } catch let problem as Problem {
            members = [("error", .object([("id", .string(problem.id)), ("message", .string(problem.description))]))]
            error = FileProblem(name: file.name, problem: problem)
        } catch {
            let sentence = (error as? FileError)?.sentence ?? "\(error)"
            members = [("error", .object([("message", .string(sentence))]))]
            self.error = error
        }
        var output = ByteWriter()
        var json = JSONOutput(.compact)
        json.write(.object(FileName.members(file.name == "-" ? "<stdin>" : file.name) + members), to: &output)
        output.write(UInt8(ascii: "\n"))
        text = output.takeBytes()
    }

    private static func members(of save: Save, at addresses: [JSONPointer]) throws(Problem) -> JSONMembers {
        var values: JSONMembers = []
        for address in addresses {
            let target = save.view.readsAsRoot(address) ? .root : address
            guard case .found(let id, let view) = save.view.find(target) else { continue }
            let value = SingleValue(view: view, id: id, address: address, limits: save.limits)
            let name = String(decoding: address.pointer, as: UTF16.self)
            values.append((name, .written(try value.json(isCompact: true).dropLast())))
        }
        return [
            ("format", .string(save.format.rawValue)), ("archive", .boolean(save.view.archive != nil)),
            ("size", .integer(save.file.count)), ("in", save.layers.isEmpty ? nil : .string(save.layers.title)),
            ("classes", save.view.archive.map(classes)),
            ("values", addresses.isEmpty ? nil : .object(values)),
        ]
    }

    /// Returns the object count of each class, ordered by class name.
    private static func classes(of archive: KeyedArchive) -> ReportJSON {
        var counts: [String: Int] = [:]
        for row in ArchiveSummary(of: archive).rows {
            switch row.subject {
            case .gameClass(let name), .systemClass(let name): counts[name.string, default: 0] += row.tally.objects
            case .value, .names, .classRecords: break
            }
        }
        let rows = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(rows.map { ($0.key, .integer($0.value)) })
    }
}
