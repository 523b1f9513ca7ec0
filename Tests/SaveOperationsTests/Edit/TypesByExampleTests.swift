import KeyedArchives
import SaveCodec
import Testing

@testable import SaveOperations

/// Values given without all types take the missing ones from the values that they replace.
@Suite struct TypesByExampleTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let top: String
        let pointer: String
        let given: String
        /// The roots after the edit.
        let result: String
        var rules = TypeRules.strict
        var testDescription: String { "\(given) at \(pointer) of \(top)" }
    }

    private static let record =
        #"{"$class":"Record","Name":"Ada","Score":{"$object":98200},"x":{"$real32":0.5},"at":{"$date":"2009-09-06T12:34:56Z"},"d":{"$data":"AQ=="}}"#

    static let cases = [
        // A replaced high-score record keeps its number as an object.
        Case(
            top: #"{"r":\#(record)}"#, pointer: "/r",
            given: #"{"$class":"Record","Name":"Bob","Score":98300,"x":0.25,"at":"2010-01-01T00:00:00Z","d":"Ag=="}"#,
            result:
                #"{"r":{"$class":"Record","Name":"Bob","Score":{"$object":98300},"x":{"$real32":0.25},"at":{"$date":"2010-01-01T00:00:00Z"},"d":{"$data":"Ag=="}}}"#
        ),
        // Sorted keys, 1.0 as 1, and no class.
        Case(
            top: #"{"r":{"$class":"Record","b":1.0,"a":2,"s":{"$class":"NSSet","$elements":["x"]}}}"#, pointer: "/r",
            given: #"{"a":3,"b":1,"s":["x"]}"#,
            result: #"{"r":{"$class":"Record","b":1.0,"a":3,"s":{"$class":"NSSet","$elements":["x"]}}}"#),
        // An explicit storage form wins.
        Case(
            top: #"{"r":\#(record)}"#, pointer: "/r/Score", given: #"{"$inline":5}"#,
            result:
                #"{"r":{"$class":"Record","Name":"Ada","Score":5,"x":{"$real32":0.5},"at":{"$date":"2009-09-06T12:34:56Z"},"d":{"$data":"AQ=="}}}"#
        ),
        // A new field is stored like the same field in other objects of the class.
        Case(
            top: #"{"l":[{"$class":"R","n":{"$object":1},"f":{"$real32":2.0}},{"$class":"R"}]}"#, pointer: "/l/1",
            given: #"{"$class":"R","n":7,"f":3}"#,
            result:
                #"{"l":[{"$class":"R","n":{"$object":1},"f":{"$real32":2.0}},{"$class":"R","n":{"$object":7},"f":{"$real32":3.0}}]}"#
        ),
        // The most frequent storage is used, and on a tie the first one.
        Case(
            top:
                #"{"l":[{"$class":"R","n":1},{"$class":"R","n":{"$object":1}},{"$class":"R","n":{"$object":2}}],"x":{"$class":"R"}}"#,
            pointer: "/x/n", given: "9",
            result:
                #"{"l":[{"$class":"R","n":1},{"$class":"R","n":{"$object":1}},{"$class":"R","n":{"$object":2}}],"x":{"$class":"R","n":{"$object":9}}}"#
        ),
        Case(
            top: #"{"l":[{"$class":"R","n":1},{"$class":"R","n":{"$object":1}}],"x":{"$class":"R"}}"#,
            pointer: "/x/n", given: "9",
            result: #"{"l":[{"$class":"R","n":1},{"$class":"R","n":{"$object":1}}],"x":{"$class":"R","n":9}}"#),
        // Collections keep their classes at any depth.
        Case(
            top:
                #"{"r":{"$class":"NSMutableDictionary","$entries":{"a":{"$class":"NSMutableArray","$elements":[1,2]}}}}"#,
            pointer: "/r", given: #"{"a":[1,2,3]}"#,
            result:
                #"{"r":{"$class":"NSMutableDictionary","$entries":{"a":{"$class":"NSMutableArray","$elements":[1,2,3]}}}}"#
        ),
        // Removing an element shifts the others without changing them; a moved element keeps its identity.
        Case(
            top: #"{"l":[{"$class":"R","n":1},{"$class":"R","$id":1,"n":2},{"$class":"R","n":3}],"x":{"$ref":1}}"#,
            pointer: "/l", given: #"[{"$class":"R","n":3},{"$class":"R","n":2}]"#,
            result: #"{"l":[{"$class":"R","n":3},{"$class":"R","$id":1,"n":2}],"x":{"$ref":1}}"#),
        // Text stays text if types may change.
        Case(
            top: #"{"r":{"$class":"R","at":{"$date":"2009-09-06T12:34:56Z"},"n":{"$object":1}}}"#, pointer: "/r",
            given: #"{"$class":"R","at":"2010-01-01T00:00:00Z","n":2}"#,
            result: #"{"r":{"$class":"R","at":"2010-01-01T00:00:00Z","n":{"$object":2}}}"#, rules: .anyType),
        // References to ancestors stay unchanged although another value changes.
        Case(
            top: #"{"r":{"$class":"N","$id":1,"n":1,"c":[{"$class":"N","up":{"$ref":1},"n":2}]}}"#, pointer: "/r",
            given: #"{"$class":"N","n":1,"c":[{"$class":"N","up":{"$ref":"/r"},"n":3}]}"#,
            result: #"{"r":{"$class":"N","$id":1,"n":1,"c":[{"$class":"N","up":{"$ref":1},"n":3}]}}"#),
        // An object that plain JSON shows twice stays one object if both copies change in the same way.
        Case(
            top: #"{"r":{"$class":"N","a":{"$class":"N","$id":1,"n":1},"b":{"$ref":1}}}"#, pointer: "/r",
            given: #"{"$class":"N","a":{"$class":"N","n":2},"b":{"$class":"N","n":2}}"#,
            result: #"{"r":{"$class":"N","a":{"$class":"N","$id":1,"n":2},"b":{"$ref":1}}}"#),
        // If only one copy changes, the unchanged one keeps the object, and the other becomes a new object.
        Case(
            top: #"{"r":{"$class":"N","a":{"$class":"N","$id":1,"n":1},"b":{"$ref":1}}}"#, pointer: "/r",
            given: #"{"$class":"N","a":{"$class":"N","n":1},"b":{"$class":"N","n":2}}"#,
            result: #"{"r":{"$class":"N","a":{"$class":"N","n":1},"b":{"$class":"N","n":2}}}"#),
        // If the copies change in different ways, they become two objects.
        Case(
            top: #"{"r":{"$class":"N","a":{"$class":"N","$id":1,"n":1},"b":{"$ref":1}}}"#, pointer: "/r",
            given: #"{"$class":"N","a":{"$class":"N","n":2},"b":{"$class":"N","n":3}}"#,
            result: #"{"r":{"$class":"N","a":{"$class":"N","n":2},"b":{"$class":"N","n":3}}}"#),
        // An array shared by two fields, such as a constant of the game, is a value: the other field keeps the old
        // array.
        Case(
            top: #"{"a":{"$class":"NSArray","$id":1,"$elements":[]},"b":{"$ref":1}}"#, pointer: "/a", given: "[1]",
            result: #"{"a":[1],"b":[]}"#),
    ]

    @Test(arguments: cases) func archive(_ row: Case) throws {
        let view = try Self.view(row.top)
        let edited = try KeyedArchive(Self.set(view, row.pointer, row.given, changesType: row.rules == .anyType))
        #expect(try DraftText.top(edited) == row.result)
    }

    /// Values of a wrong kind are refused with their address.
    static let refusals = [
        (#"{"$class":"R","n":"5","l":[1]}"#, "/r/n", "found a string; expected an integer"),
        (#"{"$class":"R","n":5,"l":["x"]}"#, "/r/l/0", "found a string; no present element is a string"),
        (#"{"$class":"R","n":5,"l":{"a":1}}"#, "/r/l", "found a dictionary; expected an array"),
        (#"{"$class":"S","n":5,"l":[1]}"#, "/r", "found an object of class S; expected an object of class R"),
        (#"{"$class":"R","n":5,"l":[1],"at":"now"}"#, "/r/at", "found a string; expected a date"),
        (
            #"{"$class":"R","n":5,"l":[1],"at":"2024-02-20"}"#, "/r/at",
            "found a date without a time (write 2024-02-20T00:00:00Z); expected a date"
        ),
        (
            #"{"$class":"R","n":5,"l":[1],"at":"2024-02-20T10:00:00"}"#, "/r/at",
            "found a date without a time zone (write 2024-02-20T10:00:00Z); expected a date"
        ),
    ]

    @Test(arguments: refusals) func otherKinds(_ given: String, _ pointer: String, _ message: String) throws {
        let view = try Self.view(
            #"{"r":{"$class":"R","n":{"$object":1},"l":[1],"at":{"$date":"2009-09-06T12:34:56Z"}},"s":{"$class":"S"}}"#)
        let problem = #expect(throws: Problem.self) { try Self.set(view, "/r", given, changesType: false) }
        #expect(problem?.kind == .editType)
        #expect(problem?.address?.pointer.elementsEqual(pointer.utf16) ?? false)
        #expect(problem?.message.hasPrefix(message) ?? false, "\(problem?.message ?? "")")
        _ = try Self.set(view, "/r", given, changesType: true)
    }

    /// A new element is stored like its neighbors: a dictionary with their fields becomes an object of their class.
    @Test func inserted() throws {
        let view = try Self.view(#"{"l":[{"$class":"R","n":{"$object":1},"at":{"$date":"2009-09-06T12:34:56Z"}}]}"#)
        let given = GivenValue(try JSON.readTyped(Array(#"{"n":2,"at":"2010-01-01T00:00:00Z"}"#.utf8)))
        var draft = Draft(view)
        let place = try #require(JSONPointer("/l/-").flatMap { EditSlot($0, in: view) })
        _ = try draft.insert(given, at: place)
        #expect(
            try DraftText.top(KeyedArchive(draft.finish()))
                == #"{"l":[{"$class":"R","n":{"$object":1},"at":{"$date":"2009-09-06T12:34:56Z"}},{"$class":"R","n":{"$object":2},"at":{"$date":"2010-01-01T00:00:00Z"}}]}"#
        )
    }

    /// Objects added by a patch store their fields like other objects of their class; numbers and text keep their kind.
    @Test(arguments: [
        (
            #"[{"op":"add","path":"/l/-","value":{"$class":"R","n":2,"at":"2010-01-01T00:00:00Z"}}]"#,
            #"{"$class":"R","n":{"$object":2},"at":"2010-01-01T00:00:00Z"}"#
        ),
        (
            #"[{"op":"add","path":"/l/-","value":{"$class":"R","n":{"$inline":2}}}]"#, #"{"$class":"R","n":2}"#
        ),
        (
            #"[{"op":"add","path":"/l/-","value":{"$class":"R"}},{"op":"add","path":"/l/1/n","value":"x"}]"#,
            #"{"$class":"R","n":"x"}"#
        ),
    ])
    func patch(_ patch: String, _ added: String) throws {
        let first = #"{"$class":"R","n":{"$object":1},"at":{"$date":"2009-09-06T12:34:56Z"}}"#
        let view = try Self.view(#"{"l":[\#(first)]}"#)
        let patched = try JSONPatch(JSON.readTyped(Array(patch.utf8))).applied(to: view)
        #expect(try DraftText.top(KeyedArchive(patched)) == #"{"l":[\#(first),\#(added)]}"#)
    }

    @Test func mergePatch() throws {
        let view = try Self.view(#"{"l":[{"$class":"R","n":{"$object":1}}]}"#)
        let patch = MergePatch(try JSON.readTyped(Array(#"{"l":[{"$class":"R","n":2},{"$class":"R","n":3}]}"#.utf8)))
        #expect(
            try DraftText.top(KeyedArchive(patch.applied(to: view)))
                == #"{"l":[{"$class":"R","n":{"$object":2}},{"$class":"R","n":{"$object":3}}]}"#)
    }

    // MARK: Drafts

    static func view(_ top: String) throws -> ObjectView {
        let names = ["Record", "R", "N", "S", "G"].filter { top.contains("\"$class\":\"\($0)\"") }
        let classes = names.map { #""\#($0)":["\#($0)","NSObject"]"# }.joined(separator: ",")
        let graph = #"{"$archiver":"NSKeyedArchiver","$classes":{\#(classes)},"$top":\#(top)}"#
        return ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(graph.utf8)))))
    }

    static func set(
        _ view: ObjectView, _ pointer: String, _ given: String, changesType: Bool
    ) throws -> Document {
        let place = try #require(JSONPointer(pointer).flatMap { EditSlot($0, in: view) })
        var draft = Draft(view)
        let value = GivenValue(try JSON.readTyped(Array(given.utf8)), literal: given)
        _ = try draft.set(value, at: place, changesType: changesType)
        return try draft.finish()
    }
}
