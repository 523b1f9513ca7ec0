import SaveCodec

/// Vectors as text: `{0, 1.5, -3}`.
enum VectorText {
    /// Data of 3, 4 or 16 reals of four bytes each, the least significant first.
    static func text(of bytes: ArraySlice<UInt8>) -> String? {
        guard [12, 16, 64].contains(bytes.count) else { return nil }
        let components = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).compactMap { start in
            Fields.number(
                .real32(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.littleEndian(at: start, width: 4)))))
        }
        return "{" + components.joined(separator: ", ") + "}"
    }

    /// A point, a size or a rectangle, stored as text, with the shortest digits: `{{0, 0}, {12.5, 8}}`. nil for anything
    /// else.
    ///
    /// Archivers write the numbers in different ways: `1`, `1.0`, `-388.41632080078125`.
    static func text(of geometry: Text) -> String? {
        guard geometry.count <= 256 else { return nil }
        var text = ""
        var number = ""
        for character in geometry.string {
            guard "{}, ".contains(character) else {
                number.append(character)
                continue
            }
            guard flush(&number, to: &text) else { return nil }
            if character != " " { text += character == "," ? ", " : String(character) }
        }
        return number.isEmpty && text.hasPrefix("{") && text.hasSuffix("}") ? text : nil
    }

    private static func flush(_ digits: inout String, to text: inout String) -> Bool {
        guard !digits.isEmpty else { return true }
        guard let number = Double(digits) else { return false }
        text += Fields.number(number)
        digits = ""
        return true
    }
}

extension ArraySlice<UInt8> {
    /// The unsigned number stored in up to eight bytes at `position`, the least significant first.
    func littleEndian(at position: Int, width: Int) -> UInt64 {
        self[position..<position + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
