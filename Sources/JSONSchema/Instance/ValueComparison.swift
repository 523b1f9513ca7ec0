import SaveCodec

/// Tells whether two values, perhaps of two documents, are equal as JSON: numbers by what they are, members in any
/// order.
///
/// Iterative. Two values that are being compared already are taken as equal, so that graphs with cycles are equal if
/// nothing tells them apart.
struct ValueComparison {
    private struct Pair: Hashable {
        let left: InstanceID
        let right: InstanceID
    }

    private let left: any Instance
    private let right: any Instance
    private let isOneDocument: Bool
    private var pending: [Pair] = []
    private var seen: Set<Pair> = []
    /// How many pairs of containers may still be compared.
    private(set) var budget: Int

    init(_ left: any Instance, _ right: any Instance, isOneDocument: Bool, budget: Int) {
        self.left = left
        self.right = right
        self.isOneDocument = isOneDocument
        self.budget = budget
    }

    /// Whether the values are equal. Without budget, they are not.
    mutating func areEqual(_ a: InstanceID, _ b: InstanceID) -> Bool {
        pending = [Pair(left: a, right: b)]
        while let pair = pending.popLast() {
            guard !isOneDocument || pair.left != pair.right else { continue }
            guard areAlike(pair) else { return false }
        }
        return true
    }

    private mutating func areAlike(_ pair: Pair) -> Bool {
        switch (left.value(pair.left), right.value(pair.right)) {
        case (.array(let a), .array(let b)):
            guard a == b else { return false }
            guard seen.insert(pair).inserted else { return true }
            guard spend(a) else { return false }
            for position in 0..<a {
                pending.append(
                    Pair(left: left.element(position, of: pair.left), right: right.element(position, of: pair.right)))
            }
            return true
        case (.object(let a), .object(let b)):
            guard a == b else { return false }
            guard seen.insert(pair).inserted else { return true }
            return spend(a) && addMembers(of: pair, count: a)
        case (let a, let b): return Self.areEqualScalars(a, b)
        }
    }

    /// Whether two values are equal that contain no others; those that do are not.
    static func areEqualScalars(_ a: InstanceValue, _ b: InstanceValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): areEqual(a, b)
        default: false
        }
    }

    private static func areEqual(_ a: InstanceText, _ b: InstanceText) -> Bool {
        if case .text(let a) = a, case .text(let b) = b { return a.hasSameUnits(as: b) }
        return a.units == b.units
    }

    private mutating func spend(_ count: Int) -> Bool {
        budget -= count + 1
        return budget > 0
    }

    /// Pairs the members by name; false where a name is missing.
    private mutating func addMembers(of pair: Pair, count: Int) -> Bool {
        var others: [[UInt16]: InstanceID] = [:]
        for position in 0..<count {
            let member = right.member(position, of: pair.right)
            let name = right.units(ofName: member.name)
            budget -= name.count >> 3
            others[name] = member.value
        }
        for position in 0..<count {
            let member = left.member(position, of: pair.left)
            guard let other = others[left.units(ofName: member.name)] else { return false }
            pending.append(Pair(left: member.value, right: other))
        }
        return true
    }
}
