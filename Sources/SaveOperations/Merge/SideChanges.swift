import KeyedArchives
import SaveCodec

/// One of the two merged versions.
package enum MergeSide: Sendable {
    case ours, theirs
}

struct MergeInputs {
    /// The common ancestor of both sides; nil if it is unknown.
    let base: ObjectView?
    let ours: ObjectView
    let theirs: ObjectView
}

/// The changes that both sides made to the base. A class, so that it is not copied for every conflict.
final class BothSideChanges: Sendable {
    let ours: SideChanges
    let theirs: SideChanges

    init(ours: SideChanges, theirs: SideChanges) {
        (self.ours, self.theirs) = (ours, theirs)
    }
}

/// The changes that one side made to the base.
struct SideChanges {
    /// A slot of the base, in the container of a pair.
    struct Slot: Hashable {
        let pair: Int
        let position: Int
    }

    /// The difference from the base to the side.
    let difference: Difference
    /// The slots of the base that hold a lost container: this side changed the contents, and the other side no longer
    /// has the container.
    private(set) var lostSlots: Set<Slot> = []
    /// Whether this side changed something in the root, and the other side replaced the root.
    private(set) var hasLostRoot = false
    /// For each value of the base, one more than the number of its pair; zero if it has none.
    private let pairs: [UInt32]
    /// For each pair, one more than the position of its edits in the difference; zero if it has none.
    private let edits: [UInt32]

    init(_ base: ObjectView, _ side: ObjectView, options: DifferenceOptions) {
        difference = Difference(base, side, options: options, keepsAlignments: true)
        var pairs = [UInt32](repeating: 0, count: base.count)
        for (number, pair) in difference.pairs.enumerated() {
            pairs[pair.before.index] = UInt32(truncatingIfNeeded: number + 1)
        }
        var edits = [UInt32](repeating: 0, count: difference.pairs.count)
        for (position, edit) in difference.edits.enumerated() {
            edits[edit.pair] = UInt32(truncatingIfNeeded: position + 1)
        }
        (self.pairs, self.edits) = (pairs, edits)
    }

    var view: ObjectView { difference.after }

    /// Whether the root is a different container or a different scalar.
    var replacesRoot: Bool { difference.pairs.isEmpty && !difference.isEmpty }

    /// Returns the number of the pair of a container of the base; nil if the side no longer has it.
    func pair(ofBase id: ViewID) -> Int? {
        pairs[id.index] == 0 ? nil : Int(pairs[id.index]) - 1
    }

    /// Returns the counterpart in the base of a container of the side; nil for a new container.
    func base(of id: ViewID) -> ViewID? {
        difference.partner(ofAfter: id).map { difference.pairs[$0].before }
    }

    func edits(of pair: Int) -> [SlotEdit] {
        edits[pair] == 0 ? [] : difference.edits[Int(edits[pair]) - 1].edits
    }

    func hasEdits(_ pair: Int) -> Bool { edits[pair] > 0 }

    /// Finds the changes of this side inside containers that the other side no longer has.
    mutating func findLost(_ other: SideChanges) {
        let pairs = difference.pairs
        var isLost = edits.map { $0 > 0 }
        for (number, pair) in pairs.enumerated().reversed() {
            guard isLost[number], other.pair(ofBase: pair.before) == nil else { continue }
            let parent = Int(pair.parent)
            if number == 0 {
                hasLostRoot = true
            } else if other.pair(ofBase: pairs[parent].before) == nil {
                isLost[parent] = true
            } else {
                lostSlots.insert(Slot(pair: parent, position: Int(pair.positionBefore)))
            }
        }
    }
}

// MARK: The newer side

/// A cache of the newer side at each address and field.
struct NewestSides {
    struct Question: Hashable {
        let ours: ViewID
        let theirs: ViewID
        let field: [UInt16]
    }

    fileprivate var byField: [Question: MergeSide?] = [:]
    fileprivate var byAddress: [JSONPointer: MergeSide?] = [:]
}

extension ThreeWayMerge {
    /// Returns the newer side; nil if it cannot be determined.
    mutating func newestSide(
        _ versions: SlotVersions, _ age: MergeRule.Age, in container: MergeContainer?
    ) -> MergeSide? {
        switch age {
        case .file: return options.dates.flatMap { Self.newer($0.ours, $0.theirs) }
        case .address(let address): return newestSide(at: address)
        case .field(let name):
            if let x = versions.ours, let y = versions.theirs, let side = newer(x, y, by: name) { return side }
            return newestAround(container, name)
        }
    }

    /// Returns the newer side by the values at an address; nil if it cannot be determined.
    mutating func newestSide(at address: JSONPointer) -> MergeSide? {
        if let known = newest.byAddress[address] { return known }
        var side: MergeSide?
        if case .found(let x, let mine) = ours.find(address), case .found(let y, let other) = theirs.find(address) {
            side = Self.newer(mine.orderedScalar(x), other.orderedScalar(y))
        }
        newest.byAddress[address] = .some(side)
        return side
    }

    /// Returns the newer side according to a field. The nearest enclosing container in which the field differs decides.
    private mutating func newestAround(_ container: MergeContainer?, _ name: [UInt16]) -> MergeSide? {
        var container = container
        for _ in 0..<Difference.defaultMaxTokens {
            guard let current = container else { return nil }
            if let pairing = pairing(of: current), let side = newer(pairing.ours, pairing.theirs, by: name) {
                return side
            }
            container = around(current)
        }
        return nil
    }

    private mutating func newer(_ x: ViewID, _ y: ViewID, by name: [UInt16]) -> MergeSide? {
        let question = NewestSides.Question(ours: x, theirs: y, field: name)
        if let known = newest.byField[question] { return known }
        var side: MergeSide?
        if let a = field(name, of: x, in: ours), let b = field(name, of: y, in: theirs) {
            side = Self.newer(ours.orderedScalar(a), theirs.orderedScalar(b))
        }
        newest.byField[question] = .some(side)
        return side
    }

    private func field(_ name: [UInt16], of id: ViewID, in view: ObjectView) -> ViewID? {
        let value = view[id]
        guard let position = view.position(of: AddressToken(name), in: id), value.variant.isKeyed else { return nil }
        return view.item(position, of: value.contents).id
    }

    private static func newer(_ x: Node?, _ y: Node?) -> MergeSide? {
        // Dates of JSON saves are strings.
        guard let a = x?.dated, let b = y?.dated, let order = a.order(comparedTo: b), order != 0 else { return nil }
        return order > 0 ? .ours : .theirs
    }

    private static func newer(_ x: Double, _ y: Double) -> MergeSide? {
        x > y ? .ours : y > x ? .theirs : nil
    }
}

extension Node {
    /// The date that a string spells; any other value as it is.
    fileprivate var dated: Node {
        guard case .string(let text) = self, let seconds = text.date else { return self }
        return .date(seconds)
    }
}
