@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Thousands of references lead to one long string or class name. Formats that would write it at every reference refuse
/// the file, and other work takes time linear in the size of the file.
@Suite struct RepeatedScalarTests {
    private static let count = TestScale.count(2_000, long: 4_000)
    private static let long = String(repeating: "x", count: 50 * count)

    private static func strings() throws -> Document {
        var archive = KeyedArchiveBuilder()
        let text = archive.add(string: long)
        let root = array(of: Array(repeating: text, count: count), in: &archive)
        return try finish(archive, root)
    }

    private static func instances() throws -> Document {
        var archive = KeyedArchiveBuilder()
        let record = archive.addClass(long, chain: [long, "NSObject"])
        let objects = (0..<count).map { _ in
            let object = archive.reserve()
            archive.begin(object, of: record)
            archive.end()
            return object
        }
        let root = array(of: objects, in: &archive)
        return try finish(archive, root)
    }

    private static func keys() throws -> Document {
        var archive = KeyedArchiveBuilder()
        let record = archive.addClass("NSDictionary", chain: ["NSDictionary", "NSObject"])
        let keys = [archive.add(string: long), archive.add(string: "short")]
        let dictionaries = (0..<count).map { _ in
            let dictionary = archive.reserve()
            archive.begin(dictionary, of: record)
            archive.addCollection(keys: keys, keys)
            archive.end()
            return dictionary
        }
        let root = array(of: dictionaries, in: &archive)
        return try finish(archive, root)
    }

    private static func array(of elements: [UID], in archive: inout KeyedArchiveBuilder) -> UID {
        let record = archive.addClass("NSArray", chain: ["NSArray", "NSObject"])
        let array = archive.reserve()
        archive.begin(array, of: record)
        archive.addCollection(elements)
        archive.end()
        return array
    }

    private static func finish(_ archive: consuming KeyedArchiveBuilder, _ root: UID) throws -> Document {
        archive.addTop(root: root)
        return try archive.finish()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () throws -> Document
    }

    private static let cases = [
        Case(testDescription: "strings", make: strings), Case(testDescription: "classes", make: instances),
        Case(testDescription: "keys", make: keys),
    ]

    /// The file is refused before anything is written.
    @Test(.timeLimit(.minutes(15)), arguments: cases)
    func graph(_ test: Case) throws {
        let archive = try KeyedArchive(test.make())
        var output = ByteWriter()
        let problem = #expect(throws: Problem.self) { try GraphJSON.write(archive, to: &output) }
        #expect(problem?.id == "limit.expansion")
        #expect(output.takeBytes().isEmpty)
    }

    @Test(.timeLimit(.minutes(15)), arguments: cases)
    func plain(_ test: Case) throws {
        let plain = try PlainUnarchiver.plain(KeyedArchive(test.make())).document
        #expect(plain.imageSize < 3 * Self.long.utf8.count)
    }

    /// A property list that refers to the string many times becomes an archive without being expanded to a tree.
    @Test(.timeLimit(.minutes(15)))
    func archive() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        let text = builder.add(string: Self.long)
        for _ in 1..<Self.count { builder.add(text) }
        builder.close()
        let archive = try PlainArchiver.archive(of: builder.finish())
        #expect(archive.imageSize < Self.long.utf8.count * 3 / 2)
    }
}
