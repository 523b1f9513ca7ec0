import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// Unreferenced objects are kept under `$unreferenced` in graph JSON, and equal ones are not unified.
@Suite struct UnreferencedObjectTests {
    /// Returns an archive with `copies` equal objects; the root refers to the first one or to none.
    private static func archive(_ object: String, copies: Int, isReferred: Bool = true) throws -> KeyedArchive {
        let objects = Array(repeating: object, count: copies).joined(separator: ", ")
        let json = """
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": {"$uid": 1}}, "$objects": ["$null",
              {"$class": {"$uid": 2}, "value": {"$uid": \(isReferred ? 3 : 0)}, "inPlace": 5},
              {"$classname": "Map", "$classes": ["Map", "NSObject"]}, \(objects)]}
            """
        return try KeyedArchive(JSON.read(Array(json.utf8)))
    }

    @Test(
        arguments: [
            "5", "5.0", "0.5", "true", #""abc""#, #""""#, #"{"$data": "YWJj"}"#, #"{"$real32": 0.5}"#,
            #"{"$date": "2009-09-06T12:34:56Z"}"#,
            "[1, 2]", #"{"a": 1}"#, #"{"$class": {"$uid": 2}, "value": {"$uid": 0}}"#,
        ], [(1, false), (2, false), (2, true), (4, true)])
    func keepsUnreferencedObjectsSeparate(_ object: String, _ form: (copies: Int, isReferred: Bool)) throws {
        let archive = try Self.archive(object, copies: form.copies, isReferred: form.isReferred)
        let text = try GraphText.text(archive.document)
        let again = try GraphText.archive(text)
        #expect(try KeyedArchive(again).count == archive.count, "\(text)")
        #expect(try GraphText.text(again) == text)
        let read = try Document.read(again.bytes(as: .binary), as: .binary)
        #expect(try GraphText.text(read) == text)
    }

    /// Class records without objects get the last numbers, so they also come last in the JSON.
    @Test(arguments: [#""Swamp""#, "[1]", #"{"$class": {"$uid": 2}, "me": {"$uid": 4}}"#])
    func writesUnusedClassRecordsLast(_ object: String) throws {
        let json = """
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": {"$uid": 1}}, "$objects": ["$null",
              {"$class": {"$uid": 2}}, {"$classname": "Map", "$classes": ["Map"]},
              {"$classname": "Odd", "$classes": ["Odd"]}, \(object)]}
            """
        let text = try GraphText.text(JSON.read(Array(json.utf8)))
        #expect(text.contains(#",{"$raw":{"$classname":"Odd","$classes":["Odd"]}}]}"#), "\(text)")
        #expect(try GraphText.text(GraphText.archive(text)) == text)
    }

    /// `$unreferenced` refuses the same invalid elements as a collection, and ignores null.
    @Test func rejectsInvalidUnreferencedElements() throws {
        for element in [#"{"$object": "a"}"#, #"{"$raw": {"$uid": 1}}"#, #"{"$inline": 5}"#, #"{"$ref": 9}"#] {
            #expect(throws: Problem.self, "\(element)") {
                try GraphText.archive(GraphText.text(top: "{}", #""$unreferenced": [\#(element)]"#))
            }
        }
        let nothing = try GraphText.archive(GraphText.text(top: "{}", #""$unreferenced": [null, "$null"]"#))
        #expect(try KeyedArchive(nothing).count == 1)
    }
}
