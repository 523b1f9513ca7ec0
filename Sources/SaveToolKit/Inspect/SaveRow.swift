import KeyedArchives
import SaveCodec
import SaveOperations

/// What there is to know of one save among many, as one line of JSON, which `Fixtures/schemas/inspect-row.schema.json`
/// describes:
///
///     {"file":"a.save","format":"binary","archive":true,"size":2113,"classes":{"Player":3},"values":{"/root/gems":7}}
///     {"file":"b.save","error":{"id":"bplist.trailer","message":"byte 0x20: …"}}
struct SaveRow {
    private let members: JSONMembers

    /// - Parameter addresses: the addresses of which the values are told, as far as there are any.
    init(_ save: Save, named name: String, at addresses: [JSONPointer]) throws(Problem) {
        var values: JSONMembers = []
        for address in addresses {
            guard case .found(let id, let view) = save.view.find(save.view.meant(by: address)) else { continue }
            let value = SingleValue(view: view, id: id, address: address, limits: save.limits)
            values.append((String(decoding: address.pointer, as: UTF16.self), .written(try value.json(isCompact: true).dropLast())))
        }
        members =
            Self.name(name) + [
                ("format", .string(save.format.rawValue)), ("archive", .boolean(save.view.archive != nil)),
                ("size", .integer(save.bytes.count)), ("classes", save.view.archive.map(Self.classes)),
                ("values", addresses.isEmpty ? nil : .object(values)),
            ]
    }

    /// The row of a file that cannot be read.
    init(_ error: any Error, named name: String) {
        let members: JSONMembers =
            switch error {
            case let error as FileProblem:
                [("id", .string(error.problem.id)), ("message", .string(error.problem.description))]
            case let error as FileError: [("message", .string(error.sentence))]
            default: [("message", .string("\(error)"))]
            }
        self.members = Self.name(name) + [("error", .object(members))]
    }

    func write(to output: inout ByteWriter) {
        var json = JSONOutput(.compact)
        json.write(.object(members), to: &output)
        output.write(UInt8(ascii: "\n"))
    }

    private static func name(_ name: String) -> JSONMembers {
        FileName.members(name == "-" ? "<stdin>" : name)
    }

    /// How many objects there are of each class, the classes by their names.
    private static func classes(of archive: KeyedArchive) -> JSONValue {
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
