/// The data of OpenStep text.
extension OpenStepReader {
    /// `data = "<" { hex hex | space } ">"`
    mutating func readData() throws(Problem) -> ObjectID {
        let start = position
        position += 1
        var bytes: [UInt8] = []
        while true {
            skipDataSpace()
            guard let byte else { throw .openStepUnterminated("data", from: start, expected: "'>'", in: text) }
            if byte == UInt8(ascii: ">") { break }
            guard let high = HexDigit.value(byte) else {
                throw .openStepExpected(text, at: position, expected: "a hexadecimal digit or '>' in data")
            }
            guard position + 1 < text.count, let low = HexDigit.value(text[position + 1]) else {
                throw .openStepExpected(text, at: position + 1, expected: "the second hexadecimal digit of a byte")
            }
            bytes.append(high << 4 | low)
            position += 2
        }
        position += 1
        return builder.add(data: bytes.span)
    }

    /// Skips what may stand between bytes: to GNUstep comments too, to Core Foundation not all white space.
    private mutating func skipDataSpace() {
        guard dialect == .openStep else { return skipSpace() }
        while let byte {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            case 0xE2 where startsLineSeparator(byte): position += 3
            default: return
            }
        }
    }

    /// `<[base64]>`, with white space anywhere in it.
    mutating func readBase64() throws(Problem) -> ObjectID {
        let start = position
        position += 2
        while let byte, byte != UInt8(ascii: "]") { position += 1 }
        guard byte != nil else { throw .openStepUnterminated("data", from: start, expected: "']>'", in: text) }
        let contents = start + 2..<position
        position += 1
        guard byte == UInt8(ascii: ">") else { throw .openStepExpected(text, at: position, expected: "'>' after ']'") }
        position += 1
        let digits = text[contents].filter { !Self.isSpace($0) }
        switch Base64.decode(digits.span) {
        case .success(let bytes): return builder.add(data: bytes.span)
        case .failure(let fault): throw .gnustepBase64(text, at: place(ofDigit: fault.offset, in: contents))
        }
    }

    /// Where in the text a base64 digit stands, white space not counted; behind the last one the end.
    private func place(ofDigit number: Int, in contents: Range<Int>) -> Int {
        var rest = number
        for offset in contents where !Self.isSpace(text[offset]) {
            if rest == 0 { return offset }
            rest -= 1
        }
        return contents.upperBound
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
