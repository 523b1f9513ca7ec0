import KeyedArchives
import SaveCodec
import Testing

@testable import SaveOperations

/// Shared objects keep their identity when an array that contains them is replaced.
@Suite struct ObjectIdentityTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let top: String
        let pointer: String
        let given: String
        /// The roots after the edit.
        let result: String
    }

    private static let top = top(
        #"{"$class":"R","$id":1,"name":"Ada","score":100,"x":1.5}"#,
        #"{"$class":"R","$id":2,"name":"Bob","score":200,"x":2.5}"#,
        #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#, last: #"{"$ref":1}"#, best: #"{"$ref":2}"#)

    private static func top(_ scores: String..., last: String, best: String) -> String {
        #"{"g":{"$class":"G","scores":[\#(scores.joined(separator: ","))],"last":\#(last),"best":\#(best)}}"#
    }

    static let cases = [
        Case(
            testDescription: "one is gone, one is changed where it is in the array", top: top, pointer: "/g",
            given:
                #"{"scores":[{"name":"Bobby","score":200,"x":2.5},{"name":"Cyd","score":300,"x":3.5}],"last":{"name":"Ada","score":100,"x":1.5},"best":{"name":"Bob","score":200,"x":2.5}}"#,
            result: top(
                #"{"$class":"R","name":"Bobby","score":200,"x":2.5}"#,
                #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#,
                last: #"{"$class":"R","name":"Ada","score":100,"x":1.5}"#,
                best: #"{"$class":"R","name":"Bob","score":200,"x":2.5}"#)),
        Case(
            testDescription: "one is gone, one is changed everywhere", top: top, pointer: "/g",
            given:
                #"{"scores":[{"name":"Bobby","score":200,"x":2.5},{"name":"Cyd","score":300,"x":3.5}],"last":{"name":"Ada","score":100,"x":1.5},"best":{"name":"Bobby","score":200,"x":2.5}}"#,
            result: top(
                #"{"$class":"R","$id":1,"name":"Bobby","score":200,"x":2.5}"#,
                #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#,
                last: #"{"$class":"R","name":"Ada","score":100,"x":1.5}"#, best: #"{"$ref":1}"#)),
        Case(
            testDescription: "the array alone is set", top: top, pointer: "/g/scores",
            given: #"[{"score":200,"x":2.5,"name":"Bobby"},{"name":"Cyd","score":300,"x":3.5}]"#,
            result: top(
                #"{"$class":"R","$id":1,"name":"Bobby","score":200,"x":2.5}"#,
                #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#,
                last: #"{"$class":"R","name":"Ada","score":100,"x":1.5}"#, best: #"{"$ref":1}"#)),
        Case(
            testDescription: "two change places and names", top: top, pointer: "/g/scores",
            given:
                #"[{"name":"B","score":200,"x":2.5},{"name":"A","score":100,"x":1.5},{"name":"Cyd","score":300,"x":3.5}]"#,
            result: top(
                #"{"$class":"R","$id":1,"name":"B","score":200,"x":2.5}"#,
                #"{"$class":"R","$id":2,"name":"A","score":100,"x":1.5}"#,
                #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#, last: #"{"$ref":2}"#, best: #"{"$ref":1}"#)),
        Case(
            testDescription: "a new one comes where another is gone", top: top, pointer: "/g/scores",
            given:
                #"[{"name":"Bob","score":200,"x":2.5},{"name":"Cyd","score":300,"x":3.5},{"name":"Dan","score":1,"x":9.5}]"#,
            result: top(
                #"{"$class":"R","$id":1,"name":"Bob","score":200,"x":2.5}"#,
                #"{"$class":"R","name":"Cyd","score":300,"x":3.5}"#, #"{"$class":"R","name":"Dan","score":1,"x":9.5}"#,
                last: #"{"$class":"R","name":"Ada","score":100,"x":1.5}"#, best: #"{"$ref":1}"#)),
    ]

    @Test(arguments: cases) func set(_ row: Case) throws {
        let edited = try TypesByExampleTests.set(
            TypesByExampleTests.view(row.top), row.pointer, row.given, changesType: false)
        #expect(try DraftText.top(KeyedArchive(edited)) == row.result)
    }

    /// Wide records keep their field order when they are given in another order and the first record is removed.
    @Test func wideRecords() throws {
        func record(_ number: Int, _ fields: [Int], _ head: String) -> String {
            "{\(head)" + fields.map { "\"f\($0)\":\(number * 100 + $0)" }.joined(separator: ",") + "}"
        }
        let stored = (0..<40).map { $0 * 7 % 40 }
        func typed(_ number: Int, _ id: String = "") -> String { record(number, stored, "\"$class\":\"R\",\(id)") }
        let plain = [2, 3].map { record($0, Array(0..<40), "") }
        let view = try TypesByExampleTests.view(
            "{\"g\":{\"$class\":\"G\",\"l\":[\(typed(1, "\"$id\":1,")),\(typed(2)),\(typed(3))],\"last\":{\"$ref\":1}}}"
        )
        let edited = try TypesByExampleTests.set(
            view, "/g/l", "[\(plain.joined(separator: ","))]", changesType: false)
        #expect(
            try DraftText.top(KeyedArchive(edited))
                == "{\"g\":{\"$class\":\"G\",\"l\":[\(typed(2)),\(typed(3))],\"last\":\(typed(1))}}")
    }

    @Test func repeatedKeys() throws {
        let text = #"{"$class":"NSDictionary","$entries":[[7,"a"],[7,"b"],["k",1]]}"#
        let view = try TypesByExampleTests.view(#"{"d":\#(text)}"#)
        let edited = try TypesByExampleTests.set(
            view, "/d", text.replacing(#""b""#, with: #""c""#), changesType: false)
        #expect(
            try DraftText.top(KeyedArchive(edited))
                == #"{"d":{"$class":"NSDictionary","$entries":[[7,"a"],[7,"c"],["k",1]]}}"#)
    }

    /// Deeply nested keys are refused before they overflow the stack.
    @Test func deepKeys() throws {
        let view = try TypesByExampleTests.view(#"{"d":{"$class":"NSDictionary","$entries":[[7,"a"]]}}"#)
        let deep = (0..<60).reduce("1") { key, _ in #"{"$class":"NSDictionary","$entries":[[\#(key),1]]}"# }
        let problem = #expect(throws: Problem.self) {
            try TypesByExampleTests.set(view, "/d", deep, changesType: true)
        }
        #expect(problem?.message == "keys are nested in keys more than 8 deep")
    }
}
