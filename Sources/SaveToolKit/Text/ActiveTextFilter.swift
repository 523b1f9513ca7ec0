import SaveCodec

/// Escapes what would act on a terminal, or on those who read the source of a page, instead of being seen: the controls of
/// C1, line separators, what turns the direction of text, and what has no width. What holds emoji together stays. The escape
/// is one of the format that is written.
///
/// Renderers make the strings of trees and messages safe themselves. This is for texts that hold strings and comments as
/// they are, as files do.
struct ActiveTextFilter {
    /// Whether an escape is written as in XML, `&#x202E;`; else as `\u202E`.
    private let isMarkup: Bool
    /// Whether what is written is coloured already, so that the sequences of ``Ink``, and no others, are let through.
    private let isColored: Bool
    /// The beginning of what may have to be escaped.
    private var held: [UInt8] = []
    /// The character before, if it was one of those that are held.
    private var previous: UInt32 = 0
    /// A joiner, or tags, which stay as they are if the next character makes them part of an emoji.
    private var waiting: [UInt32] = []

    private static let escape: UInt8 = 0x1B
    private static let joiner: UInt32 = 0x200D
    private static let blackFlag: UInt32 = 0x1F3F4
    /// The letters and digits of the code of a region, of which there are six at most, and what ends it.
    private static let tags: ClosedRange<UInt32> = 0xE0030...0xE007A
    private static let mostTags = 6
    private static let endTag: UInt32 = 0xE007F

    /// - Parameters:
    ///   - format: what is written; nil for what a renderer made.
    ///   - isColored: whether it has colours.
    init(for format: Format?, isColored: Bool = false) {
        isMarkup = format?.has(.markup) ?? false
        self.isColored = isColored
    }

    /// Writes the next piece of the text.
    mutating func write(_ piece: Span<UInt8>, to output: inout ByteWriter) {
        for position in piece.indices { write(piece[position], to: &output) }
    }

    /// Writes what is held back, as the text ends there.
    mutating func finish(to output: inout ByteWriter) {
        escapeWaiting(to: &output)
        for byte in held { writeScalar(UInt32(byte), as: [byte], to: &output) }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ byte: UInt8, to output: inout ByteWriter) {
        guard held.isEmpty else { return goOn(with: byte, to: &output) }
        switch byte {
        case 0x0D, 0xC2, 0xD8, 0xE2, 0xEF, 0xF0, 0xF3: return held.append(byte)
        case _ where !waiting.isEmpty:
            escapeWaiting(to: &output)
            return write(byte, to: &output)
        case Self.escape where isColored: return held.append(byte)
        case 0x20..<0x7F, 0x09, 0x0A, 0x80...: output.write(byte)
        default: writeScalar(UInt32(byte), as: [byte], to: &output)
        }
        previous = 0
    }

    /// Takes the byte behind what is held back.
    private mutating func goOn(with byte: UInt8, to output: inout ByteWriter) {
        if held[0] == 0x0D, byte == 0x0A {
            escapeWaiting(to: &output)
            output.write(held)
            held.removeAll(keepingCapacity: true)
            return output.write(byte)
        }
        if held[0] == Self.escape { return goOnWithColor(byte, to: &output) }
        guard byte & 0xC0 == 0x80, held[0] != 0x0D else {
            finish(to: &output)
            return write(byte, to: &output)
        }
        held.append(byte)
        let length = held[0] < 0xE0 ? 2 : held[0] < 0xF0 ? 3 : 4
        guard held.count == length else { return }
        let start = UInt32(held[0]) & (0x7F >> UInt32(length))
        let scalar = held.dropFirst().reduce(start) { $0 << 6 | UInt32($1 & 0x3F) }
        take(scalar, as: held, to: &output)
        held.removeAll(keepingCapacity: true)
    }

    /// Takes the byte behind ESC and what may belong to a colour.
    private mutating func goOnWithColor(_ byte: UInt8, to output: inout ByteWriter) {
        held.append(byte)
        if Ink.sequences.contains(held) {
            output.write(held)
            held.removeAll(keepingCapacity: true)
        } else if !Ink.sequences.contains(where: { $0.starts(with: held) }) {
            held.removeLast()
            finish(to: &output)
            write(byte, to: &output)
        }
    }

    // MARK: Emoji

    /// Writes a character of which these are the bytes, unless the next one decides on it.
    private mutating func take(_ scalar: UInt32, as bytes: [UInt8], to output: inout ByteWriter) {
        if completesWaiting(scalar) {
            for part in waiting { output.write(Unicode.Scalar(part).map { String($0) } ?? "") }
            waiting.removeAll(keepingCapacity: true)
            output.write(bytes)
        } else {
            if !isNextTag(scalar) { escapeWaiting(to: &output) }
            if mayWait(scalar) { return waiting.append(scalar) }
            writeScalar(scalar, as: bytes, to: &output)
        }
        previous = scalar
    }

    private func completesWaiting(_ scalar: UInt32) -> Bool {
        guard let first = waiting.first else { return false }
        return first == Self.joiner ? mayBeEmoji(scalar) && scalar != 0xFE0F : scalar == Self.endTag
    }

    private func isNextTag(_ scalar: UInt32) -> Bool {
        guard let first = waiting.first, first != Self.joiner else { return false }
        return Self.tags.contains(scalar) && waiting.count < Self.mostTags
    }

    private func mayWait(_ scalar: UInt32) -> Bool {
        if !waiting.isEmpty { return isNextTag(scalar) }
        return scalar == Self.joiner
            ? mayBeEmoji(previous) : previous == Self.blackFlag && Self.tags.contains(scalar)
    }

    private mutating func escapeWaiting(to output: inout ByteWriter) {
        for scalar in waiting { writeScalar(scalar, as: [], to: &output) }
        if !waiting.isEmpty { previous = 0 }
        waiting.removeAll(keepingCapacity: true)
    }

    // MARK: Characters

    /// Writes a character of which these are the bytes.
    private func writeScalar(_ scalar: UInt32, as bytes: [UInt8], to output: inout ByteWriter) {
        guard acts(scalar) else { return output.write(bytes) }
        if isMarkup { return output.write("&#x\(String(scalar, radix: 16, uppercase: true));") }
        for unit in Unicode.Scalar(scalar).map({ Array(String($0).utf16) }) ?? [] {
            let digits = String(unit, radix: 16, uppercase: true)
            output.write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        }
    }

    private func acts(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0xAD, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2064, 0x2066...0x2069,
            0xFEFF, 0xFFF9...0xFFFB, 0xE0001...0xE007F:
            true
        default: false
        }
    }

    /// Whether a character may stand in front of a joiner: a picture, or the selector behind one.
    private func mayBeEmoji(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xFE0F, 0x1F000...0x1FAFF: true
        case 0x2190...0x2BFF: Unicode.Scalar(scalar)?.properties.isEmoji ?? false
        default: false
        }
    }
}
