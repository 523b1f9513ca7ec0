/// A binary file after undoing conversions that treated it as text:
///
///     Latin-1 or Windows-1252 to UTF-8       E9     ─▶ C3 A9
///     to UTF-16, as PowerShell's > does      62 70  ─▶ FF FE 62 00 70 00
///     line ends to CRLF                      0A     ─▶ 0D 0A
///
/// A file may have gone through several, so they are undone in this order. The caller judges the result.
package struct UndoneConversion {
    package let bytes: [UInt8]
    /// The conversions that were undone.
    package let repairs: [Problem]

    /// Returns the possible results of undoing conversions. If the encoding and the line ends were both converted, the
    /// first result has only the encoding undone.
    package static func candidates(for bytes: [UInt8]) -> [UndoneConversion] {
        let lines = LineFeeds(of: bytes)
        // zlib data stored as text is UTF-8 itself.
        if lines.areConverted, let first = lines.feeds.first, ZlibText.isPresent(in: lines.bytes) {
            return [UndoneConversion(bytes: lines.bytes, repairs: [.undoneLineEnds(lines.feeds.count, at: first)])]
        }
        var candidates: [UndoneConversion] = []
        let wide = bytesOfUTF16(bytes).map { ($0, "the conversion to UTF-16 was undone") }
        let decoded = wide ?? bytesOfUTF8(bytes).map { ($0, "the conversion to UTF-8 was undone") }
        let repair = decoded.map { Problem("salvage.encoding", $0.1, severity: .info, at: .byte(0)) }
        let start = decoded?.0 ?? bytes
        if let repair { candidates.append(UndoneConversion(bytes: start, repairs: [repair])) }
        let undone = LineFeeds(of: start)
        if undone.areConverted, let first = undone.feeds.first {
            let lines = Problem.undoneLineEnds(undone.feeds.count, at: first)
            candidates.append(UndoneConversion(bytes: undone.bytes, repairs: (repair.map { [$0] } ?? []) + [lines]))
        }
        return candidates
    }

    private static func bytesOfUTF16(_ bytes: [UInt8]) -> [UInt8]? {
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        guard bytes.count % 2 == 0, isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        var restored: [UInt8] = []
        restored.reserveCapacity(bytes.count / 2)
        for position in stride(from: 2, to: bytes.count, by: 2) {
            let (low, high) = isLittle ? (position, position + 1) : (position + 1, position)
            guard let byte = byte(of: UInt32(bytes[high]) << 8 | UInt32(bytes[low])) else { return nil }
            restored.append(byte)
        }
        return restored
    }

    /// Returns the bytes whose Latin-1 or Windows-1252 characters are encoded as UTF-8, or nil for other bytes.
    static func bytesOfUTF8(_ bytes: [UInt8]) -> [UInt8]? {
        var restored: [UInt8] = []
        restored.reserveCapacity(bytes.count)
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < bytes.count {
            let first = bytes[position]
            guard first >= 0x80 else {
                restored.append(first)
                position += 1
                continue
            }
            guard UTF8Text.sequenceLength(in: bytes.span, at: position) > 0 else { return nil }
            let (scalar, length) = UTF8Text.decode(bytes.span, at: position)
            guard let byte = byte(of: scalar), byte >= 0x80 else { return nil }
            restored.append(byte)
            position += length
        }
        return restored.count < bytes.count ? restored : nil
    }

    /// Returns the byte that Latin-1 or Windows-1252 decodes as a character, or nil for another character.
    private static func byte(of scalar: UInt32) -> UInt8? {
        if scalar <= 0xFF { return UInt8(scalar) }
        return StoredEncoding.windows1252(scalar).map { UInt8($0) }
    }
}

extension Problem {
    /// Returns a warning if all characters of a text above U+007F are UTF-8 that was read as Latin-1 or Windows-1252:
    /// `ZoÃ«` instead of `Zoë`.
    static func misreadText(_ bytes: [UInt8], _ document: Document) -> Problem? {
        guard document.sourceFormat?.has(.text) ?? false, case let first = bytes.span.firstNonASCII(from: 0),
            first < bytes.count,
            case let length = UTF8Text.sequenceLength(in: bytes.span, at: first), length > 0,
            // Most texts have single letters.
            first + length < bytes.count, bytes[first + length] >= 0x80, let text = UndoneConversion.bytesOfUTF8(bytes),
            UTF8Text.firstInvalid(in: text.span) == nil
        else { return nil }
        // A single pair of characters may be a capital letter and a sign.
        let starts = text.filter { $0 >= 0xC0 }
        guard starts.count > 1 || starts.first.map({ $0 < 0xC4 || $0 >= 0xE0 }) ?? false else { return nil }
        return Problem(
            "text.misread",
            "all characters that are not ASCII look like UTF-8 that was read as Latin-1, such as Ã« for ë",
            severity: .warning,
            at: .inText(bytes, at: first))
    }

    /// The repair of line ends that were converted to CRLF.
    static func undoneLineEnds(_ count: Int, at offset: Int) -> Problem {
        Problem(
            "salvage.line-ends", "\(Phrase.count(count, "CRLF", "was")) converted back to LF", severity: .info,
            at: .byte(offset))
    }
}

/// A file with LF in place of every CRLF.
struct LineFeeds {
    private(set) var bytes: [UInt8] = []
    /// The offsets in ``bytes`` of the LF bytes that were CRLF.
    private(set) var feeds: [Int] = []
    /// Whether every LF was part of a CRLF, as after a conversion of line ends.
    private(set) var areConverted = true

    init(of converted: [UInt8]) {
        bytes.reserveCapacity(converted.count)
        for byte in converted {
            if byte == 0x0A {
                if bytes.last == 0x0D {
                    bytes.removeLast()
                    feeds.append(bytes.count)
                } else {
                    areConverted = false
                }
            }
            bytes.append(byte)
        }
    }
}
