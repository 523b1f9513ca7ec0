@testable import SaveCodec
import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveOperations

/// Tests that edits of slots in containers that are not open have the results of edits in open containers.
@Suite struct SlotEditTests {
    private static let text = #"{"a":[{"v":1,"n":"x"},{"v":70000,"n":"y"},{"v":7,"n":"z"},{"n":"w","v":3}],"b":7}"#

    private static func view(_ format: Format) throws -> ObjectView {
        let document = try JSON.readTyped(Array(text.utf8))
        return ObjectView(format == .binary ? try Document(document.bytes(as: .binary)) : document)
    }

    private static func slots(of view: ObjectView, _ key: String) throws -> [(slot: EditSlot, leaf: LeafSlot)] {
        try (0..<4).map { number in
            let path = try #require(JSONPointer("/a/\(number)/\(key)").flatMap { ResolvedAddress($0, in: view) })
            guard case .slot(let position) = path.end else { throw Problem("test", "no slot") }
            let leaf = try LeafSlot(
                container: #require(path.containers.last), position: position, value: #require(path.value))
            return (EditSlot(path, isSet: true), leaf)
        }
    }

    @Test(arguments: [Format.binary, .json], [("v", "7"), ("v", "300"), ("v", "7.0"), ("n", #""y""#)])
    func set(_ format: Format, _ edit: (key: String, value: String)) throws {
        let view = try Self.view(format)
        let given = try GivenValue(json: Array(edit.value.utf8))
        var alone = Draft(view)
        var open = Draft(view)
        var results: [Draft.SetResult] = []
        for (slot, leaf) in try Self.slots(of: view, edit.key) {
            let result = try open.set(given, at: slot, changesType: false)
            let again = alone.setRepeatedScalar(at: leaf)
            #expect(again == nil || again == result)
            results.append(try again ?? alone.set(given, at: slot, changesType: false))
        }
        let counts = (alone.values.containers.count, open.values.containers.count)
        #expect(counts.0 < counts.1)
        let (text, expected) = (try alone.finish(), try open.finish())
        #expect(try text.bytes(as: format) == expected.bytes(as: format))
    }

    /// Containers are replaced like scalars if the value may be of another type.
    @Test(arguments: [Format.binary, .json]) func replaceContainers(_ format: Format) throws {
        let document = try JSON.readTyped(Array(#"{"a":[[],[1,{"b":2}],{"c":[3]},4,{}]}"#.utf8))
        let view = ObjectView(format == .binary ? try Document(document.bytes(as: .binary)) : document)
        let given = try GivenValue(json: Array("7".utf8))
        let paths = try (0..<5).map { try #require(JSONPointer("/a/\($0)").flatMap { ResolvedAddress($0, in: view) }) }
        var alone = Draft(view)
        var open = Draft(view)
        for (position, path) in paths.enumerated() {
            let slot = EditSlot(path, isSet: true)
            let leaf = try LeafSlot(
                container: #require(path.containers.last), position: position, value: #require(path.value))
            _ = try open.set(given, at: slot, changesType: true)
            let result = alone.setRepeatedScalar(at: leaf)
            #expect((result == nil) == [0, 3].contains(position))
            if result == nil { _ = try alone.set(given, at: slot, changesType: true) }
        }
        #expect(try alone.finish().bytes(as: format) == open.finish().bytes(as: format))
    }

    /// A set must not have a member twice.
    @Test func leavesSetsToTheDraft() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        for start in [1, 3] {
            builder.open(.set)
            for member in start...start + 1 { builder.add(integer: Int128(member)) }
            builder.close()
        }
        builder.close()
        let view = ObjectView(try Document(builder.finish().bytes(as: .binary)))
        let path = try #require(JSONPointer("/0/0").flatMap { ResolvedAddress($0, in: view) })
        var draft = Draft(view)
        _ = try draft.set(GivenValue(json: Array("7".utf8)), at: EditSlot(path, isSet: true), changesType: false)
        let other = try #require(JSONPointer("/1/0").flatMap { ResolvedAddress($0, in: view) })
        let result = draft.setRepeatedScalar(
            at: try LeafSlot(container: #require(other.containers.last), position: 0, value: #require(other.value)))
        #expect(result == nil)
    }

    @Test(arguments: [Format.binary, .json]) func remove(_ format: Format) throws {
        let view = try Self.view(format)
        var alone = Draft(view)
        var open = Draft(view)
        for (slot, leaf) in try Self.slots(of: view, "v") {
            let isNoted = alone.noteRemoval(at: leaf)
            #expect(isNoted)
            _ = open.open(open.id(of: leaf.container))
            try open.noteRemoval(at: slot)
        }
        let count = alone.values.containers.count
        #expect(count == 0)
        let (edited, expected) = (try alone.finish(), try open.finish())
        #expect(try edited.bytes(as: format) == expected.bytes(as: format))
    }

    /// A draft that opens a container of such slots shows their new values.
    @Test func openLater() throws {
        let view = try Self.view(.json)
        let given = try GivenValue(json: Array("9".utf8))
        var draft = Draft(view)
        for (slot, leaf) in try Self.slots(of: view, "v") where draft.setRepeatedScalar(at: leaf) == nil {
            _ = try draft.set(given, at: slot, changesType: false)
        }
        let address = try #require(JSONPointer("/a/3/v"))
        let value = draft.find(address)
        let node = value.flatMap { draft.scalar($0) }
        #expect(node?.isIdentical(to: given.node) == true)
        let again = draft.setRepeatedScalar(at: try Self.slots(of: view, "v")[3].leaf)
        #expect(again == nil)
    }
}
