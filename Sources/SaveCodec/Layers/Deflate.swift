/// A compressor for the deflate format (RFC 1951). Each block has stored bytes, or literals and matches in the fixed
/// codes or in codes of its own, whichever is shortest.
///
///     "abcabcabcd"  ─▶  "a" "b" "c" (6 bytes from 3 bytes back) "d" end
///
/// Candidates for a match are earlier positions with the same three bytes, the nearest first (RFC 1951 §4). A longer
/// match that begins one byte later takes precedence.
struct Deflate {
    /// The maximum distance of a match.
    private let window: Int
    /// The last position of each hash of three bytes.
    private var heads = [Int](repeating: -1, count: 1 << Self.hashBits)
    /// For each position in the window, the previous position with the same hash.
    private var previous: [Int]
    /// The tokens of the block: a literal, or a match with its length in bits 16 and above and its distance minus one
    /// in the bits below.
    private var tokens: [UInt32] = []
    private var uses = DeflateCodes.Uses()
    /// The number of extra bits of the tokens.
    private var extraBits = 0
    /// The bits that are not written yet.
    private var bits: UInt64 = 0
    private var bitCount = 0

    /// Writes compressed bytes.
    ///
    /// - Parameter window: The maximum distance of a match: a power of two, at most 32768.
    static func write(_ bytes: Span<UInt8>, window: Int = 1 << 15, to output: inout ByteWriter) {
        var deflate = Deflate(window: window)
        deflate.writeBlocks(of: bytes, to: &output)
    }

    private init(window: Int) {
        self.window = window
        previous = [Int](repeating: -1, count: window)
    }

    private static let hashBits = 15
    /// The maximum number of tokens per block.
    private static let blockLength = 1 << 14
    private static let longestStored = 65_535
    private static let shortestMatch = 3
    private static let longestMatch = 258
    /// The maximum number of candidates for a match.
    private static let attempts = 48
    /// The length from which a match is used without checking the next byte.
    private static let goodLength = 32

    // MARK: Blocks

    private mutating func writeBlocks(of bytes: Span<UInt8>, to output: inout ByteWriter) {
        var position = 0
        repeat {
            let start = position
            takeTokens(of: bytes, from: &position)
            let isLast = position == bytes.count
            // A stored block has its size twice and begins at a byte boundary.
            let storedCount = max(1, (position - start + Self.longestStored - 1) / Self.longestStored)
            let own = DeflateCodes(for: uses)
            let codes = own.size(of: uses) < DeflateCodes.fixed.size(of: uses) ? own : DeflateCodes.fixed
            if 8 * (position - start) + 42 * storedCount < codes.size(of: uses) + extraBits + 3 {
                writeStored(bytes.extracting(start..<position), isLast: isLast, to: &output)
            } else {
                writeTokens(in: codes, isLast: isLast, to: &output)
            }
        } while position < bytes.count
        alignToByte(&output)
    }

    /// Writes stored blocks (RFC 1951 §3.2.4).
    private mutating func writeStored(_ bytes: Span<UInt8>, isLast: Bool, to output: inout ByteWriter) {
        var position = 0
        repeat {
            let end = min(position + Self.longestStored, bytes.count)
            write(isLast && end == bytes.count ? 1 : 0, 3, to: &output)
            alignToByte(&output)
            let size = UInt16(truncatingIfNeeded: end - position)
            for number in [size, ~size] { output.writeBigEndian(UInt64(number.byteSwapped), width: 2) }
            output.write(bytes.extracting(position..<end))
            position = end
        } while position < bytes.count
    }

    private mutating func writeTokens(in codes: DeflateCodes, isLast: Bool, to output: inout ByteWriter) {
        write(isLast ? 1 : 0, 1, to: &output)
        write(codes.header == nil ? 1 : 2, 2, to: &output)
        if let header = codes.header { write(header, to: &output) }
        for token in tokens {
            let length = Int(token >> 16)
            guard length > 0 else {
                write(codes.literals[Int(token)], to: &output)
                continue
            }
            write(codes.literals[257 + Self.lengthSymbols[length]], length, to: &output)
            let distance = Int(token & 0xFFFF) + 1
            write(codes.distances[Self.distanceSymbol(distance)], distance, to: &output)
        }
        write(codes.literals[Self.endOfBlock], to: &output)
    }

    private mutating func write(_ header: DeflateCodes.Header, to output: inout ByteWriter) {
        write(header.literalCount - 257, 5, to: &output)
        write(header.distanceCount - 1, 5, to: &output)
        write(header.codeCount - 4, 4, to: &output)
        for symbol in DeflateSymbols.codeLengthOrder.prefix(header.codeCount) {
            write(header.codes[symbol].length, 3, to: &output)
        }
        for step in header.steps {
            write(header.codes[step.symbol], to: &output)
            write(step.run, step.runBits, to: &output)
        }
    }

    // MARK: Bits

    private mutating func write(_ value: Int, _ length: Int, to output: inout ByteWriter) {
        bits |= UInt64(value) << UInt64(bitCount)
        bitCount += length
        guard bitCount >= 32 else { return }
        output.writeBigEndian(UInt64(UInt32(truncatingIfNeeded: bits).byteSwapped), width: 4)
        bits >>= 32
        bitCount -= 32
    }

    /// Writes the code of a literal, or the code of a length or distance and its extra bits.
    private mutating func write(_ code: DeflateCodes.Code, _ value: Int = 0, to output: inout ByteWriter) {
        write(code.bits | (value - code.range.base) << code.length, code.length + code.range.extraBits, to: &output)
    }

    private mutating func alignToByte(_ output: inout ByteWriter) {
        while bitCount > 0 {
            output.write(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
        bitCount = 0
    }

    // MARK: Symbols

    private static let endOfBlock = 256

    /// The index of the range of each length.
    private static let lengthSymbols: [Int] = (0...longestMatch).map { length in
        DeflateSymbols.lengths.lastIndex { $0.base <= length } ?? 0
    }

    /// Returns the index of the range of a distance. There are two ranges per power of two.
    private static func distanceSymbol(_ distance: Int) -> Int {
        guard distance > 4 else { return distance - 1 }
        let power = Int.bitWidth - 1 - (distance - 1).leadingZeroBitCount
        return 2 * power + (distance - 1) >> (power - 1) & 1
    }

    // MARK: Matches

    private struct Match {
        var length = 0
        var distance = 0
    }

    /// Fills the block with tokens until it is full or the bytes end.
    private mutating func takeTokens(of bytes: Span<UInt8>, from position: inout Int) {
        tokens.removeAll(keepingCapacity: true)
        uses = DeflateCodes.Uses()
        uses.literals[Self.endOfBlock] = 1
        extraBits = 0
        var next: Match?
        while position < bytes.count, tokens.count < Self.blockLength {
            let match = next ?? self.match(at: position, of: bytes)
            next = nil
            note(position, of: bytes)
            if match.length < Self.goodLength {
                let later = self.match(at: position + 1, of: bytes, longerThan: match.length)
                if match.length < Self.shortestMatch || later.length > match.length {
                    add(literal: bytes[position])
                    position += 1
                    next = later
                    continue
                }
            }
            add(match)
            for candidate in position + 1..<position + match.length { note(candidate, of: bytes) }
            position += match.length
        }
    }

    private mutating func add(literal: UInt8) {
        tokens.append(UInt32(literal))
        uses.literals[Int(literal)] += 1
    }

    private mutating func add(_ match: Match) {
        tokens.append(UInt32(match.length << 16 | (match.distance - 1)))
        let length = Self.lengthSymbols[match.length]
        let distance = Self.distanceSymbol(match.distance)
        uses.literals[257 + length] += 1
        uses.distances[distance] += 1
        extraBits += DeflateSymbols.lengths[length].extraBits + DeflateSymbols.distances[distance].extraBits
    }

    /// Returns the longest match at a position, or the nearest one if several are equally long.
    ///
    /// - Parameter least: The length to exceed. If no match exceeds it, the result has the length 0.
    private func match(at position: Int, of bytes: Span<UInt8>, longerThan least: Int = 0) -> Match {
        let room = min(Self.longestMatch, bytes.count - position)
        guard room >= Self.shortestMatch, least < room else { return Match() }
        var best = Match(length: max(least, Self.shortestMatch - 1))
        var candidate = heads[Self.hash(position, bytes)]
        let first = max(position - window, 0)
        var attempts = Self.attempts
        while candidate >= first, attempts > 0 {
            if bytes[candidate + best.length] == bytes[position + best.length] {
                let length = Self.commonLength(at: candidate, position, upTo: room, of: bytes)
                if length > best.length {
                    best = Match(length: length, distance: position - candidate)
                    if length == room { break }
                }
            }
            candidate = previous[candidate & (window - 1)]
            attempts -= 1
        }
        return best.distance > 0 ? best : Match()
    }

    /// Adds a position to the candidates.
    private mutating func note(_ position: Int, of bytes: Span<UInt8>) {
        guard bytes.count - position >= Self.shortestMatch else { return }
        let hash = Self.hash(position, bytes)
        previous[position & (window - 1)] = heads[hash]
        heads[hash] = position
    }

    private static func hash(_ position: Int, _ bytes: Span<UInt8>) -> Int {
        let word = UInt32(bytes[position]) | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2]) << 16
        return Int(truncatingIfNeeded: (word &* 0x9E37_79B1) >> UInt32(32 - hashBits))
    }

    /// Returns the number of equal bytes at two positions. At least `room` bytes must be available at both; the result
    /// is at most `room`.
    private static func commonLength(at a: Int, _ b: Int, upTo room: Int, of bytes: Span<UInt8>) -> Int {
        var length = 0
        while length <= room - 8 {
            let (x, y): (UInt64, UInt64) = (bytes.load(at: a + length), bytes.load(at: b + length))
            if x != y { return length + (x ^ y).trailingZeroBitCount >> 3 }
            length += 8
        }
        while length < room, bytes[a + length] == bytes[b + length] { length += 1 }
        return length
    }
}
