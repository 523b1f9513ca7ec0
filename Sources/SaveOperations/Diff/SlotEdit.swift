/// A step of the way from a container before to its partner after.
///
/// Positions are those of the contents in the views, `before` in the container as it was and `after` in the container as
/// it will be, so that no step shifts those of another. Applied to an array: the elements at the positions `before` of
/// ``remove(before:)`` and ``move(before:after:)`` are taken out; what is left keeps its order; then the values of
/// ``insert(after:)`` and ``move(before:after:)`` are put in, in rising order of `after`, each at just that position. In
/// a set and in a dictionary, where nothing is moved, positions only name the slots.
enum SlotEdit: Sendable, Hashable {
    /// The slot stays, with its key; its value becomes that of the slot after.
    case set(before: Int, after: Int)
    /// The slot goes.
    case remove(before: Int)
    /// A slot comes, with key and value.
    case insert(after: Int)
    /// An element takes another place among the others. Its value may be set besides.
    case move(before: Int, after: Int)
    /// The container becomes an object of its partner's class.
    case setClass
}

/// The steps for one pair of containers.
struct PairEdit: Sendable {
    /// The number of the pair.
    let pair: Int
    /// The steps.
    let edits: [SlotEdit]
}
