import KeyedArchives
import TestSupport
import Testing

@testable import SaveCodec
@testable import SaveOperations

/// The time of each path of salvage grows in proportion to the size of the file.
@Suite(.enabled(if: TestScale.isLong)) struct SalvageGrowthTests {
    private static func json(_ count: Int) -> String {
        "[" + (0..<count).map { ##"{"name": "item \##($0)", "gems": \##($0)}"## }.joined(separator: ",\n") + "]"
    }

    private static func binary(_ count: Int) throws -> [UInt8] {
        try Document(Array(json(count).utf8)).bytes(as: .binary)
    }

    private static func wide(_ text: String) -> [UInt8] {
        [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    /// Returns an archive of arrays with a name of their key and of their class.
    private static func archive(
        _ count: Int, key: String = "NS.objects", className: String = ##""NSArray""##
    ) throws -> [UInt8] {
        let objects = (0..<count).map { ##"{"$class":{"$uid":\##(count + 1)},"\##(key)":[{"$uid":\##($0 + 1)}]}"## }
        let record = ##"{"$classname":\##(className),"$classes":["NSArray","NSObject"]}"##
        let text =
            ##"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"$uid":1}},"$objects":["$null","##
            + (objects + [record]).joined(separator: ",") + "]}"
        return try Document(Array(text.utf8)).bytes(as: .binary)
    }

    private static func flipped(_ bytes: [UInt8], every distance: Int) -> [UInt8] {
        var bytes = bytes
        for position in stride(from: 100, to: bytes.count - 40, by: distance) { bytes[position] ^= 0x55 }
        return bytes
    }

    private static let gzip = Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], trailer: [])

    private static func cut(_ bytes: [UInt8]) -> [UInt8] { Array(bytes.dropLast(bytes.count / 3)) }

    static let damages: [(name: String, make: @Sendable (Int) throws -> [UInt8])] = [
        ("flips", { try flipped(binary($0), every: 97) }),
        ("zeros over the table", { try Array(binary($0).dropLast(5 * $0)) + [UInt8](repeating: 0, count: 5 * $0) }),
        ("cut", { try Array(binary($0).dropLast(9 * $0)) }),
        ("inserted", { try Array(binary($0).prefix(5 * $0)) + [1, 2, 3] + binary($0).dropFirst(5 * $0) }),
        ("CRLF", { try binary($0).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }),
        ("UTF-8", { try binary($0).flatMap { Array(String(Unicode.Scalar($0)).utf8) } }),
        ("lost key", { try archive($0, key: "NS.objectt") }),
        ("wrong key", { try archive($0, key: "NS.other") }),
        ("lost class", { try archive($0, className: "7") }),
        ("wide CRLF", { Array(wide(json($0)).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }) }),
        ("wide and zeros", { wide(json($0)) + [UInt8](repeating: 0, count: $0) }),
        ("header", { [1, 2, 3, 4] + Array(json($0).utf8) }),
        ("damaged gzip", { cut(gzip.write(Array(json($0).utf8))) }),
        ("lost keys", { Array(json($0).replacing("gems", with: "ge\u{1}s").utf8) }),
    ]

    @Test(arguments: damages.map(\.name)) func takesLinearTime(_ name: String) throws {
        let make = try #require(Self.damages.first { $0.name == name }).make
        let isLinear = try Growth.isLinear(to: 8000) { count in
            let file = try make(count)
            return { _ = try? SalvagedSave(file, ReadOptions()) }
        }
        #expect(isLinear)
    }

    /// A checksum after a text is found in linear time, whatever it begins with.
    @Test(arguments: [[0xC2, 0x41, 0x24, 0x35], [0x22], [UInt8](repeating: 0, count: 64)] as [[UInt8]])
    func findsTrailersInLinearTime(_ rest: [UInt8]) throws {
        let isLinear = try Growth.isLinear(to: 8000) { count in
            let file = Array(Self.json(count).utf8) + rest
            return { _ = try? SalvagedSave(file, ReadOptions(layers: LayerOptions(headerSize: 0))) }
        }
        #expect(isLinear)
    }

    @Test func fillsInLinearTime() throws {
        let isLinear = try Growth.isLinear(to: 4000) { count in
            let file = try Self.flipped(Self.binary(count), every: 997)
            let older = try ObjectView(of: Document(Self.binary(count)), limits: Limits(), isRaw: false)
            return {
                guard var salvaged = try? SalvagedSave(file, ReadOptions()) else { return }
                try salvaged.compare(with: older, fills: true, limits: Limits())
            }
        }
        #expect(isLinear)
    }
}
