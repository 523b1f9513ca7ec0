/// One token of an address: a key, a decimal position, or an extension (see ``JSONPointer``).
///
///     /levels/~=5/0     levels   a key or a field name
///                       =5       an extension: the pair whose key is the number 5
///                       0        a position in an array or set, but a key in a dictionary
package struct AddressToken: Hashable, Sendable {
    /// The unescaped code units, without the `~` of an extension.
    package let units: [UInt16]
    /// Whether the token is an extension such as `=5`, `#3` or `^`.
    package let isExtension: Bool

    package init(_ units: some Sequence<UInt16>, isExtension: Bool = false) {
        self.units = Array(units)
        self.isExtension = isExtension
    }

    /// Creates the token of a key, independent of its position: a string, or an extension such as `=5`.
    ///
    /// Returns nil for a key without such a token, such as data or a UID.
    package init?(key: Node) {
        if case .string(let text) = key {
            self.init(text.units)
        } else {
            guard let form = JSONPointer.extensionToken(ofKey: key) else { return nil }
            self.init(form.utf16, isExtension: true)
        }
    }

    /// Creates the token of a pair: of its key if possible, otherwise of its position, such as `#3`.
    package init(key: Node?, at position: Int) {
        self = key.flatMap { AddressToken(key: $0) } ?? .pair(at: position)
    }

    /// Returns a token such as `#3`, which refers to a pair by its position.
    package static func pair(at position: Int) -> AddressToken {
        AddressToken("#\(position)".utf16, isExtension: true)
    }

    /// The token `$class`, which leads to the class of an object.
    package static let classToken = AddressToken("$class".utf16)

    /// Whether the token is `-`, the position after the last element of an array or a set (RFC 6901 §4).
    package var isEnd: Bool { !isExtension && units == [UInt16(UInt8(ascii: "-"))] }

    /// Whether the token is `~^`, which leads from a value to the root of its nested save.
    package var entersSave: Bool { isExtension && units == [UInt16(UInt8(ascii: "^"))] }

    /// Whether the token, such as `#3`, refers to a pair by its position rather than by its key.
    package var isNumberedPair: Bool { isExtension && units.first == UInt16(UInt8(ascii: "#")) }

    /// Whether the token has the syntax of an array index: decimal digits without a leading zero (RFC 6901 §4).
    package var isIndex: Bool {
        !isExtension && !units.isEmpty && (units.first != 0x30 || units.count == 1)
            && units.allSatisfy(\.isDigit)
    }

    /// Returns the position that the token denotes among `count` elements, or nil for any other token.
    package func position(below count: Int) -> Int? {
        isExtension ? nil : Self.number(units[...], below: count)
    }

    /// Returns the position at which the token inserts a value among `count` elements (RFC 6902 §4.1).
    ///
    /// This is an existing position or, for `-` and the number `count`, the end; nil for any other token.
    package func insertion(among count: Int) -> Int? {
        isEnd ? count : position(below: count + 1)
    }

    /// Returns the position that a token such as `#3` denotes among `count` pairs, or nil for any other token.
    package func pair(below count: Int) -> Int? {
        isNumberedPair ? Self.number(units.dropFirst(), below: count) : nil
    }

    /// Returns the value of an array index, or nil if the text is not an index below `count`.
    private static func number(_ digits: ArraySlice<UInt16>, below count: Int) -> Int? {
        guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            // The count is far below the largest integer, so this cannot overflow.
            number = 10 * number + Int(digit - 0x30)
            guard number < count else { return nil }
        }
        return number
    }
}

extension JSONPointer {
    /// Returns the token at a zero-based depth.
    package func token(at depth: Int) -> AddressToken {
        AddressToken(tokens[depth], isExtension: isExtension(at: depth))
    }

    /// The last token, or nil for the root.
    package var lastToken: AddressToken? { tokens.isEmpty ? nil : token(at: tokens.count - 1) }
}
