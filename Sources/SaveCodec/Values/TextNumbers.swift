extension StoredString {
    /// The number that the text spells, for a format in which all scalars are text; nil for any other text.
    package var number: Number? {
        guard count <= 100, allSatisfy({ $0 < 0x80 && "0123456789+-.eE".utf8.contains(UInt8($0)) }) else { return nil }
        if let integer = Int128(string) { return .integer(integer) }
        return Double(string).flatMap { $0.isFinite ? .real($0) : nil }
    }

    /// The date that the text spells, in seconds since 2001; nil for any other text.
    package var date: Double? { count <= 64 ? ScalarText.seconds(ofDate: self) : nil }
}
