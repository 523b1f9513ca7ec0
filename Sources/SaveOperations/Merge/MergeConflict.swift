package import KeyedArchives

/// A place of which both sides made something else.
package struct MergeConflict: Sendable {
    /// What is in conflict.
    package enum Subject: Sendable {
        case value
        /// The class of an object.
        case className
    }

    package let subject: Subject
    /// Where it is, see ``ThreeWayMerge/address(of:)``.
    let place: MergePlace
    /// The value in the base; nil if there was none. Of a class the object.
    package let base: ViewID?
    /// The value in ours; nil if it was removed.
    package let ours: ViewID?
    /// The value in theirs; nil if it was removed.
    package let theirs: ViewID?
}
