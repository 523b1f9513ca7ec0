/// The search for the outermost layer around a save. gzip and zlib data identify themselves. Base64 text and XOR could be
/// anything, so they are looked for only on request, only in a file that is not itself a save, and only if a save or
/// another layer comes out:
///
///     43 3F 78 42 4A 4A …   XOR 11 gives "H4sIAA…"          all of the alphabet
///                           which is 1F 8B 08 00 …          gzip
///     2F 2F 35 37 41 41 …   Base64 gives FF FE 7B 00 …      JSON in UTF-16
///
/// ``Format/recognize(_:)`` decides what a save is, for a layer's contents as for a file. The search looks at the
/// beginning of the bytes; a text behind XOR, which nothing else confirms, is read as a whole.
struct LayerSearch {
    private let limits: Limits
    /// The remaining work: 1 for the first bytes under a key, ``sampleCost`` for the whole sample. Words fit many keys, and
    /// each of these needs another search.
    private var budget = 4_000

    private static let sampleCost = 8

    /// The maximum number of layers. Base64 text shrinks by a quarter each time, so real files never reach it.
    private static let deepest = 32

    /// The outermost layer; nil if there is none.
    ///
    /// - Parameters:
    ///   - decodes: whether Base64 text and XOR are looked for.
    ///   - limits: the limits within which a text has to be readable to count as a save.
    static func kind(of bytes: [UInt8], decodes: Bool, limits: Limits = Limits()) -> Layer.Kind? {
        if Gzip.isPresent(in: bytes) { return .gzip }
        let sample = Sample(of: bytes)
        let isZlib = Zlib.isPresent(in: sample.bytes[...])
        // A single repeated byte is not a text, and some key would turn it into any other.
        guard sample.bytes.contains(where: { $0 != sample.bytes[0] }) else { return nil }
        guard decodes, !isZlib || !sample.canInflate else { return isZlib ? .zlib : nil }
        var search = LayerSearch(limits: limits)
        return search.kind(of: bytes, sample) ?? (isZlib ? .zlib : nil)
    }

    /// Whether the beginning of a damaged Base64 text decodes to compressed data or to a signature.
    static func isCertainBase64(_ bytes: [UInt8]) -> Bool {
        guard let inner = Sample(of: bytes).decoded else { return false }
        return inner.isCompressed || inner.hasSignature
    }

    private mutating func kind(of bytes: [UInt8], _ sample: Sample) -> Layer.Kind? {
        let standing = Standing(of: bytes, limits)
        // A damaged save is still a save: some XOR key would turn it into another text.
        guard standing != .save, standing != nil || !sample.hasSignature else { return nil }
        if let inner = sample.decoded, leadsOn(inner, Self.deepest), standing == nil || inner.isEvidence {
            return .base64
        }
        return key(of: bytes, sample, standing).map { .xor($0) }
    }

    /// Returns the XOR key that reveals a save or another layer, or nil.
    private mutating func key(of bytes: [UInt8], _ sample: Sample, _ standing: Standing?) -> UInt8? {
        guard !Format.isBlank(bytes, allowingComments: true) else { return nil }
        // Some key makes a text of any few bytes, and another word of a word. A text breaks off only where nothing else is.
        let isShort = bytes.count < (standing == .word ? Sample.telling : 8)
        let isUnknown = standing == nil && !Format.mayBegin(with: bytes)
        var lenient: UInt8?
        for (key, evidence) in keys(of: sample, Self.deepest).sorted(by: { $0.evidence < $1.evidence }) {
            if evidence == .signature { return key }
            switch Standing(of: Layer.combined(bytes, with: key), limits, isBehindKey: true) {
            case .save where !isShort: return key
            case .part where isUnknown && !isShort: lenient = lenient ?? key
            default: continue
            }
        }
        return lenient
    }

    /// Whether bytes are the beginning of a layer or of a save.
    ///
    /// - Parameter depth: the number of layers that may follow.
    private mutating func leadsOn(_ sample: Sample, _ depth: Int) -> Bool {
        if sample.isCompressed || sample.isSave(limits) { return true }
        guard depth > 0 else { return false }
        if let inner = sample.decoded, leadsOn(inner, depth - 1) { return true }
        // Some key turns a few bytes into text by chance.
        return keys(of: sample, depth).contains { $0.evidence == .signature || sample.bytes.count >= 8 }
    }

    /// The strength of the evidence for a key, the strongest first.
    private enum Evidence: Int, Comparable {
        case signature, quotedText, bareWords

        static func < (a: Evidence, b: Evidence) -> Bool { a.rawValue < b.rawValue }
    }

    /// The keys that reveal a save or a layer. Two keys in a row equal one, so the search does not look for a second.
    private mutating func keys(of sample: Sample, _ depth: Int) -> [(key: UInt8, evidence: Evidence)] {
        var keys: [(key: UInt8, evidence: Evidence)] = []
        for key in UInt8(1)...255 {
            budget -= 1
            guard budget > 0 else { break }
            guard let first = sample.bytes.first, Sample.mayLeadOn(first ^ key) else { continue }
            let start = Sample(bytes: Layer.combined(sample.bytes.prefix(16), with: key), isWhole: false)
            guard start.mayLeadOn else { continue }
            budget -= Self.sampleCost
            let combined = Sample(bytes: Layer.combined(sample.bytes, with: key), isWhole: sample.isWhole)
            if let evidence = evidence(combined, depth) { keys.append((key, evidence)) }
        }
        return keys
    }

    private mutating func evidence(_ sample: Sample, _ depth: Int) -> Evidence? {
        if sample.isCompressed || sample.hasSignature { return .signature }
        if depth > 0, let inner = sample.decoded, leadsOnBehindKey(inner, depth - 1) { return .signature }
        guard sample.isText, !sample.isWord, Format.mayBegin(with: sample.bytes) else { return nil }
        return Format.detected(in: sample.bytes).map { $0.has(.bareWords) } ?? true ? .bareWords : .quotedText
    }

    /// Whether bytes decoded from Base64 text under an XOR key are a save or a layer. Too many keys yield words and
    /// short texts.
    private mutating func leadsOnBehindKey(_ sample: Sample, _ depth: Int) -> Bool {
        if sample.isCompressed || !sample.isWord && sample.isSave(limits) { return true }
        guard depth > 0 else { return false }
        if let inner = sample.decoded, leadsOnBehindKey(inner, depth - 1) { return true }
        return keys(of: sample, depth).contains { $0.evidence == .signature || sample.bytes.count >= Sample.telling }
    }
}

/// The classification of bytes without taking off a layer.
private enum Standing {
    /// A save that is read without a doubt.
    case save
    /// A bare word, such as `YES`, which is a string in an OpenStep property list and may be Base64 text just as well.
    case word
    /// OpenStep text with a part that is ignored.
    case part

    /// - Parameter isBehindKey: whether the bytes come from XOR. Some key makes a quoted string of any comment, and a list
    ///   of keys alone, `a; b;`, of many words and of zeros, so these are no better than a word.
    /// - Returns: nil if the bytes are no save.
    init?(of bytes: [UInt8], _ limits: Limits, isBehindKey: Bool = false) {
        guard let format = Format.detected(in: bytes) else { return nil }
        if format.has(.text) {
            // Graph JSON in a text is not made an archive here, so that saves in data stay property lists.
            let nested = NestedSaveWriter { save in save }
            guard let document = try? format.definition.read(bytes, limits: limits, nested: nested) else { return nil }
            if isBehindKey, document.isLikelyChance {
                self = .word
                return
            }
            if document.warnings.contains(where: \.isAboutIgnoredText) {
                self = .part
                return
            }
        }
        self = TextProbe.isWord(bytes) ? .word : .save
    }
}

extension Document {
    /// Whether a text without markup holds one string, or a dictionary in which every value is the text of its key.
    fileprivate var isLikelyChance: Bool {
        guard !has(.markup) else { return false }
        guard case .dictionary(let pairs) = self[root] else { return object(root).kind.isString }
        return !pairs.isEmpty && pairs.allSatisfy { sameScalar(object($0), as: object($1), in: self) }
    }
}

/// The beginning of some bytes, and what it tells.
private struct Sample {
    let bytes: [UInt8]
    /// Whether these are all.
    let isWhole: Bool

    /// How much of a file is looked at: full groups of Base64, in whatever lines.
    private static let length = 3072
    /// The length from which a text of valid characters is not a coincidence.
    static let telling = 16

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
        // A layer counts even if its end is damaged, which is reported when it is taken off.
        return Base64Form.beginning(of: bytes[...]).map { Sample(bytes: $0, isWhole: false) }
    }

    // MARK: Layers

    /// Whether they are gzip or zlib data.
    var isCompressed: Bool {
        Gzip.isPresent(in: bytes) && bytes.dropFirst(2).first == 8 || Zlib.isPresent(in: bytes[...]) && canInflate
    }

    /// Whether zlib data is sound, as far as it goes.
    var canInflate: Bool {
        if isWhole { return (try? Zlib.read(bytes, room: 1 << 20)) != nil }
        return Inflate.beginning(of: bytes.span, at: 2, 64).count == 64
    }

    /// Whether a layer or a save may begin with a byte: that of a text, a typedstream, gzip or a byte order mark.
    static func mayLeadOn(_ first: UInt8) -> Bool {
        switch first {
        case 0, 0x04, 0x1F, 0x09...0x0D, 0x20...0x7E, 0xEF, 0xFE, 0xFF: true
        default: false
        }
    }

    /// Whether a few bytes may be the beginning of a layer or of a save.
    var mayLeadOn: Bool {
        Gzip.isPresent(in: bytes) || bytes.first == 0x78 || bytes.allSatisfy(Self.isOfBase64)
            || Format.mayBegin(with: bytes)
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

    /// Whether they are a save, or a sufficient beginning of one. A damaged text is still a text.
    func isSave(_ limits: Limits) -> Bool {
        if hasSignature { return true }
        let isTelling = bytes.count >= Self.telling && isText && !isWord
        guard isWhole else { return isTelling && Format.mayBegin(with: bytes) }
        return isTelling && Format.detected(in: bytes) != nil || Standing(of: bytes, limits) != nil
    }

    /// Whether they say more than a short word, which Base64 text that is a word itself may give by chance.
    var isEvidence: Bool { bytes.count >= 4 || !isWord }

    /// Whether they begin with the signature of a binary format, or like an XML property list.
    var hasSignature: Bool {
        let beginning = TextProbe.beginning(of: bytes, 15)
        if ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { beginning.starts(with: $0.unicodeScalars) }) {
            return true
        }
        guard let format = Format.detected(in: bytes) else { return false }
        return !format.has(.text)
    }

    /// Whether they are a bare word or number.
    var isWord: Bool { TextProbe.isWord(bytes) }

    /// Whether all of them are characters of a text.
    var isText: Bool { TextProbe.isText(bytes) }
}
