import KeyedArchives
@testable import SaveCodec
import Testing

@testable import SaveOperations

/// Values of a JSON text and of an archive have equal hashes if their plain JSON is equal.
@Suite struct ContentHashesTests {
    private static let present = [
        #"{"a": 1}"#, #"{"$$a": 1}"#, #"{"$raw": {"$a": 1}}"#, #"{"$class": "R", "a": 1}"#,
        #"{"$class": "R", "$$a": 1}"#,
        "[1]", "{}", #"{"$raw": {"$date": "2001-01-01T00:00:09Z"}}"#, #""x""#,
    ]

    /// A given value has the same hash as the values of the archive at the given positions, and as no others.
    @Test(arguments: [
        (#"{"a": 1}"#, [0, 3]), (#"{"$class": "NSMutableDictionary", "$entries": {"a": {"$object": 1}}}"#, [0, 3]),
        (#"{"$class": "R", "$fields": [["a", 1]]}"#, [0, 3]), (#"{"$inline": {"a": {"$inline": 1}}}"#, [0, 3]),
        (#"{"$raw": {"a": 1}, "$id": 1}"#, [0, 3]),
        // Names of dictionary entries are escaped like field names; keys that are values and names in `$raw` are not.
        (#"{"$$a": 1}"#, [1, 2, 4]), (#"{"$class": "NSMutableDictionary", "$entries": {"$$a": 1}}"#, [1, 2, 4]),
        (#"{"$class": "NSMutableDictionary", "$entries": [["$a", 1]]}"#, [1, 2, 4]),
        (#"{"$raw": {"$a": 1}}"#, [1, 2, 4]),
        (#"{"$class": "R", "$fields": [["$$a", 1]]}"#, [1, 2, 4]),
        // Plain JSON contains the stored names unescaped.
        (#"{"$a": 1}"#, [1, 2, 4]),
        (#"{"$raw": {"$ref": 1, "b": 2}}"#, []), (#"{"$class": "R", "$fields": [["a", 2]]}"#, []),
        (#"{"$class": "NSSet", "$elements": [1]}"#, [5]), (#"{"$raw": [1]}"#, [5]),
        (#"{"$raw": {"$date": "2001-01-01T00:00:09Z"}}"#, [7]), (#"{"$date": "2001-01-01T00:00:09Z"}"#, [7]),
        (#"{"$ref": 1}"#, []), (#"{"$class": "NSMutableDictionary", "$entries": "xxxx"}"#, [6]),
    ]) func hashes(_ given: String, _ same: [Int]) throws {
        let graph = #"{"$archiver": "A", "$top": {"l": [\#(Self.present.joined(separator: ", "))]}, "#
        let classes = #""$classes": {"R": ["R", "NSObject"]}}"#
        let archive = try KeyedArchive(GraphJSON.archive(from: JSON.read(Array((graph + classes).utf8))))
        var draft = Draft(ObjectView(archive))
        var hashes = ContentHashes()
        let text = try JSON.readTyped(Array(given.utf8))
        let hash = hashes.hash(of: text.root, in: text, isRaw: false)
        var found: [Int] = []
        for index in Self.present.indices {
            let id = JSONPointer("/l/\(index)").flatMap { draft.presentValue(at: $0) }
            if try hashes.hash(of: #require(id), in: &draft) == hash { found.append(index) }
        }
        #expect(found == same)
    }
}
