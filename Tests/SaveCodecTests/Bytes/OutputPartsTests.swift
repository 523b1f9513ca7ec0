import Dispatch
import TestSupport
import Testing

@testable import SaveCodec

/// Output written in parallel parts equals output written sequentially.
@Suite struct OutputPartsTests {
    private static let runners: [ParallelRunner] = [
        { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) },
        { count, body in for index in (0..<count).reversed() { body(index) } },
    ]

    /// The default sizes, and sizes so small that most parts are cut, both in a full round and in the last one.
    private static let parts = [
        OutputParts(), OutputParts(partCount: 4, maxSize: 512, targetSize: 1 << 17, firstStep: 100),
        OutputParts(partCount: 3, maxSize: 40, targetSize: 1, firstStep: 700),
    ]

    private static func text(_ index: Int) -> String {
        func list(_ count: Int, _ item: (Int) -> String) -> String {
            (0..<count).map(item).joined(separator: ", ")
        }
        let long = String(repeating: "long ", count: 1000)
        return switch index {
        case 0: "[" + list(OutputParts.minCount - 1, \.description) + "]"
        case 1: "[" + list(OutputParts.minCount, \.description) + "]"
        case 2: "[" + list(3000) { #"{"b": \#($0), "a": [\#($0), "<\#($0)>"], "c": {}}"# } + "]"
        case 3: "{" + list(3000) { #""key \#($0 * 7919 % 3000)": {"$date": \#($0)}"# } + "}"
        case 4: #"{"$set": ["# + list(3000) { #""\#($0)""# } + "]}"
        case 5: #"{"$dict": ["# + list(3000) { "[\($0), [\($0)]]" } + "]}"
        // Some elements are too large for a part; in the next case, a container in a part is itself wide.
        case 6: "[" + list(2200) { $0 % 900 == 0 ? "\"\(long)\($0)\"" : "\"\($0)\"" } + "]"
        case 7: "[" + list(2200) { $0 % 1000 == 1 ? "[" + list(2100, \.description) + "]" : "{}" } + ", 1]"
        case 8: "[" + list(2100) { _ in "[\"\(long.prefix(600))\"]" } + "]"
        default: "[" + list(2100) { #"{"\#(long.prefix(600))\#($0)": \#($0), "a": 1}"# } + "]"
        }
    }

    @Test(arguments: 0..<10) func partsEqualSequentialOutput(_ index: Int) throws {
        let document = try JSON.read(Array(Self.text(index).utf8))
        for format in [Format.xml, .json] {
            let styles: [(order: WriteOptions.KeyOrder, isCompact: Bool)] = [
                (.sorted, index % 2 == 0), (.sorted, index % 2 != 0), (.stored, false), (.stored, true),
            ]
            for style in TestScale.sample(of: styles) {
                var options = WriteOptions(keyOrder: style.order, isCompact: style.isCompact)
                let expected = try Self.written(document, format, options)
                for (number, parts) in Self.parts.enumerated() {
                    options.runner = Self.runners[number % 2]
                    options.parts = parts
                    let isSame = try Self.written(document, format, options) == expected
                    #expect(isSame, "\(format) \(style) \(parts)")
                }
            }
        }
    }

    private static func written(_ document: Document, _ format: Format, _ options: WriteOptions) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var output = ByteWriter(pieces: 1 << 12) { piece in unsafe piece.withUnsafeBufferPointer { unsafe bytes += $0 }
        }
        try document.write(as: format, to: &output, options: options)
        try output.finish()
        return bytes
    }

    /// Writing stops soon after the output fails.
    @Test(arguments: [Format.xml, .json]) func stopsWhenOutputFails(_ format: Format) throws {
        let document = try JSON.read(Array(Self.text(2).utf8))
        var count = 0
        var output = ByteWriter(pieces: 1 << 12) { piece in
            count += piece.count
            if count > 1 << 16 { throw Problem("test", "full") }
        }
        try document.write(as: format, to: &output, options: WriteOptions(runner: Self.runners[0]))
        #expect(throws: Problem.self) { try output.finish() }
        #expect(count < 1 << 20)
    }
}
