import Foundation
import JSONSchema
import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveCodec
@testable import SaveInspection
@testable import SaveOperations

@Suite struct NestedSaveTests {
    private static func plist(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .binary) throws
        -> Data
    {
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    }

    private static func view(_ data: Data, nesting: NestedSaveOptions? = NestedSaveOptions()) throws -> ObjectView {
        let bytes = [UInt8](data)
        let document = try Document.read(bytes, as: Format.recognize(bytes))
        return try ObjectView(of: document, limits: Limits(), isRaw: false, nesting: nesting)
    }

    private static func value(_ view: ObjectView, _ address: String) throws -> String {
        guard case .found(let id, in: let place) = view.find(try #require(JSONPointer(address))) else {
            return "nothing"
        }
        return place.brief(id) ?? place.text(id)?.string ?? place.scalar(id).map { "\($0.kind)" } ?? "container"
    }

    // MARK: Addresses

    @Test func addressesContinueInDataAndText() throws {
        let inner = try Self.plist(["gems": "seven", "list": ["a", "b"]])
        let archive = try Data(contentsOf: TestFiles.fixtures.appending(path: "games/swamp.save"))
        let view = try Self.view(
            Self.plist(
                [
                    "data": inner, "xml": try Self.plist(["x": ["y": "z"]], .xml), "archive": archive,
                    "base64": inner.base64EncodedString(),
                    "lines": inner.base64EncodedString(options: .lineLength64Characters),
                    "base64Data": Data(inner.base64EncodedString().utf8), "json": Data(#"{"a": ["b"]}"#.utf8),
                    "text": #" {"a": {"b": "c"}}"#, "openStep": "{ a = (b); }", "twice": try Self.plist(["in": inner]),
                    "word": "gems",
                ] as [String: Any]))
        for (address, text) in [
            ("/data/gems", "seven"), ("/data/~^/list/1", "b"), ("/xml/x/y", "z"),
            ("/archive/root/currentLevelName", "Swamp"),
            ("/base64/gems", "seven"), ("/base64Data/gems", "seven"), ("/json/a/0", "b"), ("/text/a/b", "c"),
            ("/openStep/a/0", "b"), ("/twice/in/gems", "seven"), ("/twice/~^/in/~^/gems", "seven"),
            ("/word/gems", "nothing"),
            ("/data/~^", "container"), ("/data", "data"), ("/data/$class", "nothing"), ("/data/~^/~^", "nothing"),
        ] {
            #expect(try Self.value(view, address) == text, "\(address)")
        }
        let opaque = try Self.view(Self.plist(["data": inner]), nesting: nil)
        #expect(try Self.value(opaque, "/data/gems") == "nothing")
    }

    /// Objects that share their bytes share the nested save, and a finding in it has the address of each.
    @Test(arguments: [#"{"a": 1, "a": 2}"#, #"{"a": 1}"#]) func readsSharedBytesOnce(_ json: String) throws {
        let text = Array(json.utf8)
        let head = Array("bplist00".utf8) + [0xA2, 1, 2] + [0x5F, 0x10, UInt8(text.count)]
        let table = head.count + text.count
        let file =
            head + text + [8, 11, 11] + [0, 0, 0, 0, 0, 0, 1, 1]
            + [3, 0, table].flatMap {
                [0, 0, 0, 0, 0, 0, 0, UInt8($0)]
            }
        let view = try Self.view(Data(file))
        let saves = try ["/0", "/1"].map { address in
            guard case .found(let id, _) = view.find(try #require(JSONPointer(address))) else {
                return nil as NestedSave?
            }
            return try view.nestedSave(in: id)
        }
        #expect(saves[0] != nil && saves[0] === saves[1])
        let findings = Validation().report(on: file).findings.filter { $0.problem.id == "document.repeated-key" }
        let addresses = findings.map { "\($0.address ?? .root)" }
        #expect(addresses.count == (json.contains("2") ? 2 : 0), "\(Validation().report(on: file).findings)")
        #expect(Set(addresses).count == addresses.count)
    }

    @Test func filesKeepWorkFactor() throws {
        let (usual, limits) = (try Document.readSave(Array("[1]".utf8), as: .json), Limits(workFactor: 3))
        let document = try Document.readSave(Array("[1]".utf8), as: .json, limits: limits)
        let mapped = try Document.readSaveMapped(Array("[1]".utf8), as: .json, limits: limits).document
        #expect(document.maxReadByteCount > usual.maxReadByteCount)
        #expect(mapped.maxReadByteCount == document.maxReadByteCount)
    }

    @Test func rootOfNestedSaveHasOwnStep() throws {
        #expect(JSONPointer("/a/~^")?.description == "/a/~^")
        #expect(JSONPointer("/a/~^/b")?.isExtension(at: 1) == true)
        #expect(JSONPointer("/a/~^b") == nil)
        #expect(JSONPointer("/a/b~^") == nil)
        #expect(JSONPointer("/^")?.isExtension(at: 0) == false)
    }

    @Test func reportsProblemsOfNestedSaves() throws {
        let inner = try Self.plist(["gems": 7])
        let view = try Self.view(Self.plist(["data": inner.dropLast(4)]))
        guard case .missing(let missing) = view.find(try #require(JSONPointer("/data/gems"))) else {
            Issue.record("found in a damaged save")
            return
        }
        #expect(missing.problem != nil)
        #expect(missing.prefix.description == "/data")
    }

    // MARK: Comparing

    @Test func comparesJSONOnlyWithJSON() throws {
        let (json, other) = (Data(#"{"n": 1}"#.utf8), try Self.plist(["n": 1]))
        let views = try [json, other, try Self.plist(["n": 1], .xml)].map { try Self.view(Self.plist(["blob": $0])) }
        #expect(!Difference(views[0], views[1]).isEmpty)
        #expect(!Difference(views[1], views[0]).isEmpty)
        #expect(Difference(views[1], views[2]).isEmpty)
    }

    // MARK: Hostile

    @Test func limitsNestingOfSaves() throws {
        var data = try Self.plist(["end": 1])
        for _ in 0..<100 { data = try Self.plist(["in": data]) }
        let view = try Self.view(data)
        let way = String(repeating: "/in", count: 65)
        #expect(try Self.value(view, way) == "data")
        #expect(try Self.value(view, way + "/in") == "nothing")
        #expect(view.find(try #require(JSONPointer(way + "/in"))).isMissing)
        // Validation goes equally deep.
        #expect(Validation().report(on: [UInt8](data)).isSound)
    }

    @Test func limitsSizeOfOpenedSaves() throws {
        // A data value of a megabyte in 70 slots stays within the budget; 20 saves as large as the file exceed it.
        let inner = try Self.plist(["x": Data(count: 1 << 20)])
        let view = try Self.view(Self.plist((0..<70).map { _ in inner }))
        var view2: ObjectView? = nil
        for position in 0..<70 where view.find(try #require(JSONPointer("/\(position)/x"))).isMissing { view2 = view }
        #expect(view2 == nil, "data that a file holds once is opened once")
        let nesting = NestedSaveOptions().opened(for: view.document.imageSize)
        #expect(throws: Problem.self) { for _ in 0..<20 { _ = try nesting.within(view.document.imageSize) } }
    }

    @Test func opensOverlappingDataOnce() throws {
        let count = 4000
        let bytes = OverlappingObjects.file(count, of: .data)
        let document = try Document.read(bytes, as: .binary, limits: Limits(workFactor: 2))
        let view = try ObjectView(of: document, limits: Limits(), isRaw: false, nesting: NestedSaveOptions())
        let contents = view[view.root].contents
        let problems = (0..<count).compactMap { position in
            do throws(Problem) {
                return try view.nestedSave(in: view.item(position, of: contents).id).map { _ in "none" }
            } catch {
                return error.id
            }
        }
        // Saves beyond the limit are not read, so their problems are unknown.
        let read = (0..<count).filter { problems[$0] != "limit.nested" }.map {
            OverlappingObjects.distance * (count - $0) - 6
        }
        #expect(problems.count == count)
        #expect(read.count < count)
        #expect(read.reduce(0, +) <= 64 << 20 + 16 * bytes.count)
    }

    // MARK: Operations

    @Test func reportsDataThatDiffersOnlyInBytes() throws {
        let (binary, xml) = (try Self.plist(["a": 1, "b": 2]), try Self.plist(["b": 2, "a": 1], .xml))
        let difference = Difference(
            try Self.view(Self.plist(["data": binary, "n": 1])), try Self.view(Self.plist(["data": xml, "n": 1])))
        #expect(difference.isEmpty)
        #expect(difference.equalNestedSaves.map { difference.address(of: $0).description } == ["/data"])
    }

    @Test func comparesSharedSaveAtEveryAddress() throws {
        let data = [7, 8].map { gems in try? Self.plist(["gems": gems, "name": "Ada"]) }
        let difference = Difference(
            try Self.view(Self.plist(["a": try #require(data[0]), "b": try #require(data[0])])),
            try Self.view(Self.plist(["a": try #require(data[1]), "b": try #require(data[1])])))
        let inside = difference.changes.compactMap { difference.nestedDifference(of: $0) }
        #expect(inside.map { $0.address(of: $0.changes[0]).description }.sorted() == ["/a/gems", "/b/gems"])
    }

    @Test func appliesSchemasToNestedSaves() throws {
        func view(_ gems: Any) throws -> ObjectView {
            try Self.view(Self.plist(["slot": try Self.plist(["gems": gems]), "n": 1]))
        }
        let text = SchemaInference.schema(of: [try view(7), try view(8)])
        #expect(text.contains("contentSchema"))
        let schema = try Schema.compile(JSON.readPlain(Array(text.utf8)))
        #expect(try schema.findings(in: view(9)).isEmpty)
        let findings = try schema.findings(in: view("nine"))
        #expect(findings.map(\.address.description) == ["/slot/gems"])
        #expect(findings.map(\.id) == ["schema.type"])
        let other = try schema.findings(in: Self.view(Self.plist(["slot": Data([1, 2]), "n": 1])))
        #expect(other.map(\.id) == ["schema.contentSchema"])
        // A schema for contents does not look into strings.
        #expect(
            try schema.findings(in: Self.view(Self.plist(["slot": "text", "n": 1]))).map(\.id) == ["schema.x-type"])
    }

    @Test func findingsInNestedSavesHaveBothLocations() throws {
        let broken = try Data(contentsOf: TestFiles.fixtures.appending(path: "archives-tricky/54-version-text.plist"))
        let own = Validation().report(on: [UInt8](broken)).findings
        let report = Validation().report(on: [UInt8](try Self.plist(["slot": broken])))
        #expect(report.findings.map(\.problem.id) == own.map(\.problem.id))
        let finding = try #require(report.findings.first { $0.problem.severity == .error })
        #expect(finding.address?.tokens.first == Array("slot".utf16))
        #expect(finding.problem.message.contains("of the nested save"))
        var opaque = Validation()
        opaque.nesting = nil
        #expect(opaque.report(on: [UInt8](try Self.plist(["slot": broken]))).findings.isEmpty)
    }
}

extension Lookup {
    fileprivate var isMissing: Bool {
        if case .missing = self { true } else { false }
    }
}
