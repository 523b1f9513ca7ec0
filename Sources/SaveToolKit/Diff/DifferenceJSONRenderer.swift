import KeyedArchive
import SaveCodec
import SaveOperations

/// Writes differences as one JSON document, of the same shape whether there are any or not;
/// `Fixtures/schemas/diff.schema.json` describes it. A line a change:
///
///     {"tool":"savetool","version":"1.0.0","before":{"file":"a.save",…},"after":{…},"same":false,"changes":[
///     {"kind":"changed","before":{"address":"/root/gems","type":"integer","value":7},"after":{…}},
///     …
///     ],"counts":{"added":0,…},"hidden":0}
struct DifferenceJSONRenderer {
    private var before: Abbreviation
    private var after: Abbreviation
    private let saves: ComparedSaves
    private let places: ObjectPlaces
    private var addresses: ChangeAddresses

    init(_ saves: ComparedSaves) {
        self.saves = saves
        before = Abbreviation(of: saves.before.view)
        after = Abbreviation(of: saves.after.view)
        places = ObjectPlaces(saves.difference)
        addresses = .json(saves.difference)
    }

    mutating func render(within bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        output.write("{\"tool\":\"savetool\",\"version\":\"" + SaveTool.version + "\",")
        write(saves.before, as: "before", to: &output)
        write(saves.after, as: "after", to: &output)
        output.write("\"same\":\(saves.changes.isEmpty),\"changes\":[")
        var isFirst = true
        for change in saves.changes where !output.hasFailed {
            output.write(isFirst ? "\n" : ",\n")
            isFirst = false
            write(change, to: &output)
            try bound.check(output)
        }
        output.write("\n],\"counts\":")
        writeCounts(to: &output)
        output.write(",\"hidden\":\(saves.hiddenCount)}\n")
    }

    private func write(_ save: ComparedSave, as name: StaticString, to output: inout ByteWriter) {
        output.write("\"")
        output.write(name)
        output.write("\":")
        JSONObject.write(to: &output) { object, output in
            object.members(ofFile: save.title, save.format, save.view, to: &output)
        }
        output.write(",")
    }

    private func writeCounts(to output: inout ByteWriter) {
        let counts = saves.counts
        output.write("{")
        for (number, kind) in Change.Kind.allCases.enumerated() {
            output.write((number > 0 ? "," : "") + "\"\(kind.rawValue)\":\(counts[kind] ?? 0)")
        }
        output.write("}")
    }

    // MARK: Changes

    private mutating func write(_ change: Change, to output: inout ByteWriter) {
        let difference = saves.difference
        let steps = difference.depth(of: change)
        output.write("{\"kind\":\"\(change.kind.rawValue)\"")
        if steps > Difference.usualSteps { output.write(",\"steps\":\(steps)") }
        if let id = change.before, let address = addresses.before(change) {
            output.write(",\"before\":")
            write(id, at: address, places.before(change), in: &before, to: &output)
        }
        if let id = change.after, let address = addresses.after(change) {
            output.write(",\"after\":")
            write(id, at: address, places.after(change), in: &after, to: &output)
        }
        output.write("}")
    }

    private func write(
        _ id: ViewID, at address: [UInt8], _ place: Address?, in abbreviation: inout Abbreviation,
        to output: inout ByteWriter
    ) {
        JSONObject.write(to: &output) { object, output in
            object.name("address", to: &output)
            output.write("\"")
            output.write(address)
            output.write("\"")
            abbreviation.write(id, tellsStorage: saves.areArchives, place, in: &object, to: &output)
        }
    }
}

extension Abbreviation {
    /// Writes what a value is as members of a JSON object: of a scalar the typed JSON, of a container how much it holds,
    /// and a line.
    ///
    /// - Parameters:
    ///   - tellsStorage: whether it matters if the value is stored in place.
    ///   - place: where the object is compared that is referred to.
    mutating func write(
        _ id: ViewID, tellsStorage: Bool, _ place: Address? = nil, in object: inout JSONObject,
        to output: inout ByteWriter
    ) {
        let node = view.scalar(id)
        let summary = node == nil ? summary(of: id) : nil
        object.member("type", summary?.type ?? TypeName.type(of: id, in: view), to: &output)
        if let name = summary.map(\.className) ?? TypeName.className(ofScalar: id, in: view) {
            object.member("class", name.string, to: &output)
        }
        if tellsStorage { object.member("inPlace", view.uid(id) == nil, to: &output) }
        if let place { object.member("object", place, to: &output) }
        if let node {
            object.name("value", to: &output)
            let scalar = view.scalar(id, node)
            ScalarText.writeTyped(scalar.id, of: scalar.document, to: &output)
        } else if let summary {
            object.member("count", summary.count, to: &output)
            object.member("text", summary.line, to: &output)
        }
    }
}

extension JSONObject {
    /// Writes what a report says of a file that it is about.
    mutating func members(ofFile name: String, _ format: Format, _ view: ObjectView, to output: inout ByteWriter) {
        member("file", name == "-" ? "<stdin>" : name, to: &output)
        member("format", format.rawValue, to: &output)
        member("archive", view.archive != nil, to: &output)
    }
}
