/// Why the format of a file cannot be told, or is not read.
extension Problem {
    static func emptyInput() -> Problem {
        Problem("format.empty", "there are no bytes; \(expected)")
    }

    static func blankInput() -> Problem {
        Problem("format.empty", "there is nothing but white space; \(expected)")
    }

    static func foreignFormat(_ format: ForeignFormat) -> Problem {
        Problem("format.\(format.rawValue)", format.sentence)
    }

    static func unknownFormat(_ bytes: [UInt8]) -> Problem {
        Problem("format.unknown", "the first bytes are \(quoted(bytes)); \(expected)")
    }

    private static let expected = "expected a binary, XML, JSON or OpenStep property list"

    /// The first bytes, as text if they are printable ASCII, else in hexadecimal.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let text = bytes.prefix(16)
        guard !text.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) else {
            return "\"\(SafeText.escaping(String(decoding: text, as: UTF8.self)))\""
        }
        return bytes.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            .joined(separator: " ")
    }
}
