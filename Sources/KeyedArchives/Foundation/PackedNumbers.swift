/// A fault in the packed bytes of a field, such as a run table.
struct PackedFault: Error {
    /// The offset in the data.
    let offset: Int
    /// A clause that completes `byte 3 of NSAttributeInfo: …`.
    let reason: String
}

/// A cursor over packed numbers, as Foundation stores indices and lengths in data.
///
/// Each number has the format of ``LEB128``.
struct PackedNumbers {
    let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The offset of the next number in the data.
    var offset: Int { position - bytes.startIndex }
    var isAtEnd: Bool { position == bytes.endIndex }

    /// Reads a number.
    ///
    /// - Throws: A fault at the start of the number if the bytes end in it, or if it has more than 64 bits.
    mutating func next() throws(PackedFault) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.endIndex {
            let byte = bytes[position]
            let group = UInt64(byte & 0x7F)
            guard shift < 63 || shift == 63 && group <= 1 else {
                throw PackedFault(offset: start, reason: "the number has more than 64 bits")
            }
            value |= group << shift
            position += 1
            shift += 7
            if byte & 0x80 == 0 { return value }
        }
        let rest = bytes.count - start
        throw PackedFault(
            offset: start,
            reason: rest == 0
                ? "the data ends here; expected a number" : "the data ends within the number that begins here")
    }
}

/// The indices of an index path as GNUstep stores them: 32-bit numbers, most significant byte first. A 64-bit machine
/// adds four zero bytes to each, usually after the number.
struct GNUstepIndices {
    private let bytes: ArraySlice<UInt8>
    /// The number of bytes per index: 4 or 8.
    private let width: Int

    /// Creates the indices; nil if the data does not have the right size.
    init?(_ bytes: ArraySlice<UInt8>, count: Int) {
        guard let width = Self.width(of: bytes.count, count) else { return nil }
        (self.bytes, self.width) = (bytes, width)
    }

    /// Returns the number of bytes per index; nil if data of this size does not hold indices as GNUstep stores them.
    /// Apple's ``PackedNumbers`` need four bytes or more only for indices above two million, so the two are not
    /// confused.
    static func width(of size: Int, _ count: Int) -> Int? {
        [8, 4].first { count > 0 && size / $0 == count && size % $0 == 0 }
    }

    /// Returns the first `count` indices, which must exist.
    func first(_ count: Int) -> [Int] {
        (0..<count).map { index in
            let start = bytes.startIndex + index * width
            let halves = stride(from: start, to: start + width, by: 4).map { half in
                bytes[half..<half + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            return halves.first { $0 != 0 } ?? 0
        }
    }
}

/// A cursor over the runs of an attributed string, as `NSAttributeInfo` stores them.
///
///     05 00  06 01     "Hello world": 5 code units have attributes 0, and 6 have attributes 1
///
/// Each run is a pair of ``PackedNumbers``: its length in UTF-16 code units, and the index of its attributes.
struct RunTable {
    struct Run {
        let length: Int
        /// The index in the array of attributes.
        let attributes: Int
    }

    private var numbers: PackedNumbers
    private let textLength: Int
    private let attributesCount: Int
    private var end = 0
    /// The first empty run, or the bytes after the last run. Unarchivers accept both, but no archiver writes them.
    private(set) var ignoredFault: PackedFault?

    /// - Parameters:
    ///   - textLength: The length of the text in UTF-16 code units.
    ///   - attributesCount: The number of elements in the array of attributes.
    init(_ bytes: ArraySlice<UInt8>, textLength: Int, attributesCount: Int) {
        numbers = PackedNumbers(bytes)
        self.textLength = textLength
        self.attributesCount = attributesCount
    }

    /// Returns the next run, or nil at the end of the text.
    ///
    /// - Throws: A fault if the run is invalid, or if the runs end before the text.
    mutating func next() throws(PackedFault) -> Run? {
        guard end < textLength else {
            if ignoredFault == nil, !numbers.isAtEnd {
                ignoredFault = PackedFault(offset: numbers.offset, reason: "the runs already end here, with the text")
            }
            return nil
        }
        let start = numbers.offset
        guard !numbers.isAtEnd else {
            throw PackedFault(
                offset: start, reason: "the runs cover \(end) of the \(textLength) UTF-16 code units of the text")
        }
        let length = try numbers.next()
        guard length <= UInt64(textLength - end) else {
            throw PackedFault(
                offset: start,
                reason: "a run of \(length) UTF-16 code units begins at \(end), but the text has only \(textLength)")
        }
        let indexOffset = numbers.offset
        let index = try numbers.next()
        guard index < UInt64(attributesCount) else {
            throw PackedFault(
                offset: indexOffset,
                reason: "a run has attributes \(index), but there are only \(attributesCount)")
        }
        if length == 0, ignoredFault == nil { ignoredFault = PackedFault(offset: start, reason: "the run is empty") }
        end += Int(length)
        return Run(length: Int(length), attributes: Int(index))
    }
}
