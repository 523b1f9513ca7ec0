import SaveCodec

/// Which objects the roots of a graph reach, breadth first: so each is met on its shortest way.
struct Reachability {
    /// The objects that are reached, the nearest first.
    private(set) var order: [UInt32] = []
    /// How many references the shortest way from a root to the farthest object has; 0 where there are roots only.
    private(set) var depth = 0
    /// The objects that roots and reached objects refer to, twice or more.
    private(set) var shared: Bitmap
    private var reached: Bitmap

    init(_ graph: ReferenceGraph) {
        shared = Bitmap(count: graph.count)
        reached = shared
        for root in graph.roots { refer(to: root) }
        var position = 0
        var end = order.count
        while position < order.count {
            if position == end {
                depth += 1
                end = order.count
            }
            for reference in graph.references(of: order[position]) { refer(to: graph.target(reference)) }
            position += 1
        }
    }

    func contains(_ object: Int) -> Bool {
        reached.contains(object)
    }

    private mutating func refer(to object: UInt32) {
        guard !reached.contains(Int(object)) else { return shared.insert(Int(object)) }
        reached.insert(Int(object))
        order.append(object)
    }
}
