import Foundation
@testable import SaveCodec
import SaveOperations
import Testing

@testable import KeyedArchives
@testable import SaveToolKit

/// Tests the messages about shared objects that an edit also changes elsewhere.
@Suite struct SharedEditTests {
    private static let graph =
        #"{"$archiver":"NSKeyedArchiver","$classes":{"G":["G","NSObject"],"R":["R","NSObject"]},"$top":{"root":{"$class":"G","scores":[{"$class":"R","$id":1,"name":"Ada","score":1},{"$class":"R","name":"Bob","score":2}],"last":{"$ref":1}}}}"#

    private static func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.write(graph, to: "graph.json")
        let result = workspace.run(["convert", "--to", "binary", "-o", "share.plist", "graph.json"])
        #expect(result.status == 0, "\(result.talk)")
        return workspace
    }

    @Test func reportsOtherAddressesOfSharedObject() throws {
        let workspace = try Self.workspace()
        let text = workspace.run(["get", "-f", "json", "share.plist", "/root/scores"]).output
        let result = workspace.run(
            ["set", "--dry-run", "share.plist", "/root/scores", "--json-file", "-"],
            input: Array(text.replacing("Ada", with: "Eve").utf8))
        #expect(result.status == 0)
        #expect(
            result.talk.contains(
                "/root/scores/0: shared, so this also changes /root/last; use --unshare to change only this one"),
            "\(result.talk)")
    }

    /// With a pattern that matches many shared objects, `set` reports the first five and counts the rest.
    @Test func reportsFirstSharedValuesAndCountsRest() throws {
        let workspace = try Workspace()
        let list = (1...8).map { #"{"$class":"R","$id":\#($0),"score":\#($0)}"# }.joined(separator: ",")
        let others = (1...8).map { #"{"$ref":\#($0)}"# }.joined(separator: ",")
        try workspace.write(
            #"{"$archiver":"NSKeyedArchiver","$classes":{"R":["R","NSObject"]},"$top":{"list":[\#(list)],"others":[\#(others)]}}"#,
            to: "graph.json")
        let result = workspace.run(["set", "graph.json", "/list/*/score", "0", "-o", "new.json"])
        #expect(result.talk.ranges(of: "so this also changes").count == 5)
        #expect(
            result.talk.contains("graph.json: … and 3 more values that may be shared\n"), "\(result.talk)")
        #expect(result.talk.hasSuffix("8 matching values, 8 changed\n"), "\(result.talk)")
    }

    /// A shared object is split if the given value differs at two of its addresses, however slightly.
    @Test(arguments: [("7", "8"), ("9007199254740993", "9007199254740992"), ("0.0", "-0.0")])
    func differentValuesSplitSharedObject(_ first: String, _ second: String) throws {
        let workspace = try Workspace()
        try workspace.write(
            #"{"$archiver":"NSKeyedArchiver","$classes":{"G":["G","NSObject"],"R":["R","NSObject"]},"$top":{"root":{"$class":"G","a":{"$class":"R","$id":1,"n":1.5},"b":{"$ref":1}}}}"#,
            to: "graph.json")
        let value = #"{"a":{"n":\#(first)},"b":{"n":\#(second)}}"#
        let result = workspace.run(["set", "--change-type", "graph.json", "/root", value, "-o", "new.json"])
        #expect(result.status == 0, "\(result.talk)")
        let lines = workspace.run(["get", "new.json", "/root/a/n", "/root/b/n"]).output
        #expect(lines == "\(first)\n\(second)\n")
    }

    /// A binary property list stores equal values once, but a pattern matches each of their addresses.
    @Test func patternsMatchEveryAddressOfSharedObject() throws {
        let workspace = try Workspace()
        let offsets: [UInt8] = [8, 11, 13]
        let trailer =
            [UInt8](repeating: 0, count: 6) + [1, 1, 0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 15) + [15]
        let bytes = Array("bplist00".utf8) + [0xA2, 1, 1, 0xA1, 2, 0x10, 5] + offsets + trailer
        try Data(bytes).write(to: workspace.folder.appending(path: "twice.plist"))
        for (arguments, expected) in [
            (["set", "twice.plist", "/*/0", "7"], "[[7],[7]]"), (["remove", "twice.plist", "/*/0"], "[[],[]]"),
        ] {
            let result = workspace.run(arguments + ["-o", "new.plist"])
            #expect(result.status == 0, "\(result.talk)")
            #expect(workspace.run(["get", "--compact", "new.plist", ""]).output == expected + "\n")
        }
    }

    @Test func convertKeepsUnchangedValues() throws {
        let workspace = try Self.workspace()
        try workspace.write(
            #"{"root":{"scores":[{"name":"Bobby","score":2}],"last":{"name":"Ada","score":1}}}"#, to: "text.json")
        let result = workspace.run(["convert", "--like", "share.plist", "-o", "new.plist", "text.json"])
        #expect(result.status == 0, "\(result.talk)")
        #expect(!result.talk.contains("contradicts"), "\(result.talk)")
        #expect(workspace.run(["get", "new.plist", "/root/last/name"]).output == "Ada\n")
        #expect(workspace.run(["get", "new.plist", "/root/scores/0/name"]).output == "Bobby\n")
    }

    /// `contradictions(of:)` finds values of a text that the save does not have.
    @Test func contradictions() throws {
        let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.read(Array(Self.graph.utf8)))))
        func addresses(_ name: String) throws -> [String] {
            let text =
                #"{"root":{"scores":[{"name":"Ada","score":1},{"name":"Bob","score":2}],"last":{"name":"\#(name)","score":1}}}"#
            return try view.contradictions(of: JSON.read(Array(text.utf8)), limits: Limits()).map { $0.description }
        }
        #expect(try addresses("Ada") == [])
        #expect(try addresses("Cyd") == ["/root/last/name"])
    }

    /// A `$ref` to an address of the original save does not hide contradictions.
    @Test(arguments: [("Ada", 1, []), ("Cyd", 1, ["/root/last/name"]), ("Ada", 7, ["/root/last/score"])])
    func contradictionsBesideReferences(_ name: String, _ score: Int, _ expected: [String]) throws {
        let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.read(Array(Self.graph.utf8)))))
        let text =
            #"{"root":{"scores":[{"name":"\#(name)","score":\#(score)},{"name":"Bob","score":2}],"last":{"$ref":"/root/scores/1"}}}"#
        let addresses = try view.contradictions(of: JSON.read(Array(text.utf8)), limits: Limits())
        #expect(addresses.map(\.description) == expected)
    }

    /// A `$ref` to an address that exists only in the original save is not a contradiction.
    @Test(arguments: ["plist", "archive"]) func movedAddresses(_ kind: String) throws {
        let workspace = try Self.workspace()
        if kind == "plist" {
            try workspace.write(#"{"root":{"scores":[{"a":0},{"name":"Ada","score":1}],"last":[]}}"#, to: "share.plist")
        }
        let reference = kind == "plist" ? "[]" : #"{"$ref":"/root/scores/0"}"#
        try workspace.write(
            #"{"root":{"scores":[{"name":"Bob","score":2}],"last":\#(reference)}}"#, to: "text.json")
        let result = workspace.run(["convert", "--like", "share.plist", "-o", "new.plist", "text.json"])
        #expect(result.status == 0, "\(result.talk)")
        #expect(!result.talk.contains("contradicts"), "\(result.talk)")
    }

    /// A value that is added to many slots counts towards the limit each time.
    @Test func limitsAddedValues() throws {
        let workspace = try Workspace()
        func array(_ count: Int) -> String { "[" + [String](repeating: "0", count: count).joined(separator: ",") + "]" }
        try workspace.write(array(100), to: "a.json")
        for (count, status) in [(600, 0), (6000, 2)] as [(Int, Int32)] {
            try workspace.write(array(count), to: "value.json")
            let result = workspace.run(
                ["set", "a.json", "/*", "--json-file", "value.json", "--change-type", "-o", "new.json"])
            #expect(result.status == status, "\(result.talk)")
            #expect(result.talk.contains("--max-work") == (status == 2))
        }
    }
}
