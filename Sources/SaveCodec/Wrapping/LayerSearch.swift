/// Finds out which layer bytes are in, by their beginning. Data that is compressed says so itself. Base64 text and XOR
/// could be anything, so these are looked for only if that is asked for, and taken for a layer only if they lead on:
///
///     43 3F 78 42 4A 4A …   XOR 11 gives "H4sIAA…"          all of the alphabet
///                           which is 1F 8B 08 00 …          gzip
///
/// As few different bytes fit many keys, only so many ways are followed.
struct LayerSearch {
    /// How much of a file is looked at: full groups of Base64, in whatever lines.
    private static let length = 768
    private var attempts = 500

    /// The outermost layer; nil if there is none.
    ///
    /// - Parameter decodes: whether Base64 text and XOR are looked for.
    static func kind(of bytes: [UInt8], decodes: Bool) -> Layer.Kind? {
        let start = bytes.prefix(length)
        if Gzip.isPresent(in: start) { return .gzip }
        let isZlib = Zlib.isPresent(in: start)
        guard decodes, !isZlib || !canInflate(start) else { return isZlib ? .zlib : nil }
        var search = LayerSearch()
        if let inner = Base64Form.beginning(of: start), search.leadsOn(inner[...], 7) { return .base64 }
        if let key = search.key(of: start, 7) { return .xor(key) }
        // A few bytes say little, so all of them are read.
        guard let key = jsonKey(of: start), (try? JSON.readPlain(Layer.combined(bytes, with: key))) != nil else {
            return isZlib ? .zlib : nil
        }
        return .xor(key)
    }

    /// Whether bytes are the beginning of a layer or of a save.
    ///
    /// - Parameters:
    ///   - depth: through how many more layers it may lead.
    ///   - isCombined: whether they are combined with a key, which leaves more to chance. A second key makes no sense.
    private mutating func leadsOn(_ bytes: ArraySlice<UInt8>, _ depth: Int, isCombined: Bool = false) -> Bool {
        if Gzip.isPresent(in: bytes), bytes.dropFirst(2).first == 8 { return true }
        if Zlib.isPresent(in: bytes), Self.canInflate(bytes) { return true }
        if Self.isSave(bytes, isCombined: isCombined) { return true }
        guard depth > 0 else { return false }
        if let inner = Base64Form.beginning(of: bytes), leadsOn(inner[...], depth - 1) { return true }
        return !isCombined && (key(of: bytes, depth) ?? Self.jsonKey(of: bytes)) != nil
    }

    /// The key that gives bytes which lead on; nil if there is none.
    private mutating func key(of bytes: ArraySlice<UInt8>, _ depth: Int) -> UInt8? {
        for key in UInt8(1)...255 {
            guard attempts > 0 else { return nil }
            let first = bytes.prefix(8).map { $0 ^ key }[...]
            let isText = first.allSatisfy(Self.isOfBase64)
            guard isText || Gzip.isPresent(in: first) || first.first == 0x78 || Self.isSave(first, isCombined: true)
            else { continue }
            attempts -= 1
            if leadsOn(Layer.combined(bytes, with: key)[...], depth - 1, isCombined: true) { return key }
        }
        return nil
    }

    private static func isOfBase64(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            true
        default: false
        }
    }

    // MARK: What bytes lead to

    /// Whether zlib data is sound as far as it goes.
    private static func canInflate(_ bytes: ArraySlice<UInt8>) -> Bool {
        do throws(Problem) {
            _ = try Zlib.read(Array(bytes), room: 1 << 16)
            return true
        } catch {
            return ["deflate.truncated", "zlib.truncated", "limit.unwrapped"].contains(error.id)
        }
    }

    /// Whether bytes begin like a property list, or are a text that begins like JSON or OpenStep text.
    private static func isSave(_ bytes: ArraySlice<UInt8>, isCombined: Bool) -> Bool {
        if ["bplist", "<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { bytes.starts(with: $0.utf8) }) {
            return true
        }
        guard !isCombined, let first = bytes.first(where: { !$0.isBlank }), "{[(<".utf8.contains(first) else {
            return false
        }
        return bytes.count > 1 && isText(bytes)
    }

    /// The key that gives a text which begins like JSON; nil if there is none.
    private static func jsonKey(of bytes: ArraySlice<UInt8>) -> UInt8? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        return "{[".utf8.lazy.map { first ^ $0 }.first { key in
            let next = second ^ key
            return key != 0 && (next.isBlank || "\"{[".utf8.contains(next)) && isText(Layer.combined(bytes, with: key))
        }
    }

    private static func isText(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0.isBlank }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
