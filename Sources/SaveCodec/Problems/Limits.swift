/// The limits beyond which a reader or writer refuses a file.
public struct Limits: Sendable {
    /// The maximum number of containers nested in one another. The default is 512, as in Core Foundation.
    public var maxDepth: Int

    /// The expanded size allowed per byte of the file.
    ///
    /// The expanded size is the number of objects plus the bytes of their contents, with all shared objects written
    /// out.
    public var expansionFactor: Int

    /// The expanded size allowed for a file of any size, to which the size allowed by ``expansionFactor`` is added.
    public var expansionFloor: Int

    /// The factor that multiplies the limits for expansion, for reading and for showing a file.
    public var workFactor: Int

    /// Creates limits, with defaults for omitted ones.
    public init(
        maxDepth: Int = 512, expansionFactor: Int = 64, expansionFloor: Int = 4 << 20, workFactor: Int = 1
    ) {
        self.maxDepth = maxDepth
        self.expansionFactor = expansionFactor
        self.expansionFloor = expansionFloor
        self.workFactor = workFactor
    }
}

// MARK: Work

extension Limits {
    /// Returns the maximum number of bytes that may be read to search a file of a given size.
    ///
    /// Objects of a binary file may overlap, so their total size can far exceed the size of the file.
    package func maxReadByteCount(of size: Int) -> Int { work(16, size) }

    /// Returns the maximum number of bytes that may be written to show a file of a given size.
    package func maxShownByteCount(of size: Int) -> Int { work(256, size) }

    /// Returns the maximum total number of bytes that the layers of a file of a given size may decode to.
    ///
    /// This is the number of bytes that may be shown, but at most the size allowed for a file without layers.
    package func maxDecodedByteCount(of size: Int) -> Int {
        min(work(256, size), (2 << 30).multipliedSaturated(by: workFactor))
    }

    private func work(_ factor: Int, _ size: Int) -> Int {
        size.multipliedSaturated(by: factor).addingSaturated(64 << 20).multipliedSaturated(by: workFactor)
    }
}
