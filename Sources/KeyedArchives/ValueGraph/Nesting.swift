package import SaveCodec
import Synchronization

/// The options for opening nested saves: the depth, the limits, and the byte budget.
///
///     fog  data  62 70 6C 69 73 74 30 30 …     its bytes are a file of their own,
///          └─ root   Fog                       so its contents are shown at /fog/root
package struct Nesting: Sendable {
    /// The number of nested saves that may be opened within each other.
    package let levels: Int
    let limits: Limits
    /// Whether archives are shown as stored property lists.
    package let isRaw: Bool
    /// The budget that the view of a file shares with all saves nested in it; nil before the view exists.
    private var room: NestedRoom?

    /// Creates options, with defaults for those not given.
    package init(levels: Int = NestedSaveText.maxLevel, limits: Limits = Limits(), isRaw: Bool = false) {
        self.levels = levels
        self.limits = limits
        self.isRaw = isRaw
    }

    /// Returns the value graph of a binary or XML property list or a typedstream in data, or nil if the bytes begin
    /// like none of them.
    ///
    /// - Throws: The problem that makes the bytes unreadable.
    package func open(_ bytes: ArraySlice<UInt8>) throws(Problem) -> ObjectView? {
        guard let format = Self.format(of: bytes) else { return nil }
        return try ObjectView(of: Document.read(Array(bytes), as: format, limits: limits), limits: limits, isRaw: isRaw)
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

    /// Returns a copy with a byte budget for a file of this size, or with the budget that it already has.
    func opened(for imageSize: Int) -> Nesting {
        var nesting = self
        if room == nil { nesting.room = NestedRoom(limits.mostRead(of: imageSize)) }
        return nesting
    }

    /// Returns the options for saves within a nested save, or nil at the deepest level.
    ///
    /// - Parameter bytes: The byte count of the nested save, which is deducted from the budget.
    /// - Throws: An error if the budget is exhausted.
    package func within(_ bytes: Int) throws(Problem) -> Nesting? {
        guard room?.take(bytes) ?? true else { throw .nestedTooLarge() }
        guard levels > 1 else { return nil }
        var nesting = Nesting(levels: levels - 1, limits: limits, isRaw: isRaw)
        nesting.room = room
        return nesting
    }

    /// A copy without a budget, for the view of an edited file.
    package var anew: Nesting { Nesting(levels: levels, limits: limits, isRaw: isRaw) }
}

/// The number of bytes of nested saves that all views of a file may still open and keep.
private final class NestedRoom: Sendable {
    private let left: Mutex<Int>

    init(_ size: Int) {
        left = Mutex(size)
    }

    func take(_ bytes: Int) -> Bool {
        left.withLock { left in
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
    }
}
