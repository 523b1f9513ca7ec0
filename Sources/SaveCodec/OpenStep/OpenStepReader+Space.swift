/// What stands between the tokens of OpenStep text.
extension OpenStepReader {
    /// Skips white space and comments.
    mutating func skipSpace() {
        while let byte {
            switch byte {
            case 0x20, 0x09...0x0D:
                position += 1
            case UInt8(ascii: "/"):
                guard skipComment() else { return }
            default:
                guard startsLineSeparator(byte) else { return }
                position += 3
            }
        }
    }

    /// Skips a comment, and tells whether there was one; a word may start with a slash too.
    private mutating func skipComment() -> Bool {
        guard position + 1 < text.count else { return false }
        switch text[position + 1] {
        case UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "*"): skipBlock()
        default: return false
        }
        return true
    }

    /// `// … end of line`, which to GNUstep is a line feed only.
    private mutating func skipLine() {
        while let byte, byte != 0x0A, !startsLineSeparator(byte) {
            if byte == 0x0D, dialect == .openStep { return }
            position += 1
        }
    }

    /// `/* … */`, or up to the end of the file.
    private mutating func skipBlock() {
        let start = position
        position += 2
        while position + 1 < text.count {
            if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        position = text.count
        quirks.note(.unterminatedComment, at: start)
    }

    /// Whether U+2028 or U+2029 stands at the cursor, which are white space to Core Foundation.
    func startsLineSeparator(_ byte: UInt8) -> Bool {
        byte == 0xE2 && dialect == .openStep && text[position + 1] == 0x80 && text[position + 2] & 0xFE == 0xA8
    }
}
