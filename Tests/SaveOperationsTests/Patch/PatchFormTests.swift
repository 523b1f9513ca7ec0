import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Values of a patch without storage information are stored, member by member, like the values that they replace.
@Suite struct PatchFormTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let before: String
        let patch: String
        let after: String
        var testDescription: String { "\(patch) on \(before)" }
    }

    private static let mixed = #"{"$class":"R","n":1},{"$class":"R","n":2},{"$class":"R","n":{"$object":3}}"#

    static let operations = [
        // The record stores its number differently from most objects of its class.
        Case(
            before: #"{"l":[\#(mixed)]}"#,
            patch: #"[{"op":"replace","path":"/l/2","value":{"$class":"R","n":4}}]"#,
            after: #"{"l":[{"$class":"R","n":1},{"$class":"R","n":2},{"$class":"R","n":{"$object":4}}]}"#),
        // The same at any depth, by key and by position.
        Case(
            before: #"{"l":[\#(mixed)],"d":{"k":[{"$class":"R","n":{"$object":5}}]}}"#,
            patch: #"[{"op":"replace","path":"/d","value":{"k":[{"$class":"R","n":6},{"$class":"R","n":7}]}}]"#,
            after: #"{"l":[\#(mixed)],"d":{"k":[{"$class":"R","n":{"$object":6}},{"$class":"R","n":7}]}}"#),
        Case(
            before: #"{"l":[\#(mixed)]}"#, patch: #"[{"op":"add","path":"/l/2","value":{"$class":"R","n":4}}]"#,
            after:
                #"{"l":[{"$class":"R","n":1},{"$class":"R","n":2},{"$class":"R","n":4},{"$class":"R","n":{"$object":3}}]}"#
        ),
        // 32-bit reals where the replaced number is one, and classes of strings.
        Case(
            before: #"{"l":[{"$real32":0.5},{"$class":"NSMutableString","NS.string":{"$inline":"a"}}]}"#,
            patch: #"[{"op":"replace","path":"/l","value":[0.25,"b",0.5]}]"#,
            after: #"{"l":[{"$real32":0.25},{"$class":"NSMutableString","NS.string":{"$inline":"b"}},0.5]}"#),
        Case(
            before: #"{"l":[{"$real32":0.5},{"$class":"NSMutableString","NS.string":{"$inline":"a"}}]}"#,
            patch: #"[{"op":"replace","path":"/l","value":[{"$object":0.25},{"$object":"b"}]}]"#,
            after: #"{"l":[0.25,"b"]}"#),
        // An object of another class follows that class.
        Case(
            before: #"{"l":[\#(mixed)],"s":{"$class":"S","n":{"$object":1}}}"#,
            patch: #"[{"op":"replace","path":"/s","value":{"$class":"R","n":4}}]"#,
            after: #"{"l":[\#(mixed)],"s":{"$class":"R","n":4}}"#),
    ]

    @Test(arguments: operations) func operation(_ row: Case) throws {
        let view = try Self.view(row.before)
        let patched = try JSONPatch(JSON.readTyped(Array(row.patch.utf8))).applied(to: view)
        #expect(try DraftText.top(KeyedArchive(patched)) == row.after)
        try PatchText.check(view, Self.view(row.after), "\(row)")
    }

    @Test func mergePatch() throws {
        let view = try Self.view(#"{"l":[\#(Self.mixed)]}"#)
        let text = #"{"l":[{"$class":"R","n":7},{"$class":"R","n":8},{"$class":"R","n":9},{"$class":"R","n":0}]}"#
        let patched = try MergePatch(JSON.readTyped(Array(text.utf8))).applied(to: view)
        #expect(
            try DraftText.top(KeyedArchive(patched))
                == #"{"l":[{"$class":"R","n":7},{"$class":"R","n":8},{"$class":"R","n":{"$object":9}},{"$class":"R","n":0}]}"#
        )
    }

    /// A patch made by a comparison specifies the storage only where it differs from the default.
    @Test func comparison() throws {
        let before = try Self.view(#"{"l":[\#(Self.mixed)],"s":"x"}"#)
        let after = #"{"l":[{"$class":"R","n":1},{"$class":"R","n":2},{"$class":"R","n":{"$object":3}}],"s":\#("")"#
        let fitting = try Self.view(after + #"{"$class":"R","n":5}}"#)
        #expect(
            try PatchText.text(before, fitting)
                == "[\n  {\"op\": \"replace\", \"path\": \"/s\", \"value\": {\"$class\":\"R\",\"n\":5}, \"change-type\": true}\n]\n"
        )
        let other = try Self.view(after + #"{"$class":"R","n":{"$object":5}}}"#)
        #expect(
            try PatchText.text(before, other)
                == "[\n  {\"op\": \"replace\", \"path\": \"/s\", \"value\": {\"$class\":\"R\",\"n\":{\"$object\":5}}, \"change-type\": true}\n]\n"
        )
    }

    @Test(arguments: 0..<4) func comparisons(_ group: Int) throws {
        for seed in 0..<TestScale.count(60, long: 120) {
            var dice = SeededGenerator(seed: UInt64(group * 10_000 + seed))
            let before = Self.roots(&dice)
            let after = dice.roll(2) == 0 ? Self.roots(&dice) : Self.roots(&dice, keeping: before)
            let (first, second) = (Self.top(before), Self.top(after))
            try PatchText.check(Self.view(first), Self.view(second), "\(first) \(second)")
        }
    }

    // MARK: Archives

    private static func roots(_ dice: inout SeededGenerator, keeping others: [String] = []) -> [String] {
        (0..<3).map { index in
            index < others.count && dice.roll(2) == 0 ? others[index] : value(&dice, depth: 0, isField: true)
        }
    }

    private static func top(_ roots: [String]) -> String {
        "{" + roots.enumerated().map { #""r\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }

    private static func value(_ dice: inout SeededGenerator, depth: Int, isField: Bool) -> String {
        let kind = dice.roll(7)
        guard depth < 4, kind < 4 else { return scalar(&dice, isField: isField) }
        let members = (0..<dice.roll(4)).map { _ in value(&dice, depth: depth + 1, isField: kind < 2) }
        let named = members.enumerated().map { #""f\#($0)":\#($1)"# }.joined(separator: ",")
        let list = members.joined(separator: ",")
        switch kind {
        case 0, 1: return #"{"$class":"\#(["R", "S"][dice.roll(2)])"\#(named.isEmpty ? "" : ",")\#(named)}"#
        case 2: return ["[\(list)]", #"{"$class":"NSMutableArray","$elements":[\#(list)]}"#][dice.roll(2)]
        default: return ["{\(named)}", #"{"$class":"NSMutableDictionary","$entries":{\#(named)}}"#][dice.roll(2)]
        }
    }

    private static func scalar(_ dice: inout SeededGenerator, isField: Bool) -> String {
        let number = dice.roll(4)
        let numbers = ["\(number)", "\(number).5", #"{"$real32":\#(number).5}"#, "true"]
        let others = [
            #""s\#(number)""#, isField ? "null" : #"{"$class":"NSNull"}"#,
            #"{"$class":"NSMutableString","NS.string":{"$inline":"s\#(number)"}}"#,
            #"{"$date":"2009-09-06T12:34:5\#(number)Z"}"#, #"{"$data":"AQ=="}"#,
            #"{"$class":"NSMutableData","NS.data":{"$inline":{"$data":"AQ=="}}}"#,
            isField ? #"{"$inline":[\#(number)]}"# : "[]",
        ]
        switch dice.roll(3) {
        case 0: return numbers[dice.roll(numbers.count)]
        case 1: return isField ? #"{"$object":\#(numbers[dice.roll(numbers.count)])}"# : numbers[0]
        default: return others[dice.roll(others.count)]
        }
    }

    private static func view(_ top: String) throws -> ObjectView {
        let graph =
            #"{"$archiver":"NSKeyedArchiver","$classes":{"R":["R","NSObject"],"S":["S","NSObject"]},"$top":\#(top)}"#
        return ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(graph.utf8)))))
    }
}
