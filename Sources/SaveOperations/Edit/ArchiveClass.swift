/// A class as an archive records it.
package struct ArchiveClass: Sendable, Hashable {
    /// Its name.
    package let name: [UInt16]
    /// The class and its ancestors; nil where none are recorded.
    package let chain: [[UInt16]]?
    /// Names to fall back to; nil where none are recorded.
    package let hints: [[UInt16]]?

    package init(name: [UInt16], chain: [[UInt16]]?, hints: [[UInt16]]? = nil) {
        self.name = name
        self.chain = chain
        self.hints = hints
    }
}
