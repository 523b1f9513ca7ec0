import SaveCodec

/// A filter that escapes ``InvisibleCharacters`` except for tabs and line feeds. Sequences that form emoji are kept.
/// Escapes follow the format of the text.
///
/// The filter is for texts that contain strings and comments unchanged, such as files. Trees and messages escape their
/// strings themselves.
struct ActiveTextFilter {
    /// Whether escapes are written as in XML, `&#x202E;`, instead of `\u202E`.
    private let isMarkup: Bool
    /// Whether the text is colored. The escape sequences of ``TextRole``, and no others, are then kept.
    private let isColored: Bool
    /// The bytes of a character, line break or color sequence that is not complete yet.
    private var held: [UInt8] = []
    /// The previous character; 0 if it does not affect the following ones.
    private var previous: UInt32 = 0
    /// A joiner, a selector or tags, which are kept only if the next characters complete an emoji.
    private var waiting: [UInt32] = []

    private static let escape: UInt8 = 0x1B
    private static let joiner: UInt32 = 0x200D
    private static let selector: UInt32 = 0xFE0F
    private static let keycap: UInt32 = 0x20E3
    private static let blackFlag: UInt32 = 0x1F3F4
    /// The tag characters for letters and digits. A region flag is a black flag, at most six of them, and the end tag.
    private static let tags: ClosedRange<UInt32> = 0xE0030...0xE007A
    private static let maxTags = 6
    private static let endTag: UInt32 = 0xE007F

    /// - Parameters:
    ///   - format: The format of the text; nil for rendered output.
    ///   - isColored: Whether the text has color sequences.
    init(for format: Format?, isColored: Bool = false) {
        isMarkup = format?.has(.markup) ?? false
        self.isColored = isColored
    }

    mutating func write(_ piece: Span<UInt8>, to output: inout ByteWriter) {
        var position = 0
        while position < piece.count {
            let start = position
            if held.isEmpty, waiting.isEmpty {
                while position < piece.count, Self.isPlain(piece[position]) { position += 1 }
            }
            if position > start {
                output.write(piece.extracting(start..<position))
                previous = UInt32(piece[position - 1])
            } else {
                write(piece[position], to: &output)
                position += 1
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte || byte == 0x09 || byte == 0x0A }

    /// Writes the bytes that are held back, at the end of the text.
    mutating func finish(to output: inout ByteWriter) {
        escapeWaiting(to: &output)
        for byte in held { writeScalar(UInt32(byte), as: [byte], to: &output) }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ byte: UInt8, to output: inout ByteWriter) {
        guard held.isEmpty else { return goOn(with: byte, to: &output) }
        switch byte {
        case 0x0D, 0xC2...0xF4: return held.append(byte)
        case _ where !waiting.isEmpty:
            escapeWaiting(to: &output)
            return write(byte, to: &output)
        case Self.escape where isColored: return held.append(byte)
        case _ where Self.isPlain(byte):
            output.write(byte)
            previous = UInt32(byte)
            return
        // A byte that begins no character may be a control of an encoding other than UTF-8.
        default: writeScalar(UInt32(byte), as: [byte], to: &output)
        }
        previous = 0
    }

    /// Processes a byte after the bytes that are held back.
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

    /// Processes a byte of a possible color sequence.
    private mutating func goOnWithColor(_ byte: UInt8, to output: inout ByteWriter) {
        held.append(byte)
        if TextRole.sequences.contains(held) {
            output.write(held)
            held.removeAll(keepingCapacity: true)
        } else if !TextRole.sequences.contains(where: { $0.starts(with: held) }) {
            held.removeLast()
            finish(to: &output)
            write(byte, to: &output)
        }
    }

    // MARK: Emoji

    /// Writes a character, or holds it back until the next one decides whether it is escaped.
    ///
    /// - Parameter bytes: The UTF-8 encoding of the character.
    private mutating func take(_ scalar: UInt32, as bytes: [UInt8], to output: inout ByteWriter) {
        if completesWaiting(scalar) {
            for part in waiting { output.write(Unicode.Scalar(part).map { String($0) } ?? "") }
            waiting.removeAll(keepingCapacity: true)
            output.write(bytes)
        } else {
            if !isNextTag(scalar) { escapeWaiting(to: &output) }
            if mayWait(scalar) { return waiting.append(scalar) }
            if scalar == Self.selector, previous != scalar, mayBeEmoji(previous) {
                output.write(bytes)
            } else {
                writeScalar(scalar, as: bytes, to: &output)
            }
        }
        previous = scalar
    }

    private func completesWaiting(_ scalar: UInt32) -> Bool {
        guard let first = waiting.first else { return false }
        switch first {
        case Self.joiner: return mayBeEmoji(scalar) && scalar != Self.selector
        case Self.selector: return scalar == Self.keycap
        default: return scalar == Self.endTag
        }
    }

    private func isNextTag(_ scalar: UInt32) -> Bool {
        guard let first = waiting.first, first != Self.joiner, first != Self.selector else { return false }
        return Self.tags.contains(scalar) && waiting.count < Self.maxTags
    }

    private func mayWait(_ scalar: UInt32) -> Bool {
        if !waiting.isEmpty { return isNextTag(scalar) }
        switch scalar {
        case Self.joiner: return mayBeEmoji(previous)
        case Self.selector: return previous < 0x80 && (Unicode.Scalar(previous)?.properties.isEmoji ?? false)
        default: return previous == Self.blackFlag && Self.tags.contains(scalar)
        }
    }

    private mutating func escapeWaiting(to output: inout ByteWriter) {
        for scalar in waiting { writeScalar(scalar, as: [], to: &output) }
        if !waiting.isEmpty { previous = 0 }
        waiting.removeAll(keepingCapacity: true)
    }

    // MARK: Characters

    /// Writes a character, escaped if necessary.
    ///
    /// - Parameter bytes: The encoding to write for a character that is not escaped.
    private func writeScalar(_ scalar: UInt32, as bytes: [UInt8], to output: inout ByteWriter) {
        guard acts(scalar) else { return output.write(bytes) }
        if isMarkup { return output.write("&#x\(String(scalar, radix: 16, uppercase: true));") }
        for unit in Unicode.Scalar(scalar).map({ Array(String($0).utf16) }) ?? [] {
            output.write("\\u" + Hexadecimal.text(unit, digits: 4))
        }
    }

    private func acts(_ scalar: UInt32) -> Bool {
        scalar != 0x09 && scalar != 0x0A && InvisibleCharacters.contain(scalar)
    }

    /// Whether a character may precede a joiner: a pictograph, or the variation selector after one.
    private func mayBeEmoji(_ scalar: UInt32) -> Bool {
        switch scalar {
        case Self.selector, 0x1F000...0x1FAFF: true
        case 0xA9...0x3299: Unicode.Scalar(scalar)?.properties.isEmoji ?? false
        default: false
        }
    }
}
