/// A decompressor for the deflate format (RFC 1951): blocks of literals and of matches, which copy earlier output.
///
///     4B 4C 4A 06 00      ─▶  a block with the fixed codes: "a" "b" "c", end    ─▶  "abc"
///
/// Codes are looked up in tables. Bits are loaded, and matches are copied, eight bytes at a time as long as there is
/// room for everything that one step can use. Near the ends of input and output, each bit and byte is checked.
struct Inflate {
    /// The output so far, followed by unused room.
    private var bytes: [UInt8]
    /// The count of output bytes.
    private var count: Int
    /// The offset of the first byte that a match may copy.
    private let start: Int
    /// The maximum count of output bytes.
    private let limit: Int
    private var reader: BitReader

    /// Decompresses the data at `position` and appends it to the output. Matches cannot refer to the previous output.
    ///
    /// - Parameters:
    ///   - hint: The expected size. Memory grows with the output regardless of it.
    ///   - room: The maximum size.
    /// - Returns: The position after the data.
    /// - Throws: A problem `deflate.…` with its byte, or `limit.unwrapped`. The output then has everything before it.
    static func read(
        _ input: Span<UInt8>, at position: Int, after output: inout [UInt8], hint: Int, room: Int
    ) throws(Problem) -> Int {
        // Moved out of `output`, so that the array has only one owner and is not copied.
        var before: [UInt8] = []
        swap(&before, &output)
        var inflate = Inflate(consume before, at: position, hint: hint, room: room)
        defer {
            inflate.bytes.removeLast(inflate.bytes.count - inflate.count)
            output = inflate.bytes
        }
        try inflate.readBlocks(input)
        return inflate.reader.position
    }

    /// Returns the first bytes of the data at `position`, as far as it is valid.
    static func beginning(of input: Span<UInt8>, at position: Int, _ count: Int) -> [UInt8] {
        // The extra room admits a match that extends past `count`.
        var inflate = Inflate([], at: position, hint: min(count, 4 * input.count), room: count + longestMatch)
        try? inflate.readBlocks(input)
        return Array(inflate.bytes[..<min(inflate.count, count)])
    }

    private init(_ output: consuming [UInt8], at position: Int, hint: Int, room: Int) {
        (count, start) = (output.count, output.count)
        limit = count.addingSaturated(room)
        reader = BitReader(at: position)
        bytes = output
        grow(by: max(min(hint, room), 0))
    }

    /// The room in bytes that a step needs: a literal, the longest match, and the bytes by which a copy in units of
    /// eight may exceed the match.
    private static let slack = longestMatch + 16
    private static let longestMatch = 258

    private mutating func grow(by size: Int) {
        // An array that grows by itself would double its size, even near the limit.
        bytes.reserveCapacity(bytes.count + size + Self.slack)
        var missing = size + Self.slack
        while missing > Self.zeros.count {
            bytes.append(contentsOf: Self.zeros)
            missing -= Self.zeros.count
        }
        bytes.append(contentsOf: Self.zeros[..<missing])
    }

    private static let zeros = [UInt8](repeating: 0, count: 1 << 14)

    /// Makes room for the longest match. The output array about doubles each time, up to the limit.
    private mutating func makeRoom() {
        guard bytes.count - count < Self.slack else { return }
        grow(by: min(max(count - start, 1 << 10), limit - count))
    }

    // MARK: Blocks

    private mutating func readBlocks(_ input: Span<UInt8>) throws(Problem) {
        var isLast = false
        while !isLast {
            let offset = reader.bytePosition
            guard let header = reader.take(3, of: input) else { throw Self.truncated(input) }
            isLast = header & 1 == 1
            switch header >> 1 {
            case 0: try readStored(input)
            case 1: try readCodes(input, Self.fixed)
            case 2: try readCodes(input, readTables(input, at: offset))
            default:
                throw Problem("deflate.block", "a block of the compressed data has an unknown type", at: .byte(offset))
            }
        }
        reader.alignToByte()
    }

    /// Reads a stored block (RFC 1951 §3.2.4).
    private mutating func readStored(_ input: Span<UInt8>) throws(Problem) {
        reader.alignToByte()
        let offset = reader.position
        guard offset + 4 <= input.count else { throw Self.truncated(input) }
        let size: UInt16 = input.load(at: offset)
        let complement: UInt16 = input.load(at: offset + 2)
        guard size == ~complement else {
            throw Problem(
                "deflate.stored", "the two sizes of a stored block differ: \(size) and \(~complement)",
                at: .byte(offset))
        }
        // Copies as much as is present and allowed, so that the beginning of truncated data is available.
        let length = min(Int(size), input.count - offset - 4, limit - count)
        if bytes.count - count < length { grow(by: length) }
        let target = count
        var output = bytes.mutableSpan
        output.copy(input.extracting(offset + 4..<offset + 4 + length), to: target)
        count += length
        guard length == Int(size) else { throw count == limit ? Self.tooLarge() : Self.truncated(input) }
        reader.skipBytes(4 + length)
    }

    // MARK: Codes

    private struct Tables {
        let literals: HuffmanTable
        let distances: HuffmanTable
    }

    private static let fixed: Tables = {
        do throws(HuffmanTable.Fault) {
            return Tables(
                literals: try HuffmanTable(DeflateSymbols.fixedLengths[...], of: .literals),
                distances: try HuffmanTable(DeflateSymbols.fixedDistances[...], of: .distances))
        } catch {
            // The lengths are constants of the format, so no input can cause this.
            preconditionFailure("the fixed codes are complete")
        }
    }()

    /// Reads the codes of a block with dynamic codes (RFC 1951 §3.2.7).
    private mutating func readTables(_ input: Span<UInt8>, at position: Int) throws(Problem) -> Tables {
        guard let counts = reader.take(14, of: input) else { throw Self.truncated(input) }
        let literalCount = counts & 31 + 257
        let distanceCount = counts >> 5 & 31 + 1
        guard literalCount <= 286, distanceCount <= 30 else {
            throw Problem(
                "deflate.code",
                "a block has codes for \(literalCount) literals and lengths and \(distanceCount) distances; "
                    + "expected at most 286 literals and lengths and 30 distances", at: .byte(position))
        }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<counts >> 10 + 4 {
            guard let length = reader.take(3, of: input) else { throw Self.truncated(input) }
            codeLengths[DeflateSymbols.codeLengthOrder[index]] = UInt8(length)
        }
        let code = try Self.table(codeLengths[...], of: .codeLengths, at: position)
        let lengths = try readLengths(literalCount + distanceCount, by: code, input)
        guard lengths[256] > 0 else {
            throw Problem("deflate.code", "a block has no code for its end", at: .byte(position))
        }
        return Tables(
            literals: try Self.table(lengths[..<literalCount], of: .literals, at: position),
            distances: try Self.table(lengths[literalCount...], of: .distances, at: position))
    }

    private static func table(
        _ lengths: ArraySlice<UInt8>, of alphabet: HuffmanTable.Alphabet, at position: Int
    ) throws(Problem) -> HuffmanTable {
        do throws(HuffmanTable.Fault) {
            return try HuffmanTable(lengths, of: alphabet)
        } catch {
            let name =
                switch alphabet {
                case .codeLengths: "code lengths"
                case .literals: "literals and lengths"
                case .distances: "distances"
                }
            let what = error == .oversubscribed ? "too many codes for \(name)" : "too few codes for \(name)"
            throw Problem("deflate.code", "a block has \(what)", at: .byte(position))
        }
    }

    private mutating func readLengths(
        _ count: Int, by code: HuffmanTable, _ input: Span<UInt8>
    ) throws(Problem) -> [UInt8] {
        var lengths: [UInt8] = []
        while lengths.count < count {
            let offset = reader.bytePosition
            let entry = try takeEntry(input, code)
            let symbol = HuffmanEntry.value(entry)
            guard symbol >= 16 else {
                lengths.append(UInt8(symbol))
                continue
            }
            let (extra, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
            guard let more = reader.take(extra, of: input) else { throw Self.truncated(input) }
            let times = least + more
            guard let repeated = symbol == 16 ? lengths.last : 0 else {
                throw Problem("deflate.code", "a block repeats a code length before the first one", at: .byte(offset))
            }
            guard times <= count - lengths.count else {
                throw Problem("deflate.code", "a block repeats a code length past the last one", at: .byte(offset))
            }
            lengths.append(contentsOf: repeatElement(repeated, count: times))
        }
        return lengths
    }

    // MARK: Contents

    private mutating func readCodes(_ input: Span<UInt8>, _ tables: Tables) throws(Problem) {
        while true {
            if try readFast(input, tables) { return }
            makeRoom()
            if try readStep(input, tables) { return }
        }
    }

    /// Reads as long as there is enough input and room for a step. A step takes up to 48 bits and stores up to a
    /// literal and a match.
    ///
    /// - Returns: Whether the block has ended.
    private mutating func readFast(_ input: Span<UInt8>, _ tables: Tables) throws(Problem) -> Bool {
        let (literals, distances) = (tables.literals.entries.span, tables.distances.entries.span)
        let literalMask = 1 << tables.literals.root - 1
        let distanceMask = 1 << tables.distances.root - 1
        let start = start
        var (reader, position) = (self.reader, count)
        defer { (self.reader, count) = (reader, position) }
        let lastInput = input.count &- BitReader.wordSize
        let lastOutput = min(bytes.count &- Self.slack, limit &- Self.longestMatch &- 1)
        var output = bytes.mutableSpan
        while reader.position <= lastInput, position <= lastOutput {
            reader.refillFast(input)
            var entry = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
            if entry & HuffmanEntry.literal != 0 {
                // The 56 loaded bits suffice for a second literal.
                reader.skip(HuffmanEntry.length(entry))
                output[position] = UInt8(truncatingIfNeeded: entry &>> 8)
                position &+= 1
                entry = literals[Int(truncatingIfNeeded: reader.bits) & literalMask]
                if entry & HuffmanEntry.literal != 0 {
                    reader.skip(HuffmanEntry.length(entry))
                    output[position] = UInt8(truncatingIfNeeded: entry &>> 8)
                    position &+= 1
                    continue
                }
                if reader.position > lastInput { continue }
                reader.refillFast(input)
            }
            if entry & HuffmanEntry.special != 0 {
                entry = Self.follow(entry, &reader, in: literals)
                if entry & HuffmanEntry.end != 0 {
                    reader.skip(HuffmanEntry.length(entry))
                    return true
                }
                if entry & HuffmanEntry.invalid != 0 { throw Self.invalid(reader) }
            }
            reader.skip(HuffmanEntry.length(entry))
            if entry & HuffmanEntry.literal != 0 {
                output[position] = UInt8(truncatingIfNeeded: entry &>> 8)
                position &+= 1
                continue
            }
            let length = HuffmanEntry.value(entry) &+ reader.takeLoaded(HuffmanEntry.extraBits(entry))
            entry = distances[Int(truncatingIfNeeded: reader.bits) & distanceMask]
            if entry & HuffmanEntry.special != 0 {
                entry = Self.follow(entry, &reader, in: distances)
                if entry & HuffmanEntry.invalid != 0 { throw Self.invalid(reader) }
            }
            reader.skip(HuffmanEntry.length(entry))
            let distance = HuffmanEntry.value(entry) &+ reader.takeLoaded(HuffmanEntry.extraBits(entry))
            guard distance <= position &- start else { throw Self.tooFar(distance, of: position - start, reader) }
            output.repeatBytes(length, from: position &- distance, to: position)
            position &+= length
        }
        return false
    }

    /// Returns the entry to which a link leads, or the given entry if it is not a link.
    @inline(__always)
    private static func follow(_ entry: UInt32, _ reader: inout BitReader, in entries: Span<UInt32>) -> UInt32 {
        guard entry & HuffmanEntry.link != 0 else { return entry }
        reader.skip(HuffmanEntry.length(entry))
        let mask = 1 &<< HuffmanEntry.extraBits(entry) &- 1
        return entries[HuffmanEntry.value(entry) &+ Int(truncatingIfNeeded: reader.bits) & mask]
    }

    /// Reads one literal or match, near the end of the input or of the room.
    ///
    /// - Returns: Whether the block has ended.
    private mutating func readStep(_ input: Span<UInt8>, _ tables: Tables) throws(Problem) -> Bool {
        let entry = try takeEntry(input, tables.literals)
        if entry & HuffmanEntry.end != 0 { return true }
        if entry & HuffmanEntry.literal != 0 {
            guard count < limit else { throw Self.tooLarge() }
            bytes[count] = UInt8(truncatingIfNeeded: HuffmanEntry.value(entry))
            count += 1
            return false
        }
        let length = try takeValue(entry, input)
        let distance = try takeValue(takeEntry(input, tables.distances), input)
        guard distance <= count - start else { throw Self.tooFar(distance, of: count - start, reader) }
        guard length <= limit - count else { throw Self.tooLarge() }
        for _ in 0..<length {
            bytes[count] = bytes[count - distance]
            count += 1
        }
        return false
    }

    /// Reads the bits of a code and returns its entry. Missing bits at the end of the input read as zeros, which is an
    /// error if the code includes them.
    private mutating func takeEntry(_ input: Span<UInt8>, _ table: HuffmanTable) throws(Problem) -> UInt32 {
        reader.refill(input)
        let mask = 1 << table.root - 1
        let first = table.entries[Int(truncatingIfNeeded: reader.bits) & mask]
        var rest = reader
        let entry = Self.follow(first, &rest, in: table.entries.span)
        rest.skip(HuffmanEntry.length(entry))
        guard reader.count > 0, rest.count >= 0 else { throw Self.truncated(input) }
        guard entry & HuffmanEntry.invalid == 0 else { throw Self.invalid(reader) }
        reader = rest
        return entry
    }

    /// Returns a length or a distance, including the extra bits after its code.
    private mutating func takeValue(_ entry: UInt32, _ input: Span<UInt8>) throws(Problem) -> Int {
        guard let more = reader.take(HuffmanEntry.extraBits(entry), of: input) else { throw Self.truncated(input) }
        return HuffmanEntry.value(entry) + more
    }
}

extension MutableSpan<UInt8> {
    /// Copies bytes to a later position. The source may overlap the target, in which case copied bytes are copied
    /// again. Up to 15 bytes after the copy may change; all of them must be within the span.
    @inline(__always)
    fileprivate mutating func repeatBytes(_ count: Int, from source: Int, to target: Int) {
        let end = target &+ count
        var (source, target) = (source, target)
        if target &- source < 8 {
            // After copying eight single bytes, the same bytes precede the target by the least multiple of the distance
            // that is at least eight: 8, 8, 9, 8, 10, 12, 14 for distances from 1 on.
            let multiple = 0xECA8_9880 &>> (4 &* (target &- source)) & 0xF
            for _ in 0..<8 {
                self[target] = self[source]
                source &+= 1
                target &+= 1
            }
            source = target &- multiple
        }
        while target < end {
            store(span.load(at: source), at: target)
            source &+= 8
            target &+= 8
        }
    }

    /// Stores eight bytes, the lowest first.
    @inline(__always)
    private mutating func store(_ word: UInt64, at position: Int) {
        // Sound: any bits are valid bytes, and the store checks that all eight are within the span.
        var bytes = unsafe mutableBytes
        bytes.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
    }

    /// Copies bytes. The target must have room for them.
    fileprivate mutating func copy(_ source: Span<UInt8>, to target: Int) {
        var position = 0
        while position <= source.count - 8 {
            store(source.load(at: position), at: target + position)
            position += 8
        }
        while position < source.count {
            self[target + position] = source[position]
            position += 1
        }
    }
}

// MARK: - Problems

extension Inflate {
    fileprivate static func truncated(_ input: Span<UInt8>) -> Problem {
        Problem("deflate.truncated", "truncated: the data ends within a compressed block", at: .byte(input.count))
    }

    fileprivate static func invalid(_ reader: BitReader) -> Problem {
        Problem("deflate.symbol", "found a code without a literal, length or distance", at: .byte(reader.bytePosition))
    }

    fileprivate static func tooFar(_ distance: Int, of count: Int, _ reader: BitReader) -> Problem {
        Problem(
            "deflate.distance", "a match has the distance \(distance); the output so far has the length \(count)",
            at: .byte(reader.bytePosition))
    }

    fileprivate static func tooLarge() -> Problem {
        Problem("limit.unwrapped", "the decompressed contents exceed the limit for this file")
    }
}
