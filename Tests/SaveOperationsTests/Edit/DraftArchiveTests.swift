import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Edits of an archive as stored: object numbers, class records, imported and copied objects.
@Suite struct DraftArchiveTests {
    /// Returns an archive with these objects after `$null`, as stored.
    private static func view(_ objects: [String], top: String = #"{"root":{"$uid":1}}"#) throws -> ObjectView {
        let list = ([#""$null""#] + objects).joined(separator: ",")
        let json =
            #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":\#(top),"$objects":[\#(list)]}"#
        let document = try BinaryPlist.read(DraftText.binary(JSON.readTyped(Array(json.utf8))))
        return ObjectView(try KeyedArchive(document))
    }

    private static func record(_ name: String) -> String {
        #"{"$classname":"\#(name)","$classes":["\#(name)","NSObject"]}"#
    }

    /// Returns the objects as stored.
    private static func objects(_ document: Document) throws -> String {
        let text = try DraftText.json(document)
        let start = try #require(text.range(of: #""$objects":["$null","#))
        return String(text[start.upperBound...].dropLast(2))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let objects: [String]
        let edit: @Sendable (inout Draft) throws -> Void
        let result: [String]
        var testDescription: String { name }
    }

    @Test(arguments: cases) func stored(_ row: Case) throws {
        var draft = Draft(try Self.view(row.objects))
        try row.edit(&draft)
        let text = try Self.objects(draft.finish())
        #expect(text == row.result.joined(separator: ","), "\(text)")
    }

    static let map = #"{"$class":{"$uid":2},"name":{"$uid":3},"list":{"$uid":4}}"#
    static let list = #"{"NS.objects":[{"$uid":3},{"$uid":6}],"$class":{"$uid":5}}"#
    static let game = [map, record("Map"), #""Swamp""#, list, record("NSArray"), #""b""#]

    static let cases = [
        Case(
            name: "an object that others refer to stays", objects: game,
            edit: { try $0.set("/root/name", #""Moor""#) },
            result: [
                #"{"$class":{"$uid":2},"name":{"$uid":7},"list":{"$uid":4}}"#, record("Map"), #""Swamp""#, list,
                record("NSArray"), #""b""#, #""Moor""#,
            ]),
        Case(
            name: "an object that is gone gives its number", objects: game,
            edit: { try $0.set("/root/list/1", #""c""#) },
            result: [map, record("Map"), #""Swamp""#, list, record("NSArray"), #""c""#]),
        Case(
            name: "free numbers at the end are cut off, others are null", objects: game,
            edit: { draft in
                let root = try draft.at("/root")
                draft.remove(at: 1, of: root)
            },
            result: [#"{"$class":{"$uid":2},"name":{"$uid":3}}"#, record("Map"), #""Swamp""#]),
        Case(
            name: "a number in the middle becomes null", objects: [map, record("Map"), #""x""#, #""y""#],
            edit: { draft in
                let root = try draft.at("/root")
                draft.remove(at: 0, of: root)
            },
            result: [#"{"$class":{"$uid":2},"list":{"$uid":4}}"#, record("Map"), #""$null""#, #""y""#]),
        Case(
            name: "a class record comes along", objects: [map, record("Map"), #""x""#, #""y""#],
            edit: { draft in
                let root = try draft.at("/root")
                let player = try draft.add(.object, class: draft.classes.named(Array("Player".utf16)))
                draft.replace(at: 0, of: root, with: player)
            },
            result: [map, record("Map"), #"{"$class":{"$uid":5}}"#, #""y""#, record("Player")]),
        Case(
            name: "one object of the property list under two numbers",
            objects: [map, record("Map"), list, list, record("NSArray"), #""b""#],
            edit: { draft in try draft.set("/root/list/0", "5") },
            result: [
                map, record("Map"), list, #"{"NS.objects":[{"$uid":7},{"$uid":6}],"$class":{"$uid":5}}"#,
                record("NSArray"), #""b""#, "5",
            ]),
        Case(
            name: "numbered elements",
            objects: [
                #"{"NS.object.1":{"$uid":3},"$class":{"$uid":2},"NS.object.0":{"$uid":3}}"#, record("NSOrderedSet"),
                #""a""#,
            ],
            edit: { draft in
                let root = try draft.at("/root")
                draft.insert(draft.value("1"), at: 1, of: root)
            },
            result: [
                #"{"NS.object.0":{"$uid":3},"NS.object.1":{"$uid":4},"NS.object.2":{"$uid":3},"$class":{"$uid":2}}"#,
                record("NSOrderedSet"), #""a""#, "1",
            ]),
        Case(
            name: "numbers in an array in place",
            objects: [#"{"$class":{"$uid":2},"a":[1,{"$uid":3}]}"#, record("Map"), #""x""#],
            edit: { draft in
                try draft.set("/root/a/0", "2")
                try draft.set("/root/a/1", "7")
                let array = try draft.at("/root/a")
                draft.insert(draft.value("3"), at: 0, of: array)
            },
            result: [#"{"$class":{"$uid":2},"a":[3,2,{"$uid":3}]}"#, record("Map"), "7"]),
        Case(
            name: "a value without a class",
            objects: [#"{"$class":{"$uid":2},"a":{"$uid":3}}"#, record("Map"), #"{"x":[1]}"#],
            edit: { try $0.set("/root/a/x/0", #""one""#) },
            result: [#"{"$class":{"$uid":2},"a":{"$uid":3}}"#, record("Map"), #"{"x":["one"]}"#]),
        Case(
            name: "a mutable string stays one",
            objects: [
                #"{"$class":{"$uid":2},"a":{"$uid":3}}"#, record("Map"), #"{"NS.string":"x","$class":{"$uid":4}}"#,
                record("NSMutableString"),
            ],
            edit: { try $0.set("/root/a", #""y""#) },
            result: [
                #"{"$class":{"$uid":2},"a":{"$uid":3}}"#, record("Map"), #"{"NS.string":"y","$class":{"$uid":4}}"#,
                record("NSMutableString"),
            ]),
        Case(
            name: "keys of a dictionary",
            objects: [
                #"{"NS.keys":[{"$uid":3}],"NS.objects":[{"$uid":4}],"$class":{"$uid":2}}"#, record("NSDictionary"),
                "7", #""x""#,
            ],
            edit: { draft in
                let root = try draft.at("/root")
                draft.insert(draft.value("true"), key: draft.value("8"), at: 0, of: root)
            },
            result: [
                #"{"NS.keys":[{"$uid":5},{"$uid":3}],"NS.objects":[{"$uid":6},{"$uid":4}],"$class":{"$uid":2}}"#,
                record("NSDictionary"), "7", #""x""#, "8", "true",
            ]),
    ]

    // MARK: Import and copy

    private static func archive(_ top: String) throws -> ObjectView {
        ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(DraftText.graph(top).utf8)))))
    }

    @Test func importedGraph() throws {
        let other = try Self.archive(
            #"{"root":{"$class":"Map","$id":1,"self":{"$ref":1},"twice":[{"$class":"Map","$id":2,"n":1},{"$ref":2}],"x":5,"s":"t"}}"#
        )
        var draft = Draft(try Self.archive(#"{"root":{"$class":"Map","a":null}}"#))
        let source = draft.addSource(other)
        let root = other.item(0, of: other[other.root].contents).id
        let value = try draft.importValue(root, of: source)
        let again = try draft.importValue(root, of: source)
        #expect(value == again)
        let target = try draft.at("/root")
        draft.replace(at: 0, of: target, with: value)
        let edited = try KeyedArchive(draft.finish())
        let text = try DraftText.top(edited)
        #expect(
            text
                == #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1,"self":{"$ref":1},"twice":[{"$class":"Map","$id":2,"n":1},{"$ref":2}],"x":5,"s":"t"}}}"#
        )
        #expect(edited.classes.map(\.name.string) == ["Map", "NSArray"])
    }

    @Test func importedPartner() throws {
        let other = try Self.archive(#"{"root":{"$class":"Map","old":{"$class":"Map","n":1}}}"#)
        var draft = Draft(try Self.archive(#"{"root":{"$class":"Map","a":{"$class":"Map","n":2}}}"#))
        let source = draft.addSource(other)
        let root = other.item(0, of: other[other.root].contents).id
        let old = other.item(0, of: other[root].contents).id
        let mine = try draft.at("/root/a")
        let value = try draft.importValue(root, of: source, partners: { $0 == old ? mine : nil })
        let target = try draft.at("/root")
        draft.insert(value, key: draft.add(string: "b".utf16), at: 1, of: target)
        let text = try DraftText.top(KeyedArchive(draft.finish()))
        #expect(
            text
                == #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1,"n":2},"b":{"$class":"Map","old":{"$ref":1}}}}"#
        )
    }

    @Test func plainIntoArchive() throws {
        let other = ObjectView(
            try JSON.readTyped(Array(#"{"list":[1,{"$date":"2009-09-06T12:34:56Z"}],"set":{"$set":["a"]}}"#.utf8)))
        var draft = Draft(try Self.archive(#"{"root":{"$class":"Map","a":null}}"#))
        let value = try draft.importValue(other.root, of: draft.addSource(other))
        let target = try draft.at("/root")
        draft.replace(at: 0, of: target, with: value)
        let text = try DraftText.top(KeyedArchive(draft.finish()))
        #expect(
            text
                == #"{"root":{"$class":"Map","a":{"list":[{"$object":1},{"$date":"2009-09-06T12:34:56Z"}],"set":{"$class":"NSSet","$elements":["a"]}}}}"#
                .replacing(#"{"$object":1}"#, with: "1"))
    }

    @Test(arguments: [
        (
            #"[1,{"$date":"2009-09-06T12:34:56Z"},{"$class":"NSMutableString","NS.string":{"$inline":"a"}}]"#,
            #"[1,{"$date":"2009-09-06T12:34:56Z"},"a"]"#
        ),
        (#"{"$class":"Map"}"#, "edit.class-plain"),
        (#"[{"$class":"NSArray","$id":1,"$elements":[]},{"$ref":1}]"#, "edit.shared-plain"),
    ]) func archiveIntoPlain(top: String, expected: String) throws {
        let other = try Self.archive(#"{"root":\#(top)}"#)
        var draft = Draft(ObjectView(try JSON.readTyped(Array("[]".utf8))))
        let source = draft.addSource(other)
        do throws(Problem) {
            let value = try draft.importValue(other.item(0, of: other[other.root].contents).id, of: source)
            draft.insert(value, at: 0, of: draft.root)
            let text = try? DraftText.json(draft.finish())
            #expect(text == "[\(expected)]")
        } catch {
            #expect(error.id == expected)
        }
    }

    /// Copying an object copies what only that object reaches; objects that others refer to stay shared.
    @Test func copied() throws {
        var draft = Draft(
            try Self.archive(
                #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1,"own":["x"],"up":{"$ref":1},"shared":{"$class":"Map","$id":2}},"b":{"$ref":2}}}"#
            ))
        let copy = draft.copy(try draft.at("/root/a"))
        let root = try draft.at("/root")
        draft.insert(copy, key: draft.add(string: "c".utf16), at: 2, of: root)
        let text = try DraftText.top(KeyedArchive(draft.finish()))
        #expect(
            text
                == #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1,"own":["x"],"up":{"$ref":1},"shared":{"$class":"Map","$id":2}},"b":{"$ref":2},"c":{"$class":"Map","$id":3,"own":["x"],"up":{"$ref":3},"shared":{"$ref":2}}}}"#
        )
    }

    @Test func readByFoundation() throws {
        let before = ["name": "Swamp", "list": ["a", "b"]] as [String: Any]
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: before as NSDictionary, requiringSecureCoding: false)
        var draft = Draft(ObjectView(try KeyedArchive(BinaryPlist.read([UInt8](data)))))
        try draft.set("/root/name", #""Moor""#)
        let list = try draft.at("/root/list")
        let inner = try draft.add(.dictionary)
        draft.insert(draft.value("7"), key: draft.add(string: "n".utf16), at: 0, of: inner)
        draft.insert(inner, at: 1, of: list)
        draft.remove(at: 0, of: list)
        let bytes = try DraftText.binary(draft.finish())
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        let after = try #require(unarchiver.decodeObject(forKey: "root") as? NSDictionary)
        #expect(after.isEqual(["name": "Moor", "list": [["n": 7], "b"] as [Any]] as NSDictionary))
    }
}
