import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import SaveCodec
@testable import SaveOperations

/// A text that was cut off and filled from its original has the values of the original, each at its own address.
@Suite struct FilledCutTests {
    private static func files() throws -> [URL] {
        let fixtures = try ["games", "project", "text"].flatMap(TestFiles.fixtureFiles)
        let files = try fixtures + TestFiles.corpusSample()
        return files.filter { file in
            guard let bytes = try? TestFiles.bytes(file), bytes.count < 200_000,
                let save = try? Save(bytes, raw)
            else { return false }
            return [.json, .openStep, .gnustep, .xml].contains(save.format)
        }
    }

    private static var raw: ReadOptions {
        var options = ReadOptions()
        options.isRaw = true
        return options
    }

    @Test func keepsEveryValueAtItsAddress() throws {
        var count = 0
        for file in try Self.files() {
            let bytes = try TestFiles.bytes(file)
            let original = try Save(bytes, Self.raw)
            let step = max(bytes.count / TestScale.count(16, long: 400), 1)
            for end in stride(from: step, to: bytes.count, by: step) {
                try Self.check(Array(bytes[..<end]), against: original, "\(file.lastPathComponent) cut at \(end)")
                count += 1
            }
        }
        #expect(count > 100)
        TestScale.report("filled \(count) cut texts")
    }

    /// Elements that are alike tempt a comparison to pair the broken one with a later one.
    @Test(arguments: [
        #"{"list": [{"kind": "troll", "hp": 10, "gold": 1}, {"kind": "troll", "hp": 20, "gold": 2}, "#
            + #"{"kind": "troll", "hp": 30, "gold": 3}]}"#,
        #"{"list": [{"kind": "orc", "hp": 10, "gold": [1]}, {"kind": "troll", "hp": 20, "gold": [{"of": 2}, 2]}, "#
            + #"{"kind": "troll", "hp": 20, "gold": [{"of": 2}, {"of": 3}]}, {"kind": "elf", "hp": 20, "gold": []}]}"#,
    ])
    func keepsSimilarElementsApart(_ text: String) throws {
        let original = try Save(Array(text.utf8), Self.raw)
        for end in 20..<text.utf8.count {
            try Self.check(Array(text.utf8.prefix(end)), against: original, "cut at \(end)")
        }
    }

    private static func check(_ cut: [UInt8], against original: Save, _ comment: String) throws {
        var options = raw
        options.format = original.format
        guard var salvaged = try? SalvagedSave(cut, options), !salvaged.losses.isEmpty else { return }
        try salvaged.compare(with: original.view, fills: true, limits: Limits())
        let marked = salvaged.losses.filter { !($0.counterpart?.isFilled ?? false) }
        let addresses = Set(marked.compactMap { $0.address?.description })
        let (expected, found) = (values(original.source), values(salvaged.save.source))
        for (address, value) in found where expected[address] != value && !addresses.contains(address) {
            // XML cannot hold control characters, although its reader accepts them.
            if value.contains("\u{FFFD}") { continue }
            Issue.record("\(comment): \(address) is \(value), not \(expected[address] ?? "absent")")
        }
        guard salvaged.unfilledCount == 0 else { return }
        // A UID that is cut off is an empty dictionary, which is marked.
        let missing = expected.keys.filter { found[$0] == nil && !addresses.contains($0) }
        #expect(missing.isEmpty, "\(comment)")
    }

    /// Returns the scalars of a document by address.
    private static func values(_ document: Document) -> [String: String] {
        var values: [String: String] = [:]
        var stack = [(document.root, JSONPointer.root)]
        while let (id, address) = stack.popLast() {
            let object = document.object(id)
            guard object.kind.isContainer else {
                var output = ByteWriter()
                try? JSON.write(document.rooted(at: id), to: &output)
                values[address.description] = String(decoding: output.takeBytes(), as: UTF8.self)
                continue
            }
            for position in 0..<object.count {
                var inner = address
                document.append(
                    step: object.kind == .dictionary ? object.count + position : position, of: object, to: &inner)
                stack.append((document.member(position, of: object), inner))
            }
        }
        return values
    }
}
