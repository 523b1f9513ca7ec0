import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// Property lists converted to archives keep their value, and Foundation reads the same value.
@Suite struct PlainArchiverTests {
    /// The fixtures that are property lists without UIDs, which have no meaning outside an archive.
    private static let files: [TestFiles.File] = ["games", "typed-json", "tricky", "bad"].flatMap { name in
        let folder = TestFiles.fixtures.appending(path: name)
        return ((try? TestFiles.files(under: folder)) ?? []).filter { file in
            guard let document = try? document(in: file.url) else { return false }
            let hasUID = (0..<document.count).contains { document.object(ObjectID($0)).kind == .uid }
            return !hasUID && (try? value(of: document)) != nil
        }
    }

    private static func document(in file: URL) throws -> Document {
        let bytes = try TestFiles.bytes(file)
        return try Document.read(bytes, as: Format.recognize(bytes))
    }

    /// Returns text that is equal for equal values.
    private static func value(of document: Document) throws(Problem) -> String {
        let stored = document.asTypedJSON()
        let bytes = try stored.bytes(as: .json, options: WriteOptions(keyOrder: .sorted, isCompact: true))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func findsFiles() {
        #expect(Self.files.count > 100)
    }

    @Test(arguments: files.map(\.url)) func roundTrips(_ file: URL) throws {
        let document = try Self.document(in: file)
        let bytes = try PlainArchiver.archive(of: document).bytes(as: .binary)
        let archive = try KeyedArchive(Document.read(bytes, as: .binary))
        #expect(!archive.findings.contains { $0.severity == .error })
        let (plain, losses) = try PlainUnarchiver.plain(archive)
        #expect(losses.isEmpty)
        #expect(try Self.value(of: plain) == Self.value(of: document))
    }

    @Test func keepsSharedObjects() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.open(.dictionary)
        builder.add(string: "name")
        builder.add(string: "Ada")
        let ada = builder.close()
        builder.add(ada)
        builder.close()
        let archive = try PlainArchiver.archive(of: builder.finish())
        #expect(
            try GraphText.text(archive)
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":[{"$class":"NSDictionary","$id":1,"#
                + #""$entries":{"name":"Ada"}},{"$ref":1}]}}"# + "\n")
        let plain = try PlainUnarchiver.plain(KeyedArchive(archive)).document
        guard case .array(let elements) = plain[plain.root] else { throw Unexpected() }
        #expect(elements[0] == elements[1])
    }

    private struct Unexpected: Error {}

    /// The text `$null` would mean nil if it were stored directly in the archive.
    @Test func textEqualToNullMarker() throws {
        let document = try JSON.read(Array(#"{"$null": ["$null", null]}"#.utf8))
        let archive = try PlainArchiver.archive(of: document)
        #expect(
            try GraphText.text(archive)
                == #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"root":{"$class":"NSDictionary","$entries":"#
                + #"[[{"$class":"NSMutableString","$id":1,"NS.string":{"$inline":"$null"}},"#
                + #"[{"$ref":1},{"$class":"NSNull"}]]]}}}"# + "\n")
        #expect(try Self.value(of: PlainUnarchiver.plain(KeyedArchive(archive)).document) == Self.value(of: document))
    }

    @Test func uid() throws {
        let document = try JSON.read(Array(#"{"a": [1, {"$uid": 5}]}"#.utf8))
        let problem = #expect(throws: Problem.self) { try PlainArchiver.archive(of: document) }
        #expect(problem?.description == "/a/1: found a UID; an archive cannot store it as a value")
    }

    // MARK: Foundation

    /// Foundation's unarchiver reads from the archive what its property list reader reads from the list.
    @Test(arguments: [
        "games/preferences.plist", "games/leaderboard.plist", "games/highscores.plist",
        "typed-json/string.plist", "typed-json/dictionary.plist", "typed-json/data.plist", "typed-json/date.plist",
        "typed-json/true.plist", "typed-json/integer-negative.plist", "typed-json/real-least.plist",
    ])
    func foundationReadsSameValues(_ name: String) throws {
        let file = TestFiles.fixtures.appending(path: name)
        let archive = try PlainArchiver.archive(of: Self.document(in: file)).bytes(as: .binary)
        let found = try Self.unarchived(archive)
        let expected = unsafe try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        #expect(NSArray(object: found).isEqual(to: [expected]))
    }

    private static func unarchived(_ archive: [UInt8]) throws -> Any {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive))
        unarchiver.requiresSecureCoding = false
        defer { unarchiver.finishDecoding() }
        return try #require(unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey))
    }

    /// JSON values, including null, are also read by Foundation.
    @Test(arguments: [
        #"{"name": "Zoë 🐸", "hitPoints": 100, "position": {"x": 10.5, "y": -0.25}, "quests": ["a", [], {}, true, null]}"#,
        #"["$null", "$class", "", 0, -1, 9007199254740993, 1e300]"#,
    ])
    func foundationReadsSameValuesFromJSON(_ text: String) throws {
        let archive = try PlainArchiver.archive(of: JSON.read(Array(text.utf8)))
        let found = try Self.unarchived(archive.bytes(as: .binary))
        let expected = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(NSArray(object: found).isEqual(to: [expected]))
    }
}
