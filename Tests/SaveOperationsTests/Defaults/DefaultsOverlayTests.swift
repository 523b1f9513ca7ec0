import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

import SaveOperations

/// Registered defaults show through preferences, as in UserDefaults.
@Suite struct DefaultsOverlayTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let preferences: String
        let defaults: String
        /// All keys, as typed JSON.
        let result: String
        /// One letter per pair: `p` only in the preferences, `o` overrides a default, `=` equals a default, `d` only a
        /// default.
        let origins: String
        var testDescription: String { name }
    }

    @Test(arguments: cases) func layers(_ row: Case) throws {
        try expect(row, Self.layers(row.preferences, row.defaults))
    }

    /// The result does not depend on the format of the files.
    @Test(arguments: cases, [Format.binary, .xml, .openStep, .gnustep])
    func otherFormats(_ row: Case, _ format: Format) throws {
        let views = try [row.preferences, row.defaults].map { text in
            let document = try Self.read(text).document
            guard document.losses(as: format, limits: Limits()).isEmpty else { return ObjectView(document) }
            var output = ByteWriter()
            try document.write(as: format, to: &output, options: WriteOptions(keyOrder: .stored))
            return ObjectView(try Document.read(output.takeBytes(), as: format))
        }
        try expect(row, DefaultsOverlay(views[0], over: RegisteredDefaults(views[1])))
    }

    private func expect(_ row: Case, _ layers: DefaultsOverlay) throws {
        #expect(try DraftText.json(layers.view.document) == row.result)
        #expect(Self.letters(layers) == row.origins)
        #expect(layers.defaultCount == row.origins.count { $0 == "d" })
    }

    private static func read(_ text: String) throws -> ObjectView {
        let bytes = Array(text.utf8)
        return ObjectView(try Document.read(bytes, as: Format.recognize(bytes)))
    }

    private static func layers(_ preferences: String, _ defaults: String) throws -> DefaultsOverlay {
        try DefaultsOverlay(read(preferences), over: RegisteredDefaults(read(defaults)))
    }

    private static func letters(_ layers: DefaultsOverlay) -> String {
        let same = layers.positionsEqualToDefaults()
        return layers.origins.enumerated().map { position, origin in
            switch origin {
            case .preferences: "p"
            case .overriding: same.contains(position) ? "=" : "o"
            case .defaults: "d"
            }
        }.joined()
    }

    static let cases = [
        Case(name: "both empty", preferences: "{}", defaults: "{}", result: "{}", origins: ""),
        Case(name: "no preferences", preferences: "{}", defaults: #"{"a":1}"#, result: #"{"a":1}"#, origins: "d"),
        Case(name: "no defaults", preferences: #"{"a":1}"#, defaults: "{}", result: #"{"a":1}"#, origins: "p"),
        Case(
            name: "order", preferences: #"{"z":1,"m":2}"#, defaults: #"{"b":3,"m":4,"a":5,"z":1}"#,
            result: #"{"z":1,"m":2,"b":3,"a":5}"#, origins: "=odd"),
        Case(
            name: "nothing is merged below", preferences: #"{"audio":{"music":0.5},"list":[1]}"#,
            defaults: #"{"audio":{"music":1.0,"effects":1.0},"list":[1,2],"keys":{"left":[{"a":[]}]}}"#,
            result: #"{"audio":{"music":0.5},"list":[1],"keys":{"left":[{"a":[]}]}}"#, origins: "ood"),
        Case(
            name: "same containers", preferences: #"{"a":{"x":[1,{"y":"é"}],"z":{}},"b":[],"c":{}}"#,
            defaults: #"{"c":[],"a":{"z":{},"x":[1,{"y":"é"}]},"b":[]}"#,
            result: #"{"a":{"x":[1,{"y":"é"}],"z":{}},"b":[],"c":{}}"#, origins: "==o"),
        Case(
            name: "types", preferences: #"{"a":1,"b":true,"c":0.5,"d":"1","e":null,"f":{"$data":"AA=="}}"#,
            defaults: #"{"a":1.0,"b":1,"c":{"$real32":0.5},"d":1,"e":null,"f":{"$data":"AA=="}}"#,
            result: #"{"a":1,"b":true,"c":0.5,"d":"1","e":null,"f":{"$data":"AA=="}}"#, origins: "oo=o=="),
        Case(
            name: "nulls hide as well", preferences: #"{"a":null}"#, defaults: #"{"a":1,"b":null}"#,
            result: #"{"a":null,"b":null}"#, origins: "od"),
        Case(
            name: "keys by code units", preferences: #"{"\u00e9":1,"":2}"#, defaults: #"{"e\u0301":1,"":2,"é":3}"#,
            result: "{\"é\":1,\"\":2,\"e\u{301}\":1}", origins: "o=d"),
        Case(
            name: "names with signs", preferences: ##"{"\u001b[31m":1,"a/b":2,"~1":3,"=5":4,"#0":5,"\ud800":6}"##,
            defaults: ##"{"=5":0,"\ud800":6,"~1":3,"#0":1,"\u001b[32m":1,"a/b":0}"##,
            result: ##"{"\u001b[31m":1,"a/b":2,"~1":3,"=5":4,"#0":5,"\uD800":6,"\u001b[32m":1}"##, origins: "po=oo=d"),
        Case(
            name: "numbers as keys", preferences: #"{"$dict":[[1,"a"],[true,"b"],["1","c"],[1.5,"d"]]}"#,
            defaults: #"{"$dict":[["1","x"],[1.5,"d"],[true,"y"],[1,"z"],[1.0,"v"]]}"#,
            result: #"{"$dict":[[1,"a"],[true,"b"],["1","c"],[1.5,"d"],[1.0,"v"]]}"#, origins: "ooo=d"),
        Case(
            name: "a number and its form", preferences: #"{"=5":1}"#, defaults: #"{"$dict":[[5,2],["~=5",3]]}"#,
            result: #"{"$dict":[["=5",1],[5,2],["~=5",3]]}"#, origins: "pdd"),
        Case(
            name: "keys without an address", preferences: #"{"$dict":[[null,1],[{"$data":"AA=="},2]]}"#,
            defaults: #"{"$dict":[[null,1],[{"$data":"AA=="},3],[null,4]]}"#,
            result: #"{"$dict":[[null,1],[{"$data":"AA=="},2],[null,1],[{"$data":"AA=="},3],[null,4]]}"#,
            origins: "ppddd"),
        Case(
            name: "repeated keys, of which the last counts", preferences: #"{"a":1,"a":2,"b":3}"#,
            defaults: #"{"a":2,"c":4,"c":5,"a":1}"#, result: #"{"$dict":[["a",1],["a",2],["b",3],["c",5]]}"#,
            origins: "popd"),
        Case(
            name: "OpenStep", preferences: "{ gems = 5; name = \"Zo\\U00eb\"; }",
            defaults: "{ gems = \"5\"; level = <*I1>; name = Ada; }", result: #"{"gems":"5","name":"Zoë","level":1}"#,
            origins: "=od"),
    ]

    // MARK: Binary files

    private static func fixture(_ name: String) throws -> ObjectView {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        return ObjectView(try BinaryPlist.read(bytes))
    }

    /// The first of several duplicate keys is the effective one in a binary file.
    @Test func repeatedInBinary() throws {
        let twice = try Self.fixture("tricky/28-key-twice.plist")
        let over = try DefaultsOverlay(twice, over: RegisteredDefaults(Self.read(#"{"k":1,"l":2}"#)))
        #expect(Self.letters(over) == "=pd")
        let under = try DefaultsOverlay(Self.read("{}"), over: RegisteredDefaults(twice))
        #expect(try DraftText.json(under.view.document) == #"{"k":1}"#)
        let encodings = try Self.fixture("tricky/28-key-in-two-encodings.plist")
        let both = try DefaultsOverlay(encodings, over: RegisteredDefaults(encodings))
        #expect(Self.letters(both) == "=p")
    }

    /// A container that the file stores once is compared with the default of each slot that refers to it.
    @Test func sharedContainers() throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "a")
        builder.open(.array)
        builder.add(integer: 1)
        let shared = builder.close()
        builder.add(string: "b")
        builder.add(shared)
        builder.close()
        let view = ObjectView(try builder.finish())
        let rows = [(#"{"a":[1],"b":[2]}"#, "=o"), (#"{"a":[2],"b":[2]}"#, "oo"), (#"{"b":[1],"a":[1]}"#, "==")]
        for (text, origins) in rows {
            #expect(try Self.letters(DefaultsOverlay(view, over: RegisteredDefaults(Self.read(text)))) == origins)
            #expect(try Self.letters(DefaultsOverlay(Self.read(text), over: RegisteredDefaults(view))) == origins)
        }
        let under = try DefaultsOverlay(Self.read("{}"), over: RegisteredDefaults(view)).view
        let pairs = under[under.root].contents
        #expect(under.item(0, of: pairs).id == under.item(1, of: pairs).id)
    }

    // MARK: Looking up

    static let lookups: [(address: String, found: String)] = [
        ("/gems", "340 of preferences"), ("/level", "1 of defaults"), ("/audio/music", "0.5 of preferences"),
        ("/audio/effects", "nothing behind /audio, hidden"), ("/audio/bass", "nothing behind /audio"),
        ("/keys/left", "7 of defaults"), ("/keys/right", "nothing behind /keys"), ("/none", "nothing behind (root)"),
        ("/none/below", "nothing behind (root)"), ("/~=5", "1 of preferences"), ("/~=6", "2 of defaults"),
        ("/~#0", "340 of preferences"), ("/~#4/left", "7 of defaults"),
        ("/~#6", "1 of defaults"), ("/~#8", "nothing behind (root)"), ("/list/1", "nothing behind /list, hidden"),
        ("/k", "2 of defaults"),
    ]

    @Test(arguments: lookups) func lookup(_ row: (address: String, found: String)) throws {
        let layers = try Self.layers(
            #"{"$dict":[["gems",340],["audio",{"music":0.5}],[5,1],["list",[1]]]}"#,
            #"""
            {"$dict":[["keys",{"left":7}],["gems",0],["k",1],["k",2],["level",1],["audio",{"music":1.0,"effects":1.0}],
                      ["list",[1,2]],[6,2],[5,0]]}
            """#)
        let address = try #require(JSONPointer(row.address))
        let found = layers.find(address)
        let text: String
        switch found.lookup {
        case .found(let id, let view):
            let position = try #require(found.position)
            var origin = "preferences"
            if case .defaults = layers.origins[position] { origin = "defaults" }
            text = "\(DiffText.value(id, in: view)) of \(origin)"
        case .missing(let missing):
            text = "nothing behind \(missing.prefix)" + (layers.hidesDefault(at: address) ? ", hidden" : "")
        }
        #expect(text == row.found)
    }

    @Test func matchesUserDefaults() throws {
        let texts = [
            #"{"gems":340,"audio":{"music":0.5},"list":[1],"none":{}}"#,
            #"{"level":1,"gems":0,"audio":{"music":1.0,"effects":1.0},"list":[1,2],"none":{"a":1},"keys":{"left":7}}"#,
        ]
        let dictionaries = try texts.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let users = UserDefaults()
        users.setVolatileDomain(dictionaries[0], forName: UserDefaults.argumentDomain)
        users.register(defaults: dictionaries[1])
        let layers = try Self.layers(texts[0], texts[1])
        let seen = try #require(
            try JSONSerialization.jsonObject(with: Data(DraftText.json(layers.view.document).utf8)) as? [String: Any])
        #expect(seen.count == 6)
        for (key, value) in seen {
            #expect(
                NSDictionary(dictionary: [key: value])
                    == NSDictionary(dictionary: [key: users.object(forKey: key) ?? 0]))
        }
    }

    @Test func rootContainsAllKeys() throws {
        let layers = try Self.layers(#"{"a":1}"#, #"{"b":2}"#)
        let found = layers.find(.root)
        #expect(found.position == nil)
        guard case .found(let id, let view) = found.lookup else {
            Issue.record("nothing found")
            return
        }
        #expect(id == view.root)
        #expect(try DraftText.json(view.document) == #"{"a":1,"b":2}"#)
    }

    // MARK: Problems

    static let refused: [(preferences: String, defaults: String, problem: String)] = [
        ("[1]", "{}", "defaults.root: found an array at the root; expected a dictionary of preferences"),
        ("{}", "[{}]", "defaults.root: found an array at the root; expected a dictionary of defaults"),
        ("5", "{}", "defaults.root: found an integer at the root; expected a dictionary of preferences"),
        ("{}", "\"a\"", "defaults.root: found a string at the root; expected a dictionary of defaults"),
        (#"{"$set":[]}"#, "{}", "defaults.root: found a set at the root; expected a dictionary of preferences"),
        ("archive", "{}", "defaults.archive: found a keyed archive; expected a dictionary of preferences"),
        ("{}", "archive", "defaults.archive: found a keyed archive; expected a dictionary of defaults"),
    ]

    @Test(arguments: refused) func rejects(_ row: (preferences: String, defaults: String, problem: String)) throws {
        func view(_ text: String) throws -> ObjectView {
            text == "archive" ? try DiffText.archive(root: "{}") : try Self.read(text)
        }
        let views = try [row.preferences, row.defaults].map(view)
        let problem = #expect(throws: Problem.self) {
            try DefaultsOverlay(views[0], over: RegisteredDefaults(views[1]))
        }
        #expect(problem.map { "\($0.id): \($0.message)" } == row.problem)
    }

    // MARK: Large files

    /// Many keys on each side, half of them equal, take linear time.
    @Test(.timeLimit(.minutes(15))) func manyKeys() throws {
        let count = TestScale.count(20_000, long: 50_000)
        func text(from start: Int, _ value: String) -> String {
            "{" + (start..<start + count).map { "\"key\($0)\":\(value)" }.joined(separator: ",") + "}"
        }
        let layers = try Self.layers(text(from: 0, "[1]"), text(from: count / 2, "[1]"))
        #expect(layers.origins.count == count + count / 2)
        #expect(layers.defaultCount == count / 2)
        #expect(layers.positionsEqualToDefaults().count == count / 2)
        #expect(layers.find(try #require(JSONPointer("/key\(count)/0"))).position == count)
    }

    /// A key of one megabyte that many pairs share is examined once.
    @Test(.timeLimit(.minutes(15))) func largeKeyInManyPairs() throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        let key = builder.add(string: String(repeating: "k", count: 1 << 20))
        let value = builder.add(integer: 1)
        for _ in 1..<TestScale.count(10_000, long: 100_000) {
            builder.add(key)
            builder.add(value)
        }
        builder.close()
        let view = ObjectView(try builder.finish())
        let layers = try DefaultsOverlay(view, over: RegisteredDefaults(view))
        #expect(layers.defaultCount == 0)
        #expect(layers.positionsEqualToDefaults() == [0])
    }
}
