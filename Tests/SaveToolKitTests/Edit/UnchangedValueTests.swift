import Foundation
import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Whatever `get` prints of a value, plain or typed, `set` takes at the same place as no change: for values of
/// files of the corpus and of `Fixtures`, at six places of each.
@Suite struct UnchangedValueTests {
    @Test(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil)) func corpus() throws {
        try Self.check(TestFiles.corpusSample(), in: "corpus")
    }

    @Test(arguments: ["games", "tricky", "archives-tricky", "graph-json", "leaderboard"])
    func fixtures(_ folder: String) throws {
        try Self.check(TestFiles.fixtureFiles(in: folder), in: folder)
    }

    private static func check(_ files: [URL], in folder: String) throws {
        var (values, texts) = (0, 0)
        for file in files {
            guard let bytes = try? TestFiles.bytes(file), let format = try? Format.recognize(bytes),
                let document = try? Document.read(bytes, as: format), !GraphJSON.isPresent(in: document)
            else { continue }
            let view = (try? KeyedArchive(document)).map { ObjectView($0) } ?? ObjectView(document)
            let addresses = addresses(in: view)
            let stride = max(1, addresses.count / 6)
            for index in Swift.stride(from: 0, to: addresses.count, by: stride) {
                values += 1
                texts += check(addresses[index], in: view, file.lastPathComponent)
            }
        }
        print("\(folder): \(values) values, \(texts) texts of them set without a change")
    }

    /// The addresses of all values, each container at its first place.
    private static func addresses(in view: ObjectView) -> [JSONPointer] {
        var outline = Outline(of: view)
        var addresses: [JSONPointer] = []
        while let step = outline.next() {
            if case .value(let row) = step { addresses.append(outline.address(of: row)) }
        }
        return addresses
    }

    /// Sets a value to what is printed of it; returns how many forms it has.
    private static func check(_ address: JSONPointer, in view: ObjectView, _ name: String) -> Int {
        guard case .found(let id, _) = view.find(address), let path = SlotPath(address, in: view) else { return 0 }
        var count = 0
        for isTyped in [false, true] {
            guard let text = try? printed(id, at: address, isTyped: isTyped, in: view) else { continue }
            count += 1
            for changesType in [false, true] {
                let title = "\(name) \(address) typed: \(isTyped) --change-type: \(changesType)"
                do {
                    var draft = Draft(view)
                    let given = GivenValue(try JSON.read(text))
                    let isSplit = Sharing(path, in: view).isShared.map { $0 && view.archive == nil }
                    _ = try draft.set(given, at: path, splitting: isSplit, changesType: changesType)
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
