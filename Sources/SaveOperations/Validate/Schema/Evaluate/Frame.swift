import KeyedArchive

/// An application that is being worked out: how far it is.
struct Frame {
    let application: Application
    /// What is in the value; nothing of a scalar.
    private let contents: ViewContents
    private let kind: Kind
    /// Whether the answer is noted, and so whether a cycle could lead back here.
    let isNoted: Bool
    /// How many provisional answers there were before.
    let mark: Int
    /// The least depth of an open application that the answer rests on.
    var lowest = Int.max
    /// The applicator that is at work.
    var applicator = 0
    /// How far it is, and what it has counted.
    var step = 0
    var stage = 0
    var count = 0
    /// What the other applicators left over, while that is found out.
    var walk: EvaluatedWalk?

    private enum Kind {
        case scalar
        case array
        case object(classPosition: Int?)
    }

    init(_ application: Application, _ value: InstanceValue, isNoted: Bool, mark: Int) {
        self.application = application
        switch value {
        case .array(let contents): (self.contents, kind) = (contents, .array)
        case .object(let contents, let position): (self.contents, kind) = (contents, .object(classPosition: position))
        default: (contents, kind) = (.nothing, .scalar)
        }
        self.isNoted = isNoted
        self.mark = mark
    }

    /// The value if others are in it, else null.
    var value: InstanceValue {
        switch kind {
        case .scalar: .null
        case .array: .array(contents)
        case .object(let position): .object(contents, classPosition: position)
        }
    }

    /// Goes on to the next applicator.
    mutating func advance() {
        applicator += 1
        step = 0
        stage = 0
        count = 0
        walk = nil
    }
}

/// What an applicator does next.
enum Move {
    /// Another schema is applied to a value.
    case apply(Int, InstanceID)
    /// Another schema is applied in a scope of its own.
    case applyInScope(Int, scope: Int, InstanceID)
    case holds
    case fails
}
