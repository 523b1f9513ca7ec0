import SaveCodec

/// An address as reports for programs have it: whole, or if that is longer than any use of it, the address of a value that
/// the place stands in, as near as is allowed.
struct ReportedAddress {
    /// The longest address, in UTF-16 code units before they are escaped, that is told whole.
    private static let longest = 4096

    let address: Address
    /// Whether this is the address of something around the place.
    let isShortened: Bool

    init(_ whole: Address) {
        var depth = 0
        var count = 0
        for token in whole.tokens {
            count += token.count + 1
            guard count <= Self.longest else { break }
            depth += 1
        }
        isShortened = depth < whole.tokens.count
        address = isShortened ? whole.prefix(depth) : whole
    }
}
