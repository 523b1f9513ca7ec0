import KeyedArchives
import SaveCodec

/// Tells whether two values, perhaps of two views, are equal as JSON: numbers by what they are, members in any order.
///
/// Iterative. Two values that are being compared already are taken as equal, so that graphs with cycles are equal if
/// nothing tells them apart.
struct ValueComparison {
    private struct Pair: Hashable {
        let left: Subject
        let right: Subject
    }

    private let left: ObjectView
    private let right: ObjectView
    private var pending: [Pair] = []
    private var seen: Set<Pair> = []
    /// The number of pairs of containers that may still be compared.
    private(set) var budget: Int

    init(_ left: ObjectView, _ right: ObjectView, budget: Int) {
        self.left = left
        self.right = right
        self.budget = budget
    }

    /// Whether the values are equal. Without budget, they are not.
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

    /// Pairs the members by name; false where a name is missing.
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
