/// How much a reader or writer does before it refuses.
public struct Limits: Sendable {
    /// How many containers may be nested in each other. Core Foundation's limit, and the default, is 512.
    public var maxDepth: Int

    /// How many times larger than its file a document may become when shared objects are written out in full, beside
    /// ``expansionFloor``.
    public var expansionFactor: Int

    /// How large, in objects and bytes of their contents, a document of any file size may become when written out.
    public var expansionFloor: Int

    /// How many times as much as by default a file may expand to, have looked at, and have shown.
    public var workFactor: Int

    /// Creates limits; what is not named has its default.
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
    /// How many bytes of a file of this size may be looked at. Objects of a binary file may overlap, and then it holds far
    /// more than it has.
    package func mostRead(of size: Int) -> Int { work(16, size) }

    /// How many bytes may be written to show a file of this size.
    package func mostShown(of size: Int) -> Int { work(256, size) }

    /// How many bytes may come out of the layers around what is in a file of this size, all together: as many as are shown,
    /// and no more than a file may have that is in none.
    package func mostUnwrapped(of size: Int) -> Int {
        min(work(256, size), (2 << 30).multipliedSaturated(by: workFactor))
    }

    private func work(_ factor: Int, _ size: Int) -> Int {
        size.multipliedSaturated(by: factor).addingSaturated(64 << 20).multipliedSaturated(by: workFactor)
    }
}
