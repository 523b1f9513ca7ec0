import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// A property list consists of values, however its file stores them. If the file stores a container once for several
/// slots, edits have the same result as in a text of the same values.
@Suite struct SharedStorageTests {
    /// Returns a binary property list with shared containers.
    private static func sharing(_ generator: inout SeededGenerator) throws -> ObjectView {
        var builder = DocumentBuilder()
        var containers: [ObjectID] = []
        for number in 0..<10 {
            let isDictionary = Bool.random(using: &generator)
            builder.open(isDictionary ? .dictionary : .array)
            for member in 0..<Int.random(in: 1...3, using: &generator) {
                if isDictionary { builder.add(string: "k\(member)") }
                if let container = containers.randomElement(using: &generator),
                    Int.random(in: 0..<3, using: &generator) > 0
                {
                    builder.add(container)
                } else {
                    builder.add(integer: Int128(number))
                }
            }
            builder.close()
            if let container = builder.takeLast() { containers.append(container) }
        }
        builder.open(.array)
        for container in containers.suffix(3) { builder.add(container) }
        builder.close()
        return ObjectView(try BinaryPlist.read(DraftText.binary(builder.finish())))
    }

    /// Returns the address of a random value some steps from the root.
    private static func address(in view: ObjectView, _ generator: inout SeededGenerator) -> JSONPointer {
        var (id, address) = (view.root, JSONPointer.root)
        repeat {
            let contents = view[id].contents
            guard contents.count > 0 else { break }
            let position = Int.random(in: 0..<contents.count, using: &generator)
            view.append(slot: position, of: id, to: &address)
            id = view.item(position, of: contents).id
        } while Int.random(in: 0..<5, using: &generator) > 0
        return address
    }

    /// Returns the values after applying all edits in one draft.
    private static func edited(_ view: ObjectView, _ edits: [(address: JSONPointer, value: String?)]) throws -> String {
        var draft = Draft(view)
        for (address, value) in edits {
            let place = try #require(EditSlot(address, in: view, isSet: value != nil))
            guard let value else {
                try draft.noteRemoval(at: place)
                continue
            }
            _ = try draft.set(GivenValue(json: Array(value.utf8)), at: place, changesType: true)
        }
        return try DraftText.json(draft.finish())
    }

    @Test(arguments: 0..<200) func editsMatchText(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let stored = try Self.sharing(&generator)
        let text = ObjectView(try JSON.readTyped(Array(DraftText.json(stored.document).utf8)))
        var edits: [(address: JSONPointer, value: String?)] = []
        for _ in 0..<4 {
            let address = Self.address(in: stored, &generator)
            let isNested = edits.contains {
                $0.address.tokens.starts(with: address.tokens) || address.tokens.starts(with: $0.address.tokens)
            }
            guard !isNested, case .found(let id, in: _) = text.find(address) else { continue }
            var value = "7"
            if text.container(id) != nil {
                // The present value with one digit changed.
                let present = try DraftText.json(text.plainDocument(of: id))
                let digits = present.indices.filter { present[$0].isNumber && present[$0] != "k" }
                if let digit = digits.randomElement(using: &generator) {
                    value = present[..<digit] + "9" + present[present.index(after: digit)...]
                }
            }
            edits.append((address, Int.random(in: 0..<4, using: &generator) > 0 ? value : nil))
        }
        #expect(try Self.edited(stored, edits) == Self.edited(text, edits), "\(edits)")
    }
}
