import KeyedArchives
import SaveCodec
import Testing

/// Archives, given as graph JSON, are converted to plain property lists with the expected values, losses and problems.
@Suite struct PlainUnarchiverTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let top: String
        let plain: String
        var losses: [String] = []
        var testDescription: String { top }
    }

    private static func archive(_ top: String) throws -> KeyedArchive {
        try KeyedArchive(
            GraphText.archive(GraphText.text(top: top, #""$classes": {"Map": null, "Weird\u001b": null}"#)))
    }

    private static func text(_ document: Document) throws(Problem) -> String {
        String(
            decoding: try document.bytes(as: .json, options: WriteOptions(isCompact: true)).dropLast(),
            as: UTF8.self)
    }

    static let cases = [
        Case(top: #"{"root": "Ada"}"#, plain: #""Ada""#),
        Case(top: #"{"root": null}"#, plain: "null"),
        Case(top: #"{}"#, plain: "{}"),
        Case(top: #"{"root": "Ada", "other": 5}"#, plain: #"{"root":"Ada","other":5}"#),
        Case(top: #"{"save": ["Ada"]}"#, plain: #"{"save":["Ada"]}"#),
        Case(
            top: #"{"root": [null, {"$class": "NSNull"}, true, 1.5, {"$real32": 0.5}, {"$data": "AQ=="}]}"#,
            plain: #"[null,null,true,1.5,{"$real32":0.5},{"$data":"AQ=="}]"#),
        Case(
            top: #"{"root": {"$class": "NSMutableArray", "$elements": [{"$class": "NSSet", "$elements": [1]}]}}"#,
            plain: #"[{"$set":[1]}]"#),
        Case(top: #"{"root": {"$class": "NSOrderedSet", "$elements": [1, 2]}}"#, plain: "[1,2]"),
        Case(
            top: #"{"root": {"$class": "NSMutableString", "NS.string": {"$inline": "Swamp"}}}"#, plain: #""Swamp""#),
        Case(
            top: #"{"root": {"$class": "NSMutableData", "NS.data": {"$inline": {"$data": "AQ=="}}}}"#,
            plain: #"{"$data":"AQ=="}"#),
        Case(
            top: #"{"root": [{"$date": 0.5}, {"$raw": {"$date": 0.5}}]}"#,
            plain: #"[{"$date":"2001-01-01T00:00:00.5Z"},{"$date":"2001-01-01T00:00:00.5Z"}]"#),
        Case(
            top: #"{"root": {"$class": "NSDictionary", "$entries": [[7, "seven"], [null, 1], ["k", 2], ["k", 3]]}}"#,
            plain: #"{"$dict":[[7,"seven"],[null,1],["k",2],["k",3]]}"#),
        Case(
            top: #"{"root": {"$class": "Map", "name": "Crypt", "n": {"$inline": [1]}, "more": [{"$class": "Map"}]}}"#,
            plain: #"{"$class":"Map","name":"Crypt","n":[1],"more":[{"$class":"Map"}]}"#,
            losses: [
                "(root): found an object of class Map; a plain property list cannot represent it",
                "/more/0: found an object of class Map; a plain property list cannot represent it",
            ]),
        Case(
            top: #"{"root": {"$class": "Weird\u001b"}}"#, plain: #"{"$class":"Weird\u001b"}"#,
            losses: [#"(root): found an object of class Weird\u001B; a plain property list cannot represent it"#]),
        Case(
            top: #"{"root": {"$class": "NSArray", "NS.objects": 5}}"#, plain: #"{"$class":"NSArray","NS.objects":5}"#,
            losses: ["(root): found an object of class NSArray; a plain property list cannot represent it"]),
    ]

    @Test(arguments: cases) func convertsToPlainValues(_ test: Case) throws {
        let (plain, losses) = try PlainUnarchiver.plain(Self.archive(test.top))
        #expect(try Self.text(plain) == test.plain)
        #expect(losses.map(\.description) == test.losses)
    }

    @Test(arguments: [
        (
            #"{"root": {"a": {"$class": "NSArray", "$id": 1, "$elements": [{"$ref": 1}]}}}"#,
            "/a/0: the object contains itself; a plain property list cannot represent that"
        ),
        (
            #"{"root": {"$class": "NSDictionary", "$entries": [[[1], 2]]}}"#,
            "(root): found a container or an object as a key; a property list allows only scalar keys"
        ),
    ])
    func rejects(_ top: String, _ description: String) throws {
        let archive = try Self.archive(top)
        let problem = #expect(throws: Problem.self) { try PlainUnarchiver.plain(archive) }
        #expect(problem?.description == description)
    }

    // MARK: Size

    @Test func limitsDepth() throws {
        #expect(throws: Never.self) { try PlainUnarchiver.plain(KeyedArchive(nestedArrays(levels: 512, times: 1))) }
        let archive = try KeyedArchive(nestedArrays(levels: 600, times: 1))
        let problem = #expect(throws: Problem.self) { try PlainUnarchiver.plain(archive) }
        #expect(problem?.message == "objects are nested more than 512 levels deep")
        let limits = Limits(maxDepth: 600)
        #expect(throws: Never.self) { try PlainUnarchiver.plain(archive, limits: limits) }
    }

    /// The depth limit applies to every occurrence of a shared object, not only to the first.
    @Test func limitsDepthOfSharedObjects() throws {
        func text(_ levels: Int) -> String {
            let deep = String(repeating: "[", count: levels) + #"{"$ref": 1}"# + String(repeating: "]", count: levels)
            let first = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
            return #"{"root": [{"$class": "NSArray", "$id": 1, "$elements": [\#(first)]}, \#(deep)]}"#
        }
        #expect(throws: Never.self) { try PlainUnarchiver.plain(Self.archive(text(210))) }
        #expect(throws: Problem.self) { try PlainUnarchiver.plain(Self.archive(text(211))) }
    }

    /// An array doubled 60 times stays small in binary and is refused by formats that would write it out.
    @Test func doubledArray() throws {
        let (plain, losses) = try PlainUnarchiver.plain(KeyedArchive(nestedArrays(levels: 61, times: 2)))
        #expect(losses.isEmpty)
        #expect(try plain.bytes(as: .binary).count < 2_000)
        for format in [Format.json, .xml, .openStep] {
            #expect(throws: Problem.self) { try plain.bytes(as: format) }
        }
    }

    /// The list of losses is limited and ends with a count of the rest.
    @Test func manyLosses() throws {
        let objects = String(repeating: #"{"$class": "Map"},"#, count: 2_000).dropLast()
        let losses = try PlainUnarchiver.plain(Self.archive(#"{"root": [\#(objects)]}"#)).losses
        #expect(losses.count == 1_001)
        #expect(losses.last?.message == "and 1,000 more objects of classes that are not Foundation's")
    }
}
