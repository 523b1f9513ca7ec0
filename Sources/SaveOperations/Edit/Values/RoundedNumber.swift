package import SaveCodec

/// A given number that is not stored as given, because either the save or another tool rounded it.
package struct RoundedNumber: Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// A real was rounded to the width of the stored one.
        case storedWidth(byteCount: Int)
        /// The given integer is the present one as printed by a tool that computes with 64-bit reals, such as jq. The
        /// present one stays.
        case roundedByTool
    }

    package let address: JSONPointer
    /// The stored number.
    package let number: String
    package let reason: Reason

    /// Returns the rounding with its address in the file.
    ///
    /// - Parameter address: The address of the value that holds the nested save.
    func within(saveAt address: JSONPointer) -> RoundedNumber {
        RoundedNumber(address: address.appending(self.address), number: number, reason: reason)
    }
}

extension StoredInteger {
    /// Whether this integer is another one, beyond 2⁵³, as printed by a tool that stores numbers as 64-bit reals: with
    /// the shortest digits, with 17 digits, or exactly.
    ///
    ///     9223372036854775807     9223372036854776000 (JavaScript), 9223372036854775800, 9223372036854775808
    func isRounding(of other: StoredInteger) -> Bool {
        guard value != other.value, other.value.magnitude > 1 << 53, other.value.magnitude <= 1 << 64,
            case let real = Double(other.value), let exact = Int128(exactly: real)
        else { return false }
        if value == exact { return true }
        var unit: UInt128 = 1
        while exact.magnitude / unit >= 100_000_000_000_000_000 { unit *= 10 }
        let digits = (exact.magnitude + unit / 2) / unit * unit
        if value.magnitude == digits { return (value < 0) == (exact < 0) }
        // Swift's description has the shortest digits: 9.223372036854776e+18.
        let parts = real.description.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), let dot = parts[0].firstIndex(of: ".") else {
            return false
        }
        let fraction = parts[0][parts[0].index(after: dot)...]
        guard exponent >= fraction.utf8.count else { return false }
        let zeros = String(repeating: "0", count: exponent - fraction.utf8.count)
        return Int128(parts[0][..<dot] + fraction + zeros) == value
    }
}
