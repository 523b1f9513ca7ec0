/// Numbers subsets of 0..<count so that equal ones have equal numbers, and one that differs from another by one member
/// is found in logarithmic time: binary trees over the members, where equal trees are one.
struct SubsetTree {
    private struct Branch: Hashable {
        var low: Int32
        var high: Int32
    }

    private let height: Int
    /// Tree 0 is empty, at any height; tree 1 is a leaf that is a member.
    private var branches = [Branch(low: 0, high: 0), Branch(low: 0, high: 0)]
    private var numbers: [Branch: Int32] = [:]

    init(count: Int) {
        height = Int.bitWidth - max(0, count - 1).leadingZeroBitCount
    }

    /// The subset with a member more, or less if it has it.
    mutating func toggling(_ member: Int, in subset: Int32) -> Int32 {
        var path: [Branch] = []
        var tree = subset
        for level in (0..<height).reversed() {
            let branch = branches[Int(tree)]
            path.append(branch)
            tree = member >> level & 1 == 0 ? branch.low : branch.high
        }
        tree = 1 - tree
        for level in 0..<height {
            var branch = path[height - 1 - level]
            if member >> level & 1 == 0 { branch.low = tree } else { branch.high = tree }
            tree = number(of: branch)
        }
        return tree
    }

    private mutating func number(of branch: Branch) -> Int32 {
        if branch.low == 0, branch.high == 0 { return 0 }
        if let number = numbers[branch] { return number }
        branches.append(branch)
        numbers[branch] = Int32(branches.count - 1)
        return Int32(branches.count - 1)
    }
}
