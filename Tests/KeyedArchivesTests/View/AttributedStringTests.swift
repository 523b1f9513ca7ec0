import Foundation
@testable import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

/// Views show an attributed string as its text and runs, or as stored if its fields are not as its class prescribes.
@Suite struct AttributedStringTests {
    private static func view(_ objects: [String], top: String = #"{"root":{"$uid":1}}"#) throws -> ObjectView {
        try ObjectView(of: ArchiveFile.json(objects, top: top), limits: Limits(), isRaw: false)
    }

    /// Returns a value as text: scalars, `[…]`, `{name: …}`, with the class of an object before it.
    private static func text(_ id: ViewID, in view: ObjectView) -> String {
        let value = view[id]
        func items() -> String {
            (0..<value.contents.count).map { position in
                let item = view.item(position, of: value.contents)
                return (item.key.flatMap(view.text).map { $0.string + ": " } ?? "") + text(item.id, in: view)
            }.joined(separator: ", ")
        }
        switch value.variant {
        case .scalar(.string(let text)): return text.string
        case .scalar(.integer(let integer)): return "\(integer.value)"
        case .scalar(let node): return "\(node.kind)"
        case .array, .set: return "[\(items())]"
        case .dictionary, .object:
            let name = value.classPosition.flatMap { view.archive?.classes[$0].name.string }
            return (value.variant.kind == .object ? name ?? "" : "") + "{\(items())}"
        }
    }

    private static func root(of view: ObjectView) -> String { text(view.item(0, of: view.root).id, in: view) }

    private static func objects(_ fields: String, _ others: String...) -> [String] {
        [
            #"{\#(fields),"$class":{"$uid":2}}"#, AnnotationTests.record("NSAttributedString"),
            AnnotationTests.record("NSArray"), AnnotationTests.record("NSDictionary"),
            #"{"$class":{"$uid":4},"NS.keys":[{"$uid":6}],"NS.objects":[{"$uid":7}]}"#, #""Color""#, #""red""#,
            #"{"$class":{"$uid":4},"NS.keys":[],"NS.objects":[]}"#,
        ] + others
    }

    private static func table(_ info: String, list: String = #"{"$uid":5},{"$uid":8}"#) -> [String] {
        objects(
            #""NSAttributes":{"$uid":9},"NSAttributeInfo":{"$uid":10},"NSString":{"$uid":11}"#,
            #"{"$class":{"$uid":3},"NS.objects":[\#(list)]}"#, #"{"$data":"\#(info)"}"#, #""a🐸b""#)
    }

    @Test(arguments: [
        (
            table("AwABAQ=="),
            "{text: a🐸b, runs: [{range: {location: 0, length: 3}, attributes: {Color: red}}, "
                + "{range: {location: 3, length: 1}, attributes: {}}]}"
        ),
        (
            objects(#""NSString":{"$uid":9},"NSAttributes":{"$uid":5}"#, #""Hi""#),
            "{text: Hi, runs: [{range: {location: 0, length: 2}, attributes: {Color: red}}]}"
        ),
        (objects(#""NSString":{"$uid":9}"#, #""Hi""#), "{text: Hi}"),
        (
            objects(#""x":5,"NSString":{"$uid":9},"NSAttributes":{"$uid":8}"#, #""Hi""#),
            "{text: Hi, runs: [{range: {location: 0, length: 2}, attributes: {}}], x: 5}"
        ),
        // Nothing is shown that would leave out a part of the fields.
        (table("AwABAA=="), stored), (table("BAE=", list: #"{"$uid":5}"#), stored), (table("gA=="), stored),
        (table("AwAAAQEB"), stored), (table("AwABAQA="), stored), (table("AgABAQ=="), stored),
        (table("AwABAQ==", list: #"{"$uid":5},{"$uid":6}"#), stored),
        (
            objects(#""NSString":{"$uid":9},"NSAttributes":{"$uid":5}"#, #""""#),
            "{NSString: , NSAttributes: {Color: red}}"
        ),
        (objects(#""NSString":{"$uid":9},"text":5"#, #""Hi""#), "{NSString: Hi, text: 5}"),
    ]) func shown(_ objects: [String], _ expected: String) throws {
        let text = Self.root(of: try Self.view(objects))
        if expected == Self.stored {
            #expect(text.hasPrefix("NSAttributedString{NSAttributes: "))
        } else {
            #expect(text == "NSAttributedString" + expected)
        }
    }

    private static let stored = "as stored"

    /// A binary file of any size keeps the offsets of its objects, and is written with the same bytes.
    @Test func binaryFile() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "attributed/dialogue.save"))
        let document = try Document.read(bytes, as: .binary)
        let view = try ObjectView(of: document, limits: Limits(), isRaw: false)
        #expect(view.document.count > document.count)
        for index in 0..<document.count {
            let id = ObjectID(index)
            #expect(view.document.location(of: id) == document.location(of: id))
            #expect(view.document.object(id).kind == document.object(id).kind)
        }
        #expect(try view.document.bytes(as: .binary) == bytes)
        #expect(view.document.original.hasSameTree(as: document))
    }

    /// A typedstream stores the number and the length of each run, and attributes where their number first occurs.
    @Test func typedStream() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "oldmac/dialogue.typedstream"))
        let view = try ObjectView(of: Document.read(bytes, as: .typedStream), limits: Limits(), isRaw: false)
        #expect(
            Self.root(of: view) == "NSMutableAttributedString{text: Welcome to the Swamp, stranger., runs: "
                + "[{range: {location: 0, length: 15}, attributes: {Color: white}}, "
                + "{range: {location: 15, length: 5}, attributes: {Color: green, Size: 24}}, "
                + "{range: {location: 20, length: 11}, attributes: {Color: white}}]}")
    }

    /// Objects that overlap in a damaged file do not make the view large.
    @Test func sharedRuns() throws {
        let count = 3000
        var objects = Self.table(String(repeating: "AQABAQ==", count: 1))
        let string = objects[0]
        objects += Array(repeating: string, count: count)
        let view = try Self.view(objects)
        #expect(view.document.imageSize < 100 * view.document.original.imageSize)
    }

    @Test func packedNumbers() throws {
        for number in [0, 1, 127, 128, 300, 16_383, 16_384, Int.max] {
            var bytes: [UInt8] = []
            LEB128.append(number, to: &bytes)
            var numbers = PackedNumbers(bytes[...])
            #expect(try numbers.next() == UInt64(number))
            #expect(numbers.isAtEnd)
        }
    }
}
