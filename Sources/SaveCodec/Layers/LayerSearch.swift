/// A search for the outermost layer around a save.
///
/// Signatures identify gzip and zlib data. Any bytes could be Base64 text or XOR, so these are only searched for on
/// request, in a file that is not itself a save, and only if the result is a save or another layer:
///
///     43 3F 78 42 4A 4A …   XOR 11 gives "H4sIAA…"          Base64 characters only
///                           decodes to 1F 8B 08 00 …        gzip
///     2F 2F 35 37 41 41 …   Base64 gives FF FE 7B 00 …      JSON in UTF-16
///
/// ``Format/recognize(_:)`` decides whether the contents of a layer are a save, as for a file. The search looks at the
/// beginning of the bytes. If a key of XOR reveals text, which has no signature to confirm the key, the whole text is
/// read.
struct LayerSearch {
    private let limits: Limits
    /// Whether deflate data without a header, which has no signature, counts as a layer.
    private let findsDeflate: Bool
    /// Whether XOR is searched for.
    private let findsKeys: Bool
    /// The remaining work. A test of the first bytes under an XOR key costs 1; a test of the whole sample costs
    /// ``sampleCost``. A limit is needed since many keys convert a word into another word, and each match starts
    /// another search.
    private var budget = 4_000

    private static let sampleCost = 8

    /// The maximum number of layers that one search looks through. Each Base64 layer reduces the text by a quarter, so
    /// real files never reach it.
    private static let deepest = 32

    /// Returns the kind of the outermost layer, or nil.
    ///
    /// - Parameters:
    ///   - decodes: Whether to search for Base64 text and XOR.
    ///   - limits: The limits for reading a text to check whether it is a save.
    static func kind(of bytes: [UInt8], decodes: Bool, limits: Limits = Limits()) -> Layer.Kind? {
        kind(of: bytes, LayerOptions(decodes: decodes), limits: limits)
    }

    /// Returns the kind of the outermost layer after a header, or nil.
    static func kind(of bytes: [UInt8], _ options: LayerOptions, limits: Limits) -> Layer.Kind? {
        if Gzip.isPresent(in: bytes) { return .gzip }
        let sample = Sample(of: bytes)
        let isZlib = Zlib.isPresent(in: sample.bytes[...])
        // A single repeated byte is not a text, and some key would convert it into any other byte.
        guard sample.bytes.contains(where: { $0 != sample.bytes[0] }) else { return nil }
        guard options.decodes, !isZlib || !sample.canInflate else { return isZlib ? .zlib : nil }
        var search = LayerSearch(
            limits: limits, findsDeflate: options.headerSize != nil, findsKeys: options.findsKeys)
        return search.kind(of: bytes, sample) ?? (isZlib ? .zlib : nil)
    }

    /// Whether the beginning of a damaged Base64 text decodes to compressed data or to a signature.
    static func isCertainBase64(_ bytes: [UInt8]) -> Bool {
        guard let inner = Sample(of: bytes).decoded else { return false }
        return inner.isCompressed || inner.hasSignature
    }

    private mutating func kind(of bytes: [UInt8], _ sample: Sample) -> Layer.Kind? {
        // Digits in angle brackets are OpenStep data, but a file of nothing else is a printed save.
        if let inner = HexText.beginning(of: sample.bytes[...]).map({ Sample(bytes: $0, isWhole: false) }),
            inner.isCompressed || inner.hasSignature || inner.beginsLikeJSON, HexText.decode(bytes) != nil
        {
            return .hexadecimal
        }
        let classification = ContentClassification(of: bytes, limits)
        // A damaged save is still a save, which some XOR key would convert into another text.
        guard classification != .save, classification != nil || !sample.hasSignature else { return nil }
        if findsDeflate, let inner = sample.inflated, beginsLayerOrSave(inner, Self.deepest) { return .deflate }
        if let inner = sample.decoded, beginsLayerOrSave(inner, Self.deepest), classification == nil || inner.isEvidence
        {
            return .base64
        }
        return key(of: bytes, sample, classification).map { .xor($0) }
    }

    /// Returns the XOR key that reveals a save or another layer, or nil.
    private mutating func key(of bytes: [UInt8], _ sample: Sample, _ classification: ContentClassification?) -> UInt8? {
        guard !Format.isBlank(bytes, allowingComments: true) else { return nil }
        // By chance, some key converts almost any short byte sequence into a text, and almost any word into another
        // word. A text with an ignored part only counts if the bytes have no other meaning.
        let isShort = bytes.count < (classification == .word ? Sample.minEvidenceLength : 8)
        let isUnknown = classification == nil && !Format.mayBegin(with: bytes)
        var lenient: UInt8?
        for (key, evidence) in keys(of: sample, Self.deepest).sorted(by: { $0.evidence < $1.evidence }) {
            if evidence == .signature { return key }
            switch ContentClassification(of: Layer.combined(bytes, with: key), limits, isUnderKey: true) {
            case .save where !isShort: return key
            case .part where isUnknown && !isShort: lenient = lenient ?? key
            default: continue
            }
        }
        return lenient
    }

    /// Whether bytes begin a layer or a save.
    ///
    /// - Parameter depth: The maximum number of further layers.
    private mutating func beginsLayerOrSave(_ sample: Sample, _ depth: Int) -> Bool {
        if sample.isCompressed || sample.isSave(limits) { return true }
        guard depth > 0 else { return false }
        if let inner = sample.decoded, beginsLayerOrSave(inner, depth - 1) { return true }
        if findsDeflate, let inner = sample.inflated, beginsLayerOrSave(inner, depth - 1) { return true }
        // By chance, some key converts a few bytes into text.
        return keys(of: sample, depth).contains { $0.evidence == .signature || sample.bytes.count >= 8 }
    }

    /// The evidence for a key, from strongest to weakest.
    private enum Evidence: Int, Comparable {
        case signature, quotedText, bareWords

        static func < (a: Evidence, b: Evidence) -> Bool { a.rawValue < b.rawValue }
    }

    /// Returns the keys that reveal a save or a layer. Two XOR layers are equivalent to one, so the search does not
    /// look for a second key.
    private mutating func keys(of sample: Sample, _ depth: Int) -> [(key: UInt8, evidence: Evidence)] {
        var keys: [(key: UInt8, evidence: Evidence)] = []
        guard findsKeys else { return keys }
        for key in UInt8(1)...255 {
            budget -= 1
            guard budget > 0 else { break }
            guard let first = sample.bytes.first, Sample.mayBeginLayerOrSave(first ^ key) else { continue }
            let start = Sample(bytes: Layer.combined(sample.bytes.prefix(16), with: key), isWhole: false)
            guard start.mayBeginLayerOrSave else { continue }
            budget -= Self.sampleCost
            let combined = Sample(bytes: Layer.combined(sample.bytes, with: key), isWhole: sample.isWhole)
            if let evidence = evidence(combined, depth) { keys.append((key, evidence)) }
        }
        return keys
    }

    private mutating func evidence(_ sample: Sample, _ depth: Int) -> Evidence? {
        if sample.isCompressed || sample.hasSignature { return .signature }
        if depth > 0, let inner = sample.decoded, beginsLayerOrSaveUnderKey(inner, depth - 1) { return .signature }
        guard sample.isText, !sample.isWord, Format.mayBegin(with: sample.bytes) else { return nil }
        return Format.detected(in: sample.bytes).map { $0.has(.bareWords) } ?? true ? .bareWords : .quotedText
    }

    /// Whether bytes decoded from Base64 text under an XOR key are a save or a layer. Words and short texts do not
    /// count, because too many keys produce them.
    private mutating func beginsLayerOrSaveUnderKey(_ sample: Sample, _ depth: Int) -> Bool {
        if sample.isCompressed || !sample.isWord && sample.isSave(limits) { return true }
        guard depth > 0 else { return false }
        if let inner = sample.decoded, beginsLayerOrSaveUnderKey(inner, depth - 1) { return true }
        return keys(of: sample, depth).contains {
            $0.evidence == .signature || sample.bytes.count >= Sample.minEvidenceLength
        }
    }
}

/// The classification of bytes without removing a layer.
private enum ContentClassification {
    /// An unambiguous save.
    case save
    /// A bare word such as `YES`, which is a string in an OpenStep property list but could also be Base64 text.
    case word
    /// OpenStep text with an ignored part.
    case part

    /// Classifies bytes; nil if they are not a save.
    ///
    /// - Parameter isUnderKey: Whether the bytes are the result of XOR. Some key turns a comment into a quoted string
    ///   by chance, or words and zeros into a list of keys, `a; b;`. Such results therefore count only as words.
    init?(of bytes: [UInt8], _ limits: Limits, isUnderKey: Bool = false) {
        guard let format = Format.detected(in: bytes) else { return nil }
        if format.has(.text) {
            // Graph JSON in a text is not converted into an archive here, so nested saves stay property lists.
            let nested = NestedSaveConverter { save in save }
            guard let document = try? format.definition.read(bytes, limits: limits, nested: nested) else { return nil }
            if isUnderKey, document.isLikelyChance {
                self = .word
                return
            }
            if document.warnings.contains(where: { $0.isAboutIgnoredText && $0.kind.isOf(.openstep) }) {
                self = .part
                return
            }
        }
        self = TextFormatScanner.isWord(bytes) ? .word : .save
    }
}

extension Document {
    /// Whether a text without markup is a single string, or a dictionary in which every value equals its key.
    fileprivate var isLikelyChance: Bool {
        guard !has(.markup) else { return false }
        guard case .dictionary(let pairs) = self[root] else { return object(root).kind.isString }
        return !pairs.isEmpty && pairs.allSatisfy { sameScalar(object($0), as: object($1), in: self) }
    }
}

private struct Sample {
    let bytes: [UInt8]
    /// Whether the sample contains all bytes.
    let isWhole: Bool

    /// The maximum size of a sample in bytes.
    private static let length = 3072
    /// The length from which valid characters are unlikely to be a coincidence.
    static let minEvidenceLength = 16

    init(bytes: [UInt8], isWhole: Bool) {
        (self.bytes, self.isWhole) = (bytes, isWhole)
    }

    init(of bytes: [UInt8]) {
        self.init(bytes: Array(bytes.prefix(Self.length)), isWhole: bytes.count <= Self.length)
    }

    /// The sample decoded as Base64 text; nil if it is not Base64 text.
    var decoded: Sample? {
        if isWhole, let (bytes, _) = try? Base64Form.decode(bytes) { return Sample(bytes: bytes, isWhole: true) }
        // A damaged layer still counts. The damage is reported when the layer is removed.
        return (Base64Form.beginning(of: bytes[...]) ?? compressedBeginning).map { Sample(bytes: $0, isWhole: false) }
    }

    /// The beginning of gzip data in Base64 text that other characters follow; nil if there is none.
    private var compressedBeginning: [UInt8]? {
        let text = bytes.prefix(while: Self.isOfBase64)
        guard text.count >= Self.minEvidenceLength, text.count < bytes.count,
            let inner = Base64Form.beginning(of: text),
            Gzip.isPresent(in: inner), inner.dropFirst(2).first == 8
        else { return nil }
        return inner
    }

    // MARK: Layers

    /// Whether the bytes begin like gzip data or are zlib data.
    var isCompressed: Bool {
        Gzip.isPresent(in: bytes) && bytes.dropFirst(2).first == 8 || Zlib.isPresent(in: bytes[...]) && canInflate
    }

    /// Whether zlib data is valid. For an incomplete sample, whether it decompresses to at least 64 bytes.
    var canInflate: Bool {
        var contents: [UInt8] = []
        if isWhole {
            let read = try? Zlib.read(bytes, room: 1 << 20, keepsTrailer: true, into: &contents)
            return read.map { $0.fault == nil } ?? false
        }
        return Zlib.beginning(of: bytes, 64).count == 64
    }

    /// The beginning of the contents of deflate data; nil if the bytes are not deflate data.
    var inflated: Sample? {
        if isWhole {
            guard let (contents, form) = try? RawDeflate.read(bytes, room: Self.inflatedLength, keepsTrailer: true)
            else { return nil }
            // Without a checksum, only the end of the file or a longer text shows that this is not a coincidence.
            if form.trailer.allSatisfy({ $0 == 0 }) { return Sample(of: contents) }
            guard contents.count >= Self.minEvidenceLength else { return nil }
            return Sample(bytes: Array(contents.prefix(Self.length)), isWhole: false)
        }
        let contents = Inflate.beginning(of: bytes.span, at: 0, Self.length)
        return contents.count >= Self.minEvidenceLength ? Sample(bytes: contents, isWhole: false) : nil
    }

    /// The maximum byte count of the contents of a whole sample. Deflate data expands at most by a factor of 1032.
    private static let inflatedLength = 1032 * length

    /// Whether a byte may begin a layer or a save: the first byte of a text, a typedstream, gzip data or a byte order
    /// mark.
    static func mayBeginLayerOrSave(_ first: UInt8) -> Bool {
        switch first {
        case 0, 0x04, 0x1F, 0x09...0x0D, 0x20...0x7E, 0xEF, 0xFE, 0xFF: true
        default: false
        }
    }

    /// Whether a few bytes may begin a layer or a save.
    var mayBeginLayerOrSave: Bool {
        Gzip.isPresent(in: bytes) || bytes.first == 0x78 || bytes.allSatisfy(Self.isOfBase64)
            || Format.mayBegin(with: bytes)
    }

    private static func isOfBase64(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "+/-_=\r\n".utf8.contains(byte)
    }

    // MARK: Saves

    /// Whether the bytes are a save, or a long enough beginning of one. A damaged text is still a text.
    func isSave(_ limits: Limits) -> Bool {
        if hasSignature { return true }
        let isInformative = bytes.count >= Self.minEvidenceLength && isText && !isWord
        guard isWhole else { return isInformative && Format.mayBegin(with: bytes) }
        return isInformative && Format.detected(in: bytes) != nil || ContentClassification(of: bytes, limits) != nil
    }

    /// Whether the bytes are more than a short word, which another word may yield by chance when decoded as Base64.
    var isEvidence: Bool { bytes.count >= 4 || !isWord }

    /// Whether the bytes begin with the signature of a binary format or like an XML property list.
    var hasSignature: Bool {
        let beginning = TextFormatScanner.beginning(of: bytes, 15)
        if ["<?xml", "<!DOCTYPE plist", "<plist"].contains(where: { beginning.starts(with: $0.unicodeScalars) }) {
            return true
        }
        guard let format = Format.detected(in: bytes) else { return false }
        return !format.has(.text)
    }

    /// Whether the bytes are a text that begins like a JSON object or array, and too long to be one by chance.
    var beginsLikeJSON: Bool {
        let first = bytes.first { !$0.isSpace }
        return bytes.count >= Self.minEvidenceLength && (first == 0x7B || first == 0x5B) && isText
    }

    var isWord: Bool { TextFormatScanner.isWord(bytes) }

    var isText: Bool { TextFormatScanner.isText(bytes) }
}
