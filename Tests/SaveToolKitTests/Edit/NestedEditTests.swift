import Foundation
import SaveCodec
import TestSupport
import Testing

/// Tests edits of nested saves. All messages use the addresses of the outer file.
@Suite struct NestedEditTests {
    /// Returns a workspace with `levels` saves nested under `in`, the innermost being `{a: {b: 1}, health: 2}`. The
    /// outermost also holds data that only begins like a save.
    private static func workspace(levels: Int = 3) throws -> Workspace {
        func plist(_ value: Any) throws -> Data {
            try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        }
        var data = try plist(["a": ["b": 1], "health": 2])
        for _ in 1..<levels { data = try plist(["in": data, "n": 1]) }
        let workspace = try Workspace()
        try plist(["in": data, "bad": Data("bplist00 and no more".utf8)]).write(
            to: workspace.folder.appending(path: "deep.plist"))
        try plist(Data(contentsOf: TestFiles.fixtures.appending(path: "games/swamp.save"))).write(
            to: workspace.folder.appending(path: "root.plist"))
        return workspace
    }

    @Test(arguments: [
        (
            ["set", "deep.plist", "/in/in/in/**", "5"],
            "/in/in/in: the pattern matches this value and one around it"
        ),
        (
            ["set", "deep.plist", "/in/in/in/heatlh", "5"],
            "created /in/in/in/heatlh: integer 5; did you mean /in/in/in/health?"
        ),
        (["set", "deep.plist", "/in/in/in/a/b/e", "5"], "/in/in/in/a/b/e: no such value; /in/in/in/a/b is"),
        (["insert", "deep.plist", "/in/in/in/a/b", "5"], "/in/in/in/a/b: the key already exists"),
        (["remove", "deep.plist", "/in/in/in/a/B"], "/in/in/in/a/B: no such value; /in/in/in/a is"),
        (["set", "deep.plist", "/bad/x", "5"], "/bad/x: no such value; /bad is a save that cannot be read"),
    ])
    func messagesUseAddressesOfFile(_ arguments: [String], _ message: String) throws {
        let result = try Self.workspace().run(arguments + ["-o", "new.plist"])
        #expect(result.talk.hasPrefix((message.hasPrefix("created") ? "" : "deep.plist: ") + message), "\(result.talk)")
    }

    @Test(arguments: [
        (
            "/in/in/in/a/d",
            "/in/in/in/a/d: operation 2 (replace): no such value; /in/in/in/a is a dictionary of 1 key"
        ),
        ("/in/m", "/in/m: operation 2 (replace): no such value; /in is a dictionary of 2 keys"),
        ("/bad/x", "/bad/x: operation 2 (replace): truncated"),
    ])
    func patchErrorsUseAddressesOfFile(_ address: String, _ message: String) throws {
        let workspace = try Self.workspace()
        try workspace.write(
            """
            [{"op": "test", "path": "/in/n", "value": 1}, {"op": "replace", "path": "\(address)", "value": 5}]
            """, to: "patch.json")
        let result = workspace.run(["patch", "deep.plist", "patch.json"])
        #expect(result.talk.hasPrefix("deep.plist: " + message), "\(result.talk)")
        #expect(result.status == 1 || address == "/bad/x")
    }

    @Test func editsSaveAtRoot() throws {
        let workspace = try Self.workspace()
        #expect(workspace.run(["rename-class", "-i", "Map", "World", "root.plist"]).status == 0)
        #expect(workspace.run(["get", "root.plist", "/root/$class"]).output == "World\n")
        #expect(workspace.run(["set", "-i", "root.plist", "/root/currentLevelName", "Crypt"]).status == 0)
        #expect(workspace.run(["get", "root.plist", "/root/currentLevelName"]).output == "Crypt\n")
    }

    /// `get` prints references between objects in a circle as addresses of the file. `set`, `insert` and `patch` accept
    /// these as well as addresses inside the nested save.
    @Test(arguments: ["", "/in"]) func referencesPointInsideNestedSave(_ outer: String) throws {
        let workspace = try Workspace()
        let graph = """
            {"$archiver": "NSKeyedArchiver", "$classes": {"Node": ["Node", "NSObject"]}, "$top": {"root":
              {"$class": "Node", "$id": 1, "next": {"$class": "Node", "next": {"$ref": 1}, "name": "b"}, "name": "a"}}}
            """
        let save = #"{"save": {"$bplist": \#(graph)}}"#
        try workspace.write(outer.isEmpty ? save : #"{"in": {"$bplist": \#(save)}}"#, to: "x.json")
        #expect(workspace.run(["convert", "x.json", "--to", "binary", "-o", "x.plist"]).status == 0)
        let before = try workspace.bytes(of: "x.plist")
        for inner in ["~^", "root", "root/next"] {
            let address = "\(outer)/save/\(inner)"
            let text = workspace.run(["get", "-f", "json", "x.plist", address]).output
            #expect(text.contains(#""$ref": "\#(outer)/save/"#))
            for text in [text, text.replacing("\(outer)/save", with: "").replacing("/~^", with: "")] {
                try workspace.write(text, to: "value.json")
                let result = workspace.run(["set", "-i", "x.plist", address, "--json-file", "value.json"])
                #expect(result.status == 0 && result.talk.isEmpty, "\(text): \(result.talk)")
                #expect(try workspace.bytes(of: "x.plist") == before, "\(text)")
            }
        }
        try workspace.write(
            #"[{"op": "add", "path": "\#(outer)/save/twin", "value": {"$ref": "\#(outer)/save/root/next"}}]"#,
            to: "patch")
        #expect(workspace.run(["patch", "-qi", "x.plist", "patch"]).talk == "")
        let lines = workspace.run([
            "insert", "x.plist", "\(outer)/save/more", #"{"$ref": "\#(outer)/save/twin"}"#, "-qi",
        ])
        #expect(lines.talk == "")
        #expect(workspace.run(["get", "x.plist", "\(outer)/save/more/next/next/name"]).output == "b\n")
        #expect(workspace.run(["inspect", "--nested", "x.plist"]).output.contains("more: → same as"))
    }

    // MARK: Nested saves as JSON in place of data

    private static func edited(_ text: String, _ arguments: [String]) throws -> (text: String, result: Workspace.Result)
    {
        let workspace = try Workspace()
        try workspace.write(text, to: "x.json")
        let result = workspace.run([arguments[0], "-i", "x.json"] + arguments.dropFirst())
        return (try workspace.text(of: "x.json"), result)
    }

    /// Parts that are not edited keep their text: digits beyond a real's precision, white space and spellings.
    @Test(arguments: [
        (
            #"{"a":{"$bplist":{"q":0.12345678901234567890123,"z":1}}, "b" : 2.50}"#, ["set", "/a/z", "5"],
            #"{"a":{"$bplist":{"q":0.12345678901234567890123,"z":5}}, "b" : 2.50}"#
        ),
        (
            #"{ "$xplist" : {"q":0.10 , "z":1}  }"#, ["set", "/z", "5"],
            #"{ "$xplist" : {"q":0.10 , "z":5}  }"#
        ),
        (#"[{"$bplist": {"z":1}}]"#, ["insert", "/0/y", "[1, 2]"], #"[{"$bplist": {"z":1,"y":[1,2]}}]"#),
        (#"[{"$bplist": {"z":1, "y": 2}}]"#, ["remove", "/0/z"], #"[{"$bplist": {"y": 2}}]"#),
        (#"[{"$bplist": 1.50}]"#, ["set", "/0/~^", "2.5"], #"[{"$bplist": 2.5}]"#),
        (
            #"[1, {"$bplist": [{"$xplist": [1.10, {"$data": ""}]}, 0.10]}]"#, ["set", "/1/~^/0/~^/0", "7.5"],
            #"[1, {"$bplist": [{"$xplist": [7.5, {"$data": ""}]}, 0.10]}]"#
        ),
        (
            #"{"a":{"$bplist":{"$dict":[["$bplist",1]]}},"b":{"$bplist":{"$dict":[["$bplist",1]]}}}"#,
            ["set", "/a/$bplist", "5"],
            #"{"a":{"$bplist":{"$dict":[["$bplist",5]]}},"b":{"$bplist":{"$dict":[["$bplist",1]]}}}"#
        ),
        (
            #"{"a":{"$bplist":{"$data":"YnBsaXN0MDA="}},"b":0.50}"#, ["set", "/a", #"{"$bplist":[]}"#],
            #"{"a":{"$bplist":[]},"b":0.50}"#
        ),
        (#"{"a":{"$bplist":1}}"#, ["set", "/a", #"{"$data":"3q0="}"#], #"{"a":{"$data":"3q0="}}"#),
    ])
    func keepsNestedSave(_ text: String, _ arguments: [String], _ expected: String) throws {
        let (edited, result) = try Self.edited(text, arguments + ["--quiet"])
        #expect(edited == expected, "\(result.talk)")
        #expect(result.talk == "")
    }

    @Test func keepsNestedArchive() throws {
        let text = """
            {"save": {"$bplist": {
              "$archiver": "NSKeyedArchiver",
              "$version": 100000,
              "$classes": {"Fog": ["Fog", "NSObject"]},
              "$top": {"root": {"$class": "Fog", "x": 0.12345678901234567890123, "y": [ "a",  "b" ]}}
            }}, "same": {"$bplist": {"gems": 7}}}
            """
        #expect(try Self.edited(text, ["set", "/save/root/y/1", "c"]).text == text.replacing(#""b""#, with: #""c""#))
        let renamed = try Self.edited(text, ["rename-class", "Fog", "Mist"])
        #expect(renamed.result.status == 2 || renamed.text.contains(#""$classes": {"Mist": ["Mist", "NSObject"]}"#))
        #expect(renamed.text.contains("0.12345678901234567890123"))
    }

    /// An edit rewrites the nested save, so values that its format cannot store are lost, which needs `--allow-loss`.
    @Test func rejectsLossesInNestedSaveWithoutAllowLoss() throws {
        let text = #"{"a":{"$xplist":{"n":null,"z":1}},"b":{"$xplist":{"n":null}},"c":1}"#
        #expect(try Self.edited(text, ["set", "/c", "2"]).text == text.replacing(#""c":1"#, with: #""c":2"#))
        let refused = try Self.edited(text, ["set", "/a/z", "5"])
        #expect(refused.text == text)
        #expect(refused.result.status == 2)
        let lines = refused.result.talk.split(separator: "\n")
        #expect(
            lines.suffix(3) == [
                "x.json: not written: the nested save cannot hold 1 null",
                #"x.json:1:22: /a/n: XML has no null; it would become the string "$null""#,
                "x.json: use --allow-loss to write the nearest values",
            ])
        #expect(
            try Self.edited(text, ["set", "--allow-loss", "/a/z", "5"]).text
                == #"{"a":{"$xplist":{"n":"$null","z":5}},"b":{"$xplist":{"n":null}},"c":1}"#)
    }

    /// Graph JSON cannot hold a raw member beside the objects of an archive, so this nested save becomes data.
    @Test func rejectsLostDigitsInNestedSaveWithoutAllowLoss() throws {
        let text = """
            {"a":{"$bplist":{"$archiver":"NSKeyedArchiver","$classes":{"Fog":["Fog","NSObject"]},
            "$top":{"root":{"$class":"Fog","x":0.12345678901234567890123}}}},"b":0.12345678901234567890124}
            """
        let arguments = ["insert", "--raw", "/a/more", "1"]
        let refused = try Self.edited(text, arguments)
        #expect(refused.text == text)
        let lines = refused.result.talk.split(separator: "\n")
        #expect(
            lines.first == "x.json: not written: the nested save cannot hold 1 number with too many digits for a real")
        #expect(lines[1].hasPrefix("x.json:2:36: the number \"0.12345678901234567890123\" would become"))
        #expect(refused.result.talk.contains("--allow-loss"))
        #expect(!refused.result.talk.contains("0.12345678901234567890124"))
        let edited = try Self.edited(text, [arguments[0], "--allow-loss"] + arguments.dropFirst()).text
        #expect(edited.hasPrefix(#"{"a":{"$data": ""#) && edited.hasSuffix(#"},"b":0.12345678901234567890124}"#))
    }

    @Test func mergeKeepsNestedSaves() throws {
        let workspace = try Workspace()
        for (name, values) in [("base", "1, 0.10, 3"), ("ours", "5, 0.10, 3"), ("theirs", "1, 0.10, 7")] {
            try workspace.write(#"{"a": {"$bplist": [\#(values)]}}"#, to: name + ".json")
        }
        let merge = workspace.run(["merge", "base.json", "ours.json", "theirs.json"])
        #expect(merge.output == #"{"a": {"$bplist": [5, 0.10, 7]}}"#, "\(merge.talk)")
    }

    /// Every command works at the maximum nesting depth of 64.
    @Test func editsAtSixtyFourLevels() throws {
        let workspace = try Self.workspace(levels: 64)
        let way = String(repeating: "/in", count: 64)
        for (name, value) in [("ours.plist", "10"), ("theirs.plist", "20")] {
            #expect(workspace.run(["set", "deep.plist", way + "/health", value, "-o", name]).status == 0)
        }
        #expect(workspace.run(["get", "ours.plist", way + "/health"]).output == "10\n")
        #expect(workspace.run(["diff", "ours.plist", "theirs.plist"]).output == "~ \(way)/health: 10 → 20\n")
        #expect(workspace.run(["find", "--key", "health", "ours.plist"]).output == "\(way)/health = 10\n")
        #expect(workspace.run(["validate", "--quiet", "ours.plist", "theirs.plist"]).status == 1)
        let merge = ["merge", "deep.plist", "ours.plist", "theirs.plist", "-o", "merged.plist"]
        #expect(workspace.run(merge).status == 1)
        #expect(workspace.run(merge + ["--rule", way + "/health=max"]).status == 0)
        #expect(workspace.run(["get", "merged.plist", way + "/health"]).output == "20\n")
    }

    @Test func patternsMatchInside() throws {
        let workspace = try Workspace()
        func plist(_ value: Any) throws -> Data {
            try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        }
        let saves = try (0..<3).map { try plist(["gems": $0]) }
        try plist(["data": saves, "text": saves.map { $0.base64EncodedString() }]).write(
            to: workspace.folder.appending(path: "a.plist"))
        for pattern in ["/data/*/~^/gems", "/**/~^/gems", "/data/*/gems"] {
            #expect(workspace.run(["get", "a.plist", pattern]).output == "0\n1\n2\n", "\(pattern)")
        }
        for pattern in ["/text/*/gems", "/text/*/~^/gems", "/text/*/~^/*"] {
            #expect(workspace.run(["get", "a.plist", pattern]).output == "0\n1\n2\n", "\(pattern)")
            #expect(workspace.run(["set", "a.plist", pattern, "7", "-o", "b.plist"]).status == 0)
            #expect(workspace.run(["get", "b.plist", "/text/*/gems"]).output == "7\n7\n7\n")
            #expect(workspace.run(["get", "b.plist", "/data/*/gems"]).output == "0\n1\n2\n")
            #expect(workspace.run(["remove", "a.plist", pattern, "-o", "c.plist"]).status == 0)
            #expect(workspace.run(["get", "c.plist", "/text/*/gems"]).status == 1)
        }
        #expect(workspace.run(["set", "a.plist", "/data/*/~^", "8", "--change-type", "-o", "b.plist"]).status == 0)
        #expect(workspace.run(["get", "b.plist", "/data/*/~^"]).output == "8\n8\n8\n")
        let table = workspace.run(["get", "--at", "/text/*/~^/gems", "--at", "/data/*/~^", "-f", "csv", "a.plist"])
        #expect(table.output.contains("a.plist,/text/1,1,\r\n"), "\(table.output)")
        #expect(table.output.contains("a.plist,/data/2,,\"{\"\"gems\"\":2}\"\r\n"), "\(table.output)")
        let missing = workspace.run(["get", "a.plist", "/data/*/~^/gem"])
        #expect(missing.talk == "a.plist: /data/*/~^/gem: no such value; did you mean /data/*/~^/gems?\n")
    }

    /// The address in a `$ref` of a patch may be an address inside the nested save.
    @Test func patchReferencePointsInsideNestedSave() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let slots = "Fixtures/games/slots.plist"
        try workspace.write(
            #"[{"op": "add", "path": "/savedGame/root/favorite", "value": {"$ref": "/root/charList/0"}}]"#, to: "p.json"
        )
        #expect(workspace.run(["patch", slots, "p.json", "-o", "b.plist"]) == Workspace.Result(status: 0, output: ""))
        #expect(workspace.run(["get", "b.plist", "/savedGame/root/favorite/health"]).output == "100\n")
        let patch = workspace.run(["diff", "-f", "json-patch", slots, "b.plist"]).output
        #expect(patch.contains(#""value": {"$ref": "/root/charList/0"}"#), "\(patch)")
    }

    /// A binary property list stores equal data and strings once, but an edit changes them only at its own addresses.
    @Test func editsEqualSavesSeparately() throws {
        let workspace = try Workspace()
        let save = #"{"$bplist": {"gems": 7}}"#
        let plist = try PropertyListSerialization.data(fromPropertyList: ["gems": 7], format: .binary, options: 0)
        let text = plist.base64EncodedString()
        try workspace.write(
            #"{"data": [\#(save), \#(save), \#(save)], "text": ["\#(text)", "\#(text)"], "#
                + #""deep": [{"$bplist": {"in": \#(save)}}, \#(save)]}"#, to: "a.json")
        #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.plist"]).status == 0)
        for (pattern, place, count) in [
            ("/data/*/gems", "/data/*/gems", 3), ("/data/*/~^/gems", "/data/*/gems", 3),
            ("/text/*/gems", "/text/*/gems", 2), ("/data/*/~^/*", "/data/*/gems", 3),
        ] {
            let result = workspace.run(["set", "a.plist", pattern, "8", "-o", "b.plist"])
            #expect(result.talk == "a.plist: \(pattern): \(count) matching values, \(count) changed\n")
            let values = workspace.run(["get", "b.plist", place]).output
            #expect(values == String(repeating: "8\n", count: count), "\(pattern)")
            #expect(workspace.run(["get", "b.plist", "/deep/0/in/gems", "/deep/1/gems"]).output == "7\n7\n")
        }
        let remove = ["remove", "a.plist", "/data/0/gems", "/data/2/gems", "/deep/0/in/gems", "-o", "c.plist"]
        #expect(workspace.run(remove).status == 0)
        #expect(workspace.run(["get", "c.plist", "/data/*/gems"]).output == "7\n")
        #expect(workspace.run(["get", "c.plist", "/data/1/gems", "/deep/1/gems"]).output == "7\n7\n")
        #expect(workspace.run(["get", "c.plist", "/deep/0/in/gems"]).status == 1)
    }

    /// Editing a long shared data value at many addresses would store a copy at each, so the size is limited.
    @Test func limitsEditsOfOneSaveAtManyAddresses() throws {
        let workspace = try Workspace()
        let save = try PropertyListSerialization.data(
            fromPropertyList: ["gems": 7, "long": Data(count: 1 << 16)] as [String: Any], format: .binary, options: 0)
        var builder = DocumentBuilder()
        builder.open(.array)
        let data = builder.add(data: [UInt8](save).span, shared: true)
        for _ in 1..<1000 { builder.add(data) }
        builder.close()
        var output = ByteWriter()
        try builder.finish().write(as: .binary, to: &output)
        try Data(output.takeBytes()).write(to: workspace.folder.appending(path: "a.plist"))
        let result = workspace.run(["set", "a.plist", "/*/gems", "8", "-o", "b.plist"])
        #expect(result.status == 2 && result.talk.contains("the limit for this file is"), "\(result.talk)")
    }
}
