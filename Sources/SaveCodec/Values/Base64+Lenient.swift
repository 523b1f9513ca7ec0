extension Base64 {
    /// What a text decodes to for a lenient reader.
    struct LenientResult: Equatable {
        var bytes: [UInt8]
        /// Whether the text, white space aside, is what ``decode(_:)`` accepts.
        var isClean: Bool
    }

    /// Decodes a text as Core Foundation's reader of XML property lists does (formats.md §3.2): ASCII outside the
    /// alphabet is skipped, an incomplete last quantum is dropped, and `=` counts as six zero bits wherever it is; each
    /// of the `=` at the end of a quantum, up to two, takes one of its bytes away. What is not ASCII is a fault.
    static func decodeLenient(_ text: Span<UInt8>) -> Result<LenientResult, DecodingFault> {
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
        var output = bytes.mutableSpan
        var state = LenientState()
        var position = 0
        while position < text.count {
            if state.isBetweenQuanta {
                let quanta = decodeQuanta(text, from: position, to: &output, at: state.count)
                if quanta > 0 { state.passQuanta(quanta) }
                position += quanta * 4
                if position == text.count { break }
            }
            guard text[position] < 0x80 else { return .failure(DecodingFault(offset: position)) }
            state.take(text[position], to: &output)
            position += 1
        }
        bytes.removeLast(bytes.count - state.count)
        return .success(LenientResult(bytes: bytes, isClean: state.isClean && state.isBetweenQuanta))
    }
}

/// Where a lenient reader is in its text.
private struct LenientState {
    /// How many bytes have been decoded.
    private(set) var count = 0
    /// Whether nothing has been read that a strict reader refuses.
    private(set) var isClean = true
    /// The bits of the quantum that has begun, and how many characters of it there were.
    private var bits: UInt32 = 0
    private var length = 0
    /// How many `=` in a row there were, white space aside. Core Foundation counts across quanta.
    private var padding = 0
    /// Whether padding has ended a quantum, so that no more may follow.
    private var isAtEnd = false

    var isBetweenQuanta: Bool { length == 0 }

    /// Notes that quanta have been decoded past this state.
    mutating func passQuanta(_ quanta: Int) {
        count += quanta * 3
        padding = 0
        isClean = isClean && !isAtEnd
    }

    /// Takes the next character, which is ASCII.
    mutating func take(_ character: UInt8, to output: inout MutableSpan<UInt8>) {
        if character == UInt8(ascii: "=") {
            padding += 1
            isClean = isClean && length >= 2 && !isAtEnd
            append(0, to: &output)
            return
        }
        if character == 0x20 || 0x09...0x0D ~= character { return }
        let value = Base64.sextet(character)
        isClean = isClean && padding == 0 && value < 64
        padding = 0
        if value < 64 { append(value, to: &output) }
    }

    private mutating func append(_ value: UInt32, to output: inout MutableSpan<UInt8>) {
        bits = bits << 6 | value
        length += 1
        guard length == 4 else { return }
        let size = 3 - min(padding, 2)
        for index in 0..<size {
            output[count + index] = UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * index))
        }
        count += size
        if padding > 0 {
            isAtEnd = true
            isClean = isClean && bits << UInt32(8 * size + 8) == 0
        }
        (bits, length) = (0, 0)
    }
}
