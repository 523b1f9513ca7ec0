/// How much a reader or writer does before it refuses.
public struct Limits: Sendable {
    /// How many containers may be nested in each other. Core Foundation's limit, and the default, is 512.
    public var maxDepth: Int

    /// How many times larger than its file a document may become when shared objects are written out in full, beside
    /// ``expansionFloor``.
    public var expansionFactor: Int

    /// How large, in objects and bytes of their contents, a document of any file size may become when written out.
    public var expansionFloor: Int

    /// Creates limits; what is not named has its default.
    public init(maxDepth: Int = 512, expansionFactor: Int = 64, expansionFloor: Int = 4 << 20) {
        self.maxDepth = maxDepth
        self.expansionFactor = expansionFactor
        self.expansionFloor = expansionFloor
    }
}
