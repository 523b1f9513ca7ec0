package import SaveCodec
import Synchronization

/// How saves that are stored in values of other saves are opened: how deep, and how many bytes of them.
///
///     fog  data  62 70 6C 69 73 74 30 30 …     its bytes are a file of their own,
///          └─ root   Fog                       so this is what is in it, at /fog/root
package struct Nesting: Sendable {
    /// How many of them are opened within each other.
    package let levels: Int
    /// The limits of reading each.
    let limits: Limits
    /// Whether archives are shown as they are stored.
    package let isRaw: Bool
    /// How much may be kept of what is opened through the view of a file; nil before there is that view.
    private var room: NestedRoom?

    /// Creates a way of opening; what is not named has its default.
    package init(levels: Int = NestedSaveText.maxLevel, limits: Limits = Limits(), isRaw: Bool = false) {
        self.levels = levels
        self.limits = limits
        self.isRaw = isRaw
    }

    /// What a property list in data is, in binary or XML form; nil if its bytes do not begin like one.
    ///
    /// - Throws: what is wrong with a property list that they begin like.
    package func open(_ bytes: ArraySlice<UInt8>) throws(Problem) -> ObjectView? {
        guard let format = Self.format(of: bytes) else { return nil }
        return try ObjectView(of: Document.read(Array(bytes), as: format, limits: limits), limits: limits, isRaw: isRaw)
    }

    /// The format that data begins like, so that it is taken for a save wherever it stands.
    package static func format(of bytes: ArraySlice<UInt8>) -> Format? {
        if bytes.starts(with: "bplist".utf8) { return .binary }
        if TypedStream.begins(bytes) { return .typedStream }
        guard bytes.first == UInt8(ascii: "<") else { return nil }
        let head = bytes.prefix(1024)
        guard ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { head.starts(with: $0.utf8) }) else { return nil }
        // Other XML is data, too.
        let tag = Array("<plist".utf8)
        return head.indices.contains { head[$0...].starts(with: tag) } ? .xml : nil
    }

    /// The same for a file of a size.
    func opened(for imageSize: Int) -> Nesting {
        var nesting = self
        if room == nil { nesting.room = NestedRoom(limits.mostRead(of: imageSize)) }
        return nesting
    }

    /// The same for what is in a save that is opened; nil where the next would be too deep.
    package func within(_ bytes: Int) throws(Problem) -> Nesting? {
        guard room?.take(bytes) ?? true else { throw .nestedTooLarge() }
        guard levels > 1 else { return nil }
        var nesting = Nesting(levels: levels - 1, limits: limits, isRaw: isRaw)
        nesting.room = room
        return nesting
    }

    /// The same, for a file that takes the place of the one that it was for.
    package var anew: Nesting { Nesting(levels: levels, limits: limits, isRaw: isRaw) }
}

/// How many bytes of nested saves may still be opened and kept, by all views of a file.
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
