/// Finds the places of many offsets in one text, without counting the lines from the start for each of them.
///
/// Offsets that do not fall are found in one pass altogether.
struct LineCounter {
    private var offset = 0
    private var line = 1
    private var column = 1

    /// The place of the byte at `offset` of a text held as valid UTF-8, as ``Place/inText(_:at:)`` has it.
    mutating func place(of target: Int, in text: [UInt8]) -> Place {
        if target < offset { self = LineCounter() }
        let end = min(target, text.count)
        while offset < end {
            let byte = text[offset]
            offset += 1
            let isCRLF = byte == 0x0D && offset < text.count && text[offset] == 0x0A
            if byte == 0x0A || (byte == 0x0D && !isCRLF) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return .line(line, column: column)
    }
}
