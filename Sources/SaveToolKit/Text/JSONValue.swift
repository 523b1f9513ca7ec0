import KeyedArchives
import SaveCodec

/// What a report tells a program: a small JSON value, made as a whole and then written on one line without white space.
indirect enum JSONValue {
    case null
    case boolean(Bool)
    case integer(Int)
    case string(String)
    /// UTF-16 code units, of which surrogates may be alone.
    case text([UInt16])
    /// JSON that is written already.
    case written([UInt8])
    case array([JSONValue])
    case object(JSONMembers)

    /// An address as a JSON Pointer that commands take. A lone surrogate becomes U+FFFD, as many readers refuse it.
    static func address(_ address: JSONPointer) -> JSONValue {
        .string(String(decoding: address.operand, as: UTF16.self))
    }

    /// A scalar as typed JSON.
    static func typed(_ node: Node) -> JSONValue {
        var output = ByteWriter()
        ScalarText.writeTyped(node, to: &output)
        return .written(output.takeBytes())
    }
}

/// The members of an object in their order; one without a value is left out.
typealias JSONMembers = [(name: String, value: JSONValue?)]

extension JSONString {
    /// UTF-16 code units as a JSON string.
    static func quoted(_ units: [UInt16]) -> [UInt8] {
        var output = ByteWriter()
        write(units, to: &output)
        return output.takeBytes()
    }

    /// UTF-16 code units as contents of a JSON string.
    static func escaped(_ units: [UInt16]) -> [UInt8] { Array(quoted(units).dropFirst().dropLast()) }
}

extension JSONOutput {
    /// Writes a value on the line at hand.
    mutating func write(_ value: JSONValue, to output: inout ByteWriter) {
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

    /// Writes members of the object that is open.
    mutating func write(members: JSONMembers, to output: inout ByteWriter) {
        for case (let member, let value?) in members {
            name(to: &output) { JSONString.write(member, to: &$0) }
            write(value, to: &output)
        }
    }
}

/// A JSON document of which a list has a line for each of its rows, and of which the shape is the same if it has none:
///
///     {"tool":"savetool","version":"1.0.0",…,"changes":[
///     {…},
///     {…}
///     ],…}
struct JSONRows {
    /// What is written besides the rows.
    var json = JSONOutput(.records())
    private var isEmpty = true

    /// Begins a document with the tool and some members.
    mutating func begin(_ members: JSONMembers = [], to output: inout ByteWriter) {
        json.open(.object, .row, to: &output)
        json.member("tool", "savetool", to: &output)
        json.member("version", Version.current, to: &output)
        json.write(members: members, to: &output)
    }

    /// Begins the list, as a member of this name.
    mutating func beginRows(_ name: StaticString, to output: inout ByteWriter) {
        json.name(name, to: &output)
        json.open(.array, to: &output)
    }

    mutating func add(_ row: JSONValue, to output: inout ByteWriter) {
        isEmpty = false
        json.write(row, to: &output)
    }

    /// Adds a row that is written part by part.
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

    /// Ends the document with some more members.
    mutating func end(_ members: JSONMembers = [], to output: inout ByteWriter) {
        json.write(members: members, to: &output)
        json.close(to: &output)
        output.write(UInt8(ascii: "\n"))
    }
}

/// The version of the tool, which reports state.
enum Version {
    static let current = "1.0.0"
    /// The commit that was built, where `.ci/install` has written it here; else nothing.
    static let commit = ""
    /// The day of the version.
    static let date = "2026-11-23"
}
