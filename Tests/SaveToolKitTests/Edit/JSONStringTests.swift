import Foundation
import SaveCodec
import TestSupport
import Testing

/// Tests JSON in strings and data, which all commands open like nested property lists.
@Suite struct JSONStringTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try write(["hp": 55, "name": "Ada"], "a.json")
    }

    private static func json(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes a file whose key `text` holds a dictionary as JSON in JSON.
    private func write(_ value: [String: Any], _ name: String, style: (String) -> String = { $0 }) throws {
        try workspace.write(Self.json(["n": 1, "text": Self.json(["in": style(Self.json(value))])]), to: name)
    }

    private func output(_ arguments: String...) -> String {
        let result = workspace.run(arguments)
        return result.output + result.talk
    }

    @Test func findsValuesInside() throws {
        #expect(output("find", "--key", "hp", "a.json") == "/text/in/hp = 55\n")
        #expect(output("find", "--value", "55", "a.json") == "/text/in/hp = 55\n")
        #expect(output("find", "Ada", "a.json") == "/text/in/name = \"Ada\"\n")
        #expect(output("find", "--where", "hp>50", "-c", "a.json") == "1\n")
        #expect(output("find", "--key", "hp", "--opaque", "a.json").hasPrefix("nothing found"))
        #expect(output("find", "-f", "json", "Ada", "a.json").contains(#""address":"/text/in/name""#))
    }

    /// A text that no value inside contains is found in the string; the innermost one counts.
    @Test func findsTextOfString() throws {
        #expect(output("find", #"hp":55"#, "a.json") == #"/text/in = "{\"hp\":55,\"name\":\"Ada\"}""# + "\n")
        #expect(output("find", "-c", #"hp":55"#, "a.json") == "1\n")
        #expect(output("find", "-l", #"hp":55"#, "a.json") == "a.json\n")
        #expect(output("find", "-f", "json", #"hp":55"#, "a.json").contains(#""address":"/text/in""#))
        try workspace.write(#"{"a": "[1]", "b": "{}", "c": "[1] see", "d": "12", "e": "{a}"}"#, to: "plain.json")
        #expect(output("find", "--value", #""[1]""#, "plain.json") == "/a = \"[1]\"\n")
        #expect(output("find", "[1]", "plain.json") == "/a = \"[1]\"\n/c = \"[1] see\"\n")
        #expect(output("find", "{", "plain.json") == "/b = \"{}\"\n/e = \"{a}\"\n")
        #expect(output("get", "plain.json", "/**").split(separator: "\n").count == 7)
    }

    /// In a binary property list, equal strings are one object.
    @Test func findsSharedStrings() throws {
        try workspace.write(#"{"a": "{\"hp\": 1}", "b": "{\"hp\": 1}"}"#, to: "two.json")
        #expect(workspace.run(["convert", "two.json", "--to", "binary", "-o", "two.plist"]).status == 0)
        #expect(output("find", #"hp": 1"#, "two.plist").split(separator: "\n").count == 2)
        #expect(output("get", "two.plist", "/*/hp") == "1\n1\n")
    }

    @Test func wildcardsEnter() throws {
        #expect(output("get", "a.json", "/**/hp") == "55\n")
        #expect(output("get", "a.json", "/*/*/name") == "Ada\n")
        #expect(workspace.run(["set", "-i", "a.json", "/**/hp", "60"]).status == 0)
        #expect(output("get", "a.json", "/text") == #"{"in":"{\"hp\":60,\"name\":\"Ada\"}"}"# + "\n")
        #expect(workspace.run(["remove", "-i", "a.json", "/**/name"]).status == 0)
        #expect(output("get", "a.json", "/text") == #"{"in":"{\"hp\":60}"}"# + "\n")
    }

    @Test func comparesInside() throws {
        try write(["hp": 60, "name": "Ada"], "b.json")
        #expect(output("diff", "a.json", "b.json") == "~ /text/in/hp: 55 → 60\n")
        #expect(output("diff", "--ignore", "/**/hp", "a.json", "b.json").hasPrefix("savetool: /text: the bytes differ"))
        #expect(workspace.run(["diff", "--ignore", "/**/hp", "a.json", "b.json"]).status == 0)
        #expect(output("diff", "--tolerance", "10", "--loose-numbers", "a.json", "b.json").contains("~ /text/in/hp"))
        #expect(output("diff", "--opaque", "a.json", "b.json").hasPrefix("~ /text: "))
    }

    /// Strings that differ only in spelling, or altogether, are compared as strings.
    @Test(arguments: [
        (#"{"hp":55,"name":"Ada"}"#, #"{"hp": 55, "name": "Ada"}"#), (#"{"a":1}"#, #"{"b":2,"c":[]}"#), ("[1]", "{}"),
        ("{}", "[]"), ("[1]", "[1] see"), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#"{"a":"x"}"#, #"{"a":"\u0078"}"#),
    ]) func comparesTexts(_ old: String, _ new: String) throws {
        try workspace.write(Self.json(["t": old]), to: "x.json")
        try workspace.write(Self.json(["t": new]), to: "y.json")
        let result = workspace.run(["diff", "x.json", "y.json"])
        #expect(result.output.hasPrefix("~ /t: "), "\(result.output)")
        #expect(result.status == 1)
        try expectPatch()
    }

    /// A patch restores the text of each string.
    @Test(arguments: [
        (#"{"a":1,"b":[1,2,{"c":3}]}"#, #"{"a":1,"b":[1,9,{"c":3}]}"#, "/t/b/1"),
        ("{\n  \"a\": 1,\n  \"b\": 2\n}", "{\n  \"a\": 1,\n  \"b\": 3,\n  \"c\": 4\n}", "/t/b"),
        (#"{"a":1,"b":2}"#, #"{"a": 1,"b":3}"#, "/t"), (#"{"a":1,"b":2}"#, #"{"c":0,"a":1,"b":3}"#, "/t"),
        (#"{"a":"{\"b\":1,\"c\":[]}","d":1}"#, #"{"a":"{\"b\":2,\"c\":[]}","d":1}"#, "/t/a/b"),
        (#"{"a":"{\"b\":1,\"c\":[]}","d":1}"#, #"{"a":"{\"b\":2, \"c\":[]}","d":1}"#, "/t/a"),
        ("[1,2,3]", "[1,3]", "/t/1"),
    ]) func patchesAreExact(_ old: String, _ new: String, _ address: String) throws {
        try workspace.write(Self.json(["t": old]), to: "x.json")
        try workspace.write(Self.json(["t": new]), to: "y.json")
        #expect(output("diff", "-f", "json-patch", "x.json", "y.json").contains("\"path\": \"\(address)\""))
        try expectPatch()
        try expectPatch(through: "binary")
    }

    private func expectPatch(through format: String? = nil) throws {
        var names = ["x.json", "y.json"]
        if let format {
            names = ["x.\(format)", "y.\(format)"]
            for name in ["x", "y"] {
                #expect(
                    workspace.run(["convert", "\(name).json", "--to", format, "-o", "\(name).\(format)"]).status == 0)
            }
        }
        try workspace.write(output("diff", "-f", "json-patch", names[0], names[1]), to: "patch.json")
        #expect(workspace.run(["patch", names[0], "patch.json", "-o", "z"]).status == 0)
        #expect(output("get", "z", "/t") == output("get", names[1], "/t"))
        #expect(workspace.run(["diff", "z", names[1]]) == Workspace.Result(status: 0, output: "", talk: ""))
    }

    @Test func mergesInside() throws {
        try write(["hp": 60, "name": "Ada"], "ours.json")
        try write(["hp": 55, "name": "Bob"], "theirs.json")
        try write(["hp": 70, "name": "Ada"], "other.json")
        #expect(
            output("merge", "a.json", "ours.json", "theirs.json")
                == #"{"n":1,"text":"{\"in\":\"{\\\"hp\\\":60,\\\"name\\\":\\\"Bob\\\"}\"}"}"#)
        #expect(output("merge", "a.json", "ours.json", "other.json").contains("/text/in/hp: conflict: was 55, ours 60"))
        let rule = output("merge", "a.json", "ours.json", "other.json", "--rule", "/**/hp=higher")
        #expect(rule.contains(#"\"hp\\\":70"#), "\(rule)")
        // Only one side has JSON now: a conflict of the strings.
        try workspace.write(#"{"n":1,"text":"[1] see"}"#, to: "text.json")
        #expect(output("merge", "a.json", "ours.json", "text.json").contains("/text: conflict: "))
    }

    @Test func validatesInside() throws {
        try workspace.write(#"{"t": "{\"a\": 1, \"a\": 2}", "u": "[x]", "v": "{"}"#, to: "b.json")
        let result = workspace.run(["validate", "b.json"])
        #expect(result.status == 0)
        #expect(
            result.output.contains("/t/a: warning: ") && result.output.contains("[document.repeated-key]"), "\(result)")
        #expect(workspace.run(["validate", "a.json"]).output == "")
    }

    @Test func showsInside() throws {
        try workspace.write(#"{"a": "{\"hp\": 1}", "b": "[]", "c": "[x]"}"#, to: "b.json")
        #expect(output("inspect", "b.json").contains(#"a: "{\"hp\": 1}""#))
        #expect(output("inspect", "--nested", "-f", "flat", "b.json") == "/a/hp = 1\n/b = \"[]\"\n/c = \"[x]\"\n")
        #expect(output("inspect", "--nested", "-f", "json", "b.json").contains(#""a": {"#))
        let tree = output("inspect", "--nested", "b.json")
        #expect(tree.contains("a: string, 9 characters: JSON") && tree.contains("hp: 1"), "\(tree)")
        let lines = output("textconv", "b.json")
        try workspace.write(#"{"a": "{ \"hp\":1}", "b": "[]", "c": "[x]"}"#, to: "b.json")
        #expect(lines != output("textconv", "b.json"))
    }

    /// `convert --nested` keeps every string.
    @Test func convertsExactly() throws {
        let text = #"{"a": "{ \"hp\":\t1.0 }", "d": {"$data": "eyAiYSIgOjF9"}}"#
        try workspace.write(text, to: "b.json")
        #expect(workspace.run(["convert", "b.json", "--to", "binary", "-o", "b.plist"]).status == 0)
        #expect(workspace.run(["convert", "b.plist", "--to", "json", "--nested", "-o", "c.json"]).status == 0)
        #expect(workspace.run(["convert", "c.json", "--to", "binary", "-o", "c.plist"]).status == 0)
        #expect(try workspace.bytes(of: "b.plist") == workspace.bytes(of: "c.plist"))
        #expect(output("get", "b.plist", "/d/a") == "1\n")
        #expect(output("find", "--key", "hp", "c.plist") == "/a/hp = 1.0\n")
    }

    /// Strings nested in each other as deep as possible, and long texts that only look like JSON.
    @Test func hostileTexts() throws {
        var text = "[1]"
        for _ in 0..<12 { text = try Self.json([text]) }
        try workspace.write(text, to: "deep.json")
        #expect(output("get", "deep.json", "/**/0").hasSuffix("\n1\n"))
        let long = "[" + String(repeating: "1,", count: 200_000) + "x]"
        try workspace.write(
            Self.json(Array(repeating: long, count: 2) + ["[", "]", "[}", " ", "{\"a\":1}x"]), to: "long.json")
        #expect(workspace.run(["convert", "long.json", "--to", "binary", "-o", "long.plist"]).status == 0)
        for command in [["find", "zzz"], ["validate"], ["inspect", "--nested"]] {
            #expect(workspace.run(command + ["long.plist"]).status == (command == ["find", "zzz"] ? 1 : 0))
        }
    }
}
