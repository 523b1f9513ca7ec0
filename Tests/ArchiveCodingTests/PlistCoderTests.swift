import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Values coded as plain property lists are compatible with Foundation's coders in both directions.
@Suite struct PlistCoderTests {
    struct Everything: Codable, Equatable {
        enum Weapon: String, Codable, CodingKeyRepresentable { case sword, bow }
        enum Event: Codable, Equatable { case moved(x: Float, y: Float), died }
        struct Tile: Codable, Hashable { var x = 1 }

        var yes = true
        var small: Int8 = -128
        var large = UInt64.max
        var half: Float = 0.5
        var tenth = 0.1
        var text = "é日本"
        var none: Int?
        var holes: [Int?] = [1, nil, 3]
        var events = [Event.moved(x: 1, y: -0.25), .died]
        var byName = ["b": 1.5, "a": 2]
        var byNumber = [7: "seven", -1: "minus one"]
        var byWeapon = [Weapon.sword: 3]
        var byTile = [Tile(): "t"]
        var set: Set<Int> = [1, 2, 3]
        var date = Date(timeIntervalSinceReferenceDate: 273_933_296)
        var data = Data([0, 1, 0xFF])
        var home = URL(string: "a", relativeTo: URL(string: "http://example.org/"))
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var price = Decimal(string: "-12.05")
        var indexes = IndexSet([1, 2, 9])
        var point = CGPoint(x: 1, y: 2.5)
        var range = NSRange(location: 1, length: 2)
    }

    @Test(arguments: [Format.binary, .xml]) func foundationReadsPropertyLists(_ format: Format) throws {
        let bytes = try PlistEncoder().encode(Everything(), as: format)
        #expect(try PropertyListDecoder().decode(Everything.self, from: Data(bytes)) == Everything())
        #expect(try PlistDecoder().decode(Everything.self, from: bytes) == Everything())
        #expect(try PlistEncoder().encode(Everything(), as: format) == bytes)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func readsPropertyListsOfFoundation(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        #expect(try PlistDecoder().decode(Everything.self, from: [UInt8](encoder.encode(Everything()))) == Everything())
    }

    struct Score: Codable, Equatable {
        var name: String
        var score: Int
        var date: ArchivedDate
        enum CodingKeys: String, CodingKey { case name = "playerName", score, date }
    }

    @Test func highScores() throws {
        let fixture = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/highscores.plist"))
        let scores = try PlistDecoder().decode([Score].self, from: fixture)
        #expect(scores.first?.name == "Ada")
        #expect(scores.count == 10)
        #expect(try PlistDecoder().decode([Score].self, from: PlistEncoder().encode(scores)) == scores)
    }

    final class Knot: Codable { var next: Knot? }

    @Test func rejectsUnsupportedValues() throws {
        let knot = Knot()
        knot.next = knot
        let cycle = #expect(throws: Problem.self) { try PlistEncoder().encode(knot) }
        #expect(
            cycle?.description
                == "/next: the object contains itself, but is not encoded as fields, so nothing can refer to it")
        knot.next = nil
        let loss = #expect(throws: Problem.self) { try PlistEncoder().encode(["a": "\u{1}"], as: .xml) }
        #expect(loss?.id == "loss.character")
        let kind = #expect(throws: Problem.self) {
            try PlistDecoder().decode([[String: Int]].self, from: Array(#"[{"a": "b"}]"#.utf8))
        }
        #expect(kind?.description == "/0/a: found a string; expected an integer")
    }

    // MARK: Kinds of values

    /// The decoding of an element as another type fails in Foundation, too.
    @Test(arguments: [Format.binary, .xml]) func rejectsOtherKinds(_ format: Format) throws {
        func check<Wanted: Codable>(_ type: Wanted.Type, _ value: some Codable, _ expected: String) throws {
            let bytes = try PlistEncoder().encode([value], as: format)
            #expect(throws: DecodingError.self) { try PropertyListDecoder().decode([Wanted].self, from: Data(bytes)) }
            let problem = #expect(throws: Problem.self) { try PlistDecoder().decode([Wanted].self, from: bytes) }
            #expect(problem?.description == "/0: " + expected)
        }
        let date = Date(timeIntervalSinceReferenceDate: 5)
        try check(Bool.self, 1, "found an integer; expected a boolean")
        try check(Int.self, true, "found a boolean; expected an integer")
        try check(Double.self, true, "found a boolean; expected a number")
        try check(Double.self, date, "found a date; expected a number")
        try check(Date.self, 5, "found an integer; expected a date")
        try check(Date.self, "soon", "found a string; expected a date")
        try check(Data.self, [1, 2], "found an array; expected data")
        try check(Data.self, "text", "found a string; expected data")
        try check(URL.self, "a:b", "found a string; expected a URL")
        try check(UUID.self, 5, "found an integer; expected a UUID")
    }

    /// Plain JSON has no dates.
    @Test func readsDatesThatJSONLacks() throws {
        let bytes = Array(#"[5, 0.5]"#.utf8)
        #expect(try PlistDecoder().decode([Date].self, from: bytes).map(\.timeIntervalSinceReferenceDate) == [5, 0.5])
        let own = try PlistDecoder().decode([ArchivedDate].self, from: bytes)
        #expect(own.map(\.secondsSince2001) == [5, 0.5])
        #expect(throws: Problem.self) { try PlistDecoder().decode([ArchivedDate].self, from: Array("[true]".utf8)) }
        #expect(throws: Problem.self) { try PlistDecoder().decode([Data].self, from: Array("[[1, 2]]".utf8)) }
        #expect(throws: Problem.self) { try PlistDecoder().decode([Bool].self, from: Array("[1]".utf8)) }
    }

    @Test func rejectsNumbersBeyondFloats() throws {
        let problem = #expect(throws: Problem.self) {
            try PlistDecoder().decode([Float].self, from: PlistEncoder().encode([0.1, 1e300]))
        }
        #expect(
            problem?.description == "/1: found 1e+300; expected a number from -3.4028235e+38 to 3.4028235e+38")
        let infinity = try PlistEncoder().encode([Double.infinity])
        #expect(try PlistDecoder().decode([Float].self, from: infinity) == [.infinity])
    }

    /// A nested container that is requested twice is one container.
    @Test func continuesNestedContainers() throws {
        struct Twice: Encodable {
            enum Key: CodingKey { case a, b, x, y }
            func encode(to encoder: any Encoder) throws {
                var fields = encoder.container(keyedBy: Key.self)
                for key in [Key.x, .y] {
                    var nested = fields.nestedContainer(keyedBy: Key.self, forKey: .a)
                    try nested.encode(1, forKey: key)
                    var list = fields.nestedUnkeyedContainer(forKey: .b)
                    try list.encode(key.stringValue)
                }
            }
        }
        let decoder = JSONDecoder()
        struct Result: Decodable, Equatable {
            var a: [String: Int]
            var b: [String]
        }
        let expected = Result(a: ["x": 1, "y": 1], b: ["x", "y"])
        #expect(try decoder.decode(Result.self, from: JSONEncoder().encode(Twice())) == expected)
        #expect(try PlistDecoder().decode(Result.self, from: PlistEncoder().encode(Twice())) == expected)
        let archive = try KeyedArchive(KeyedArchiveEncoder().encode(Twice())).root()
        #expect(try archive["a"].fields.map(\.name) == ["x", "y"])
        #expect(try archive["b"].array.count == 2)
    }

    @Test func encodesNilAsNullInJSON() throws {
        let holes = [nil, 1] as [Int?]
        let json = try PlistEncoder().encode(holes, as: .json)
        #expect(try JSONDecoder().decode([Int?].self, from: Data(json)) == holes)
        #expect(try PlistDecoder().decode([Int?].self, from: json) == holes)
    }

    /// XML and the GNUstep format have no fractions of a second, so dates are rounded down.
    @Test(arguments: [0.5, -0.5, 694_224_000.999]) func roundsDatesDown(seconds: Double) throws {
        let value = [Date(timeIntervalSinceReferenceDate: seconds)]
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let foundation = try PlistDecoder().decode([Date].self, from: [UInt8](encoder.encode(value)))
        for format in [Format.xml, .gnustep] {
            let bytes = try PlistEncoder().encode(value, as: format)
            #expect(try PlistDecoder().decode([Date].self, from: bytes) == foundation)
        }
        #expect(try PlistDecoder().decode([Date].self, from: PlistEncoder().encode(value)) == value)
    }

    /// In a plain property list no key is special, and leading dollar signs are kept.
    @Test func keepsTypesOfMembers() throws {
        let value = ["$class": "$null2", "$$x": "y"]
        let document = try PlistEncoder().encodeDocument(value)
        guard case .string(let text) = document["$class"] else { throw Problem("test", "no string") }
        #expect(text.string == "$null2")
        #expect(document["nothing"] == nil)
        #expect(try PlistDecoder().decode([String: String].self, from: document.bytes(as: .binary)) == value)
    }
}
