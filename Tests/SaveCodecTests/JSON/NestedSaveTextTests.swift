import TestSupport
import Testing

@testable import SaveCodec

/// Nested saves in a JSON text, written in place of the data that holds them.
@Suite struct NestedSaveTextTests {
    private static func data(_ bytes: [UInt8]) throws -> Document {
        var builder = DocumentBuilder()
        builder.add(data: bytes.span)
        return try builder.finish()
    }

    private static func problem(_ text: String, limits: Limits = Limits()) -> String? {
        #expect(throws: Problem.self) { try JSONCases.read(text, limits: limits) }?.description
    }

    @Test(arguments: [
        ("$bplist", Format.binary, #"{"gems":7,"levels":["Swamp",{"$date":"2001-01-01T00:00:00Z"}]}"#),
        ("$bplist", .binary, "1"), ("$bplist", .binary, #""hello""#), ("$bplist", .binary, #"{"$data":"3q0="}"#),
        ("$bplist", .binary, #"{"$set":[1]}"#), ("$bplist", .binary, #"{"$dict":[["k",1],["k",2]]}"#),
        ("$xplist", .xml, #"{"z":1,"a":[true,{"$data":""}]}"#), ("$xplist", .xml, "[]"),
        ("$bplist", .binary, #"{"$xplist":{"$bplist":[]}}"#),
    ])
    func readsNestedSaveAsData(tag: String, format: Format, content: String) throws {
        let file = try JSONCases.read(content).bytes(as: format, options: WriteOptions(keyOrder: .stored))
        let expected = try Self.data(file)
        for text in [
            #"{"\#(tag)":\#(content)}"#, #" { "\#(tag)" : \#(content) } "#,
            #"{"\u0024\#(tag.dropFirst())":\#(content)}"#,
        ] {
            #expect(try JSONCases.read(text).hasSameTree(as: expected), "\(text)")
        }
    }

    /// An object that only resembles the tagged form is read as a dictionary and survives a round trip.
    @Test(arguments: [
        #"{"$bplist":1,"x":2}"#, #"{"x":2,"$bplist":1}"#, #"{"$dict":[["$bplist",1]]}"#,
        #"{"$dict":[["$xplist",{"a":1}]]}"#, #"{"$bplist ":1}"#, #"{"$Bplist":1}"#, #"{"bplist":1}"#,
        #"{"$bplist":{"$bplist":1},"$xplist":2}"#,
    ])
    func readsOtherObjectsAsDictionaries(text: String) throws {
        let document = try JSONCases.read(text)
        #expect(document.object(document.root).kind == .dictionary)
        #expect(try JSONCases.write(JSONCases.read(JSONCases.write(document))) == JSONCases.write(document))
        let isDictionary = text.hasPrefix(#"{"$dict""#)
        if isDictionary { #expect(try JSONCases.rewrite(text) == text + "\n") }
    }

    @Test(arguments: [
        (#"{"a":{"$bplist":[1,]}}"#, "1:20: nothing follows the comma; expected another value, or no comma"),
        (#"{"$bplist":}"#, "1:12: found \"}\"; expected a value"),
        (#"{"$bplist":1"#, "1:13: found the end of the text; expected \",\" or \"}\""),
        (#"{"$bplist":1,}"#, "1:14: nothing follows the comma; expected another value, or no comma"),
        (
            #"{"a":[0,{"$xplist":{"b":null}}]}"#,
            #"1:25: /a/1/b: XML has no null; it would become the string "$null""#
        ),
        (
            #"{"$dict":[[5,{"$xplist":[{"$set":[]}]}]]}"#,
            "1:26: /~=5/0: XML has no sets; this one would become an array"
        ),
        (
            #"{"a":{"$xplist":{"b":{"$xplist":null}}}}"#,
            #"1:33: /a/b/~^: XML has no null; it would become the string "$null""#
        ),
        (
            #"{"$dict":[[{"$bplist":1},2]]}"#,
            "1:12: found an object; expected a key that is neither an array nor an object"
        ),
        (
            #"{"a":{"$bplist":{"$archiver":"NSKeyedArchiver","$top":{}}}}"#,
            "1:6: /a: found a nested archive as graph JSON; only a reader of archives can convert it to data"
        ),
    ])
    func problemsHaveLocation(text: String, sentence: String) {
        #expect(Self.problem(text) == sentence)
    }

    // MARK: Values that a format cannot represent

    private static func notes(_ text: String) throws -> (document: Document, notes: NestedSaveFindings) {
        let document = try JSON.read(
            Array(text.utf8), limits: Limits(), nested: .propertyLists.allowing(loss: true))
        return (document, document.nestedNotes)
    }

    @Test func recordsLossesInNestedSaves() throws {
        let (document, notes) = try Self.notes(
            """
            {"a": [0, {"$xplist": {"b": null,
              "c": {"$dict": [["k", 1], ["k", 2]]}}}],
             "d": {"$bplist": [{"$xplist": {"$set": []}}]}, "e": {"$bplist": null}}
            """)
        #expect(
            notes.losses.map(\.description) == [
                #"1:29: /a/1/b: XML has no null; it would become the string "$null""#,
                #"2:8: /a/1/c: duplicate key "k"; only one value would be kept"#,
                "3:32: /d/0/~^: XML has no sets; this one would become an array",
            ])
        #expect(notes.losses.map(\.id) == ["loss.null", "loss.repeated-key", "loss.set"])
        #expect(document.warnings.isEmpty)
        let nearest = try JSONCases.read(#"[{"$xplist":{"a":"$null"}}]"#)
        #expect(try Self.notes(#"[{"$xplist":{"a":null}}]"#).document.hasSameTree(as: nearest))
    }

    @Test func equalSavesHaveSeparateAddresses() throws {
        let form = #"{"$xplist":null}"#
        let losses = try Self.notes("[\(form),{\"savetool\":\(form)},\(form)]").notes.losses
        #expect(losses.map { $0.address?.description } == ["/0/~^", "/1/savetool/~^", "/2/~^"])
        #expect(losses.map { $0.location?.description } == ["1:13", "1:42", "1:60"])
    }

    @Test func recordsForeignValues() throws {
        let notes = try Self.notes(
            #"{"a":{"$bplist":{"q":[123456789012345678901234567890,null,1]}},"b":null,"c":{"$xplist":1}}"#
        ).notes
        #expect(notes.losses.isEmpty)
        #expect(
            notes.foreignValues.map { "\($0.location?.description ?? "") \($0.address?.description ?? "") \($0.id)" }
                == ["1:23 /a/q/0 foreign.integer", "1:54 /a/q/1 foreign.null"])
    }

    @Test func limitsListOfLosses() throws {
        let elements = String(repeating: "null,", count: 1500) + "null"
        let forms = String(repeating: #"{"$xplist":null},"#, count: 600)
        let losses = try Self.notes(#"[\#(forms){"$xplist":[\#(elements)]}]"#).notes.losses
        #expect(losses.count == 1001)
        #expect(LossPhrase.summary(of: losses) == "2,101 nulls")
    }

    @Test func findsLossesInLinearTime() throws {
        func text(_ count: Int, _ levels: Int) -> [UInt8] {
            let (open, close) = (String(repeating: #"{"$bplist":[null,"#, count: levels), "]}")
            let deep = open + #"{"$xplist":null}"# + String(repeating: close, count: levels)
            return Array(("[" + String(repeating: deep + ",", count: count) + "1]").utf8)
        }
        for levels in [1, 30] {
            #expect(
                try Growth.isLinear(to: 512 / levels) { count in
                    let text = text(count, levels)
                    return { _ = try JSON.read(text, limits: Limits(), nested: .propertyLists.allowing(loss: true)) }
                })
        }
    }

    // MARK: Hostile texts

    @Test(arguments: ["$bplist", "$xplist"])
    func limitsNestingOfSaves(tag: String) throws {
        func text(_ depth: Int) -> String {
            String(repeating: #"{"\#(tag)":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        let most = tag == "$bplist" ? 64 : TestScale.step == 1 ? 30 : 24
        #expect(throws: Never.self) { try JSONCases.read(text(most)) }
        for depth in [65, 10_000] {
            #expect(Self.problem(text(depth)) == "1:705: saves are nested more than 64 levels deep")
        }
        let open = String(repeating: #"{"\#(tag)":"#, count: 10_000)
        #expect(Self.problem(open) == "1:5633: containers are nested more than 512 levels deep")
    }

    @Test func limitsExpansion() throws {
        #expect(try NestedSaveText.bytes(within: 4) { $0.write("four") } == Array("four".utf8))
        let problem = #expect(throws: Problem.self) { try NestedSaveText.bytes(within: 3) { $0.write("four") } }
        #expect(problem?.description == "the nested saves are far larger than the file")
    }

    @Test func countsContainersPerSave() {
        func nest(_ depth: Int, _ core: String) -> String {
            String(repeating: "[", count: depth) + core + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try JSONCases.read(nest(512, #"{"$bplist":\#(nest(512, "1"))}"#)) }
        #expect(
            Self.problem(nest(3, #"{"$bplist":\#(nest(513, "1"))}"#))
                == "1:527: containers are nested more than 512 levels deep")
    }

    @Test func mapsLocationsOfNestedSaves() throws {
        let text = Array(#"{"a": {"$bplist": {"b": [1]}}, "c": 2}"#.utf8)
        let (document, map) = try JSON.readMapped(text, limits: Limits())
        let value = try #require(map).value(0, of: document.root)
        #expect(String(decoding: text[value], as: UTF8.self) == #"{"$bplist": {"b": [1]}}"#)
    }

    @Test func recordsLostDigits() throws {
        let text = Array(#"{"$bplist": [12345678901234567890.123]}"#.utf8)
        #expect(try JSON.read(text).digitLosses(in: text).count == 1)
    }
}
