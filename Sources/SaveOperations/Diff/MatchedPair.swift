package import KeyedArchives

/// Two containers that are the same one, before and after.
///
/// The pairs of a comparison form a tree: each but that of the roots was found through a pair of slots of another.
package struct MatchedPair: Sendable {
    /// The container before.
    package let before: ViewID
    /// The container after.
    package let after: ViewID
    /// The number of the pair through whose slots this was found; its own for the roots.
    package let parent: Int32
    /// The position of the slot before.
    package let positionBefore: Int32
    /// The position of the slot after.
    package let positionAfter: Int32
}
