import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// A value set in a slot takes the type of that slot and affects only the slots that share it.
@Suite struct SettingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let present: String
        let given: String
        /// The value at `/a` after the edit, or nil if it is refused.
        let result: String?
        var testDescription: String { "\(given) for \(present)" }
    }

    static let cases = [
        Case(present: "1", given: "2", result: "2"),
        Case(present: "1", given: "2.0", result: "2"),
        Case(present: "1", given: "2.5", result: nil),
        Case(present: "1", given: "-0.0", result: nil),
        Case(present: "1", given: "1e+300", result: nil),
        Case(present: "[1,2]", given: "[1.0,3.0]", result: "[1,3]"),
        Case(present: "1", given: "true", result: nil),
        Case(present: "1.5", given: "2", result: "2.0"),
        Case(present: "1.5", given: "0.1", result: "0.1"),
        Case(present: "1.5", given: "9007199254740993", result: nil),
        Case(present: "1.5", given: #"{"$real32":0.5}"#, result: nil),
        Case(present: "1.5", given: #"{"$real":"nan"}"#, result: #"{"$real":"nan"}"#),
        Case(present: #"{"$real32":0.5}"#, given: "3", result: #"{"$real32":3.0}"#),
        Case(present: #"{"$real32":0.5}"#, given: "0.1", result: #"{"$real32":0.1}"#),
        Case(present: #"{"$real32":0.5}"#, given: "16777217", result: nil),
        Case(present: #"{"$real32":0.5}"#, given: "1e+39", result: nil),
        Case(present: #"{"$real32":0.5}"#, given: #"{"$real":"-inf"}"#, result: #"{"$real32":"-inf"}"#),
        Case(present: "true", given: "0", result: nil),
        Case(present: "true", given: "false", result: "false"),
        Case(present: #""x""#, given: #""y""#, result: #""y""#),
        Case(present: #""x""#, given: #"{"$data":"AA=="}"#, result: nil),
        Case(present: "null", given: "5", result: "5"),
        Case(present: "null", given: "[5]", result: "[5]"),
        Case(present: "[1]", given: "null", result: "null"),
        Case(present: "[1]", given: #"{"$set":[1]}"#, result: nil),
        Case(present: "[1]", given: #"[{"b":2}]"#, result: nil),
        Case(present: "[1,2,3]", given: #"[1,2,"x"]"#, result: nil),
        Case(present: "[1,2,3]", given: #"[1,"x"]"#, result: nil),
        Case(present: "[1,2,3]", given: #"[1,2,3,"x"]"#, result: nil),
        Case(present: #"["a",null]"#, given: #"["a",5]"#, result: nil),
        Case(present: "[null]", given: "[5]", result: "[5]"),
        Case(present: #"[1,"a"]"#, given: #"["b",2,"c"]"#, result: #"["b",2,"c"]"#),
        Case(present: #"[{"b":1}]"#, given: #"[{"b":"x"}]"#, result: nil),
        Case(present: "[1]", given: #"[1,{"b":2}]"#, result: nil),
        Case(present: #"{"b":1}"#, given: "[]", result: nil),
        Case(present: "5", given: "[]", result: nil),
        Case(present: "[]", given: "5", result: nil),
    ]

    @Test(arguments: cases) func plain(_ row: Case) throws {
        for isBinary in [false, true] {
            var document = try JSON.readTyped(Array(#"{"a":\#(row.present)}"#.utf8))
            if isBinary { document = try BinaryPlist.read(DraftText.binary(document)) }
            let result = try? Self.edited(ObjectView(document), "/a", row.given)
            #expect(result == row.result.map { #"{"a":\#($0)}"# }, "binary: \(isBinary)")
            let changed = try Self.edited(ObjectView(document), "/a", row.given, changesType: true)
            #expect(changed == #"{"a":\#(row.given)}"#)
        }
    }

    private static func edited(
        _ view: ObjectView, _ pointer: String, _ given: String, changesType: Bool = false
    ) throws -> String {
        try DraftText.json(set(view, pointer, given, changesType: changesType))
    }

    private static func set(
        _ view: ObjectView, _ pointer: String, _ given: String, changesType: Bool = false, unshares: Bool = false
    ) throws -> Document {
        let place = try #require(JSONPointer(pointer).flatMap { EditSlot($0, in: view, unsharing: unshares) })
        var draft = Draft(view)
        let value = GivenValue(try JSON.readTyped(Array(given.utf8)), literal: given)
        _ = try draft.set(value, at: place, changesType: changesType)
        return try draft.finish()
    }

    @Test func keepsWideIntegers() throws {
        var builder = DocumentBuilder()
        let wide = try #require(StoredInteger(5, width: 8))
        builder.add(wide)
        let edited = try Self.set(ObjectView(builder.finish()), "", "6")
        guard case .integer(let integer) = edited[edited.root] else { throw Unexpected() }
        #expect(integer.value == 6)
        #expect(integer.width == 8)
    }

    private struct Unexpected: Error {}

    /// A container that a binary file stores once for two slots is edited as two values.
    @Test func editsSharedPlainContainersSeparately() throws {
        let document = try BinaryPlist.read(Self.twice)
        #expect(try Self.edited(ObjectView(document), "/0/0", "7") == "[[7],[5]]")
        #expect(try Self.edited(ObjectView(document), "/1/0", "7") == "[[5],[7]]")
    }

    /// `[[5],[5]]` with a single inner array.
    private static let twice = ListedObjects.file([[0xA2, 1, 1], [0xA1, 2], [0x10, 5]])

    // MARK: Sharing

    struct SharedCase: Sendable, CustomTestStringConvertible {
        let top: String
        let pointer: String
        let others: [String]
        /// The roots after setting 7 there, unshared.
        let split: String
        var testDescription: String { pointer + " of " + top }
    }

    static let shared = [
        SharedCase(
            top: #"{"x":{"$class":"Map","a":5}}"#, pointer: "/x/a", others: [], split: #"{"x":{"$class":"Map","a":7}}"#),
        SharedCase(
            top: #"{"x":{"$class":"Map","$id":1,"a":5},"y":{"$ref":1}}"#, pointer: "/y/a", others: ["/x/a"],
            split: #"{"x":{"$class":"Map","a":5},"y":{"$class":"Map","a":7}}"#),
        SharedCase(
            top: #"{"x":{"$class":"Map","$id":1,"m":{"$class":"Map","a":5}},"y":[{"$ref":1}]}"#, pointer: "/x/m/a",
            others: ["/y/0/m/a"],
            split:
                #"{"x":{"$class":"Map","m":{"$class":"Map","a":7}},"y":[{"$class":"Map","m":{"$class":"Map","a":5}}]}"#),
        // A child's reference back to its parent does not count as sharing.
        SharedCase(
            top: #"{"x":{"$class":"Map","$id":1,"a":5,"m":{"$class":"Map","up":{"$ref":1}}}}"#, pointer: "/x/a",
            others: [], split: #"{"x":{"$class":"Map","$id":1,"a":7,"m":{"$class":"Map","up":{"$ref":1}}}}"#),
        // Nor does it count if the parent is shared; unsharing copies the children along with the parent.
        SharedCase(
            top: #"{"x":{"$class":"Map","$id":1,"a":5,"m":{"$class":"Map","up":{"$ref":1}}},"y":{"$ref":1}}"#,
            pointer: "/x/a", others: ["/y/a"],
            split:
                #"{"x":{"$class":"Map","$id":1,"a":7,"m":{"$class":"Map","up":{"$ref":1}}},"y":{"$class":"Map","$id":2,"a":5,"m":{"$class":"Map","up":{"$ref":2}}}}"#
        ),
    ]

    @Test(arguments: shared) func sharing(_ row: SharedCase) throws {
        let graph = try JSON.readTyped(Array(DraftText.graph(row.top).utf8))
        let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: graph)))
        let place = try #require(JSONPointer(row.pointer).flatMap { EditSlot($0, in: view) })
        #expect(place.sharing?.addresses.map(\.address.description) ?? [] == row.others)
        #expect(place.sharing?.count ?? 0 == row.others.count)
        let split = try KeyedArchive(Self.set(view, row.pointer, "7", unshares: true))
        #expect(try DraftText.top(split) == row.split)
    }

    /// References back to the first object of a long chain do not count as sharing.
    @Test func chain() throws {
        let count = 10_000
        var objects = ["\"$null\""]
        for number in 1...count {
            let next = number < count ? number + 1 : 0
            objects.append(#"{"$class":{"$uid":\#(count + 1)},"up":{"$uid":1},"next":{"$uid":\#(next)}}"#)
        }
        objects.append(#"{"$classname":"Map","$classes":["Map","NSObject"]}"#)
        let list = objects.joined(separator: ",")
        let json =
            #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"$uid":1}},"$objects":[\#(list)]}"#
        let document = try BinaryPlist.read(DraftText.binary(JSON.readTyped(Array(json.utf8))))
        let view = ObjectView(try KeyedArchive(document))
        let address = try #require(JSONPointer("/root" + String(repeating: "/next", count: 5000) + "/up"))
        #expect(try #require(EditSlot(address, in: view)).sharing?.count == 0)
    }
}
