import KeyedArchives
@testable import SaveCodec
import Testing

/// An archive that is built without faults is not checked again. The check must find no errors in it.
@Suite struct FaultlessTextTests {
    private static let classes = #""$classes": {"Player": ["Player", "NSObject"]}"#

    @Test(arguments: [
        #"{"root": {"$class": "Player", "name": "Ada", "items": [1, "two"], "nothing": null}}"#,
        #"{"root": {"a": {"$date": "2024-01-01T00:00:00Z"}, "b": {"$class": "NSMutableArray", "$elements": [1]}}}"#,
        #"{"root": [{"$class": "NSSet", "$elements": [{"$id": 1, "$class": "Player"}]}, {"$ref": 1}]}"#,
    ])
    func provesUsualObjects(_ top: String) throws {
        #expect(try Self.isFaultless(GraphText.text(top: top, Self.classes)))
    }

    @Test(arguments: [
        (#"{"root": [1, null]}"#, classes),
        (#"{"root": {"a": null}}"#, classes),
        (#"{"root": {"$$null": 1}}"#, classes),
        (#"{"root": {"$class": "NSSet", "$elements": [null]}}"#, classes),
        (#"{"root": {"$class": "NSOrderedSet", "$elements": [null]}}"#, classes),
        (#"{"root": {"$class": "NSDictionary", "$entries": [[null, 2]]}}"#, classes),
        (#"{"root": {"$class": "NSMutableDictionary", "NS.keys": 1}}"#, classes),
        (#"{"root": {"$class": "NSDate"}}"#, classes),
        (#"{"root": {"$class": "NSColor", "NSColorSpace": "red"}}"#, classes),
        (#"{"root": [1]}"#, #""$classes": {"NSArray": {"name": "NSDate", "chain": ["NSDate"]}}"#),
    ])
    func leavesOtherObjectsToTheCheck(_ top: String, _ more: String) throws {
        let text = GraphText.text(top: top, more)
        let (archive, isFaultless) = try GraphJSON.construction(from: JSON.read(Array(text.utf8)))
        #expect(!isFaultless)
        #expect(try KeyedArchive(archive).findings.contains { $0.severity == .error })
    }

    /// Returns whether the archive of a text is built without faults, after checking that no check finds any.
    private static func isFaultless(_ text: String) throws -> Bool {
        let (archive, isFaultless) = try GraphJSON.construction(from: JSON.read(Array(text.utf8)))
        return try isFaultless && !KeyedArchive(archive).findings.contains { $0.severity == .error }
    }
}
