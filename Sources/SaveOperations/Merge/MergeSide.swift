import KeyedArchives
import SaveCodec

/// One of the sides.
package enum MergeSideName: Sendable {
    case ours, theirs
}

/// The versions of a save that are merged.
struct MergedVersions {
    /// What both sides were; nil if that is not known.
    let base: ObjectView?
    let ours: ObjectView
    let theirs: ObjectView
}

/// What one side made of the base.
struct MergeSide {
    /// A slot of a pair's container before.
    struct Slot: Hashable {
        let pair: Int
        let position: Int
    }

    /// The way from the base to the side.
    let difference: Difference
    /// The slots whose containers the other side no longer has although this one changed something in them.
    private(set) var lostSlots: Set<Slot> = []
    /// Whether this side changed something in the root, and the other side has another one.
    private(set) var hasLostRoot = false
    /// One more than the number of the pair of each container of the base, by identity.
    private let pairs: [UInt32]
    /// One more than the position among the edits of each pair's.
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

    /// The view of the side.
    var view: ObjectView { difference.after }

    /// Whether the root is no longer the same container, or another scalar.
    var replacesRoot: Bool { difference.pairs.isEmpty && !difference.isEmpty }

    /// The number of the pair of a container of the base; nil for one that the side no longer has.
    func pair(ofBase id: ViewID) -> Int? {
        pairs[id.index] == 0 ? nil : Int(pairs[id.index]) - 1
    }

    /// The container of the base that one of the side is; nil for a new one.
    func base(of id: ViewID) -> ViewID? {
        difference.partner(ofAfter: id).map { difference.pairs[$0].before }
    }

    /// What the side did to the slots of a pair.
    func edits(of pair: Int) -> [SlotEdit] {
        edits[pair] == 0 ? [] : difference.edits[Int(edits[pair]) - 1].edits
    }

    func hasEdits(_ pair: Int) -> Bool { edits[pair] > 0 }

    /// Finds the changes of this side in what the other side no longer has.
    mutating func findLost(_ other: MergeSide) {
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

/// Which side is newer, as far as that has been found out.
struct NewestSides {
    struct Question: Hashable {
        let ours: ViewID
        let theirs: ViewID
        let field: [UInt16]
    }

    fileprivate var byField: [Question: MergeSideName?] = [:]
    fileprivate var byAddress: [JSONPointer: MergeSideName?] = [:]
}

extension ThreeWayMerge {
    /// The side that is newer; nil if that cannot be told.
    mutating func newestSide(
        _ versions: SlotVersions, _ age: MergeRule.Age, in container: MergeContainer?
    ) -> MergeSideName? {
        switch age {
        case .file: return options.dates.flatMap { Self.newer($0.ours, $0.theirs) }
        case .address(let address): return newestSide(at: address)
        case .field(let name):
            if let x = versions.ours, let y = versions.theirs, let side = newer(x, y, by: name) { return side }
            return newestAround(container, name)
        }
    }

    /// The side that is newer by what is at an address; nil if that cannot be told.
    mutating func newestSide(at address: JSONPointer) -> MergeSideName? {
        if let known = newest.byAddress[address] { return known }
        var side: MergeSideName?
        if case .found(let x, let mine) = ours.find(address), case .found(let y, let other) = theirs.find(address) {
            side = Self.newer(mine.scalar(x), other.scalar(y))
        }
        newest.byAddress[address] = .some(side)
        return side
    }

    /// Which side is newer by a field of what is around a slot, the nearest that has one on both sides.
    private mutating func newestAround(_ container: MergeContainer?, _ name: [UInt16]) -> MergeSideName? {
        var container = container
        for _ in 0..<Difference.usualSteps {
            guard let current = container else { return nil }
            if let pairing = pairing(of: current), let side = newer(pairing.ours, pairing.theirs, by: name) {
                return side
            }
            container = around(current)
        }
        return nil
    }

    private mutating func newer(_ x: ViewID, _ y: ViewID, by name: [UInt16]) -> MergeSideName? {
        let question = NewestSides.Question(ours: x, theirs: y, field: name)
        if let known = newest.byField[question] { return known }
        var side: MergeSideName?
        if let a = field(name, of: x, in: ours), let b = field(name, of: y, in: theirs) {
            side = Self.newer(ours.scalar(a), theirs.scalar(b))
        }
        newest.byField[question] = .some(side)
        return side
    }

    private func field(_ name: [UInt16], of id: ViewID, in view: ObjectView) -> ViewID? {
        let value = view[id]
        guard let position = view.position(of: AddressToken(name), in: id), value.form.isKeyed else { return nil }
        return view.item(position, of: value.contents).id
    }

    private static func newer(_ x: Node?, _ y: Node?) -> MergeSideName? {
        guard let a = x, let b = y else { return nil }
        if case .string(let first) = a, case .string(let second) = b {
            guard let first = date(first), let second = date(second) else { return nil }
            return newer(first, second)
        }
        guard let order = a.order(comparedTo: b), order != 0 else { return nil }
        return order > 0 ? .ours : .theirs
    }

    private static func newer(_ x: Double, _ y: Double) -> MergeSideName? {
        x > y ? .ours : y > x ? .theirs : nil
    }

    /// The date that a string is, as JSON saves have them.
    private static func date(_ text: StoredString) -> Double? {
        text.count <= 64 ? ScalarText.seconds(ofDate: text) : nil
    }
}
