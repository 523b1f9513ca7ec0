import SaveCodec

/// Escapes what would act on a terminal, or on those who read the source of a page, instead of being seen: the controls of
/// C1, line separators, and what turns the direction of text. The escape is one of the format that is written.
///
/// Renderers make the strings of trees and messages safe themselves. This is for texts that hold strings and comments as
/// they are, as files do.
struct ActiveTextFilter {
    /// Whether XML is written, in which `&#x202E;` is what is `\u202E` elsewhere.
    private let isXML: Bool
    /// Whether what is written is coloured already, so that ESC is let through.
    private let isColored: Bool
    /// The beginning of what may have to be escaped.
    private var held: [UInt8] = []

    /// - Parameter format: what is written; nil for what a renderer made, of which only the colours are no plain text.
    init(for format: Format?) {
        isXML = format == .xml
        isColored = format == nil
    }

    /// Writes the next piece of the text.
    mutating func write(_ piece: Span<UInt8>, to output: inout ByteWriter) {
        for position in piece.indices { write(piece[position], to: &output) }
    }

    /// Writes what is held back, as the text ends there.
    mutating func finish(to output: inout ByteWriter) {
        for byte in held { writeScalar(UInt32(byte), as: [byte], to: &output) }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func write(_ byte: UInt8, to output: inout ByteWriter) {
        guard held.isEmpty else { return goOn(with: byte, to: &output) }
        switch byte {
        case 0x20..<0x7F, 0x09, 0x0A: output.write(byte)
        case 0x0D, 0xC2, 0xD8, 0xE2: held.append(byte)
        case 0x80...: output.write(byte)
        default: writeScalar(UInt32(byte), as: [byte], to: &output)
        }
    }

    /// Takes the byte behind what is held back.
    private mutating func goOn(with byte: UInt8, to output: inout ByteWriter) {
        if held[0] == 0x0D, byte == 0x0A {
            output.write(held)
            held.removeAll(keepingCapacity: true)
            return output.write(byte)
        }
        guard byte & 0xC0 == 0x80, held[0] != 0x0D else {
            finish(to: &output)
            return write(byte, to: &output)
        }
        held.append(byte)
        let length = held[0] == 0xE2 ? 3 : 2
        guard held.count == length else { return }
        let start = UInt32(held[0]) & (length == 3 ? 0xF : 0x1F)
        writeScalar(held.dropFirst().reduce(start) { $0 << 6 | UInt32($1 & 0x3F) }, as: held, to: &output)
        held.removeAll(keepingCapacity: true)
    }

    /// Writes a character of which these are the bytes.
    private func writeScalar(_ scalar: UInt32, as bytes: [UInt8], to output: inout ByteWriter) {
        guard acts(scalar) else { return output.write(bytes) }
        let digits = String(scalar, radix: 16, uppercase: true)
        if isXML { return output.write("&#x\(digits);") }
        output.write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }

    private func acts(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09, 0x0A: false
        case 0x1B: !isColored
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
