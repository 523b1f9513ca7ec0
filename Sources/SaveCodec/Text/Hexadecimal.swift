/// Conversions from and to hexadecimal digits.
package enum Hexadecimal {
    /// Returns the value of at most sixteen digits, or nil if a byte is not a digit.
    package static func number(_ digits: Span<UInt8>, allowsUppercase: Bool) -> UInt64? {
        var number: UInt64 = 0
        for position in digits.indices {
            guard let value = HexDigit.value(digits[position]),
                allowsUppercase || digits[position] > UInt8(ascii: "F") || value < 10
            else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    /// Writes the low `count` digits of `number`.
    package static func write(_ number: UInt64, count: Int, uppercase: Bool = false, to output: inout ByteWriter) {
        for position in (0..<count).reversed() {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * position)) & 0xF
            output.write(uppercase ? HexDigit.uppercase(digit) : HexDigit.lowercase(digit))
        }
    }

    /// Returns the bytes given as two digits each, in either case, or nil if a digit is invalid or missing.
    package static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for position in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = number(digits.extracting(position..<position + 2), allowsUppercase: true) else {
                return nil
            }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return bytes
    }

    /// Returns the bytes of a UUID in its usual notation, or nil for any other text.
    package static func uuid(_ text: String) -> [UInt8]? {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
        return bytes(Array(groups.joined().utf8).span)
    }

    /// Returns bytes as two digits each.
    package static func text(of bytes: [UInt8], uppercase: Bool = false) -> String {
        var output = ByteWriter()
        for byte in bytes { write(UInt64(byte), count: 2, uppercase: uppercase, to: &output) }
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    /// Returns a number with at least `digits` digits.
    package static func text(_ number: some BinaryInteger, digits: Int = 2, uppercase: Bool = true) -> String {
        let text = String(number, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    /// Returns a number as `0x0F`.
    package static func prefixed(_ number: some BinaryInteger, digits: Int = 2) -> String {
        "0x" + text(number, digits: digits)
    }
}

package enum HexDigit {
    /// Returns the value of a digit in either case, or nil if the byte is not a digit.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Returns the digit of a value below 16, with letters in lowercase.
    static func lowercase(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// Returns the digit of a value below 16, with letters in uppercase.
    static func uppercase(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}
