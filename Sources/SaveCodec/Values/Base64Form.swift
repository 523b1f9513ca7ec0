/// The layout of a Base64 text: its alphabet, its padding and its lines.
///
///     H4sIAAAA      the alphabet of RFC 4648 §4 or, with - and _, of §5
///     AAAAA_==
package struct Base64Form: Sendable, Equatable {
    /// Whether the alphabet is the URL-safe one, or nil if the text contains none of `+`, `/`, `-` and `_`.
    var isURLSafe: Bool?
    /// Whether the last quantum is padded with `=`.
    let isPadded: Bool
    /// The length and the separator of the lines, or nil for a single line.
    private let lines: Lines?
    /// The white space, zero bytes or stray bytes at the end.
    private let tail: [UInt8]

    private struct Lines: Sendable, Equatable {
        let length: Int
        let end: [UInt8]
    }

    /// The reason why a text is not Base64: the first byte that is not allowed.
    package struct Fault: Error {
        let offset: Int
    }

    /// Decodes a text, and returns its bytes and its layout. A few stray bytes may follow the text, because some games
    /// write a whole buffer although they filled only a part of it.
    package static func decode(_ text: [UInt8]) throws(Fault) -> (bytes: [UInt8], form: Base64Form) {
        let end = (text.lastIndex { !isBlank($0) } ?? -1) + 1
        do throws(Fault) {
            return try decode(text, upTo: end)
        } catch {
            // Bytes that could be an incomplete group are not stray, but the sign of a truncated text. For compressed
            // data, the checksum will confirm that nothing is missing.
            guard let start = strayStart(in: text[..<end]), error.offset >= start - 4,
                let result = try? decode(text, upTo: start),
                isCertain(text[start - 1], text[start])
                    || Layers.areCompressed(result.bytes[...])
                        && (end - start == 1 || Base64Form.beginning(of: text[start..<end] + [0x41, 0x41]) == nil)
            else { throw error }
            return result
        }
    }

    /// Returns the start of the stray bytes, which is the end of one of the last groups: the first that padding or a
    /// zero byte marks as the last one, or else the last complete group before an incomplete one. Nil if neither
    /// exists.
    private static func strayStart(in text: ArraySlice<UInt8>) -> Int? {
        let groups = stride(from: text.count / 4 * 4, to: max(0, text.count - strayLimit), by: -4)
            .filter { $0 < text.count }
        return groups.last { isCertain(text[$0 - 1], text[$0]) } ?? groups.first { text.count - $0 < 4 }
    }

    /// The exclusive limit of the number of stray bytes.
    private static let strayLimit = 8

    /// Whether a text certainly ends between two bytes.
    private static func isCertain(_ last: UInt8, _ next: UInt8) -> Bool {
        last == UInt8(ascii: "=") && next != UInt8(ascii: "=") || next == 0
    }

    private static func decode(_ text: [UInt8], upTo end: Int) throws(Fault) -> (bytes: [UInt8], form: Base64Form) {
        let lines = lines(of: text[..<end])
        var row = try joined(text[..<end], lines)
        /// Returns the offset in the text of the character at a position of `row`.
        func offset(_ position: Int) -> Int {
            position + (lines.map { position / $0.length * $0.end.count } ?? 0)
        }
        let isURLSafe = try alphabet(&row) { Fault(offset: offset($0)) }
        // If the last quantum is full, the text does not show its padding. It is then treated as padded.
        let missing = (4 - row.count % 4) % 4
        if missing == 3 || row.isEmpty { throw Fault(offset: end) }
        row.append(contentsOf: repeatElement(UInt8(ascii: "="), count: missing))
        switch Base64.decode(row.span) {
        case .failure(let fault): throw Fault(offset: min(offset(fault.offset), end))
        case .success(let bytes):
            let form = Base64Form(
                isURLSafe: isURLSafe, isPadded: missing == 0, lines: lines, tail: Array(text[end...]))
            return (bytes, form)
        }
    }

    /// Encodes other bytes in the same layout.
    package func encode(_ bytes: [UInt8]) -> [UInt8] {
        var output = ByteWriter()
        Base64.write(bytes, in: bytes.indices, to: &output)
        var row = output.takeBytes()
        if !isPadded, let last = row.lastIndex(where: { $0 != UInt8(ascii: "=") }) {
            row.removeLast(row.count - 1 - last)
        }
        if isURLSafe ?? false {
            for position in row.indices {
                if row[position] == UInt8(ascii: "+") { row[position] = UInt8(ascii: "-") }
                if row[position] == UInt8(ascii: "/") { row[position] = UInt8(ascii: "_") }
            }
        }
        guard let lines else { return row + tail }
        var text: [UInt8] = []
        text.reserveCapacity(row.count + row.count / lines.length * lines.end.count + tail.count)
        for start in stride(from: 0, to: row.count, by: lines.length) {
            if start > 0 { text += lines.end }
            text += row[start..<min(start + lines.length, row.count)]
        }
        return text + tail
    }

    // MARK: Reading

    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0 || byte.isSpace
    }

    /// Returns the length and the separator of the lines, or nil for a single line.
    private static func lines(of text: ArraySlice<UInt8>) -> Lines? {
        guard let feed = text.firstIndex(of: lineFeed), feed > 0 else { return nil }
        let hasReturn = text[feed - 1] == carriageReturn
        let length = hasReturn ? feed - 1 : feed
        return length > 0 ? Lines(length: length, end: hasReturn ? [carriageReturn, lineFeed] : [lineFeed]) : nil
    }

    /// Returns the characters of all lines. Only the last line may be shorter.
    private static func joined(_ text: ArraySlice<UInt8>, _ lines: Lines?) throws(Fault) -> [UInt8] {
        guard let lines else { return Array(text) }
        var row: [UInt8] = []
        row.reserveCapacity(text.count)
        var start = text.startIndex
        while start < text.endIndex {
            let end = min(start + lines.length, text.endIndex)
            if let early = text[start..<end].firstIndex(of: lineFeed) { throw Fault(offset: early) }
            row += text[start..<end]
            guard end == text.endIndex || text[end...].starts(with: lines.end) else { throw Fault(offset: end) }
            start = end + lines.end.count
        }
        return row
    }

    /// Replaces the URL-safe alphabet by the standard one. Returns whether it was in use, or nil if unknown.
    private static func alphabet(_ row: inout [UInt8], _ fault: (Int) -> Fault) throws(Fault) -> Bool? {
        var isURLSafe: Bool?
        for position in row.indices {
            let character = row[position]
            let isOfURLs = character == UInt8(ascii: "-") || character == UInt8(ascii: "_")
            guard isOfURLs || character == UInt8(ascii: "+") || character == UInt8(ascii: "/") else { continue }
            guard isURLSafe ?? isOfURLs == isOfURLs else { throw fault(position) }
            isURLSafe = isOfURLs
            if isOfURLs { row[position] = character == UInt8(ascii: "-") ? UInt8(ascii: "+") : UInt8(ascii: "/") }
        }
        return isURLSafe
    }

    /// Decodes the beginning of a text with any line breaks, or returns nil if it is not Base64.
    static func beginning(of text: ArraySlice<UInt8>) -> [UInt8]? {
        var row = text.filter { !isBlank($0) }
        row.removeLast(row.count % 4)
        do throws(Fault) {
            _ = try alphabet(&row) { Fault(offset: $0) }
        } catch {
            return nil
        }
        guard !row.isEmpty, case .success(let bytes) = Base64.decode(row.span) else { return nil }
        return bytes
    }
}
