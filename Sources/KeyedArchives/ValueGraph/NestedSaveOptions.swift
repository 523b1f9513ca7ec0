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

    /// Creates options, with defaults for those not given.
    package init(levels: Int = NestedSaveText.maxLevel, limits: Limits = Limits(), isRaw: Bool = false) {
        self.levels = levels
        self.limits = limits
        self.isRaw = isRaw
    }

    /// Returns the value graph of a binary or XML property list or a typedstream in data, and the byte count of that
    /// save. Returns nil if ``holdsSave(_:)`` is false.
    ///
    /// - Parameter room: The maximum byte count, from which the bytes of compressed layers are deducted.
    /// - Throws: The problem that makes the bytes unreadable.
    package func open(
        _ bytes: ArraySlice<UInt8>, room: inout Int
    ) throws(Problem) -> (view: ObjectView, size: Int)? {
        let budget = NestedSaveBudget(room)
        defer { room = budget.left }
        var nesting = self
        nesting.room = budget
        guard let save = try nesting.save(in: bytes) else { return nil }
        let document = try Document.read(Array(save.bytes), as: save.format, limits: limits)
        return (try ObjectView(of: document, limits: limits, isRaw: isRaw), save.bytes.count)
    }

    /// Whether data begins like a binary or XML property list or a typedstream, or like one of them in gzip or zlib
    /// data.
    package static func holdsSave(_ bytes: ArraySlice<UInt8>) -> Bool {
        if format(of: bytes) != nil { return true }
        return Layers.areCompressed(bytes) && format(of: beginning(of: bytes)[...]) != nil
    }

    /// Returns the first decompressed bytes of compressed data.
    private static func beginning(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        Layers.beginning(of: Array(bytes.prefix(4096)), 1024)
    }

    /// Returns the format of data that begins like a save and is therefore always treated as one, or nil.
    package static func format(of bytes: ArraySlice<UInt8>) -> Format? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
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

    /// Returns the save in a value and the layers around it; nil if there is none.
    ///
    /// The bytes of compressed layers are deducted from the budget. Those of the save are not.
    ///
    /// - Parameter textFormat: Returns the format of a text. It is nil if the save must begin like one, and only gzip
    ///   and zlib may be around it; otherwise Base64 may be, too.
    /// - Throws: The problem of a damaged layer, or an error if the budget is exhausted.
    func save(
        in value: ArraySlice<UInt8>, textFormat: ((ArraySlice<UInt8>) -> Format?)? = nil
    ) throws(Problem) -> LayeredSave? {
        var (bytes, layers) = (value, Layers())
        while true {
            if let format = Self.format(of: bytes) ?? textFormat?(bytes) {
                return LayeredSave(bytes: bytes, format: format, layers: layers)
            }
            guard mayHoldSave(bytes, hasText: textFormat != nil),
                let contents = try removeLayer(of: bytes, &layers, decodes: textFormat != nil)
            else { return nil }
            bytes = contents[...]
        }
    }

    /// Returns the save in data for which ``holdsSave(_:)`` is true, its format and the layers around it.
    package func contents(
        of bytes: ArraySlice<UInt8>
    ) throws(Problem) -> (bytes: ArraySlice<UInt8>, format: Format, layers: Layers)? {
        try save(in: bytes).map { ($0.bytes, $0.format, $0.layers) }
    }

    /// Whether decompressing bytes may reveal a save. Most compressed values, such as images, hold none.
    private func mayHoldSave(_ bytes: ArraySlice<UInt8>, hasText: Bool) -> Bool {
        guard Layers.areCompressed(bytes) else { return hasText }
        let beginning = Self.beginning(of: bytes)
        if Self.format(of: beginning[...]) != nil { return true }
        return hasText && (ObjectView.mayBeContainer(beginning[...]) || Layers.mayBeBase64(beginning))
    }

    private func removeLayer(
        of bytes: ArraySlice<UInt8>, _ layers: inout Layers, decodes: Bool
    ) throws(Problem) -> [UInt8]? {
        guard !Layers.areCompressed(bytes) || room?.take(bytes.count) ?? true else { throw .nestedTooLarge() }
        let (bytes, most) = (Array(bytes), room?.left ?? limits.maxReadByteCount(of: bytes.count))
        do throws(Problem) {
            return try layers.removeLayer(of: bytes, decodes: decodes, room: most)
        } catch {
            // Much may have been decompressed before the damage was found.
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
