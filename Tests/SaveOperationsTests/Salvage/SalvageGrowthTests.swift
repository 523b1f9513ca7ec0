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

    /// Returns a database with as many empty tables, and an index for each. Its schema is on two levels of pages.
    private static func database(_ count: Int) throws -> [UInt8] {
        let size = 2048
        func entry(_ number: Int) -> [UInt8] {
            let table = "t\(number / 2)"
            let texts =
                number % 2 == 0
                ? ["table", table, table, "CREATE TABLE t(a)"]
                : ["index", "i\(number / 2)", table, "CREATE INDEX i ON t(a)"]
            var record: [UInt8] = [6]
            for (index, text) in texts.enumerated() {
                // An integer of two bytes precedes the statement.
                if index == 3 { record.append(2) }
                record.append(UInt8(13 + 2 * text.utf8.count))
            }
            for (index, text) in texts.enumerated() {
                if index == 3 { record += pair(2 + number) }
                record += Array(text.utf8)
            }
            return [UInt8(record.count)] + key(number) + record
        }
        func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
        func key(_ number: Int) -> [UInt8] { [0x80 | UInt8(number >> 7), UInt8(number & 0x7F)] }
        func page(_ kind: UInt8, _ cells: [[UInt8]], last: Int = 0, from start: Int = 0) -> [UInt8] {
            let head = kind == 5 ? 12 : 8
            var page = [UInt8](repeating: 0, count: size)
            (page[start], page[start + 4]) = (kind, UInt8(cells.count))
            var position = size
            for (index, cell) in cells.enumerated() {
                position -= cell.count
                page.replaceSubrange(position..<position + cell.count, with: cell)
                let pointer = start + head + 2 * index
                page.replaceSubrange(pointer..<pointer + 2, with: pair(position))
            }
            page.replaceSubrange(start + 5..<start + 7, with: pair(position))
            if kind == 5 { page.replaceSubrange(start + 10..<start + 12, with: pair(last)) }
            return page
        }
        let starts = Array(stride(from: 0, to: 2 * count, by: 40))
        let leaves = starts.map { page(13, ($0..<min($0 + 40, 2 * count)).map(entry)) }
        let first = 2 + 2 * count
        let children = starts.indices.dropLast().map { index in
            [0, 0] + pair(first + index) + key(starts[index + 1] - 1)
        }
        var root = page(5, children, last: first + leaves.count - 1, from: 100)
        root.replaceSubrange(0..<100, with: SalvagedSaveTests.fixture("databases/monsters.sqlite").prefix(100))
        root.replaceSubrange(16..<18, with: pair(size))
        root.replaceSubrange(28..<40, with: [0, 0] + pair(first - 1 + leaves.count) + [UInt8](repeating: 0, count: 8))
        let empty = page(13, []) + page(10, [])
        return root + (0..<count).flatMap { _ in empty } + leaves.flatMap(\.self)
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

    @Test func checksIndexesInLinearTime() throws {
        let file = try Self.database(100)
        #expect(try SalvagedSave(file, ReadOptions()).salvage.isSound)
        let isLinear = try Growth.isLinear(to: 4000) { count in
            let file = try Self.database(count)
            return { _ = try? SalvagedSave(file, ReadOptions()) }
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
