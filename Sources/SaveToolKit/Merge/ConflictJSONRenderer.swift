import KeyedArchive
import SaveCodec
import SaveOperations

/// Writes the conflicts of a merge as one JSON document, of the same shape whether there are any or not;
/// `Fixtures/schemas/merge.schema.json` describes it. A line a conflict:
///
///     {"tool":"savetool","version":"1.0.0","base":{"file":"base.save",…},"ours":{…},"theirs":{…},"conflicts":[
///     {"kind":"value","address":"/root/gems","base":{"type":"integer","value":5},"ours":{…},"theirs":{…}},
///     …
///     ]}
struct ConflictJSONRenderer {
    private let merge: ThreeWayMerge
    private let files: (base: SaveFile?, ours: SaveFile, theirs: SaveFile)
    /// Of ours if there is no base, of which no conflict has a value then.
    private var base: Abbreviation
    private var ours: Abbreviation
    private var theirs: Abbreviation

    init(_ merge: ThreeWayMerge, base: SaveFile?, ours: SaveFile, theirs: SaveFile) {
        self.merge = merge
        files = (base, ours, theirs)
        self.base = Abbreviation(of: merge.base ?? merge.ours)
        self.ours = Abbreviation(of: merge.ours)
        self.theirs = Abbreviation(of: merge.theirs)
    }

    mutating func render(to output: inout ByteWriter) throws(Problem) {
        let documents = [merge.base?.document, merge.ours.document, merge.theirs.document].compactMap(\.self)
        let bound = OutputBound(documents, output)
        output.write("{\"tool\":\"savetool\",\"version\":\"" + SaveTool.version + "\"")
        write(files.base, as: "base", to: &output)
        write(files.ours, as: "ours", to: &output)
        write(files.theirs, as: "theirs", to: &output)
        output.write(",\"conflicts\":[")
        var isFirst = true
        for conflict in merge.conflicts where !output.hasFailed {
            output.write(isFirst ? "\n" : ",\n")
            isFirst = false
            write(conflict, to: &output)
            try bound.check(output)
        }
        output.write("\n]}\n")
    }

    private func write(_ file: SaveFile?, as name: StaticString, to output: inout ByteWriter) {
        output.write(",\"")
        output.write(name)
        output.write("\":")
        guard let file else { return output.write("null") }
        JSONObject.write(to: &output) { $0.members(ofFile: file.name, file.format, file.view, to: &$1) }
    }

    private mutating func write(_ conflict: MergeConflict, to output: inout ByteWriter) {
        var object = JSONObject()
        output.write("{")
        object.member("kind", conflict.kind, to: &output)
        let address = merge.address(of: conflict)
        object.member("address", address, to: &output)
        if address.isCut { object.member("cut", true, to: &output) }
        write(conflict.base, as: "base", in: &base, &object, to: &output)
        write(conflict.ours, as: "ours", in: &ours, &object, to: &output)
        write(conflict.theirs, as: "theirs", in: &theirs, &object, to: &output)
        output.write("}")
    }

    /// Writes what a side has, if it has anything.
    private func write(
        _ id: ViewID?, as name: StaticString, in abbreviation: inout Abbreviation, _ object: inout JSONObject,
        to output: inout ByteWriter
    ) {
        guard let id else { return }
        object.name(name, to: &output)
        JSONObject.write(to: &output) { value, output in
            abbreviation.write(id, tellsStorage: merge.ours.archive != nil, in: &value, to: &output)
        }
    }
}

extension MergeConflict {
    /// What is in conflict, as reports call it.
    fileprivate var kind: String {
        switch subject {
        case .value: "value"
        case .className: "class"
        }
    }
}

extension Address {
    /// Whether the address of a conflict is only the beginning of a long one.
    var isCut: Bool { tokens.count >= Difference.usualSteps }
}
