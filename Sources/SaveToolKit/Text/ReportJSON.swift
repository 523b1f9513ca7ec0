import KeyedArchives
import SaveCodec

/// A small JSON value for reports, written on one line without white space.
indirect enum ReportJSON {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    /// A string of UTF-16 code units, which may have lone surrogates.
    case text([UInt16])
    /// Encoded JSON.
    case written([UInt8])
    case array([ReportJSON])
    case object(JSONMembers)

    /// Returns an address as a JSON Pointer that commands accept. Lone surrogates are replaced by U+FFFD, because many
    /// readers refuse them.
    static func address(_ address: JSONPointer) -> ReportJSON {
        let units = address.operand
        guard units.contains(where: UTF16.isSurrogate) else { return .text(units) }
        return .string(String(decoding: units, as: UTF16.self))
    }

    static func typed(_ node: Node) -> ReportJSON {
        var output = ByteWriter()
        ScalarText.writeTyped(node, to: &output)
        return .written(output.takeBytes())
    }
}

/// The members of an object, in order. Members without a value are left out.
typealias JSONMembers = [(name: String, value: ReportJSON?)]

extension JSONString {
    /// Returns UTF-16 code units as a JSON string.
    static func quoted(_ units: [UInt16]) -> [UInt8] {
        var output = ByteWriter()
        write(units, to: &output)
        return output.takeBytes()
    }

    /// Returns UTF-16 code units escaped for a JSON string, without quotation marks.
    static func escaped(_ units: [UInt16]) -> [UInt8] { Array(quoted(units).dropFirst().dropLast()) }
}

extension JSONOutput {
    /// Writes a value on the current line.
    mutating func write(_ value: ReportJSON, to output: inout ByteWriter) {
        switch value {
        case .null: writeNull(to: &output)
        case .boolean(let boolean): write(boolean, to: &output)
        case .integer(let number): write(number, to: &output)
        case .string(let string): write(string, to: &output)
        case .text(let units): write(units, to: &output)
        case .written(let bytes): write(to: &output) { $0.write(bytes) }
        case .array(let elements):
            open(.array, .row, to: &output)
            for element in elements { write(element, to: &output) }
            close(to: &output)
        case .object(let members):
            open(.object, .row, to: &output)
            write(members: members, to: &output)
            close(to: &output)
        }
    }

    /// Writes members of the open object.
    mutating func write(members: JSONMembers, to output: inout ByteWriter) {
        for case (let member, let value?) in members {
            name(to: &output) { JSONString.write(member, to: &$0) }
            write(value, to: &output)
        }
    }
}

/// A JSON document with a list that has one line per row. If there are no rows, the list is empty:
///
///     {"tool":"savetool","version":"1.0.0",…,"changes":[
///     {…},
///     {…}
///     ],…}
struct JSONRows {
    /// The output for members besides the rows.
    var json = JSONOutput(.records())
    private var isEmpty = true

    /// Begins a document with the name and version of the tool, and other members.
    mutating func begin(_ members: JSONMembers = [], to output: inout ByteWriter) {
        json.open(.object, .row, to: &output)
        json.member("tool", "savetool", to: &output)
        json.member("version", Version.current, to: &output)
        json.write(members: members, to: &output)
    }

    mutating func beginRows(_ name: StaticString, to output: inout ByteWriter) {
        json.name(name, to: &output)
        json.open(.array, to: &output)
    }

    mutating func add(_ row: ReportJSON, to output: inout ByteWriter) {
        isEmpty = false
        json.write(row, to: &output)
    }

    /// Adds a row that is written in parts.
    mutating func add(
        to output: inout ByteWriter, _ write: (inout JSONOutput, inout ByteWriter) throws(Problem) -> Void
    ) throws(Problem) {
        isEmpty = false
        try write(&json, &output)
    }

    mutating func endRows(to output: inout ByteWriter) {
        if isEmpty { output.write(UInt8(ascii: "\n")) }
        json.close(to: &output)
    }

    /// Ends the document after writing other members.
    mutating func end(_ members: JSONMembers = [], to output: inout ByteWriter) {
        json.write(members: members, to: &output)
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }
}
