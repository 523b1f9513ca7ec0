import Foundation
import KeyedArchives
import SaveCodec

/// A systematic test of damaged files. It truncates each file at each byte, sets each byte to eight values, and swaps
/// every two references of a binary file.
struct Corruption {
    private let original: [UInt8]
    private let name: String
    private(set) var caseCount = 0
    private(set) var readCount = 0
    /// The slowest case, and the case with the most output.
    private var slowest = (seconds: 0.0, what: "")
    private var largest = (count: 0, what: "")

    init(of file: String) {
        original = (try? Data(contentsOf: URL(filePath: file))).map { [UInt8]($0) } ?? []
        name = file.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// Checks files. Prints for each the number of cases, the slowest case, and the case with the largest output.
    static func check(_ files: some Sequence<String>) {
        var caseCount = 0
        for file in files {
            var corruption = Corruption(of: file)
            corruption.checkAll()
            caseCount += corruption.caseCount
            print(corruption.summary)
        }
        print("\(caseCount) cases")
    }

    private var summary: String {
        "\(name)\t\(caseCount) cases\t\(readCount) read\t\(slowest.seconds) s: \(slowest.what)\t"
            + "\(largest.count) bytes: \(largest.what)"
    }

    private mutating func checkAll() {
        Sandbox.shared.write(original, to: "a")
        for count in original.indices { check(Array(original[..<count]), "cut off at \(count)") }
        for index in original.indices {
            var bytes = original
            for value in Self.values(for: original[index]) where value != original[index] {
                bytes[index] = value
                check(bytes, "byte \(index) is \(value)")
            }
        }
        let references = BinaryReferences(original)
        for (position, first) in references.starts.enumerated() {
            for second in references.starts[(position + 1)...] {
                var bytes = original
                for index in 0..<references.size { bytes.swapAt(first + index, second + index) }
                if bytes != original { check(bytes, "references at \(first) and \(second) swapped") }
            }
        }
    }

    /// Returns limits of ranges, values near the byte, and a string terminator.
    private static func values(for byte: UInt8) -> [UInt8] {
        [0x00, 0x7F, 0x80, 0xFF, byte ^ 0x01, byte ^ 0x10, byte &+ 1, UInt8(ascii: "\"")]
    }

    /// Checks a damaged file. It remains as `b` if it violates a law.
    private mutating func check(_ bytes: [UInt8], _ what: String) {
        caseCount += 1
        Sandbox.shared.write(bytes, to: "b")
        let start = clock()
        let run = ToolRun(ToolInput(files: [original, bytes]))
        let isSound = ToolRun.isSound(bytes, .viewed)
        let verdict = run.run(["validate", "--no-project", "b"], reading: [.anything, .viewed])
        guard verdict.status < 2 else { violation("a file that can be opened is judged", verdict.text) }
        var count = verdict.output.count
        if isSound {
            readCount += 1
            let view = run.run(["inspect", "--all", "b"])
            guard view.status == 0 else { violation("what is read is shown", view.text) }
            let difference = run.run(["diff", "a", "b"])
            if let scalar = Printable.violation(in: view.output + difference.output) {
                violation("output for people has no control characters", "\(scalar)\n\(view.text)\(difference.text)")
            }
            count += view.output.count + difference.output.count
        }
        let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        if seconds > slowest.seconds { slowest = (seconds, what) }
        if count > largest.count { largest = (count, what) }
    }
}

/// The locations of object references in a binary property list.
struct BinaryReferences {
    /// The size of a reference in bytes.
    private(set) var size = 0
    private(set) var starts: [Int] = []

    /// Finds no references in other files.
    init(_ bytes: [UInt8]) {
        guard bytes.starts(with: "bplist0".utf8), bytes.count > 40 else { return }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        size = Int(bytes[trailer + 7])
        func number(at start: Int, _ size: Int) -> Int { bytes[start..<(start + size)].reduce(0) { $0 << 8 | Int($1) } }
        let table = number(at: trailer + 28, 4)
        for index in 0..<number(at: trailer + 12, 4) {
            let object = number(at: table + index * offsetSize, offsetSize)
            let kind = bytes[object] >> 4
            guard kind == 0xA || kind == 0xC || kind == 0xD else { continue }
            var count = Int(bytes[object] & 0xF)
            var start = object + 1
            if count == 0xF {
                let width = 1 << Int(bytes[start] & 0xF)
                count = number(at: start + 1, width)
                start += 1 + width
            }
            starts += (0..<(kind == 0xD ? 2 * count : count)).map { start + $0 * size }
        }
    }
}
