import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

@Suite struct DraftTests {
    // MARK: Edits and their results

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let edit: @Sendable (inout Draft) throws -> Void
        let result: String
        var testDescription: String { name }
    }

    @Test(arguments: plainCases) func plain(_ row: Case) throws {
        for binary in [false, true] {
            var document = try JSON.readTyped(Array(row.source.utf8))
            if binary { document = try BinaryPlist.read(DraftText.binary(document)) }
            var draft = Draft(ObjectView(document))
            try row.edit(&draft)
            #expect(try DraftText.json(draft.finish()) == row.result, "\(binary)")
        }
    }

    static let plainCases = [
        Case(name: "replace", source: #"{"a":[1,2]}"#, edit: { try $0.set("/a/1", "7") }, result: #"{"a":[1,7]}"#),
        Case(
            name: "insert element", source: #"{"a":[1,2]}"#,
            edit: { draft in
                let array = try draft.at("/a")
                let value = draft.value("true")
                draft.insert(value, at: 1, of: array)
            }, result: #"{"a":[1,true,2]}"#),
        Case(
            name: "insert pair", source: #"{"a":1}"#,
            edit: { draft in
                let key = draft.add(string: "b".utf16)
                let value = try draft.add(.array)
                draft.insert(draft.value("5"), at: 0, of: value)
                draft.insert(value, key: key, at: 0, of: draft.root)
                let position = draft.position(of: "b".utf16, in: draft.root)
                #expect(position == 0)
            }, result: #"{"b":[5],"a":1}"#),
        Case(
            name: "remove and move", source: #"{"a":[1,2,3,4],"b":0}"#,
            edit: { draft in
                let array = try draft.at("/a")
                draft.remove(at: 0, of: array)
                draft.move(from: 2, to: 0, of: array)
                draft.remove(at: 1, of: draft.root)
            }, result: #"{"a":[4,2,3]}"#),
        Case(
            name: "root", source: #"{"a":[1]}"#,
            edit: { draft in draft.replaceRoot(with: try draft.at("/a")) },
            result: "[1]"),
        Case(
            name: "copy", source: #"{"a":[[1]]}"#,
            edit: { draft in
                let array = try draft.at("/a")
                let copy = draft.copy(array)
                draft.insert(copy, key: draft.add(string: "b".utf16), at: 1, of: draft.root)
                try draft.set("/b/0/0", "2")
            }, result: #"{"a":[[1]],"b":[[2]]}"#),
    ]

    @Test(arguments: archiveCases) func archive(_ row: Case) throws {
        for binary in [false, true] {
            let graph = try JSON.readTyped(Array(DraftText.graph(row.source).utf8))
            var document = try GraphJSON.archive(from: graph)
            if binary { document = try BinaryPlist.read(DraftText.binary(document)) }
            var draft = Draft(ObjectView(try KeyedArchive(document)))
            try row.edit(&draft)
            let edited = try KeyedArchive(draft.finish())
            let text = try DraftText.top(edited)
            #expect(text == row.result, "\(binary) \(text)")
        }
    }

    static let map = #"{"root":{"$class":"Map","name":"Swamp","count":{"$object":3},"health":100,"list":["a","b"]}}"#

    static let archiveCases = [
        Case(
            name: "string", source: map, edit: { try $0.set("/root/name", #""Moor""#) },
            result: map.replacing("Swamp", with: "Moor")),
        Case(
            name: "number in place", source: map, edit: { try $0.set("/root/health", "99") },
            result: map.replacing("100", with: "99")),
        Case(
            name: "number object", source: map, edit: { try $0.set("/root/count", "4") },
            result: map.replacing("3", with: "4")),
        Case(
            name: "number to string", source: map, edit: { try $0.set("/root/health", #""good""#) },
            result: map.replacing("100", with: #""good""#)),
        Case(
            name: "element", source: map, edit: { try $0.set("/root/list/0", #""c""#) },
            result: map.replacing(#"["a""#, with: #"["c""#)),
        Case(
            name: "null", source: map, edit: { try $0.set("/root/name", "null") },
            result: map.replacing(#""Swamp""#, with: "null")),
        Case(
            name: "date", source: map, edit: { try $0.set("/root/name", #"{"$date":"2009-09-06T12:34:56Z"}"#) },
            result: map.replacing(#""Swamp""#, with: #"{"$date":"2009-09-06T12:34:56Z"}"#)),
        Case(
            name: "field", source: map,
            edit: { draft in
                let object = try draft.at("/root")
                draft.remove(at: 1, of: object)
                draft.insert(draft.value("1.5"), key: draft.add(string: "speed".utf16), at: 3, of: object)
            },
            result: #"{"root":{"$class":"Map","name":"Swamp","health":100,"list":["a","b"],"speed":1.5}}"#),
        Case(
            name: "object", source: map,
            edit: { draft in
                let list = try draft.at("/root/list")
                let player = try draft.add(.object, class: draft.classes.named(Array("Player".utf16)))
                draft.insert(draft.value("5"), key: draft.add(string: "hp".utf16), at: 0, of: player)
                draft.insert(player, at: 2, of: list)
                draft.insert(player, at: 0, of: list)
            },
            result: map.replacing(
                #"["a","b"]"#, with: #"[{"$class":"Player","$id":1,"hp":5},"a","b",{"$ref":1}]"#)),
        Case(
            name: "class", source: map,
            edit: { draft in
                let object = try draft.at("/root")
                try draft.setClass(of: object, to: draft.classes.named(Array("World".utf16)))
                let list = try draft.at("/root/list")
                try draft.setClass(of: list, to: draft.classes.named(Array("NSMutableArray".utf16)))
            },
            result: map.replacing("Map", with: "World").replacing(
                #"["a","b"]"#, with: #"{"$class":"NSMutableArray","$elements":["a","b"]}"#)),
    ]
}

/// Converts between texts, documents and archives.
enum DraftText {
    static func binary(_ document: Document) throws -> [UInt8] {
        try document.bytes(as: .binary)
    }

    static func json(_ document: Document) throws -> String {
        var output = ByteWriter()
        try JSON.write(document, to: &output, options: WriteOptions(isCompact: true))
        return String(decoding: output.takeBytes().dropLast(), as: UTF8.self)
    }

    static func graph(_ top: String) -> String {
        #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"Map":["Map","NSObject"]},"$top":\#(top)}"#
    }

    /// Returns the roots of an archive as graph JSON.
    static func top(_ archive: KeyedArchive) throws -> String {
        var output = ByteWriter()
        try GraphJSON.write(archive, to: &output, options: WriteOptions(isCompact: true))
        let text = String(decoding: output.takeBytes().dropLast(), as: UTF8.self)
        let start = text.range(of: #""$top":"#).map { text[$0.upperBound...].dropLast() }
        return String(start ?? "")
    }
}

extension Draft {
    mutating func value(_ json: String) -> ID {
        guard let document = try? JSON.readTyped(Array(json.utf8)) else { return root }
        return add(document[document.root])
    }

    mutating func at(_ pointer: String) throws -> ID {
        let address = try #require(JSONPointer(pointer))
        let id = find(address)
        return try #require(id)
    }

    mutating func set(_ pointer: String, _ json: String) throws {
        var address = try #require(JSONPointer(pointer))
        let token = try #require(address.lastToken)
        address.removeLast()
        let container = find(address)
        guard let container else { return }
        let position = position(of: token, at: container)
        guard let position else { return }
        replace(at: position, of: container, with: value(json))
    }
}
