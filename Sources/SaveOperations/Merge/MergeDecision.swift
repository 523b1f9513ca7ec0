/// What becomes of a slot.
enum MergeDecision: Equatable {
    /// What ours has, or does not have.
    case ours
    /// What theirs has, or does not have.
    case theirs
    /// What both have, one behind the other.
    case both
    /// Something else.
    case value(MergedValue)
}
