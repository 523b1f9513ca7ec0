import Foundation
import KeyedArchives
@testable import SaveCodec
import Testing

@testable import SaveOperations

/// Values stored in `$objects` without a class (`$raw` in graph JSON) stay so when edited, and objects stay objects.
@Suite struct RawValueTests {
    /// Values that look alike but are stored differently.
    private static let values = [
        #"{"$date":"2001-01-01T00:00:09Z"}"#, #"{"$raw":{"$date":"2001-01-01T00:00:09Z"}}"#,
        #"{"$inline":{"$date":"2001-01-01T00:00:09Z"}}"#, #"{"$raw":{"$date":"2001-01-01T00:00:10Z"}}"#,
        #"{"$date":"2001-01-01T00:00:10Z"}"#, "[1,2]", #"{"$raw":[1,2]}"#, #"{"$raw":[1,3]}"#,
        #"{"$inline":[{"$inline":1},{"$inline":2}]}"#, #"{"$class":"NSMutableArray","$elements":[1,2]}"#,
        #"{"a":1}"#, #"{"$raw":{"a":1}}"#, #"{"$raw":{"a":{"$$b":[{}]},"b":["x",{"c":2}]}}"#,
        #"{"$raw":{"a":[{"$date":"2001-01-01T00:00:09Z"}],"b":{"d":[1]}}}"#,
        #"{"$class":"NSSet","$elements":[1]}"#, #"{"$raw":{"$set":[1]}}"#, #""x""#, "null",
    ]

    /// The address of the tested value, in archives with different other dates.
    private static let places: [(address: String, top: @Sendable (String) -> String)] = [
        ("/root", { #"{"root":\#($0)}"# }),
        ("/root/a", { #"{"root":{"$class":"Map","a":\#($0)},"d":{"$raw":{"$date":"2001-01-01T00:00:01Z"}}}"# }),
        (
            "/root/k",
            {
                let other = ##"{"$class":"Map","k":{"$raw":{"$date":"2001-01-01T00:00:01Z"}}}"##
                return #"{"root":{"$class":"Map","k":\#($0)},"d":{"$date":"2001-01-01T00:00:01Z"},"n":[\#(other)]}"#
            }
        ),
        (
            "/root/0",
            {
                let dates = ##""d":{"$date":"2001-01-01T00:00:01Z"},"e":{"$raw":{"$date":"2001-01-01T00:00:01Z"}}"##
                return #"{"root":[\#($0),"last"],\#(dates)}"#
            }
        ),
    ]

    private static func view(_ top: String) throws -> ObjectView {
        let json = try JSON.readTyped(Array(DraftText.graph(top).utf8))
        return ObjectView(try KeyedArchive(GraphJSON.archive(from: json)))
    }

    /// Returns what the roots reach; unreferenced objects do not matter.
    private static func top(_ view: ObjectView) throws -> String {
        let top = try DraftText.top(try #require(view.archive))
        return String(top.range(of: #","$unreferenced":"#).map { top[..<$0.lowerBound] } ?? top[...])
    }

    private static func top(_ document: Document) throws -> String {
        try top(ObjectView(KeyedArchive(document)))
    }

    /// Whether graph JSON can express a value there: collections contain no values in place and no nil.
    private static func isPossible(_ value: String, _ position: Int) -> Bool {
        position < 3 || !(value == "null" || value.hasPrefix(#"{"$inline"#))
    }

    @Test(arguments: 0..<4) func appliesChanges(_ position: Int) throws {
        let values = Self.values.filter { Self.isPossible($0, position) }
        let views = try values.map { try Self.view(Self.places[position].top($0)) }
        for (a, before) in zip(values, views) {
            let original = try Self.top(before)
            for (b, after) in zip(values, views) {
                let expected = b == a ? original : try Self.top(after)
                let difference = Difference(before, after)
                #expect(difference.isEmpty == (a == b), "\(a) \(b)")
                let patch = try PatchText.patch(difference)
                let patched = try JSONPatch(JSON.readTyped(patch)).applied(to: before)
                #expect(
                    try Self.top(patched) == expected,
                    "\(a) \(b) \(String(decoding: patch, as: UTF8.self))")
                let merge = try ThreeWayMerge(base: before, ours: before, theirs: after)
                #expect(try Self.top(merge.result()) == expected, "merge \(a) \(b)")
                let other = try ThreeWayMerge(base: before, ours: after, theirs: before)
                #expect(try Self.top(other.result()) == expected, "merge \(b) \(a)")
            }
        }
    }

    /// An edited text determines how values are stored.
    @Test(arguments: 0..<4) func storesEditedText(_ position: Int) throws {
        let values = Self.values.filter { Self.isPossible($0, position) }
        for a in values {
            // An array in place of a set is treated as the plain JSON of that set.
            for b in values where b.hasPrefix(#"{"$raw"#) && !(a.contains("$set") && b.contains("[")) {
                let view = try Self.view(Self.places[position].top(a))
                func text(_ value: String) throws -> Document {
                    try JSON.readTyped(Array(DraftText.graph(Self.places[position].top(value)).utf8))
                }
                let edited = try #require(try view.edited(to: text(b), from: text(a)))
                #expect(try Self.top(edited.view) == Self.top(Self.view(Self.places[position].top(b))), "\(a) \(b)")
            }
        }
    }

    struct Setting: Sendable {
        let present: String
        let given: String
        let result: String
    }

    /// Values without storage information keep their storage.
    @Test(arguments: [
        Setting(
            present: #"{"$raw":{"$date":"2001-01-01T00:00:09Z"}}"#, given: #"{"$date":"2001-01-01T00:00:10Z"}"#,
            result: #"{"$raw":{"$date":"2001-01-01T00:00:10Z"}}"#),
        Setting(
            present: #"{"$raw":{"$date":"2001-01-01T00:00:09Z"}}"#, given: #""2001-01-01T00:00:10Z""#,
            result: #"{"$raw":{"$date":"2001-01-01T00:00:10Z"}}"#),
        Setting(
            present: #"{"$date":"2001-01-01T00:00:09Z"}"#, given: #"{"$date":"2001-01-01T00:00:10Z"}"#,
            result: #"{"$date":"2001-01-01T00:00:10Z"}"#),
        Setting(
            present: #"{"$date":"2001-01-01T00:00:09Z"}"#, given: #"{"$raw":{"$date":"2001-01-01T00:00:09Z"}}"#,
            result: #"{"$raw":{"$date":"2001-01-01T00:00:09Z"}}"#),
        Setting(present: #"{"$raw":[1,2]}"#, given: "[1,3,4]", result: #"{"$raw":[1,3,4]}"#),
        Setting(present: #"{"$raw":{"a":1}}"#, given: #"{"a":2,"b":[]}"#, result: #"{"$raw":{"a":2,"b":[]}}"#),
    ]) func keepsStorage(_ row: Setting) throws {
        for place in Self.places {
            let view = try Self.view(place.top(row.present))
            let address = try #require(JSONPointer(place.address))
            let edited = try #require(EditSlot(address, in: view))
            var draft = Draft(view)
            let given = GivenValue(try JSON.readTyped(Array(row.given.utf8)), literal: row.given)
            _ = try draft.set(given, at: edited, changesType: false)
            let result = try Self.top(draft.finish())
            #expect(result.contains(row.result), "\(result)")
        }
    }

    /// A value put into a value without a class is stored in place; an object with a class cannot be.
    @Test(arguments: [
        (#"[5,{"$date":"2001-01-01T00:00:09Z"},{"a":[[]]}]"#, true), (#"{"$object":5}"#, true), (#""x""#, true),
        (#"{"$inline":[{"$inline":5}]}"#, true), (#"{"$raw":[5]}"#, true),
        (#"{"$class":"NSMutableArray","$elements":[]}"#, false),
    ]) func insertsValuesIntoPlainDocuments(_ given: String, _ isPossible: Bool) throws {
        let view = try Self.view(#"{"root":{"$raw":[1]}}"#)
        let patch = try JSON.readTyped(Array(#"[{"op":"add","path":"/root/-","value":\#(given)}]"#.utf8))
        let patched = try? JSONPatch(patch).applied(to: view)
        #expect((patched != nil) == isPossible)
        guard let patched else { return }
        let after = ObjectView(try KeyedArchive(patched))
        #expect(after[after.item(0, of: after[after.root].contents).id].contents.count == 2)
        #expect(try Self.top(patched).hasPrefix(#"{"root":{"$raw":[1,"#))
        let place = try #require(JSONPointer("/root/0").flatMap { EditSlot($0, in: view) })
        var draft = Draft(view)
        let value = GivenValue(try JSON.readTyped(Array(given.utf8)), literal: given)
        _ = try draft.set(value, at: place, changesType: true)
        #expect(try Self.top(draft.finish()).hasPrefix(#"{"root":{"$raw":["#))
    }

    // MARK: Keys

    /// A UID as a field name is not a reference, whichever object has that number.
    @Test func keepsUIDAsFieldName() throws {
        func view(_ field: String) throws -> ObjectView {
            let text = #"""
                {"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"$uid":1}},"$objects":["$null",
                {"$dict":[\#(field),["a",1],["$class",{"$uid":2}]]},{"$classname":"Map","$classes":["Map"]},"three"]}
                """#
            return ObjectView(try KeyedArchive(BinaryPlist.read(DraftText.binary(JSON.readTyped(Array(text.utf8))))))
        }
        let (before, after) = (try view(#"["b",2]"#), try view(#"[{"$uid":3},2]"#))
        for (base, theirs) in [
            (before, after), (after, before), (after, try view(#"[{"$uid":3},4]"#)),
            // Such an object need not exist.
            (try view(#"[{"$uid":300},2]"#), try view(#"[{"$uid":300},4]"#)),
        ] {
            let result = try ThreeWayMerge(base: base, ours: base, theirs: theirs).result()
            let difference = Difference(result, theirs)
            #expect(difference.isEmpty, "\(DiffText.lines(difference))")
            #expect(result[result.root].contents.count == 1)
        }
        #expect(throws: Problem.self) { try PatchText.text(before, after) }
        #expect(throws: Never.self) { try PatchText.check(after, before, "without the key") }
    }
}
