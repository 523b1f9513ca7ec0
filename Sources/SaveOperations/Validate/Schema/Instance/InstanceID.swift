import KeyedArchive

/// The identity of a value that a schema looks at: a value of a view, or one that only its plain JSON has.
enum InstanceID: Hashable, Sendable {
    /// A value of the view.
    case value(ViewID)
    /// The name that a key stands for, which is no string itself.
    case name(ViewID)
    /// The name of a class, as the value of the member `$class`.
    case className(Int)
    /// The name `$class`.
    case classKey

    /// A number from zero, for tables by identity.
    var number: Int {
        switch self {
        case .value(let id): 4 &* id.index
        case .name(let id): 4 &* id.index &+ 1
        case .className(let position): 4 &* position &+ 2
        case .classKey: 3
        }
    }
}
