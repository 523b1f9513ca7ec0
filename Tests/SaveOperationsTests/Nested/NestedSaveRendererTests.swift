import Foundation
import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveCodec
@testable import SaveOperations

/// Data is written in JSON as the save that it contains, and read back.
@Suite struct NestedSaveRendererTests {
    private struct Shown {
        let json: String
        let unopened: Int
        let comments: Int
    }

    private static func shown(_ bytes: [UInt8], _ nesting: NestedSaveOptions = NestedSaveOptions(), room: Int? = nil)
        throws -> Shown
    {
        try shown(Document.readSave(bytes, as: Format.recognize(bytes)), nesting, room: room)
    }

    private static func shown(
        _ document: Document, _ nesting: NestedSaveOptions = NestedSaveOptions(), room: Int? = nil
    ) throws -> Shown {
        let view = try ObjectView(of: document, limits: Limits(), isRaw: nesting.isRaw)
        let saves = NestedSaveRenderer(
            imageSize: view.document.imageSize, nesting, WriteOptions(isCompact: true), room: room)
        var output = ByteWriter()
        try saves.write(to: &output) { options, output throws(Problem) in
            if let archive = view.archive {
                try GraphJSON.write(archive, to: &output, options: options)
            } else {
                try view.document.write(as: .json, to: &output, options: options)
            }
        }
        return Shown(
            json: String(decoding: output.takeBytes(), as: UTF8.self), unopened: saves.unopenedCount,
            comments: saves.commentCount)
    }

    private static func plist(_ value: Any, _ isXML: Bool) throws -> [UInt8] {
        [UInt8](
            try PropertyListSerialization.data(fromPropertyList: value, format: isXML ? .xml : .binary, options: 0))
    }

    /// Returns the differences of two files; nested saves are compared by value.
    private static func changes(_ bytes: [UInt8], _ other: [UInt8]) throws -> [String] {
        let difference = try Difference(Save(bytes, ReadOptions()).view, Save(other, ReadOptions()).view)
        return difference.changes.map { "\($0.kind) \(difference.address(of: $0))" }
    }

    /// Converts a file with nested saves to JSON and back to its format.
    private static func checkRoundTrip(_ bytes: [UInt8], _ name: String) throws {
        let format = try Format.recognize(bytes)
        let shown = try shown(bytes)
        let read = try Document.readSave(Array(shown.json.utf8), as: .json)
        #expect(try Self.shown(read).json == shown.json, "\(name)")
        #expect(try changes(bytes, Array(shown.json.utf8)) == [], "\(name)")
        let stored = try read.resolvingGraphJSON()
        guard stored.losses(as: format).isEmpty else { return }
        #expect(try changes(bytes, stored.bytes(as: format)) == [], "\(name)")
    }

    // MARK: Both ways

    /// Checks a file nested in a dictionary and in an array, in binary and in XML, once and twice.
    ///
    /// - Returns: Whether the file can be a nested save.
    @discardableResult
    private static func checkWrapped(
        _ file: URL, as combinations: [(isXML: Bool, isDictionary: Bool)]
    ) throws -> Bool {
        let bytes = try TestFiles.bytes(file)
        guard NestedSaveOptions.format(of: bytes[...]) != nil,
            let document = try? Document.readSave(bytes, as: .recognize(bytes)),
            (try? KeyedArchive(document)) != nil || !KeyedArchive.isArchive(document)
        else { return false }
        for (isXML, isDictionary) in combinations {
            let data = Data(bytes)
            let once = try plist(isDictionary ? ["save": data, "n": 1] : [data, data], isXML)
            try checkRoundTrip(once, file.lastPathComponent)
            try checkRoundTrip(plist(["in": Data(once)], !isXML), file.lastPathComponent)
        }
        return true
    }

    private static let combinations = [(false, false), (false, true), (true, false), (true, true)]

    @Test func roundTripsSavesOfGames() throws {
        let files = try TestFiles.fixtureFiles(in: "games")
        let count = try files.count { try Self.checkWrapped($0, as: Self.combinations) }
        #expect(count > 0)
    }

    /// Checks each file in one combination, or in all of them in long runs. At least one file must be a nested save.
    private static func checkWrapped(_ files: [URL]) throws {
        let count = try files.enumerated().count { number, file in
            try checkWrapped(file, as: TestScale.isLong ? combinations : [combinations[number % combinations.count]])
        }
        #expect(count > 0 || files.isEmpty)
    }

    @Test(arguments: ["tricky", "archives-tricky"])
    func roundTripsFixtures(folder: String) throws {
        let files = try TestScale.sample(of: TestFiles.fixtureFiles(in: folder))
        #expect(!files.isEmpty)
        try Self.checkWrapped(files)
    }

    /// Data with trailing bytes stays data, because a reader would drop them.
    @Test func keepsIncompleteSavesAsData() throws {
        let save = Data("<plist><integer>16</integer></plist>and more".utf8)
        let shown = try Self.shown(Self.plist(["in": save], false))
        #expect(shown.json.hasPrefix(#"{"in":{"$data":"\#(save.base64EncodedString())"}}"#))
        #expect(shown.unopened == 1)
    }

    @Test func showsAllSavesOfGames() throws {
        for file in try TestFiles.fixtureFiles(in: "games") {
            let bytes = try TestFiles.bytes(file)
            guard let format = NestedSaveOptions.format(of: bytes[...]) else { continue }
            let shown = try Self.shown(Self.plist(["in": Data(bytes)], false))
            let tag = format == .xml ? "$xplist" : "$bplist"
            #expect(shown.json.hasPrefix(#"{"in":{"\#(tag)":{"#) || shown.json.hasPrefix(#"{"in":{"\#(tag)":["#))
            #expect(shown.unopened == 0, "\(file.lastPathComponent)")
        }
    }

    /// A nested save is written exactly like its file alone.
    @Test func writesNestedSaveLikeFile() throws {
        for name in ["games/swamp.save", "games/friends.save", "games/highscores.xml.plist"] {
            let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
            let alone = try Self.shown(bytes).json.dropLast()
            #expect(try Self.shown(Self.plist([Data(bytes)], true)).json.contains(alone), "\(name)")
        }
    }

    @Test(.enabled(if: TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES") != nil))
    func roundTripsArchivesOfOtherWriters() throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_ORACLE_ARCHIVES"))
        let archives = try TestFiles.files(under: folder).map(\.url).filter { $0.pathExtension == "archive" }
        try Self.checkWrapped(TestScale.sample(of: archives))
    }

    @Test func roundTripsNestedArchives() throws {
        for name in ["62-level.plist", "62-nested-50.plist"] {
            let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "archives-tricky/" + name))
            try Self.checkRoundTrip(bytes, name)
            let stored = try Self.shown(bytes, NestedSaveOptions(isRaw: true))
            let raw = try Document.readSave(Array(stored.json.utf8), as: .json)
            #expect(!stored.json.contains("$savetool"))
            #expect(try Self.shown(raw, NestedSaveOptions(isRaw: true)).json == stored.json)
        }
    }

    // MARK: Data that stays data

    @Test func keepsDictionaryNamedLikeTag() throws {
        for name in ["$bplist", "$xplist", "$data"] {
            let bytes = try Self.plist([name: ["a": Data(Self.plist([name: 1], false))]], false)
            #expect(try Self.shown(bytes).json.hasPrefix(#"{"$dict":[["\#(name)","#))
            try Self.checkRoundTrip(bytes, name)
        }
    }

    @Test func keepsUnreadableSavesAsData() throws {
        let whole = try Self.plist(["a": 1], false)
        let unsound: [[UInt8]] = [
            whole.dropLast(), Array("bplist00".utf8), Array("<?xml version='1.0'?><plist>".utf8),
            // An archive without its objects.
            try Self.plist(["$archiver": "NSKeyedArchiver", "$version": 100000, "$top": [:], "$objects": []], false),
        ]
        for bytes in unsound {
            let shown = try Self.shown(Self.plist([Data(bytes)], false))
            #expect(shown.json == #"[{"$data":"\#(Data(bytes).base64EncodedString())"}]"# + "\n")
            #expect(shown.unopened == 1)
        }
        for text in ["", "text", "<?xml version='1.0'?><svg/>", #"{"a": 1}"#] {
            let shown = try Self.shown(Self.plist([Data(text.utf8)], false))
            #expect(shown.json.hasPrefix(#"[{"$data":"#))
            #expect(shown.unopened == 0)
        }
    }

    /// Values that other formats cannot represent are written in JSON like any others.
    @Test func showsForeignValues() throws {
        let text = #"{"in":{"$bplist":[null,123456789012345678901234567890]}}"#
        #expect(try Self.shown(Array(text.utf8)).json == text + "\n")
    }

    @Test func keepsKeysAsData() throws {
        let save = try Self.plist(["a": 1], false)
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(data: save.span)
        builder.add(data: save.span)
        builder.close()
        let shown = try Self.shown(builder.finish())
        #expect(shown.json.hasPrefix(#"{"$dict":[[{"$data":"#))
        #expect(shown.json.hasSuffix(#",{"$bplist":{"a":1}}]]}"# + "\n"))
        #expect(try Self.shown(Array(shown.json.utf8)).json == shown.json)
    }

    @Test func limitsDepthByOption() throws {
        var bytes = try Self.plist(["end": 1], false)
        for _ in 0..<70 { bytes = try Self.plist([Data(bytes)], false) }
        for (levels, count) in [(1, 1), (2, 2), (64, 64), (1000, 64)] {
            let json = try Self.shown(bytes, NestedSaveOptions(levels: levels)).json
            #expect(json.components(separatedBy: "$bplist").count - 1 == count)
            #expect(json.contains("$data"))
            #expect(throws: Never.self) { try Document.readSave(Array(json.utf8), as: .json) }
        }
    }

    @Test func countsComments() throws {
        let text = "<?xml version='1.0'?><!-- a --><plist><array><!-- b --></array></plist>"
        let shown = try Self.shown(Self.plist([Data(text.utf8)], false))
        #expect(shown.json == #"[{"$xplist":[]}]"# + "\n")
        #expect(shown.comments == 2)
    }

    // MARK: Hostile

    /// A few bytes of shared containers expand to a large text, and so do many data values with these bytes.
    @Test func rejectsBombsInData() throws {
        let bomb = try Self.bomb(levels: 15)
        #expect(bomb.count < 300)
        let room = 1 << 18
        let one = try Self.shown(Self.plist([Data(bomb)], false), room: room)
        #expect(one.unopened == 0)
        #expect(one.json.utf8.count > room / 2)
        for many in [[bomb, bomb, bomb], [try Self.bomb(levels: 20)]] {
            let bytes = try Self.plist(many.map { Data($0) }, false)
            let problem = #expect(throws: Problem.self) { try Self.shown(bytes, room: room) }
            #expect(problem?.id == "limit.nested")
        }
        // A save that alone is too large for JSON stays data.
        let larger = try Self.shown(Self.plist([Data(Self.bomb(levels: 40))], false))
        #expect(larger.json.hasPrefix(#"[{"$data":"#))
        #expect(larger.unopened == 1)
    }

    /// Returns nested arrays. Each contains the previous one twice.
    private static func bomb(levels: Int) throws -> [UInt8] {
        var builder = DocumentBuilder()
        var last = builder.add(integer: 1)
        for _ in 0..<levels {
            builder.open(.array)
            builder.add(last)
            builder.add(last)
            last = builder.close()
        }
        return try builder.finish().bytes(as: .binary)
    }

    @Test func survivesDamagedSaves() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/slots.plist"))
        var mutator = Mutator(seeds: [bytes], seed: 7, keepsLength: true)
        for _ in 0..<TestScale.fuzzIterations {
            let outer = try Self.plist(["in": Data(mutator.next())], false)
            let shown = try Self.shown(outer)
            let read = try Document.readSave(Array(shown.json.utf8), as: .json)
            #expect(try Self.shown(read).json == shown.json)
        }
    }

    @Test func limitsWorkByFileSize() throws {
        func text(_ count: Int) -> [UInt8] {
            let form = #"{"a":{"$bplist":[{"$xplist":{}},{"$set":[1]}]}}"#
            return Array(("[" + String(repeating: form + ",", count: count) + form + "]").utf8)
        }
        #expect(
            try Growth.isLinear(to: 1600) { count in
                let text = text(count)
                return { _ = try Document.readSave(text, as: .json) }
            })
        #expect(
            try Growth.isLinear(to: 1600) { count in
                let document = try Document.readSave(text(count), as: .json)
                return { _ = try Self.shown(document) }
            })
        // The address of an invalid value is computed once.
        #expect(
            try Growth.isLinear(to: 20_000) { count in
                let wrong =
                    String(repeating: #"{"$bplist":"#, count: 40) + #"{"$xplist":null}"#
                    + String(repeating: "}", count: 40)
                let text = Array(("[" + String(repeating: "1,", count: count) + wrong + "]").utf8)
                return { _ = try? Document.readSave(text, as: .json) }
            })
    }

    @Test func survivesDamagedText() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/slots.plist"))
        let (once, twice) = (try Self.shown(bytes).json, try Self.shown(Self.plist([Data(bytes)], true)).json)
        var mutator = Mutator(seeds: [once, twice].map { Array($0.utf8) }, seed: 8)
        for _ in 0..<TestScale.fuzzIterations {
            guard let read = try? Document.readSave(mutator.next(), as: .json), let shown = try? Self.shown(read) else {
                continue
            }
            #expect(throws: Never.self) { try Document.readSave(Array(shown.json.utf8), as: .json) }
        }
    }
}
