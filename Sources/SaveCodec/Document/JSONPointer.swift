/// Where a value stands in a document: a JSON Pointer (RFC 6901), and beyond it what JSON does not have.
///
///     /root/charList/0      keys, and the position of an element of an array or member of a set
///     /levels/~=5           the value whose key is the number 5; `~=1.0`, `~=true`, `~=2009-09-06T12:34:56Z` likewise
///     /levels/~#3           the pair at position 3: its key is any other value, or it repeats a key and does not count
///     /root/$class          the class of an object
///     /savedGame/~^         the root of the save that is stored in a value; what is in the root follows without it, as in
///                           /savedGame/root
///     /levels/~*            the value under the key `*`; where patterns are taken, `/levels/*` is every value there
///
/// No JSON Pointer has a token that begins with `~=`, `~#` or `~^`, so that every key keeps the address that it has there.
/// Tokens are kept as UTF-16 code units, because keys of real files may hold lone surrogates, which a `String` cannot.
public struct JSONPointer: Sendable, Hashable {
    /// The reference tokens, unescaped, from the root down: dictionary keys, array indices in decimal, and forms such as
    /// `=5`, `#3` and `^`, see ``isForm(at:)``. The wildcards of a pattern are forms, too.
    public private(set) var tokens: [[UInt16]]
    /// Which tokens are forms, in rising order.
    private var forms: [Int] = []

    /// The address of the root.
    public static let root = JSONPointer(tokens: [])

    /// The name of the root where people read addresses. No address reads like it.
    package static let rootName: StaticString = "(root)"

    /// The address of the value under an empty key in the root, `/`.
    package static let emptyKey = JSONPointer(tokens: [[]])

    /// Creates an address from unescaped tokens.
    package init(tokens: [[UInt16]]) {
        self.tokens = tokens
    }

    /// Reads a pointer such as `/root/charList/0`: empty, or each token after a `/`, with `~1` for `/` and `~0` for `~`,
    /// `~=`, `~#` or `~*` only at the beginning of a token, and `~^` for a token of its own.
    ///
    /// Returns nil where the text is no such pointer.
    public init?(_ pointer: String) {
        self.init(units: pointer.utf16)
    }

    /// Reads a pointer given in UTF-16 code units, which may hold lone surrogates.
    ///
    /// - Parameter isPattern: whether the tokens `*` and `**` are wildcards, unless they are written as `~*` and `~**`.
    package init?(units pointer: some Sequence<UInt16>, isPattern: Bool = false) {
        tokens = []
        var units = pointer.makeIterator()
        guard let first = units.next() else { return }
        guard first == UInt16(UInt8(ascii: "/")) else { return nil }
        var token: [UInt16] = []
        var isEscaped = false
        while let unit = units.next() {
            switch unit {
            case UInt16(UInt8(ascii: "/")):
                append(token, isWildcard: isPattern && !isEscaped && Self.isWildcard(token))
                (token, isEscaped) = ([], false)
            case _ where forms.last == tokens.count && token == Self.nestedRoot: return nil
            case UInt16(UInt8(ascii: "~")):
                switch units.next() {
                case UInt16(UInt8(ascii: "0")): token.append(UInt16(UInt8(ascii: "~")))
                case UInt16(UInt8(ascii: "1")): token.append(UInt16(UInt8(ascii: "/")))
                case let sign? where Self.isFormSign(sign) && token.isEmpty:
                    forms.append(tokens.count)
                    token.append(sign)
                case UInt16(UInt8(ascii: "*")) where token.isEmpty:
                    isEscaped = true
                    token.append(UInt16(UInt8(ascii: "*")))
                default: return nil
                }
            default:
                token.append(unit)
            }
        }
        append(token, isWildcard: isPattern && !isEscaped && Self.isWildcard(token))
    }

    private mutating func append(_ token: [UInt16], isWildcard: Bool) {
        if isWildcard { forms.append(tokens.count) }
        tokens.append(token)
    }

    /// Whether a token reads like a wildcard of a pattern.
    private static func isWildcard(_ token: [UInt16]) -> Bool {
        token == [0x2A] || token == [0x2A, 0x2A]
    }

    /// What stands before a token where addresses are for people and commands: `/`, and `/~` before forms and keys that
    /// read like wildcards.
    func separator(at depth: Int) -> StaticString {
        isForm(at: depth) == Self.isWildcard(tokens[depth]) ? "/" : "/~"
    }

    /// Goes one step down, to a dictionary's value under `key`.
    public mutating func append(key: some Sequence<UInt16>) {
        tokens.append(Array(key))
    }

    /// Goes one step down, to a dictionary's value under a stored key.
    package mutating func append(key: StoredString) {
        tokens.append(key.units)
    }

    /// Goes one step down, to the element at `index`.
    public mutating func append(index: Int) {
        tokens.append(Array(String(index).utf16))
    }

    /// Goes one step down, to the value of a pair that no key of JSON leads to: `=5`, or `#3`; in a pattern `*` or `**`.
    package mutating func append(form: String) {
        forms.append(tokens.count)
        tokens.append(Array(form.utf16))
    }

    /// Goes one step down, by a token of another address.
    package mutating func append(_ token: AddressToken) {
        if token.isForm { forms.append(tokens.count) }
        tokens.append(token.units)
    }

    /// The token that leads to the pair of a dictionary whose key is no string: by the key if it has a form, else by its
    /// position.
    package static func form(ofKey key: Node, at position: Int) -> String { form(ofKey: key) ?? "#\(position)" }

    /// The form of a key that is no string: of a whole number, a finite real of eight bytes, a boolean, or a date that its
    /// text tells exactly; nil for any other key.
    package static func form(ofKey key: Node) -> String? {
        switch key {
        case .integer(let integer): "=\(integer.value)"
        case .real64(let value) where value.isFinite: "=" + ScalarText.real(value)
        case .boolean(let value): "=\(value)"
        case .date(let seconds): ScalarText.date(seconds).map { "=" + $0 }
        default: nil
        }
    }

    /// Whether a token is a form, which stands for a pair that no key of JSON leads to, rather than a key.
    package func isForm(at depth: Int) -> Bool {
        var (low, high) = (0, forms.count)
        while low < high {
            let middle = (low + high) / 2
            if forms[middle] < depth { low = middle + 1 } else { high = middle }
        }
        return low < forms.count && forms[low] == depth
    }

    /// The address of what stands above, so many steps from the root.
    package func prefix(_ depth: Int) -> JSONPointer {
        var prefix = JSONPointer(tokens: Array(tokens.prefix(depth)))
        prefix.forms = forms.filter { $0 < depth }
        return prefix
    }

    private static func isFormSign(_ unit: UInt16) -> Bool {
        unit == UInt16(UInt8(ascii: "=")) || unit == UInt16(UInt8(ascii: "#")) || [unit] == nestedRoot
    }

    private static let nestedRoot = [UInt16(UInt8(ascii: "^"))]

    /// This address, and then the steps of another one from a depth on.
    package func appending(_ other: JSONPointer, from depth: Int = 0) -> JSONPointer {
        var address = self
        for depth in depth..<max(other.tokens.count, depth) { address.append(other.token(at: depth)) }
        return address
    }

    /// The address of the root of the save that is stored in a value here.
    package var enteredRoot: JSONPointer {
        var address = self
        address.append(form: "^")
        return address
    }

    /// The address of what has another one in the save that is stored in a value here.
    package func entering(_ inner: JSONPointer) -> JSONPointer {
        let isRoot = inner.tokens.isEmpty || inner.entersSave(at: 0)
        return (isRoot ? enteredRoot : withoutEntrances).appending(inner)
    }

    /// What the addresses of what is in the save in a value here begin with: where that is the root of a save itself, no
    /// `~^` leads there.
    package var withoutEntrances: JSONPointer {
        var depth = tokens.count
        while depth > 0, entersSave(at: depth - 1) { depth -= 1 }
        return prefix(depth)
    }

    /// This address in the save that is stored in a value at another one; nil if it does not lead into that save.
    package func within(saveAt value: JSONPointer) -> JSONPointer? {
        let depth = value.tokens.count
        guard tokens.count > depth, prefix(depth) == value else { return nil }
        return inSave(at: depth)
    }

    /// The depth at which the address goes on in the save in the value that its first `depth` tokens lead to: after `~^`,
    /// which is only needed for the root of the save.
    package func depthInSave(at depth: Int) -> Int { entersSave(at: depth) ? depth + 1 : depth }

    /// The rest of the address in the save in the value that its first `depth` tokens lead to.
    package func inSave(at depth: Int) -> JSONPointer { JSONPointer.root.appending(self, from: depthInSave(at: depth)) }

    /// Whether a token leads from a value to the root of the save that is stored in it.
    func entersSave(at depth: Int) -> Bool {
        tokens[depth] == Self.nestedRoot && isForm(at: depth)
    }

    /// Lengthens the last token.
    mutating func append(toLast text: String) {
        guard !tokens.isEmpty else { return }
        tokens[tokens.count - 1] += Array(text.utf16)
    }

    /// Goes one step up. The root stays the root.
    package mutating func removeLast() {
        _ = tokens.popLast()
        if forms.last == tokens.count { forms.removeLast() }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as it is written, safe to print: control characters and lone surrogates appear as `\uXXXX`.
    ///
    /// The root, whose pointer is the empty text, is shown as `(root)`: `/` is the address of an empty key.
    public var description: String {
        guard !tokens.isEmpty else { return Self.rootName.description }
        var text = ""
        for (depth, token) in tokens.enumerated() {
            text += separator(at: depth).description
            if token.allSatisfy(Self.isPlain) {
                text += String(decoding: token, as: UTF16.self)
            } else {
                text += SafeText.escaping(token.lazy.flatMap(Self.escaped))
            }
        }
        return text
    }

    /// Whether a code unit stands for itself, whatever is beside it.
    private static func isPlain(_ unit: UInt16) -> Bool {
        switch unit {
        case UInt16(UInt8(ascii: "~")), UInt16(UInt8(ascii: "/")), UInt16(UInt8(ascii: "\\")): false
        default: (0x20..<0x7F).contains(unit)
        }
    }

    private static func escaped(_ unit: UInt16) -> [UInt16] {
        switch unit {
        case UInt16(UInt8(ascii: "~")): Array("~0".utf16)
        case UInt16(UInt8(ascii: "/")): Array("~1".utf16)
        default: [unit]
        }
    }
}
