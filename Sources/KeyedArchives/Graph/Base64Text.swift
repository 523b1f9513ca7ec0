import SaveCodec

/// Base64 as programs put it into strings: in one row, or in lines of one length.
package struct Base64Text: Sendable {
    /// What the text decodes to.
    let bytes: [UInt8]
    /// How long its lines are; nil for one row.
    private let lineLength: Int?
    /// Whether a line end follows the last line.
    private let isEnded: Bool

    /// Reads a text; nil if it is no base64, or laid out otherwise.
    init?(_ text: [UInt8]) {
        let lineEnd = UInt8(ascii: "\n")
        isEnded = text.last == lineEnd
        let lines = text.dropLast(isEnded ? 1 : 0).split(separator: lineEnd, omittingEmptySubsequences: false)
        guard let first = lines.first, let last = lines.last, first.count >= 4, last.count <= first.count,
            lines.count == 1 || first.count % 4 == 0, lines.dropLast().allSatisfy({ $0.count == first.count }),
            case .success(let bytes) = Base64.decode(Array(lines.joined()).span)
        else { return nil }
        self.bytes = bytes
        lineLength = lines.count == 1 ? nil : first.count
    }

    /// The text of other bytes, laid out in the same way.
    func text(of bytes: [UInt8]) -> [UInt8] {
        var output = ByteWriter()
        if let lineLength {
            Base64.writeLines(bytes, in: bytes.indices, lineLength: lineLength, indent: 0, to: &output)
        } else {
            Base64.write(bytes, in: bytes.indices, to: &output)
            output.write(UInt8(ascii: "\n"))
        }
        let text = output.takeBytes()
        return isEnded ? text : Array(text.dropLast())
    }
}
