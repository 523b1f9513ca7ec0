import KeyedArchive
import SaveCodec
import SaveOperations

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
