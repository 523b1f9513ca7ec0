/// The text of a damaged file as valid UTF-8. U+FFFD replaces everything that is not a character.
///
///     22 4D FC 6C 6C 65 72 22        "M\u{FFFD}ller"
///     FF FE 7B 00 22 00 00 61 00     {"\u{FFFD}a      a byte of UTF-16 is missing
///
/// A missing byte shifts all later code units of UTF-16. It is detected where the next units would be ASCII characters
/// with swapped bytes, because no language writes several of these characters in a row.
struct DamagedText {
    /// The text, without a byte order mark.
    let bytes: [UInt8]
    let stored: StoredEncoding
    /// The offsets of the replacements in ``bytes``, in ascending order.
    let replacements: [Int]
    /// Whether a reader accepts the text, with zero bytes in strings and comments.
    var allowsZeros = false
    private let file: [UInt8]
    private let start: Int

    /// Decodes a file. A byte order mark or a pattern of zero bytes determines the encoding; without them it is the
    /// declared one.
    init(_ file: [UInt8], declared: TextEncoding = .utf8) {
        let marked = TextEncoding.marked(in: file)
        let encoding = marked?.encoding ?? Self.unmarkedUTF16(file) ?? declared
        self.file = file
        start = marked?.markLength ?? 0
        stored = StoredEncoding(encoding: encoding, hasMark: marked != nil)
        if encoding == .utf8, UTF8Text.firstInvalid(in: file.span) == nil {
            bytes = start == 0 ? file : Array(file[start...])
            replacements = []
            return
        }
        var (bytes, replacements): ([UInt8], [Int]) = ([], [])
        bytes.reserveCapacity(file.count)
        var decoder = LenientDecoder(file, encoding, at: start)
        while let scalar = decoder.next() {
            if decoder.isReplacement { replacements.append(bytes.count) }
            SourceText.append(scalar, to: &bytes)
        }
        (self.bytes, self.replacements) = (bytes, replacements)
    }

    /// Whether a part of the text contains a replacement.
    func hasReplacement(in range: Range<Int>) -> Bool {
        let first = firstReplacement(from: range.lowerBound)
        return first < replacements.count && replacements[first] < range.upperBound
    }

    /// Whether a part of the text contains more than one replacement. In UTF-16 and UTF-32 one is enough, because it
    /// may stand for any number of missing characters.
    func hasSeveralReplacements(in range: Range<Int>) -> Bool {
        guard hasReplacement(in: range) else { return false }
        let second = firstReplacement(from: range.lowerBound) + 1
        return stored.encoding.isWide || second < replacements.count && replacements[second] < range.upperBound
    }

    /// Returns the index of the first replacement at or after an offset.
    private func firstReplacement(from offset: Int) -> Int {
        replacements.partitioningIndex { $0 >= offset }
    }

    /// Returns the offsets in the file that correspond to offsets in the text, which must be ascending.
    func fileOffsets(of offsets: [Int]) -> [Int] {
        if stored.encoding == .utf8, replacements.isEmpty { return offsets.map { $0 + start } }
        var decoder = LenientDecoder(file, stored.encoding, at: start)
        var offset = 0
        return offsets.map { wanted in
            while offset < wanted, let scalar = decoder.next() { offset += UTF8Text.length(of: scalar) }
            return decoder.position
        }
    }

    /// Returns a text in the encoding of the file. If that encoding lacks a character, U+FFFD becomes a question mark;
    /// if this is not enough, the text is returned as UTF-8.
    func encode(_ text: [UInt8]) -> [UInt8] {
        if let bytes = stored.encode(text) { return bytes }
        let ascii = String(decoding: text, as: UTF8.self).unicodeScalars.map { $0 == "\u{FFFD}" ? "?" : $0 }
        var known: [UInt8] = []
        for scalar in ascii { SourceText.append(scalar.value, to: &known) }
        return stored.encode(known) ?? text
    }

    /// Detects UTF-16 without a byte order mark: in 32 bytes near the beginning, nearly every second byte is zero.
    private static func unmarkedUTF16(_ file: [UInt8]) -> TextEncoding? {
        let size = min(32, file.count & ~1)
        guard size >= 4 else { return nil }
        for start in stride(from: 0, to: min(file.count - size, 512) + 1, by: size) {
            var zeros = [0, 0]
            for offset in start..<start + size where file[offset] == 0 { zeros[offset & 1] += 1 }
            let (few, many) = (size / 32, size / 2 - size / 8)
            if zeros[0] <= few, zeros[1] >= many { return .utf16(bigEndian: false) }
            if zeros[1] <= few, zeros[0] >= many { return .utf16(bigEndian: true) }
        }
        return nil
    }
}

/// A decoder that continues after bytes that are not a character.
private struct LenientDecoder {
    private let file: [UInt8]
    private let encoding: TextEncoding
    private(set) var position: Int
    /// Whether the last scalar value replaces bytes that are not a character.
    private(set) var isReplacement = false

    init(_ file: [UInt8], _ encoding: TextEncoding, at position: Int) {
        (self.file, self.encoding, self.position) = (file, encoding, position)
    }

    /// Returns the next scalar value, or nil at the end.
    mutating func next() -> UInt32? {
        guard position < file.count else { return nil }
        let scalar = character(startingWith: file[position])
        isReplacement = scalar == nil
        return scalar ?? 0xFFFD
    }

    private mutating func character(startingWith byte: UInt8) -> UInt32? {
        switch encoding {
        case .utf8: return nextUTF8(byte)
        case .utf16(let bigEndian): return nextUTF16(bigEndian)
        case .utf32(let bigEndian): return nextUTF32(bigEndian)
        case .ascii, .latin1:
            position += 1
            return UInt32(byte)
        case .windows1252:
            position += 1
            let scalar = byte & 0xE0 == 0x80 ? UInt32(TextEncoding.windows1252High[Int(byte & 0x1F)]) : UInt32(byte)
            return scalar == 0 && byte != 0 ? nil : scalar
        }
    }

    private mutating func nextUTF8(_ byte: UInt8) -> UInt32? {
        guard byte >= 0x80 else {
            position += 1
            return UInt32(byte)
        }
        guard UTF8Text.sequenceLength(in: file.span, at: position) > 0 else {
            position += 1
            return nil
        }
        let (scalar, length) = UTF8Text.decode(file.span, at: position)
        position += length
        return scalar
    }

    private mutating func nextUTF16(_ bigEndian: Bool) -> UInt32? {
        guard let unit = unit(at: position, bigEndian) else {
            position = file.count
            return nil
        }
        guard unit >= 0x80 else {
            position += 2
            return UInt32(unit)
        }
        // U+FFFD in UTF-8 is in place of a byte of this unit, if the file was converted as if it were UTF-8.
        for start in [position, position + 1] where isReplaced(start) {
            position = isReplaced(position + 3) ? position + 6 : min(position + 4, file.count)
            return nil
        }
        guard !isShifted(bigEndian) else {
            position += 1
            return nil
        }
        position += 2
        guard unit & 0xF800 == 0xD800 else { return UInt32(unit) }
        guard unit < 0xDC00, let low = self.unit(at: position, bigEndian), low & 0xFC00 == 0xDC00 else { return nil }
        position += 2
        return 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
    }

    private func isReplaced(_ offset: Int) -> Bool {
        offset + 2 < file.count && file[offset] == 0xEF && file[offset + 1] == 0xBF && file[offset + 2] == 0xBD
    }

    private func unit(at offset: Int, _ bigEndian: Bool) -> UInt16? {
        guard offset + 1 < file.count else { return nil }
        let (first, second) = (UInt16(file[offset]), UInt16(file[offset + 1]))
        return bigEndian ? first << 8 | second : second << 8 | first
    }

    /// Whether the units after the current one show that a byte is missing: the first and most of the next seven are
    /// ASCII characters with swapped bytes, and none is ASCII itself.
    private func isShifted(_ bigEndian: Bool) -> Bool {
        var (count, exchanged) = (0, 0)
        while count < 8, let unit = unit(at: position + 2 + 2 * count, bigEndian) {
            if unit & 0xFF == 0, (0x09...0x7E).contains(unit >> 8) {
                exchanged += 1
            } else if unit < 0x80 || count == 0 {
                return false
            }
            count += 1
        }
        return exchanged >= 3 && exchanged * 2 > count
    }

    private mutating func nextUTF32(_ bigEndian: Bool) -> UInt32? {
        guard position + 3 < file.count else {
            position = file.count
            return nil
        }
        let stored = UInt32(truncatingIfNeeded: file.bigEndian(at: position, width: 4))
        position += 4
        return Unicode.Scalar(bigEndian ? stored : stored.byteSwapped)?.value
    }
}
