import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveCodec
@testable import SaveOperations

/// Every component that follows an address interprets its tokens in the same way.
@Suite struct AddressStepTests {
    /// A document with tokens that may be mistaken for others.
    private static let json = """
        {"list": ["a", "b"], "set": {"$set": ["a", "b"]},
         "dict": {"$dict": [["0", "zero"], ["01", "leading zero"], ["-", "dash"], ["", "empty"], ["*", "star"],
            ["=5", "string"], [5, "five"], ["#6", "hash"], [{"$data": "AA=="}, "data"],
            ["a", "first"], ["a", "second"], ["\\ud800", "surrogate"]]}}
        """

    private static func plain() throws -> (view: ObjectView, bytes: [UInt8]) {
        let bytes = try JSON.readTyped(Array(json.utf8)).bytes(as: .binary)
        return (try ObjectView(of: Document.read(bytes, as: .binary), limits: Limits(), isRaw: false), bytes)
    }

    /// Returns the value that each component finds at an address.
    private static func found(
        at address: JSONPointer, in view: ObjectView, _ bytes: [UInt8]
    ) throws -> [(walker: String, id: ViewID?)] {
        var found: [(walker: String, id: ViewID?)] = []
        if case .found(let id, _) = view.find(address) {
            found.append(("find", id))
        } else {
            found.append(("find", nil))
        }
        found.append(("ResolvedAddress", ResolvedAddress(address, in: view)?.value))
        var draft = Draft(view)
        let value = draft.find(address)
        found.append(("Draft", value.flatMap { draft.viewID(of: $0) }))
        var matches = PatternMatches(PointerPattern(address), in: view)
        found.append(("PatternMatches", try matches.next()?.id))
        let place = FileLocations(in: bytes, as: .binary, limits: Limits()).locations(of: [.init(address)], in: view)[0]
        let offset = { (id: ViewID) in view.document.offset(of: view.stored(id)).map { "\(SourceLocation.byte($0))" } }
        let isThere = found[0].id.flatMap(offset) == place?.description
        found.append(("FileLocations", isThere ? found[0].id : nil))
        if place != nil, found[0].id == nil { found.append(("FileLocations", view.root)) }
        let leadsSomewhere = PointerPattern(address).leadsSomewhere(in: view)
        found.append(("NearestPatternSearch", leadsSomewhere == (found[0].id != nil) ? found[0].id : view.root))
        return found
    }

    @Test(arguments: [
        ("/list/0", "a"), ("/list/1", "b"), ("/list/2", nil), ("/list/01", nil), ("/list/00", nil), ("/list/+1", nil),
        ("/list/-0", nil), ("/list/-", nil), ("/list/", nil), ("/list/ 1", nil), ("/list/\u{0661}", nil),
        ("/list/1.0", nil), ("/list/18446744073709551617", nil), ("/list/~#0", nil), ("/list/~=0", nil),
        ("/list/~^", nil), ("/list/0/0", nil), ("/set/1", "b"), ("/set/01", nil), ("/dict/0", "zero"),
        ("/dict/01", "leading zero"), ("/dict/1", nil), ("/dict/-", "dash"), ("/dict/", "empty"), ("/dict/~*", "star"),
        ("/dict/=5", "string"), ("/dict/~=5", "five"), ("/dict/~=05", nil), ("/dict/~=5.0", nil), ("/dict/#6", "hash"),
        ("/dict/~#6", "five"), ("/dict/~#06", nil), ("/dict/~#+6", nil), ("/dict/~#8", "data"), ("/dict/~#12", nil),
        ("/dict/~#", nil), ("/dict/a", "first"), ("/dict/~#9", "first"), ("/dict/~#10", "second"),
        ("/dict/$class", nil),
        ("/dict/~=\u{FFFD}", nil), ("/dict/\u{FFFD}", nil),
    ]) func plainValues(_ text: String, _ expected: String?) throws {
        let (view, bytes) = try Self.plain()
        let address = try #require(JSONPointer(text))
        for (walker, id) in try Self.found(at: address, in: view, bytes) {
            #expect(id.flatMap(view.text)?.string == expected, "\(walker)")
        }
    }

    /// A lone surrogate is treated like any other code unit, in keys and in typed keys.
    @Test func loneSurrogates() throws {
        let (view, bytes) = try Self.plain()
        var key = try #require(JSONPointer("/dict"))
        var form = key
        key.append(key: [0xD800])
        form.append(AddressToken([0x3D, 0xD800], isExtension: true))
        for (walker, id) in try Self.found(at: key, in: view, bytes) {
            #expect(id.flatMap(view.text)?.string == "surrogate", "\(walker)")
        }
        for (walker, id) in try Self.found(at: form, in: view, bytes) { #expect(id == nil, "\(walker)") }
        #expect(JSONPointer.root.appending(form) == form)
        #expect(form.appending(nested: form).within(saveAt: form) == form)
    }

    // MARK: Classes

    /// The name of a class has no values below it, even if it resembles a nested save.
    @Test func classHasNoContents() throws {
        let json = #"""
            {"$archiver": "NSKeyedArchiver", "$version": 100000,
             "$classes": {"{\"a\": 1}": ["{\"a\": 1}", "NSObject"]},
             "$top": {"root": {"$class": "{\"a\": 1}", "x": 1}}}
            """#
        let view = try ObjectView(
            of: JSON.readTyped(Array(json.utf8)), limits: Limits(), isRaw: false, nesting: NestedSaveOptions())
        let name = try #require(JSONPointer("/root/$class"))
        guard case .found(let id, _) = view.find(name) else {
            Issue.record("the class has no name")
            return
        }
        #expect(view.text(id)?.string == #"{"a": 1}"#)
        for text in ["/root/$class/a", "/root/$class/~^", "/root/$class/0"] {
            let address = try #require(JSONPointer(text))
            guard case .missing(let missing) = view.find(address) else {
                Issue.record("\(text)")
                continue
            }
            #expect(missing.prefix == name)
            #expect(view.entrance(on: address) == nil)
            var matches = PatternMatches(PointerPattern(address), in: view)
            #expect(try matches.next() == nil)
            #expect(throws: Problem.self) {
                try JSONPatch(JSON.readTyped(Array(#"[{"op": "replace", "path": "\#(text)", "value": 5}]"#.utf8)))
                    .applied(to: view)
            }
        }
    }

    /// Rules of a merge can match `$class`; patterns of a comparison cannot.
    @Test func patternsMatchClasses() throws {
        let json = #"""
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"A": ["A", "NSObject"]},
             "$top": {"root": {"$class": "A", "x": 1}}}
            """#
        let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(json.utf8)))))
        for (text, isThere) in [
            ("/root/$class", true), ("/*/$class", true), ("/$class", false), ("/**/$class/x", false),
        ] {
            let pattern = try PointerPattern(text)
            #expect(pattern.leadsSomewhere(in: view, reachesClasses: true) == isThere)
            #expect(!pattern.leadsSomewhere(in: view))
        }
    }

    // MARK: Many lookups

    /// Numeric keys are indexed once, not scanned for each lookup.
    @Test func manyNonStringKeys() throws {
        let isLinear = try Growth.isLinear(to: 4000) { size in
            let pairs = (0..<size).map { "[\($0), \($0)]" }.joined(separator: ", ")
            let document = try JSON.readTyped(Array(#"{"$dict": [\#(pairs)]}"#.utf8))
            let addresses = (0..<size).compactMap { JSONPointer("/~=\($0)") }
            return {
                let view = ObjectView(document)
                for (number, address) in addresses.enumerated() {
                    guard case .found(let id, _) = view.find(address) else {
                        Issue.record("\(address)")
                        return
                    }
                    #expect(view.scalar(id)?.integer == Int128(number))
                }
            }
        }
        #expect(isLinear)
    }

    /// The lookup of a string such as `=5` does not scan the numeric keys that are spelled like it.
    @Test func stringKeysAmongOtherKeys() throws {
        let isLinear = try Growth.isLinear(to: 4000) { size in
            let pairs = (0..<2 * size).map { $0 < size ? #"["=5", \#($0)]"# : "[5, \($0)]" }.joined(separator: ", ")
            let document = try JSON.readTyped(Array(#"{"$dict": [\#(pairs)]}"#.utf8))
            let string = AddressToken("=5".utf16)
            return {
                let view = ObjectView(document)
                for _ in 0..<size { #expect(view.position(of: string, in: view.root) == size - 1) }
            }
        }
        #expect(isLinear)
    }

    /// A long key shared by many pairs is compared once, not for each pair.
    @Test func longKeys() throws {
        let isLinear = try Growth.isLinear(to: 4000) { size in
            var builder = DocumentBuilder()
            builder.open(.dictionary)
            let key = builder.add(string: String(repeating: "a", count: size))
            builder.add(integer: 0)
            for number in 1..<size {
                builder.add(key)
                builder.add(integer: Int128(number))
            }
            builder.close()
            let document = try builder.finish()
            let address = JSONPointer(tokens: [[UInt16](repeating: 0x61, count: size - 1) + [0x62]])
            return {
                let view = ObjectView(document)
                for _ in 0..<20 { #expect(view.entrance(on: address) == nil) }
                guard case .missing = view.find(address) else {
                    Issue.record("found a key that is not there")
                    return
                }
            }
        }
        #expect(isLinear)
    }
}
