import Foundation
import KeyedArchives
@testable import SaveCodec
import SaveInspection
import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests that `set` accepts every output of `get`, plain or typed, as no change. It takes about four values of each
/// file of the corpus and of `Fixtures`. A file of 2⁴⁰ elements is left out: a debug build takes minutes to find out
/// that its values are too large to print.
@Suite struct UnchangedValueTests {
    @Test(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil)) func corpus() throws {
        try Self.check(TestFiles.corpusSample(), in: "corpus")
    }

    @Test(arguments: ["games", "tricky", "archives-tricky", "graph-json", "leaderboard"])
    func fixtures(_ folder: String) throws {
        try Self.check(TestFiles.fixtureFiles(in: folder), in: folder)
    }

    /// Setting `$class` to the present name changes nothing, even for objects that lack the usual contents of their
    /// class.
    @Test(arguments: ["games", "archives-tricky"]) func classNames(_ folder: String) throws {
        let workspace = try Workspace(fixtures: [folder])
        var count = 0
        for file in try TestFiles.fixtureFiles(in: folder).map({ "Fixtures/\(folder)/\($0.lastPathComponent)" }) {
            let before = try workspace.bytes(of: file)
            let lines = workspace.run(["inspect", "-f", "flat", file]).output.split(separator: "\n")
            for line in lines.filter({ $0.contains("/$class = ") }).prefix(5) {
                let words = line.components(separatedBy: " = ")
                let result = workspace.run(["set", "-i", file, words[0], words[1]])
                #expect(result.status == 0, "\(file) \(line): \(result.output)")
                count += 1
            }
            #expect(try workspace.bytes(of: file) == before, "\(file)")
        }
        #expect(count > 5)
    }

    /// If two class records have the same name, an object keeps its own record.
    @Test func twoRecordsOfOneClass() throws {
        let workspace = try Workspace()
        try workspace.write(
            """
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"a": {"$uid": 1}, "b": {"$uid": 2}}, "$objects": [
              "$null", {"$class": {"$uid": 3}}, {"$class": {"$uid": 4}},
              {"$classname": "Map", "$classes": ["Map", "NSObject"]}, {"$classname": "Map", "$classes": ["Map", "World"]}]}
            """, to: "a.json")
        let before = try workspace.bytes(of: "a.json")
        for address in ["/a/$class", "/b/$class"] {
            #expect(workspace.run(["set", "-i", "a.json", address, "Map"]).status == 0)
            #expect(try workspace.bytes(of: "a.json") == before, "\(address)")
        }
    }

    /// Objects refer to each other in circles. Plain JSON expands one of them, with the others inside it.
    @Test(arguments: 0..<30) func circles(_ seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        let document = try GraphJSON.archive(from: JSON.read(Array(Self.circle(&dice).utf8)))
        let view = ObjectView(try KeyedArchive(document))
        for address in Self.addresses(in: view) { _ = Self.check(address, in: view, "seed \(seed)") }
    }

    /// Returns graph JSON of an array of nodes, each with a list of other nodes: a ring or a random selection.
    private static func circle(_ dice: inout SeededGenerator) -> String {
        let count = 2 + dice.roll(4)
        let isRing = dice.roll(2) == 0
        let areAlike = dice.roll(3) == 0
        let links = (0..<count).map { node in
            let ring = [(node + count - 1) % count, (node + 1) % count]
            return isRing ? ring.shuffled(using: &dice) : (0..<dice.roll(3)).map { _ in dice.roll(count) }
        }
        var met: Set<Int> = []
        func text(_ node: Int) -> String {
            guard met.insert(node).inserted else { return #"{"$ref": \#(node + 1)}"# }
            let next = links[node].map(text).joined(separator: ", ")
            return #"{"$class": "Node", "$id": \#(node + 1), "x": {"$real32": \#(areAlike ? "0.5" : "\(node).1")}, "#
                + #""next": {"$class": "NSArray", "$elements": [\#(next)]}}"#
        }
        let nodes = (0..<count).shuffled(using: &dice).map(text).joined(separator: ", ")
        return #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Node": ["Node", "NSObject"]}, "#
            + #""$top": {"root": {"$class": "NSArray", "$elements": [\#(nodes)]}}}"#
    }

    private static func check(_ files: [URL], in folder: String) throws {
        var (values, texts) = (0, 0)
        for file in files where file.lastPathComponent != "53-40-doublings.plist" {
            guard let bytes = try? TestFiles.bytes(file), let format = try? Format.recognize(bytes),
                format.writing != nil,
                let document = try? Document.read(bytes, as: format), !GraphJSON.isPresent(in: document)
            else { continue }
            let view = (try? KeyedArchive(document)).map { ObjectView($0) } ?? ObjectView(document)
            let addresses = addresses(in: view)
            let stride = max(1, addresses.count / 4)
            for index in Swift.stride(from: 0, to: addresses.count, by: stride) {
                values += 1
                texts += check(addresses[index], in: view, file.lastPathComponent)
            }
        }
        TestScale.report("\(folder): \(values) values, \(texts) texts of them set without a change")
    }

    /// Returns the addresses of all values, listing each container once.
    private static func addresses(in view: ObjectView) -> [JSONPointer] {
        var outline = Outline(of: view)
        var addresses: [JSONPointer] = []
        while let step = outline.next() {
            if case .value(let row) = step { addresses.append(outline.address(of: row)) }
        }
        return addresses
    }

    /// Sets a value to its printed text and expects no change. Returns the number of texts tried.
    private static func check(_ address: JSONPointer, in view: ObjectView, _ name: String) -> Int {
        guard case .found(let id, _) = view.find(address), let place = EditSlot(address, in: view) else { return 0 }
        var count = 0
        for isTyped in [false, true] {
            guard let text = try? printed(id, at: address, isTyped: isTyped, in: view) else { continue }
            count += 1
            for changesType in [false, true] {
                let title = "\(name) \(address) typed: \(isTyped) --change-type: \(changesType)"
                do {
                    var draft = Draft(view)
                    let given = try GivenValue(json: text)
                    _ = try draft.set(given, at: place, changesType: changesType)
                    let isUnchanged = draft.isUnchanged
                    #expect(isUnchanged, "\(title)")
                } catch {
                    Issue.record("\(title) \(error)")
                }
            }
        }
        return count
    }

    private static func printed(
        _ id: ViewID, at address: JSONPointer, isTyped: Bool, in view: ObjectView
    ) throws -> [UInt8] {
        let value = SingleValue(view: view, id: id, address: address, limits: Limits())
        return try isTyped ? value.typed(isCompact: true) : value.json(isCompact: true)
    }
}
