import KeyedArchives
import SaveCodec
import SaveOperations

/// One of the two saves that are compared.
enum Side {
    case before, after
}

/// Something that each of two saves has.
struct Sides<Value> {
    var before: Value
    var after: Value

    init(_ make: (Side) throws -> Value) rethrows {
        before = try make(.before)
        after = try make(.after)
    }

    subscript(side: Side) -> Value {
        get { side == .before ? before : after }
        set { if side == .before { before = newValue } else { after = newValue } }
    }
}

extension Change {
    /// The value on a side; nil where it is not.
    func value(_ side: Side) -> ViewID? { side == .before ? before : after }
}

extension ChangePlace {
    /// The position in the container of a side; nil for none.
    func position(_ side: Side) -> Int? { side == .before ? positionBefore : positionAfter }

    /// The container on a side.
    func container(_ side: Side) -> ViewID { side == .before ? before : after }
}

extension Difference {
    func view(_ side: Side) -> ObjectView { side == .before ? before : after }

    /// The address of a pair on a side; of a long one the beginning.
    func address(ofPair pair: Int, _ side: Side) -> JSONPointer {
        side == .before
            ? addressBefore(ofPair: pair, steps: Self.usualSteps) : addressAfter(ofPair: pair, steps: Self.usualSteps)
    }

    /// The keys and values of the container of a place on a side.
    func items(of place: ChangePlace, _ side: Side) -> ContainerItems { items(of: place, isAfter: side == .after) }
}

/// Two saves, what is different between them, and which of that is shown.
final class ComparedSaves {
    let before: ComparedSave
    let after: ComparedSave
    let difference: Difference
    /// The changes that are shown.
    let changes: [Change]
    /// How many changes of sharing are not, since others are.
    let hiddenCount: Int

    /// - Parameter showsSharing: whether changes of sharing are shown if there are others.
    init(
        before: ComparedSave, after: ComparedSave, options: DifferenceOptions = DifferenceOptions(),
        showsSharing: Bool = false
    ) {
        self.before = before
        self.after = after
        difference = Difference(before.view, after.view, options)
        let others = showsSharing ? [] : difference.changes.filter { $0.kind != .shared }
        changes = others.isEmpty ? difference.changes : others
        hiddenCount = difference.changes.count - changes.count
    }

    /// How many of the changes that are shown are of each kind.
    var counts: [Change.Kind: Int] {
        changes.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }

    var areArchives: Bool { before.view.archive != nil && after.view.archive != nil }

    var documents: [Document] { [before.view.document, after.view.document] }
}

/// One of two saves that are compared.
struct ComparedSave {
    /// The name that messages and reports have.
    let title: String
    /// The format of its bytes.
    let format: Format
    let view: ObjectView
}
