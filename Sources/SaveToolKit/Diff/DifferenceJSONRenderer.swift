import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes differences as one JSON document. `Fixtures/schemas/diff.schema.json` describes it.
///
/// If the files are equal, the document has the same members, and `changes` is empty. Each change is on a line of its
/// own:
///
///     {"tool":"savetool","version":"1.0.0","before":{"file":"a.save",…},"after":{…},"same":false,"changes":[
///     {"kind":"changed","before":{"address":"/root/gems","type":"integer","value":7},"after":{…}},
///     …
///     ],"counts":{"added":0,…},"hidden":0}
final class DifferenceJSONRenderer {
    private let saves: ComparedSaves
    private let values: Sides<ValueAbbreviator>
    private let locations: ComparedAddresses
    private let addresses: ChangeAddresses

    init(_ saves: ComparedSaves) {
        self.saves = saves
        values = Sides { ValueAbbreviator(of: saves.difference.view($0)) }
        locations = ComparedAddresses(saves.difference)
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

    /// The members that describe the files.
    var files: JSONMembers {
        [
            ("before", .file(saves.before.title, saves.before.format, view: saves.before.view)),
            ("after", .file(saves.after.title, saves.after.format, view: saves.after.view)),
        ]
    }

    /// The members after the changes.
    var counts: JSONMembers {
        let counts = saves.counts
        return [
            ("counts", .object(Change.Kind.allCases.map { ($0.rawValue, .integer(counts[$0] ?? 0)) })),
            ("hidden", .integer(saves.hiddenCount)),
        ]
    }

    /// Passes a row for each change to `add`.
    func writeRows(
        within bound: OutputBound, to output: inout ByteWriter, _ add: (ReportJSON, inout ByteWriter) -> Void
    ) throws(Problem) {
        for entry in saves.entries where !output.hasFailed {
            switch entry {
            case .change(let change): add(row(change), &output)
            case .nested(let saves):
                try DifferenceJSONRenderer(saves).writeRows(within: bound, to: &output, add)
            }
            try bound.check(output)
        }
    }

    private func row(_ change: Change) -> ReportJSON {
        let steps = saves.difference.depth(of: change)
        return .object([
            ("kind", .string(change.kind.rawValue)),
            ("steps", steps > Difference.defaultMaxTokens ? .integer(steps) : nil),
            ("before", value(change, .before)), ("after", value(change, .after)),
        ])
    }

    /// Returns the value on one side of a change, or nil if the side has none.
    private func value(_ change: Change, _ side: Side) -> ReportJSON? {
        guard let id = change.value(side), let address = addresses.address(of: change, side) else { return nil }
        let quoted = [UInt8(ascii: "\"")] + address + [UInt8(ascii: "\"")]
        let place = locations.otherAddress(of: change, side)
        return .object(
            [("address", .written(quoted))] + values[side].members(of: id, showsStorage: saves.areArchives, place))
    }
}

extension ReportJSON {
    /// Returns the members that describe a file in a report.
    static func file(_ name: String, _ format: Format, view: ObjectView) -> ReportJSON {
        .object(
            FileName.members(name == "-" ? "<stdin>" : name) + [
                ("format", .string(format.rawValue)), ("archive", .boolean(view.archive != nil)),
            ])
    }
}

extension ValueAbbreviator {
    /// Returns the members that describe a value: typed JSON for a scalar, or the count and a line of text for a
    /// container.
    ///
    /// - Parameters:
    ///   - showsStorage: Whether to include the storage, in place or as an object.
    ///   - place: The address at which the referenced object was compared.
    func members(
        of id: ViewID, showsStorage: Bool, _ place: JSONPointer? = nil
    ) -> JSONMembers {
        let node = view.scalar(id)
        let summary = node == nil ? summary(of: id) : nil
        let className = summary.map(\.className) ?? view.classText(of: id)
        return [
            ("type", .string(summary?.type ?? view.typeName(of: id))),
            ("class", className.map { .string($0.string) }),
            ("inPlace", showsStorage ? .boolean(view.uid(id) == nil) : nil), ("object", place.map(ReportJSON.address)),
            ("value", node.map { .typed($0) }), ("count", summary.map { .integer($0.count) }),
            ("text", summary.map { .string($0.line) }),
        ]
    }
}
