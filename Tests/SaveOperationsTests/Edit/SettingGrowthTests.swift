import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Setting a large value takes time linear in its size.
@Suite struct SettingGrowthTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var size = 4_000
        let before: @Sendable (Int) -> String
        let given: @Sendable (Int) -> String
        var testDescription: String { name }
    }

    private static func array(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func nested(_ count: Int, _ inner: String) -> String {
        String(repeating: #"{"$class":"R","n":1,"r":"#, count: count) + inner + String(repeating: "}", count: count)
    }

    static let cases = [
        Case(name: "numbers", before: { array($0) { "\($0)" } }, given: { array($0) { "\($0 + 5)" } }),
        Case(name: "equal numbers", before: { array($0) { _ in "1" } }, given: { array($0) { "\($0 % 2)" } }),
        Case(
            name: "records", before: { array($0) { #"{"$class":"R","n":\#($0),"s":"x"}"# } },
            given: { array($0) { #"{"$class":"R","n":\#($0 / 2),"s":"y"}"# } }),
        Case(
            name: "equal records", before: { array($0) { _ in #"{"$class":"R","n":1}"# } },
            given: { array($0 / 2) { _ in #"{"$class":"R","n":2}"# } }),
        Case(
            name: "one object many times",
            before: { array($0) { $0 == 0 ? #"{"$class":"R","$id":1}"# : #"{"$ref":1}"# } },
            given: { array($0) { _ in #"{"$class":"R","n":2}"# } }),
        Case(
            name: "fields that are new", before: { _ in #"{"$class":"R","n":1}"# },
            given: { #"{"$class":"R""# + (0..<$0).map { #","f\#($0)":1"# }.joined() + "}" }),
        Case(name: "nested", size: 800, before: { nested($0 / 8, "2") }, given: { nested($0 / 8, "3") }),
    ]

    @Test(arguments: cases) func set(_ row: Case) throws {
        let isLinear = try Growth.isLinear(to: row.size) { size in
            let classes = #""$classes":{"R":["R","NSObject"]}"#
            let graph = #"{"$archiver":"NSKeyedArchiver",\#(classes),"$top":{"r":\#(row.before(size))}}"#
            let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(graph.utf8)))))
            let given = GivenValue(try JSON.readTyped(Array(row.given(size).utf8)))
            let place = try #require(JSONPointer("/r").flatMap { EditSlot($0, in: view) })
            return {
                var draft = Draft(view)
                _ = try draft.set(given, at: place, changesType: false)
                _ = draft.unexpectedFieldSentences(areWanted: false)
                _ = try draft.finish()
            }
        }
        #expect(isLinear, "\(row.name)")
    }

    /// Setting all slots of a shared container takes time linear in their number, if they already have the value.
    @Test func setSlotsOfSharedContainer() throws {
        let given = GivenValue(try JSON.readTyped(Array("[1,2]".utf8)))
        let isLinear = try Growth.isLinear(to: 4_000) { size in
            var builder = DocumentBuilder()
            builder.open(.array)
            builder.add(integer: 1)
            builder.add(integer: 2)
            builder.close()
            let last = builder.takeLast()
            let shared = try #require(last)
            builder.open(.array)
            for _ in 0..<size { builder.add(shared) }
            builder.close()
            let view = ObjectView(try Document(builder.finish().bytes(as: .binary)))
            let slots = (0..<size).compactMap { number in
                JSONPointer("/\(number)").flatMap { EditSlot($0, in: view) }
            }
            #expect(slots.count == size)
            return {
                var draft = Draft(view)
                for slot in slots {
                    let result = try draft.set(given, at: slot, changesType: false)
                    #expect(result == .unchanged)
                }
            }
        }
        #expect(isLinear)
    }

    /// Splitting an object for each slot of a pattern takes time linear in the number of slots, for one object in all
    /// slots and for objects that two arrays share.
    @Test(arguments: [true, false]) func splitsForEachSlot(_ isOneObject: Bool) throws {
        let given = GivenValue(try JSON.readTyped(Array("7".utf8)))
        let isLinear = try Growth.isLinear(to: 1_600) { size in
            let objects = Self.array(size) { number in
                let isReference = isOneObject && number > 0
                return isReference ? #"{"$ref":1}"# : #"{"$class":"R","$id":\#(number + 1),"x":1}"#
            }
            let references = Self.array(size) { #"{"$ref":\#(isOneObject ? 1 : $0 + 1)}"# }
            let graph =
                #"{"$archiver":"NSKeyedArchiver","$classes":{"R":["R","NSObject"]},"#
                + #""$top":{"a":\#(objects),"b":\#(references)}}"#
            let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(graph.utf8)))))
            return {
                var draft = Draft(view)
                var last: EditSlot?
                for number in 0..<size {
                    let path = try #require(JSONPointer("/a/\(number)/x").flatMap { ResolvedAddress($0, in: view) })
                    let slot = EditSlot(path, after: last, isSet: true, unsharing: true)
                    _ = try draft.set(given, at: slot, changesType: false)
                    last = slot
                }
                #expect(draft.sharing.splitSlots.count == size)
            }
        }
        #expect(isLinear)
    }

    /// Splitting takes linear time, too, if the objects share another one that has a shorter path, and if a pattern
    /// matches both arrays, so that each object is split until nothing else refers to it.
    @Test func splitsOfNestedSharedObjects() throws {
        let given = GivenValue(try JSON.readTyped(Array("7".utf8)))
        let isLinear = try Growth.isLinear(to: 1_600) { size in
            let objects = Self.array(size) { #"{"$class":"R","$id":\#($0 + 2),"x":{"$ref":1}}"# }
            let references = Self.array(size) { #"{"$ref":\#($0 + 2)}"# }
            let graph =
                #"{"$archiver":"NSKeyedArchiver","$classes":{"R":["R","NSObject"]},"#
                + #""$top":{"c":{"$class":"R","$id":1,"y":1},"a":\#(objects),"b":\#(references)}}"#
            let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: JSON.readTyped(Array(graph.utf8)))))
            return {
                var draft = Draft(view)
                var last: EditSlot?
                for number in 0..<2 * size {
                    let address = "/\(number < size ? "a" : "b")/\(number % size)/x/y"
                    let path = try #require(JSONPointer(address).flatMap { ResolvedAddress($0, in: view) })
                    let slot = EditSlot(path, after: last, isSet: true, unsharing: true)
                    _ = try draft.set(given, at: slot, changesType: false)
                    last = slot
                }
                #expect(draft.sharing.splitSlots.count == 4 * size)
            }
        }
        #expect(isLinear)
    }
}
