/// The address of a value: a JSON Pointer (RFC 6901), extended to reach values that JSON does not have.
///
///     /root/charList/0      keys, and the position of an element of an array or member of a set
///     /levels/~=5           the value whose key is the number 5; also `~=1.0`, `~=true`, `~=2009-09-06T12:34:56Z`
///     /levels/~#3           the pair at position 3, if no other token leads to its value
///     /root/$class          the class of an object
///     /savedGame/~^         the root of the save nested in a value; addresses below the root omit the `~^`, as in
///                           /savedGame/root
///     /levels/~*            the value for the key `*`; in a pattern, `/levels/*` matches every value
///
/// No token of a standard JSON Pointer begins with `~=`, `~#`, `~^` or `~*`, so these tokens cannot be confused with
/// other keys. Tokens are stored as UTF-16 code units, because keys of real files may contain lone surrogates, which a
/// `String` cannot hold.
public struct JSONPointer: Sendable, Hashable {
    /// The unescaped tokens from the root down: dictionary keys, decimal indices, and extensions such as `=5`, `#3` and
    /// `^`.
    ///
    /// The wildcards of a pattern are extensions, too.
    public private(set) var tokens: [[UInt16]]
    /// The indices of the tokens that are extensions, in ascending order.
    private var extensionDepths: [Int] = []

    /// The address of the root.
    public static let root = JSONPointer(tokens: [])

    /// The name of the root in output for people. No address has this spelling.
    package static let rootName: StaticString = "(root)"

    /// The address of the root's value for an empty key, `/`.
    package static let emptyKey = JSONPointer(tokens: [[]])

    /// Creates an address from unescaped tokens.
    package init(tokens: [[UInt16]]) {
        self.tokens = tokens
    }

    /// Creates an address from a pointer such as `/root/charList/0`.
    ///
    /// The pointer is empty, or each token follows a `/`. In a token, `~1` represents `/` and `~0` represents `~`. The
    /// sequences `~=`, `~#` and `~*` are allowed only at the beginning of a token, and `~^` only as a whole token.
    ///
    /// Returns nil if the syntax is invalid.
    public init?(_ pointer: String) {
        self.init(units: pointer.utf16)
    }

    /// Creates an address from a pointer given as UTF-16 code units, which may include lone surrogates.
    ///
    /// - Parameters:
    ///   - pointer: The code units.
    ///   - isPattern: Whether the tokens `*` and `**` are wildcards unless they are written as `~*` and `~**`.
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
            case _ where extensionDepths.last == tokens.count && token == Self.nestedRoot: return nil
            case UInt16(UInt8(ascii: "~")):
                switch units.next() {
                case UInt16(UInt8(ascii: "0")): token.append(UInt16(UInt8(ascii: "~")))
                case UInt16(UInt8(ascii: "1")): token.append(UInt16(UInt8(ascii: "/")))
                case let sign? where Self.isExtensionSign(sign) && token.isEmpty:
                    extensionDepths.append(tokens.count)
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
        if isWildcard { extensionDepths.append(tokens.count) }
        tokens.append(token)
    }

    private static func isWildcard(_ token: [UInt16]) -> Bool {
        token == [0x2A] || token == [0x2A, 0x2A]
    }

    /// Returns the separator before a token in displayed addresses: `/~` before a key that looks like a wildcard and
    /// before an extension that is not a wildcard, `/` before any other token.
    func separator(at depth: Int) -> StaticString {
        isExtension(at: depth) == Self.isWildcard(tokens[depth]) ? "/" : "/~"
    }

    /// Appends the step to a dictionary's value for `key`.
    public mutating func append(key: some Sequence<UInt16>) {
        tokens.append(Array(key))
    }

    /// Appends the step to a dictionary's value for a stored key.
    package mutating func append(key: StoredString) {
        tokens.append(key.units)
    }

    /// Appends the step to the element at `index`.
    public mutating func append(index: Int) {
        tokens.append(Array(String(index).utf16))
    }

    /// Appends an extension: `=5` or `#3` for a pair that no JSON key reaches, `^` for the root of a nested save, or
    /// the wildcard `*` or `**` of a pattern.
    package mutating func append(extensionToken token: String) {
        extensionDepths.append(tokens.count)
        tokens.append(Array(token.utf16))
    }

    /// Appends a token of another address.
    package mutating func append(_ token: AddressToken) {
        if token.isExtension { extensionDepths.append(tokens.count) }
        tokens.append(token.units)
    }

    /// Returns the token of a non-string key, such as `=5`. A key that has no such token gets a token for its position,
    /// such as `#3`.
    package static func extensionToken(ofKey key: Node, at position: Int) -> String {
        extensionToken(ofKey: key) ?? "#\(position)"
    }

    /// Returns the extension for a key, such as `=5`; nil if no extension represents the key.
    ///
    /// Integers, finite 64-bit reals and Booleans have an extension, and so do dates that their text represents
    /// exactly.
    package static func extensionToken(ofKey key: Node) -> String? {
        switch key {
        case .integer(let integer): "=\(integer.value)"
        case .real64(let value) where value.isFinite: "=" + ScalarText.real(value)
        case .boolean(let value): "=\(value)"
        case .date(let seconds): ScalarText.date(seconds).map { "=" + $0 }
        default: nil
        }
    }

    /// Returns a document whose root is the key that a token such as `=5` describes; nil if the token describes no key.
    package static func key(ofExtension form: [UInt16]) -> Document? {
        guard form.first == UInt16(UInt8(ascii: "=")) else { return nil }
        let text = String(decoding: form.dropFirst(), as: UTF16.self)
        for json in [text, "{\"$date\": \"\(text)\"}"] {
            guard let document = try? JSON.readTyped(Array(json.utf8)),
                !document.object(document.root).kind.isContainer,
                extensionToken(ofKey: document[document.root], at: 0).utf16.elementsEqual(form)
            else { continue }
            return document
        }
        return nil
    }

    /// Whether the token at a depth is an extension rather than a key.
    package func isExtension(at depth: Int) -> Bool {
        let index = extensionDepths.partitioningIndex { $0 >= depth }
        return index < extensionDepths.count && extensionDepths[index] == depth
    }

    /// Returns the address of the ancestor `depth` steps below the root.
    package func prefix(_ depth: Int) -> JSONPointer {
        var prefix = JSONPointer(tokens: Array(tokens.prefix(depth)))
        prefix.extensionDepths = extensionDepths.filter { $0 < depth }
        return prefix
    }

    private static func isExtensionSign(_ unit: UInt16) -> Bool {
        unit == UInt16(UInt8(ascii: "=")) || unit == UInt16(UInt8(ascii: "#")) || [unit] == nestedRoot
    }

    private static let nestedRoot = [UInt16(UInt8(ascii: "^"))]

    /// Returns the address of the value under a key of this one.
    package func appending(key: some Sequence<UInt16>) -> JSONPointer {
        var address = self
        address.append(key: key)
        return address
    }

    /// Returns the address of the element of this value at `index`.
    package func appending(index: Int) -> JSONPointer {
        appending(key: String(index).utf16)
    }

    /// Returns this address followed by the tokens of another address from a depth on.
    package func appending(_ other: JSONPointer, from depth: Int = 0) -> JSONPointer {
        var address = self
        for depth in depth..<max(other.tokens.count, depth) { address.append(other.token(at: depth)) }
        return address
    }

    /// The address of the root of the save nested in the value at this address.
    package var nestedSaveRoot: JSONPointer {
        var address = self
        address.append(extensionToken: "^")
        return address
    }

    /// Returns the address of a value in a nested save, beginning at the root of the enclosing document.
    ///
    /// This address leads to the value that contains the save. For `/savedGame`, the inner address `/gems` gives
    /// `/savedGame/gems`, and the inner root gives `/savedGame/~^`.
    ///
    /// - Parameter inner: The address of the value in the nested save.
    package func appending(nested inner: JSONPointer) -> JSONPointer {
        let isRoot = inner.tokens.isEmpty || inner.entersSave(at: 0)
        return (isRoot ? nestedSaveRoot : nestedSavePrefix).appending(inner)
    }

    /// The prefix of all addresses in the save nested in the value at this address.
    ///
    /// This is the address without `~^` at its end: `/savedGame` for both `/savedGame` and `/savedGame/~^`.
    package var nestedSavePrefix: JSONPointer {
        var depth = tokens.count
        while depth > 0, entersSave(at: depth - 1) { depth -= 1 }
        return prefix(depth)
    }

    /// Returns the rest of this address within a nested save, or nil if this address does not lead into the save.
    ///
    /// - Parameter value: The address of the value that contains the save.
    package func within(saveAt value: JSONPointer) -> JSONPointer? {
        let depth = value.tokens.count
        guard tokens.count > depth, prefix(depth) == value else { return nil }
        return inSave(at: depth)
    }

    /// Returns the depth of the first token within a nested save, if the first `depth` tokens lead to the value that
    /// contains the save.
    ///
    /// This skips `~^`, which is required only for the root of the save.
    package func depthInSave(at depth: Int) -> Int { entersSave(at: depth) ? depth + 1 : depth }

    /// Returns the rest of the address within a nested save, if the first `depth` tokens lead to the value that
    /// contains the save.
    package func inSave(at depth: Int) -> JSONPointer { JSONPointer.root.appending(self, from: depthInSave(at: depth)) }

    /// Whether the token at a depth is `~^`, which leads to the root of the nested save.
    func entersSave(at depth: Int) -> Bool {
        tokens[depth] == Self.nestedRoot && isExtension(at: depth)
    }

    mutating func append(toLast text: String) {
        guard !tokens.isEmpty else { return }
        tokens[tokens.count - 1] += Array(text.utf16)
    }

    /// Removes the last step. The root remains the root.
    package mutating func removeLast() {
        _ = tokens.popLast()
        if extensionDepths.last == tokens.count { extensionDepths.removeLast() }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer in its written form, safe to print: control characters and lone surrogates appear as `\uXXXX`.
    ///
    /// The root, whose pointer is the empty text, is shown as `(root)`, since `/` is the address of an empty key.
    public var description: String {
        guard !tokens.isEmpty else { return Self.rootName.description }
        var text = ""
        for (depth, token) in tokens.enumerated() {
            text += separator(at: depth).description
            if token.allSatisfy(Self.isPlain) {
                // Plain units are ASCII, and decoding them as UTF-8 is several times as fast as decoding UTF-16.
                text += String(decoding: token.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
            } else {
                text += SafeText.escaping(token.lazy.flatMap(Self.escaped))
            }
        }
        return text
    }

    /// Whether a code unit needs no escape.
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
