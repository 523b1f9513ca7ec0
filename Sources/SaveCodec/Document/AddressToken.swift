/// One token of an address: a key, a position in decimal, or a form (see ``JSONPointer``).
///
///     /levels/~=5/0     levels   a key, or the name of a field
///                       =5       a form: the pair whose key is the number 5
///                       0        a position in an array or a set, but a key in a dictionary
package struct AddressToken: Hashable, Sendable {
    /// The code units, unescaped; of a form without the `~`.
    package let units: [UInt16]
    /// Whether the token is a form such as `=5`, `#3` or `^`.
    package let isForm: Bool

    package init(_ units: some Sequence<UInt16>, isForm: Bool = false) {
        self.units = Array(units)
        self.isForm = isForm
    }

    /// The token of a key whatever its position: a string, or a form such as `=5`. Nil for a key without a form.
    package init?(key: Node) {
        if case .string(let text) = key {
            self.init(text.units)
        } else {
            guard let form = JSONPointer.form(ofKey: key) else { return nil }
            self.init(form.utf16, isForm: true)
        }
    }

    /// The token of a key, or of a key without a form its position: `#3`.
    package init(key: Node?, at position: Int) {
        self = key.flatMap { AddressToken(key: $0) } ?? .pair(at: position)
    }

    /// A form such as `#3`, which names a pair by its position.
    package static func pair(at position: Int) -> AddressToken {
        AddressToken("#\(position)".utf16, isForm: true)
    }

    /// `$class`, which leads to the class of an object.
    package static let className = AddressToken("$class".utf16)

    /// Whether the token is `-`, the position after the last element of an array or a set (RFC 6901 §4).
    package var isEnd: Bool { !isForm && units == [UInt16(UInt8(ascii: "-"))] }

    /// Whether the token is `~^`, which leads from a value to the root of the save in it.
    package var entersSave: Bool { isForm && units == [UInt16(UInt8(ascii: "^"))] }

    /// Whether the token is a form that names a pair by its position, such as `#3`, rather than by its key.
    package var isNumberedPair: Bool { isForm && units.first == UInt16(UInt8(ascii: "#")) }

    /// Whether the token reads as an array index: decimal digits without a leading zero (RFC 6901 §4).
    package var isIndex: Bool {
        !isForm && !units.isEmpty && (units.first != 0x30 || units.count == 1)
            && units.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The position that the token names among `count` elements; nil for any other token.
    package func position(below count: Int) -> Int? {
        isForm ? nil : Self.number(units[...], below: count)
    }

    /// The position at which the token inserts a value among `count` elements: one of theirs, or for `-` and the number
    /// after the last one the end (RFC 6902 §4.1); nil for any other token.
    package func insertion(among count: Int) -> Int? {
        isEnd ? count : position(below: count + 1)
    }

    /// The position that a form such as `#3` names among `count` pairs; nil for any other token.
    package func pair(below count: Int) -> Int? {
        isNumberedPair ? Self.number(units.dropFirst(), below: count) : nil
    }

    /// Returns the number that an array index is, or nil for other text and from `count` on.
    private static func number(_ digits: ArraySlice<UInt16>, below count: Int) -> Int? {
        guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            // The count is far below the largest integer, so this does not overflow.
            number = 10 * number + Int(digit - 0x30)
            guard number < count else { return nil }
        }
        return number
    }
}

extension JSONPointer {
    /// The token at a depth from zero.
    package func token(at depth: Int) -> AddressToken {
        AddressToken(tokens[depth], isForm: isForm(at: depth))
    }

    /// The last token; nil for the root.
    package var lastToken: AddressToken? { tokens.isEmpty ? nil : token(at: tokens.count - 1) }
}
