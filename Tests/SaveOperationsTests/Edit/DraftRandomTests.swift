import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Random edits agree with a trivially simple model, and edits of large documents finish in time.
@Suite struct DraftRandomTests {
    /// A random number generator with a deterministic sequence.
    struct Dice {
        var state: UInt64
        mutating func roll(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % max(bound, 1)
        }
    }

    private static func drafts(_ json: String) throws -> [ObjectView] {
        let plain = try JSON.readTyped(Array(json.utf8))
        let archive = try PlainArchiver.archive(of: plain)
        return [
            ObjectView(plain), ObjectView(try BinaryPlist.read(DraftText.binary(plain))),
            ObjectView(try KeyedArchive(archive)),
            ObjectView(try KeyedArchive(BinaryPlist.read(DraftText.binary(archive)))),
        ]
    }

    private static func plain(_ document: Document, _ view: ObjectView) throws -> String {
        guard view.archive != nil else { return try DraftText.json(document) }
        return try DraftText.json(PlainUnarchiver.plain(KeyedArchive(document)).document)
    }

    @Test(arguments: 0..<4) func elements(kind: Int) throws {
        for seed in 0..<TestScale.count(4, long: 20) {
            var dice = Dice(state: UInt64(seed))
            var model = (0..<dice.roll(4000)).map { $0 }
            let view = try Self.drafts("\(model)")[kind]
            var draft = Draft(view)
            let array = view.archive == nil ? draft.root : try draft.at("/root")
            for number in 0..<400 {
                let value = 10_000 + number
                switch dice.roll(4) {
                case 0 where !model.isEmpty:
                    let position = dice.roll(model.count)
                    model[position] = value
                    draft.replace(at: position, of: array, with: draft.value("\(value)"))
                case 1 where !model.isEmpty:
                    let position = dice.roll(model.count)
                    model.remove(at: position)
                    draft.remove(at: position, of: array)
                case 2 where !model.isEmpty:
                    let (from, to) = (dice.roll(model.count), dice.roll(model.count))
                    model.insert(model.remove(at: from), at: to)
                    draft.move(from: from, to: to, of: array)
                default:
                    let position = dice.roll(model.count + 1)
                    model.insert(value, at: position)
                    draft.insert(draft.value("\(value)"), at: position, of: array)
                }
            }
            let text = try Self.plain(draft.finish(), view)
            #expect(text == "\(model)".replacing(" ", with: ""), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<4) func pairs(kind: Int) throws {
        for seed in 0..<TestScale.count(4, long: 20) {
            var dice = Dice(state: UInt64(seed))
            var model = (0..<dice.roll(100)).map { (key: "k\($0)", value: $0) }
            let view = try Self.drafts("{" + model.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")[
                kind]
            var draft = Draft(view)
            let dictionary = view.archive == nil ? draft.root : try draft.at("/root")
            for number in 0..<300 {
                let key = "k\(dice.roll(150))"
                let position = draft.position(of: key.utf16, in: dictionary)
                #expect(position == model.firstIndex { $0.key == key })
                if let position, dice.roll(2) == 0 {
                    model.remove(at: position)
                    draft.remove(at: position, of: dictionary)
                } else if let position {
                    model[position].value = number
                    draft.replace(at: position, of: dictionary, with: draft.value("\(number)"))
                } else {
                    let position = dice.roll(model.count + 1)
                    model.insert((key, number), at: position)
                    draft.insert(
                        draft.value("\(number)"), key: draft.add(string: key.utf16), at: position, of: dictionary)
                }
            }
            let text = try Self.plain(draft.finish(), view)
            #expect(
                text == "{" + model.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}", "seed \(seed)")
        }
    }

    // MARK: Size

    private static let edits = TestScale.count(2_000, long: 20_000)

    @Test(.timeLimit(.minutes(15))) func manyInsertions() throws {
        let count = 10 * Self.edits
        let view = try Self.drafts("[" + Array(repeating: "0", count: count).joined(separator: ",") + "]")[3]
        var draft = Draft(view)
        let array = try draft.at("/root")
        var dice = Dice(state: 1)
        let value = draft.value("1")
        for number in 0..<Self.edits {
            draft.insert(value, at: dice.roll(count), of: array)
            draft.insert(value, at: 2 * number, of: array)
        }
        let edited = try KeyedArchive(draft.finish())
        #expect(edited.stored(UID(1)).count == 2)
        #expect(ObjectView(edited)[ObjectView(edited).id(of: UID(1))].contents.count == count + 2 * Self.edits)
    }

    @Test(.timeLimit(.minutes(15))) func manyFields() throws {
        var draft = Draft(ObjectView(try JSON.readTyped(Array("{}".utf8))))
        for number in 0..<Self.edits {
            let key = Array("field\(number)".utf16)
            let found = draft.position(of: key, in: draft.root)
            #expect(found == nil)
            draft.insert(draft.value("1"), key: draft.add(string: key), at: number, of: draft.root)
        }
        for number in stride(from: Self.edits - 1, through: 0, by: -2) {
            let position = draft.position(of: Array("field\(number)".utf16), in: draft.root)
            #expect(position == number)
            draft.remove(at: number, of: draft.root)
        }
        let document = try draft.finish()
        #expect(document.object(document.root).count == Self.edits / 2)
    }

    /// A chain too long for recursion.
    @Test(.timeLimit(.minutes(15))) func longChain() throws {
        let length = TestScale.count(10_000, long: 40_000)
        var builder = KeyedArchiveBuilder()
        let record = builder.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<length).map { _ in builder.reserve() }
        for index in nodes.indices {
            builder.begin(nodes[index], of: record)
            if index + 1 < length {
                builder.contents.add(string: "next")
                builder.refer(to: nodes[index + 1])
            }
            builder.end()
        }
        builder.addTop(root: nodes[0])
        let view = ObjectView(try KeyedArchive(builder.finish()))
        var draft = Draft(view)
        let root = try draft.at("/root")
        let copy = draft.copy(root)
        let imported = try draft.importValue(view.item(0, of: view[view.root].contents).id, of: draft.addSource(view))
        draft.insert(copy, key: draft.add(string: "copy".utf16), at: 1, of: draft.root)
        draft.insert(imported, key: draft.add(string: "imported".utf16), at: 2, of: draft.root)
        #expect(try KeyedArchive(draft.finish()).count == 3 * length + 2)
    }
}
