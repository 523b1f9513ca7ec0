/// Where a value stands in a document: a JSON Pointer (RFC 6901).
///
/// Tokens are kept as UTF-16 code units, because keys of real files may hold lone surrogates, which a `String` cannot.
public struct Address: Sendable, Hashable {
    /// The reference tokens, unescaped, from the root down: dictionary keys, and array indices in decimal.
    public private(set) var tokens: [[UInt16]]

    /// The address of the root.
    public static let root = Address(tokens: [])

    /// Creates an address from unescaped tokens.
    public init(tokens: [[UInt16]]) {
        self.tokens = tokens
    }

    /// Reads a pointer such as `/root/charList/0`: empty, or each token after a `/`, with `~1` for `/` and `~0` for `~`.
    ///
    /// Returns nil where the text is no JSON Pointer.
    public init?(_ pointer: String) {
        tokens = []
        guard !pointer.isEmpty else { return }
        var units = pointer.utf16.makeIterator()
        guard units.next() == UInt16(UInt8(ascii: "/")) else { return nil }
        var token: [UInt16] = []
        while let unit = units.next() {
            switch unit {
            case UInt16(UInt8(ascii: "/")):
                tokens.append(token)
                token = []
            case UInt16(UInt8(ascii: "~")):
                switch units.next() {
                case UInt16(UInt8(ascii: "0")): token.append(UInt16(UInt8(ascii: "~")))
                case UInt16(UInt8(ascii: "1")): token.append(UInt16(UInt8(ascii: "/")))
                default: return nil
                }
            default:
                token.append(unit)
            }
        }
        tokens.append(token)
    }

    /// Goes one step down, to a dictionary's value under `key`.
    public mutating func append(key: some Sequence<UInt16>) {
        tokens.append(Array(key))
    }

    /// Goes one step down, to the element at `index`.
    public mutating func append(index: Int) {
        tokens.append(Array(String(index).utf16))
    }

    /// Lengthens the last token.
    mutating func append(toLast text: String) {
        guard !tokens.isEmpty else { return }
        tokens[tokens.count - 1] += Array(text.utf16)
    }

    /// Goes one step up. The root stays the root.
    public mutating func removeLast() {
        _ = tokens.popLast()
    }
}

extension Address: CustomStringConvertible {
    /// The pointer as it is written, safe to print: control characters and lone surrogates appear as `\uXXXX`.
    ///
    /// The root, whose pointer is the empty text, is shown as `/`, as nobody could see it otherwise.
    public var description: String {
        guard !tokens.isEmpty else { return "/" }
        var text = ""
        for token in tokens {
            text += "/"
            text += SafeText.escaping(token.lazy.flatMap(Self.escaped))
        }
        return text
    }

    private static func escaped(_ unit: UInt16) -> [UInt16] {
        switch unit {
        case UInt16(UInt8(ascii: "~")): Array("~0".utf16)
        case UInt16(UInt8(ascii: "/")): Array("~1".utf16)
        default: [unit]
        }
    }
}
