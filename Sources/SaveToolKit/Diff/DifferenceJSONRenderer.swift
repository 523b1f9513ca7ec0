import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes differences as one JSON document, of the same shape whether there are any or not;
/// `Fixtures/schemas/diff.schema.json` describes it. A line a change:
///
///     {"tool":"savetool","version":"1.0.0","before":{"file":"a.save",…},"after":{…},"same":false,"changes":[
///     {"kind":"changed","before":{"address":"/root/gems","type":"integer","value":7},"after":{…}},
///     …
///     ],"counts":{"added":0,…},"hidden":0}
final class DifferenceJSONRenderer {
    private let saves: ComparedSaves
    private let values: Sides<Abbreviation>
    private let places: ComparedAddresses
    private let addresses: ChangeAddresses

    init(_ saves: ComparedSaves) {
        self.saves = saves
        values = Sides { Abbreviation(of: saves.difference.view($0)) }
        places = ComparedAddresses(saves.difference)
        addresses = .json(saves.difference)
    }

    func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        var rows = JSONRows()
        rows.begin(files + [("same", .boolean(saves.areSame))], to: &output)
        rows.beginRows("changes", to: &output)
        try writeRows(within: bound, to: &output) { rows.add($0, to: &$1) }
        rows.endRows(to: &output)
        rows.end(counts, to: &output)
    }

    /// What is told of the files.
    var files: JSONMembers {
        [
            ("before", .file(saves.before.title, saves.before.format, view: saves.before.view)),
            ("after", .file(saves.after.title, saves.after.format, view: saves.after.view)),
        ]
    }

    /// What is told behind the changes.
    var counts: JSONMembers {
        let counts = saves.counts
        return [
            ("counts", .object(Change.Kind.allCases.map { ($0.rawValue, .integer(counts[$0] ?? 0)) })),
            ("hidden", .integer(saves.hiddenCount)),
        ]
    }

    /// Makes a row of each change, and gives it to `add`.
    func writeRows(
        within bound: OutputBound, to output: inout ByteWriter, _ add: (JSONValue, inout ByteWriter) -> Void
    ) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change): add(row(change), &output)
            case .inside(let saves):
                try DifferenceJSONRenderer(saves).writeRows(within: bound, to: &output, add)
            }
            try bound.check(output)
        }
    }

    private func row(_ change: Change) -> JSONValue {
        let steps = saves.difference.depth(of: change)
        return .object([
            ("kind", .string(change.kind.rawValue)),
            ("steps", steps > Difference.usualSteps ? .integer(steps) : nil),
            ("before", value(change, .before)), ("after", value(change, .after)),
        ])
    }

    /// What there is on a side of a change; nil if nothing is.
    private func value(_ change: Change, _ side: Side) -> JSONValue? {
        guard let id = change.value(side), let address = addresses.address(of: change, side) else { return nil }
        let quoted = [UInt8(ascii: "\"")] + address + [UInt8(ascii: "\"")]
        let place = places.place(change, side)
        return .object(
            [("address", .written(quoted))] + values[side].members(of: id, tellsStorage: saves.areArchives, place))
    }
}

extension JSONValue {
    /// What a report says of a file that it is about.
    static func file(_ name: String, _ format: Format, view: ObjectView) -> JSONValue {
        .object(
            FileName.members(name == "-" ? "<stdin>" : name) + [
                ("format", .string(format.rawValue)), ("archive", .boolean(view.archive != nil)),
            ])
    }
}

extension Abbreviation {
    /// What a value is, as members of a JSON object: of a scalar the typed JSON, of a container how much it holds, and a
    /// line.
    ///
    /// - Parameters:
    ///   - tellsStorage: whether it matters if the value is stored in place.
    ///   - place: where the object is compared that is referred to.
    func members(
        of id: ViewID, tellsStorage: Bool, _ place: JSONPointer? = nil
    ) -> JSONMembers {
        let node = view.scalar(id)
        let summary = node == nil ? summary(of: id) : nil
        let className = summary.map(\.className) ?? view.classText(of: id)
        return [
            ("type", .string(summary?.type ?? view.typeName(of: id))),
            ("class", className.map { .string($0.string) }),
            ("inPlace", tellsStorage ? .boolean(view.uid(id) == nil) : nil), ("object", place.map(JSONValue.address)),
            ("value", node.map { .typed($0) }), ("count", summary.map { .integer($0.count) }),
            ("text", summary.map { .string($0.line) }),
        ]
    }
}
