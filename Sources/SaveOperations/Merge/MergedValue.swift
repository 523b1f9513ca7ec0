/// The value that a slot of ours gets.
enum MergedValue: Equatable {
    /// That of a slot of theirs.
    case theirs(Int)
    /// A number that neither side has.
    case integer(Int128)
    case real(Double)
}
