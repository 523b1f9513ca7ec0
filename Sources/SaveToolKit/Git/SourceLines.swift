import KeyedArchives
import SaveCodec

/// The lines of a text file, to be shown as they stand. What a terminal would act on is shown as `\u001B`, and of the
/// backslashes before what could be taken for that each is doubled, so that no two texts are shown alike.
struct SourceLines {
    private static let longestLine = 400

    private let text: [UInt8]
    private let hasMark: Bool

    /// The lines of a file; nil if it is no text, an archive, or has a line that nobody would want to see.
    init?(of save: Save) throws(Problem) {
        guard save.format.has(.text), save.view.archive == nil else { return nil }
        text = try save.format.definition.utf8Text(of: save.bytes)
        hasMark = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]].contains {
            save.bytes.starts(with: $0)
        }
        guard Self.hasShortLines(text) else { return nil }
    }

    private static func hasShortLines(_ text: [UInt8]) -> Bool {
        var start = 0
        for offset in text.indices where text[offset] == 0x0A {
            if offset - start > longestLine { return false }
            start = offset + 1
        }
        return text.count - start <= longestLine
    }

    func write(to output: inout ByteWriter) {
        if hasMark { output.write("\\uFEFF") }
        var start = 0
        while start < text.count, !output.hasFailed {
            let end = endOfRun(from: start)
            output.write(text, in: start..<end)
            start = end < text.count ? writeSpecial(at: end, to: &output) : end
        }
    }

    /// Where what stands for itself ends: at a backslash, and at what a terminal could act on.
    private func endOfRun(from start: Int) -> Int {
        var end = start
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "\\"): return end
            case 0x20..<0x7F, 0x09, 0x0A: end += 1
            case 0x0D where end + 1 < text.count && text[end + 1] == 0x0A: end += 1
            default:
                let (scalar, length) = scalar(at: end)
                if SafeText.isActive(scalar) { return end }
                end += length
            }
        }
        return end
    }

    /// Writes a run of backslashes, or a character as its number. Returns the offset behind it.
    private func writeSpecial(at start: Int, to output: inout ByteWriter) -> Int {
        let end = text[start...].firstIndex { $0 != UInt8(ascii: "\\") } ?? text.count
        if end > start {
            output.write(UInt8(ascii: "\\"), times: (end - start) * (isAmbiguous(behind: end) ? 2 : 1))
            return end
        }
        let (scalar, length) = scalar(at: start)
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16, uppercase: true)
            output.write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
        return start + length
    }

    /// Whether backslashes and what stands behind them could be taken for the number of a character.
    private func isAmbiguous(behind offset: Int) -> Bool {
        guard offset < text.count else { return false }
        guard text[offset] == UInt8(ascii: "u") else { return endOfRun(from: offset) == offset }
        let digits = text[(offset + 1)...].prefix(4)
        return digits.count == 4 && digits.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
    }

    private func scalar(at offset: Int) -> (Unicode.Scalar, length: Int) {
        var bytes = text[offset..<min(offset + 4, text.count)].makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return ("\u{FFFD}", 1) }
        return (scalar, UTF8.width(scalar))
    }
}
