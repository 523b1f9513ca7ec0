/// The layout of a text of hexadecimal digits. Other bytes can be written in the same layout:
///
///     62706c6973743030…          62706C69 73743030 …          <62706c69 73743030>          lines of equal length
struct HexText: Sendable, Equatable {
    private var isUppercase = false
    /// The text before the digits.
    private var before: [UInt8] = []
    /// The text after the digits.
    private var after: [UInt8] = []
    /// The first white space between digits. It repeats at regular intervals.
    private var group: Gap?
    /// The first white space that differs from ``group``, such as a line end. It, too, repeats at regular intervals.
    private var line: Gap?
    /// All white space between digits if its intervals are irregular; otherwise empty.
    private var gaps: [Gap] = []

    /// White space between digits.
    private struct Gap: Sendable, Equatable {
        /// The number of digits in the text before the white space.
        let digits: Int
        let text: [UInt8]
    }

    /// The maximum count of irregular gaps, which take memory.
    private static let maxGaps = 100_000

    /// Whether bytes may begin a text of hexadecimal digits, white space and angle brackets.
    static func mayBegin(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first(where: { !$0.isSpace }) else { return false }
        return first == UInt8(ascii: "<") || HexDigit.value(first) != nil
    }

    /// Returns the bytes that a text represents, and its layout; nil if the text does not consist of hexadecimal digits
    /// of one case.
    static func decode(_ text: [UInt8]) -> (bytes: [UInt8], form: HexText)? {
        var form = HexText()
        var start = text.firstIndex { !$0.isSpace } ?? text.count
        if start < text.count, text[start] == UInt8(ascii: "<") { start += 1 }
        var end = text.count
        while end > start, text[end - 1].isSpace { end -= 1 }
        let isBracketed = start > 0 && text[start - 1] == UInt8(ascii: "<")
        guard isBracketed == (end > start && text[end - 1] == UInt8(ascii: ">")) else { return nil }
        if isBracketed {
            end -= 1
            while start < end, text[start].isSpace { start += 1 }
            while end > start, text[end - 1].isSpace { end -= 1 }
        }
        (form.before, form.after) = (Array(text[..<start]), Array(text[end...]))
        var digits: [UInt8] = []
        digits.reserveCapacity(end - start)
        var hasSmall = false
        var position = start
        var count = 0
        while position < end {
            let byte = text[position]
            if byte.isSpace {
                let gap = text[position..<end].prefix(while: \.isSpace)
                guard form.take(Gap(digits: digits.count, text: Array(gap)), number: count) else { return nil }
                count += 1
                position += gap.count
                continue
            }
            guard HexDigit.value(byte) != nil else { return nil }
            if byte.isUppercaseHexLetter { form.isUppercase = true }
            if byte.isLowercaseHexLetter { hasSmall = true }
            digits.append(byte)
            position += 1
        }
        if let group = form.group, form.gaps.isEmpty, digits.count - count * group.digits > group.digits {
            form.gaps = form.regularGaps(count)
        }
        guard !(hasSmall && form.isUppercase), let bytes = Hexadecimal.bytes(digits.span) else { return nil }
        return (bytes, form)
    }

    /// Returns the first bytes that a text represents, even if the text is cut off; nil if it does not begin like
    /// hexadecimal digits.
    static func beginning(of text: ArraySlice<UInt8>) -> [UInt8]? {
        guard mayBegin(text) else { return nil }
        let digits = text.drop { $0.isSpace || $0 == UInt8(ascii: "<") }.filter { !$0.isSpace }
            .prefix(while: \.isHexDigit)
        return Hexadecimal.bytes(Array(digits.dropLast(digits.count % 2)).span)
    }

    /// Returns bytes as a text with this layout. Regular gaps repeat beyond the length of the text that was read.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(Hexadecimal.text(of: bytes, uppercase: isUppercase).utf8)
        var output = before
        output.reserveCapacity(digits.count + before.count + after.count)
        var written = 0
        for gap in gaps where gap.digits < digits.count {
            output += digits[written..<gap.digits]
            output += gap.text
            written = gap.digits
        }
        while gaps.isEmpty, let group, digits.count - written > group.digits {
            output += digits[written..<written + group.digits]
            written += group.digits
            output += regularText(after: written)
        }
        return output + digits[written...] + after
    }

    /// Returns the white space that the repeating layout has after the given count of digits.
    private func regularText(after digits: Int) -> [UInt8] {
        if let line, digits % line.digits == 0 { return line.text }
        return group?.text ?? []
    }

    /// Records a gap: white space between digits.
    ///
    /// - Parameter number: The number of gaps before this one.
    /// - Returns: False if there are too many irregular gaps to record.
    private mutating func take(_ gap: Gap, number: Int) -> Bool {
        if group == nil { group = gap }
        if line == nil, gap.text != group?.text { line = gap }
        let size = group?.digits ?? 0
        if gaps.isEmpty {
            if size > 0, gap.digits == (number + 1) * size, gap.text == regularText(after: gap.digits) { return true }
            guard number < Self.maxGaps, size > 0 else { return false }
            gaps = regularGaps(number)
        }
        gaps.append(gap)
        return gaps.count <= Self.maxGaps
    }

    /// Returns the first `count` gaps of text with regular white space.
    private func regularGaps(_ count: Int) -> [Gap] {
        let size = group?.digits ?? 0
        return (1..<count + 1).map { Gap(digits: $0 * size, text: regularText(after: $0 * size)) }
    }
}
