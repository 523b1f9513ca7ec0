/// The ways from the roots to the nodes of a comparison.
///
/// Every node knows an ancestor far up besides its parent, by which any other is found in logarithmic time (Myers 1983).
struct NodePaths: Sendable {
    let nodes: [MatchedPair]
    private var depths: [UInt32] = []
    private var jumps: [UInt32] = []

    init(_ nodes: [MatchedPair]) {
        self.nodes = nodes
        depths.reserveCapacity(nodes.count)
        jumps.reserveCapacity(nodes.count)
        for (number, node) in nodes.enumerated() {
            let parent = Int(node.parent)
            guard parent < number else {
                depths.append(0)
                jumps.append(UInt32(truncatingIfNeeded: number))
                continue
            }
            depths.append(depths[parent] &+ 1)
            let first = Int(jumps[parent])
            let isEven = depths[parent] &- depths[first] == depths[first] &- depths[Int(jumps[first])]
            jumps.append(isEven ? jumps[first] : UInt32(truncatingIfNeeded: parent))
        }
    }

    /// How many steps a node is from the roots.
    func depth(of node: Int) -> Int { Int(depths[node]) }

    /// The nodes on the way to one, without the roots; no more than so many.
    func path(to node: Int, most: Int) -> [Int] {
        guard node < nodes.count else { return [] }
        let depth = UInt32(clamping: most)
        var number = node
        while depths[number] > depth {
            number = depths[Int(jumps[number])] >= depth ? Int(jumps[number]) : Int(nodes[number].parent)
        }
        var path: [Int] = []
        while depths[number] > 0 {
            path.append(number)
            number = Int(nodes[number].parent)
        }
        return path.reversed()
    }
}
