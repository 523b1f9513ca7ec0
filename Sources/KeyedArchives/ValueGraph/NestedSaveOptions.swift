package import SaveCodec
import Synchronization

/// The options for opening nested saves: the depth, the limits, and the byte budget.
///
///     fog  data  62 70 6C 69 73 74 30 30 …     its bytes are a file of their own,
///          └─ root   Fog                       so its contents are shown at /fog/root
package struct NestedSaveOptions: Sendable {
    /// The number of nested saves that may be opened within each other.
    package let levels: Int
    let limits: Limits
    /// Whether archives are shown as stored property lists.
    package let isRaw: Bool
    /// The budget that the view of a file shares with all saves nested in it; nil before the view exists.
    private var room: NestedSaveBudget?

    package init(levels: Int = NestedSaveText.maxLevel, limits: Limits = Limits(), isRaw: Bool = false) {
        self.levels = levels
        self.limits = limits
        self.isRaw = isRaw
    }

    /// The kinds of text that count as saves, in addition to data that begins like a save.
    enum Texts {
        /// JSON arrays and objects.
        case json
        /// All arrays and dictionaries in JSON or OpenStep text, also as Base64.
        case all
    }

    /// Returns the value graph of the save in a value, and the byte count of that save. Returns nil if the value holds
    /// no save, or holds one of a kind that only some views open.
    ///
    /// - Parameter room: The maximum byte count, from which the bytes of compressed layers are deducted.
    /// - Throws: The problem that makes the bytes unreadable.
    package func open(
        _ candidate: NestedSaveCandidate, room: inout Int
    ) throws(Problem) -> (view: ObjectView, size: Int)? {
        let budget = NestedSaveBudget(room)
        defer { room = budget.left }
        var nesting = self
        nesting.room = budget
        return try candidate.read { (candidate) throws(Problem) -> (view: ObjectView, size: Int)? in
            guard let save = try nesting.save(in: candidate.bytes, .json) else { return nil }
            let document = try Document.readSave(Array(save.bytes), as: save.format, limits: limits)
            return (try ObjectView(of: document, limits: limits, isRaw: isRaw), save.bytes.count)
        }
    }

    /// Whether the first and last units of a text are the brackets of an array or a dictionary in JSON.
    ///
    /// Only the first and last 64 units are read, so that the time is constant. Returns false if they do not contain
    /// the brackets.
    static func mayBeJSON(_ text: some RandomAccessCollection<some FixedWidthInteger & UnsignedInteger>) -> Bool {
        guard let first = text.prefix(64).first(where: { !$0.isSpace }), first == 0x7B || first == 0x5B,
            let last = text.suffix(64).last(where: { !$0.isSpace })
        else { return false }
        return last == first + 2
    }

    /// Whether data may hold a save that all views open: it begins like a property list or a typedstream, or may be
    /// JSON or compressed data.
    static func mayHoldSave(_ bytes: ArraySlice<UInt8>) -> Bool {
        if format(of: bytes) != nil || mayBeJSON(bytes) { return true }
        guard Layers.areCompressed(bytes) else { return false }
        let beginning = beginning(of: bytes)
        return format(of: beginning[...]) != nil || mayBeginJSON(beginning)
    }

    private static func mayBeginJSON(_ text: [UInt8]) -> Bool {
        text.first { !$0.isXMLSpace }.map { $0 == 0x7B || $0 == 0x5B } ?? false
    }

    /// Whether data begins like a binary or XML property list or a typedstream, or like one of them in gzip or zlib
    /// data.
    package static func holdsSave(_ bytes: ArraySlice<UInt8>) -> Bool {
        if format(of: bytes) != nil { return true }
        return Layers.areCompressed(bytes) && format(of: beginning(of: bytes)[...]) != nil
    }

    /// Returns the first decompressed bytes of compressed data, at most 1,024.
    private static func beginning(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        Layers.beginning(of: Array(bytes.prefix(4096)), 1024)
    }

    /// Returns the format of data that begins like a save and is therefore always treated as one, or nil.
    package static func format(of bytes: ArraySlice<UInt8>) -> Format? {
        if BinaryPlist.begins(bytes) { return .binary }
        if TypedStream.begins(bytes) { return .typedStream }
        guard bytes.first == UInt8(ascii: "<") else { return nil }
        let head = bytes.prefix(1024)
        guard ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { head.starts(with: $0.utf8) }) else { return nil }
        // Other XML is ordinary data.
        let tag = Array("<plist".utf8)
        return head.indices.contains { head[$0...].starts(with: tag) } ? .xml : nil
    }

    /// A save in a value, and the layers around it.
    struct LayeredSave {
        let bytes: ArraySlice<UInt8>
        let format: Format
        let layers: Layers
    }

    /// Returns the save in a value and the layers around it; nil if the value has no save.
    ///
    /// The bytes of compressed layers are deducted from the budget; the bytes of the save are not.
    ///
    /// - Parameter texts: The kinds of text that count as saves. Base64 around a save is removed only for
    ///   ``Texts/all``.
    /// - Throws: The problem of a damaged layer, or an error if the budget is exhausted.
    func save(in value: ArraySlice<UInt8>, _ texts: Texts) throws(Problem) -> LayeredSave? {
        var (bytes, layers) = (value, Layers())
        while true {
            if let format = Self.format(of: bytes) ?? format(of: bytes, texts) {
                return LayeredSave(bytes: bytes, format: format, layers: layers)
            }
            guard mayHoldSave(bytes, texts),
                let contents = try removeLayer(of: bytes, &layers, decodes: texts == .all)
            else { return nil }
            bytes = contents[...]
        }
    }

    private func format(of text: ArraySlice<UInt8>, _ texts: Texts) -> Format? {
        switch texts {
        case .json: Self.mayBeJSON(text) ? .json : nil
        case .all: Self.containerFormat(of: text)
        }
    }

    /// Returns the format of a text whose root is an array or a dictionary; nil for any other text. Scalars do not
    /// count, because every word is a valid OpenStep property list.
    private static func containerFormat(of text: ArraySlice<UInt8>) -> Format? {
        guard mayBeContainer(text), let format = Format.detected(in: Array(text)), format.has(.text) else { return nil }
        return format
    }

    /// Whether a text may represent an array or a dictionary.
    private static func mayBeContainer(_ text: ArraySlice<UInt8>) -> Bool {
        text.first { !$0.isXMLSpace }.map("{[(<".utf8.contains) ?? false
    }

    /// Returns the save in a value, its format and the layers around it; nil if the value has no save, or one that not
    /// all views open.
    package func contents(
        of candidate: NestedSaveCandidate
    ) throws(Problem) -> (bytes: ArraySlice<UInt8>, format: Format, layers: Layers)? {
        try save(in: candidate.bytes, .json).map { ($0.bytes, $0.format, $0.layers) }
    }

    /// Whether removing a layer of bytes may reveal a save. Most compressed values, such as images, hold none.
    private func mayHoldSave(_ bytes: ArraySlice<UInt8>, _ texts: Texts) -> Bool {
        guard Layers.areCompressed(bytes) else { return texts == .all }
        guard texts == .all else { return Self.mayHoldSave(bytes) }
        let beginning = Self.beginning(of: bytes)
        if Self.format(of: beginning[...]) != nil { return true }
        return Self.mayBeContainer(beginning[...]) || Layers.mayBeBase64(beginning)
    }

    private func removeLayer(
        of bytes: ArraySlice<UInt8>, _ layers: inout Layers, decodes: Bool
    ) throws(Problem) -> [UInt8]? {
        guard !Layers.areCompressed(bytes) || room?.take(bytes.count) ?? true else { throw .nestedTooLarge() }
        let (bytes, most) = (Array(bytes), room?.left ?? limits.maxReadByteCount(of: bytes.count))
        do throws(Problem) {
            return try layers.removeLayer(of: bytes, decodes: decodes, room: most)
        } catch {
            // Many bytes may have been decompressed before the damage was found.
            _ = room?.take(Layers.contentSize(of: bytes, atMost: most))
            throw error.id == "limit.unwrapped" ? .nestedTooLarge() : error
        }
    }

    /// Returns a copy with a byte budget for a file of this size, or with the budget that it already has.
    func opened(for imageSize: Int) -> NestedSaveOptions {
        var nesting = self
        if room == nil { nesting.room = NestedSaveBudget(limits.maxReadByteCount(of: imageSize)) }
        return nesting
    }

    /// Returns the options for saves within a nested save, or nil at the deepest level.
    ///
    /// - Parameter bytes: The byte count of the nested save, which is deducted from the budget.
    /// - Throws: An error if the budget is exhausted.
    package func within(_ bytes: Int) throws(Problem) -> NestedSaveOptions? {
        guard room?.take(bytes) ?? true else { throw .nestedTooLarge() }
        guard levels > 1 else { return nil }
        var nesting = NestedSaveOptions(levels: levels - 1, limits: limits, isRaw: isRaw)
        nesting.room = room
        return nesting
    }

    /// A copy without a budget, for the view of an edited file.
    package var withoutBudget: NestedSaveOptions { NestedSaveOptions(levels: levels, limits: limits, isRaw: isRaw) }
}

/// The number of bytes of nested saves that all views of a file may still open and keep.
private final class NestedSaveBudget: Sendable {
    private let bytes: Mutex<Int>

    init(_ size: Int) {
        bytes = Mutex(size)
    }

    /// The number of bytes that are left.
    var left: Int { bytes.withLock { $0 } }

    func take(_ count: Int) -> Bool {
        bytes.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }
}
