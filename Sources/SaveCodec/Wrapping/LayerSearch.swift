/// Finds out which layer bytes are in, by their beginning. Data that is compressed says so itself. Base64 text and XOR
/// could be anything, so these are looked for only if that is asked for, and taken for a layer only if they lead on:
///
///     43 3F 78 42 4A 4A …   XOR 11 gives "H4sIAA…"          all of the alphabet
///                           which is 1F 8B 08 00 …          gzip
///
/// As few different bytes fit many keys, only so many ways are followed.
struct LayerSearch {
    private var attempts = 500

    /// The outermost layer; nil if there is none.
    ///
    /// - Parameter decodes: whether Base64 text and XOR are looked for.
    static func kind(of bytes: [UInt8], decodes: Bool) -> Layer.Kind? {
        let sample = Sample(of: bytes)
        if Gzip.isPresent(in: sample.bytes) { return .gzip }
        let isZlib = Zlib.isPresent(in: sample.bytes[...])
        // One byte over and over is no text, and with a key it could be any.
        guard sample.bytes.contains(where: { $0 != sample.bytes[0] }) else { return nil }
        guard decodes, !isZlib || !sample.canInflate else { return isZlib ? .zlib : nil }
        var search = LayerSearch()
        if let inner = sample.decoded, search.leadsOn(inner, 7) { return .base64 }
        if let key = search.key(of: sample, 7) { return .xor(key) }
        // A few bytes say little, so all of them are read.
        guard let key = sample.jsonKey, (try? JSON.readPlain(Layer.combined(bytes, with: key))) != nil else {
            return isZlib ? .zlib : nil
        }
        return .xor(key)
    }

    /// Whether bytes are the beginning of a layer or of a save.
    ///
    /// - Parameters:
    ///   - depth: through how many more layers it may lead.
    ///   - isCombined: whether they are combined with a key, which leaves more to chance. A second key makes no sense.
    private mutating func leadsOn(_ sample: Sample, _ depth: Int, isCombined: Bool = false) -> Bool {
        if Gzip.isPresent(in: sample.bytes), sample.bytes.dropFirst(2).first == 8 { return true }
        if Zlib.isPresent(in: sample.bytes[...]), sample.canInflate { return true }
        if sample.isPropertyList || !isCombined && sample.isBracketedText { return true }
        guard depth > 0 else { return false }
        if let inner = sample.decoded, leadsOn(inner, depth - 1) { return true }
        return !isCombined && (key(of: sample, depth) ?? sample.jsonKey) != nil
    }

    /// The key that gives bytes which lead on; nil if there is none.
    private mutating func key(of sample: Sample, _ depth: Int) -> UInt8? {
        for key in UInt8(1)...255 {
            guard attempts > 0 else { return nil }
            let start = Sample(bytes: Layer.combined(sample.bytes.prefix(8), with: key), isWhole: false)
            guard start.mayLeadOn else { continue }
            attempts -= 1
            let combined = Sample(bytes: Layer.combined(sample.bytes, with: key), isWhole: sample.isWhole)
            if leadsOn(combined, depth - 1, isCombined: true) { return key }
        }
        return nil
    }
}

/// The beginning of some bytes, and what it tells.
private struct Sample {
    let bytes: [UInt8]
    /// Whether these are all.
    let isWhole: Bool

    /// How much of a file is looked at: full groups of Base64, in whatever lines.
    private static let length = 3072

    init(bytes: [UInt8], isWhole: Bool) {
        (self.bytes, self.isWhole) = (bytes, isWhole)
    }

    init(of bytes: [UInt8]) {
        self.init(bytes: Array(bytes.prefix(Self.length)), isWhole: bytes.count <= Self.length)
    }

    /// What they are as Base64 text; nil if they are none.
    var decoded: Sample? {
        guard isWhole else { return Base64Form.beginning(of: bytes[...]).map { Sample(bytes: $0, isWhole: false) } }
        if let (bytes, _) = try? Base64Form.decode(bytes) { return Sample(bytes: bytes, isWhole: true) }
        // What leads on is a layer even if its end is damaged, which is reported when it is taken off.
        return Base64Form.beginning(of: bytes[...]).map { Sample(bytes: $0, isWhole: false) }
    }

    /// Whether zlib data is sound, as far as it goes.
    var canInflate: Bool {
        if isWhole { return (try? Zlib.read(bytes, room: 1 << 20)) != nil }
        return Inflate.beginning(of: bytes.span, at: 2, 64).count == 64
    }

    /// Whether a few bytes may be the beginning of a layer or of a property list.
    var mayLeadOn: Bool {
        Gzip.isPresent(in: bytes) || bytes.first == 0x78 || isPropertyList || bytes.allSatisfy(Self.isOfBase64)
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

    // MARK: Saves

    /// Whether they begin like a property list in binary or XML form.
    var isPropertyList: Bool {
        ["bplist", "<?xml", "<!DOCTYPE plist", "<plist"].contains { bytes.starts(with: $0.utf8) }
    }

    private static let opening = Array("{[(<".utf8)
    private static let closing = Array("}])>".utf8)

    /// Whether they are a text in brackets, as JSON and OpenStep text are, or the beginning of one that tells enough.
    var isBracketedText: Bool {
        guard let first = bytes.first(where: { !$0.isBlank }), let last = bytes.last(where: { !$0.isBlank }),
            let position = Self.opening.firstIndex(of: first), bytes.count > 1
        else { return false }
        return (isWhole ? last == Self.closing[position] : bytes.count >= 16) && Self.isText(bytes)
    }

    /// The key that gives a text which begins like JSON; nil if there is none.
    var jsonKey: UInt8? {
        guard let first = bytes.first, let second = bytes.dropFirst().first else { return nil }
        return "{[".utf8.lazy.map { first ^ $0 }.first { key in
            let next = second ^ key
            guard key != 0, next.isBlank || "\"{[".utf8.contains(next) else { return false }
            return Sample(bytes: Layer.combined(bytes, with: key), isWhole: isWhole).isBracketedText
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0.isBlank }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
