import KeyedArchives
import SaveCodec

/// A comparison of two values as JSON, possibly from different value graphs: numbers by value, members in any order.
///
/// It does not recurse. A pair of values that is already being compared counts as equal, so that graphs with cycles are
/// equal unless they differ elsewhere.
struct ValueComparison {
    private struct Pair: Hashable {
        let left: Subject
        let right: Subject
    }

    private let left: ObjectView
    private let right: ObjectView
    private var pending: [Pair] = []
    private var seen: Set<Pair> = []
    /// The remaining steps: one for each compared container, one for each element or member in it, and one for every
    /// eight code units of a member's name.
    private(set) var budget: Int

    init(_ left: ObjectView, _ right: ObjectView, budget: Int) {
        self.left = left
        self.right = right
        self.budget = budget
    }

    /// Whether the values are equal. Returns false if the budget runs out.
    mutating func areEqual(_ a: ViewID, _ b: ViewID) -> Bool {
        pending = [Pair(left: Subject(a), right: Subject(b))]
        while let pair = pending.popLast() {
            guard left !== right || pair.left != pair.right else { continue }
            guard areAlike(pair) else { return false }
        }
        return true
    }

    private mutating func areAlike(_ pair: Pair) -> Bool {
        switch (left.json(pair.left), right.json(pair.right)) {
        case (.array(let a), .array(let b)):
            guard a.count == b.count else { return false }
            guard seen.insert(pair).inserted else { return true }
            guard spend(a.count) else { return false }
            for position in 0..<a.count {
                let (mine, other) = (left.element(position, of: a), right.element(position, of: b))
                pending.append(Pair(left: Subject(mine), right: Subject(other)))
            }
            return true
        case (.object(let a), .object(let b)):
            guard a.count == b.count else { return false }
            guard seen.insert(pair).inserted else { return true }
            return spend(a.count) && addMembers(a, b)
        case (.scalar(let a), .scalar(let b)): return a == b
        default: return false
        }
    }

    private mutating func spend(_ count: Int) -> Bool {
        budget -= count + 1
        return budget > 0
    }

    /// Queues the pairs of members with the same name. Returns false if a name is missing.
    private mutating func addMembers(_ a: JSONMembers, _ b: JSONMembers) -> Bool {
        var others: [[UInt16]: Subject] = [:]
        for position in 0..<b.count {
            let member = right.member(position, of: b)
            let name = right.name(of: member.key).units
            budget -= name.count >> 3
            others[name] = member.value
        }
        for position in 0..<a.count {
            let member = left.member(position, of: a)
            guard let other = others[left.name(of: member.key).units] else { return false }
            pending.append(Pair(left: member.value, right: other))
        }
        return true
    }
}
