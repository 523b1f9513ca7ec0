/// Checks what the root of an edited document reaches: that no container reaches itself, that keys are no containers, and
/// how deep containers are nested. So the document keeps what every document promises.
///
/// Visits every object once, on a stack of its own.
struct EditCheck {
    private struct Frame {
        let index: Int
        let container: EditedGraph.Object
        var next = 0
    }

    private static let unvisited: Int32 = 0
    private static let open: Int32 = -1

    private let graph: EditedGraph
    private let maxDepth: Int
    private let allowed: Int
    /// How much of the source may still be looked at; more is there only where objects overlap.
    private var budget: Int
    /// For every object: not visited, on the path from the root, or how many containers are nested in it at most, itself
    /// included, plus one.
    private var heights: [Int32]
    private var path: [Frame] = []
    /// The objects that the document keeps.
    private(set) var reached: Bitmap

    init(_ graph: EditedGraph, limits: Limits) {
        self.graph = graph
        maxDepth = limits.maxDepth
        allowed = limits.maxExpandedSize(of: graph.source)
        budget = allowed
        heights = [Int32](repeating: Self.unvisited, count: graph.count)
        reached = Bitmap(count: graph.count)
    }

    /// Follows the root.
    mutating func run() throws(Problem) {
        try enter(graph.root.index)
        while let frame = path.last {
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                try follow(frame)
            } else {
                leave(frame)
            }
        }
    }

    private mutating func follow(_ frame: Frame) throws(Problem) {
        let child = graph.reference(frame.next, of: frame.container)
        switch heights[child] {
        case Self.open: throw .editCycle(at: address)
        case Self.unvisited: try enter(child)
        default:
            guard path.count + Int(heights[child]) - 1 <= maxDepth else { throw .tooDeep(maxDepth, at: nil) }
        }
        guard frame.next >= frame.container.keyCount || heights[child] == 1 else { throw .editKey(at: address) }
    }

    private mutating func enter(_ index: Int) throws(Problem) {
        let object = graph[index]
        reached.insert(index)
        if let stored = object.stored, object.contents == nil {
            budget -= stored.ownSize + stored.referenceCount
            guard budget >= 0 else { throw .editOverlap(allowed: allowed) }
        }
        guard object.kind.isContainer else {
            heights[index] = 1
            return
        }
        guard path.count < maxDepth else { throw .tooDeep(maxDepth, at: nil) }
        heights[index] = Self.open
        path.append(Frame(index: index, container: object))
    }

    private mutating func leave(_ frame: Frame) {
        path.removeLast()
        var height: Int32 = 1
        for position in 0..<frame.container.referenceCount {
            height = max(height, heights[graph.reference(position, of: frame.container)])
        }
        heights[frame.index] = height + 1
    }

    private var address: JSONPointer {
        var address = JSONPointer.root
        for frame in path where frame.next > 0 { graph.append(step: frame.next - 1, of: frame.container, to: &address) }
        return address
    }
}

extension EditCheck {
    /// Adds the objects that the source's root did not reach, and what they refer to: nobody asked to remove them. Those
    /// that are damaged are left out, as are all once there are more than a file without overlaps could have.
    mutating func addUnreached() {
        let source = graph.source
        let rest = (0..<source.count).filter { !reached.contains($0) }
        guard !rest.isEmpty else { return }
        var known = Bitmap(count: source.count)
        mark([source.root.index], in: &known)
        var kept = reached
        mark(rest.filter { !known.contains($0) }, in: &kept)
        reached = kept
    }

    /// Marks objects of the source as it was, and all that they refer to.
    private mutating func mark(_ roots: [Int], in marks: inout Bitmap) {
        let source = graph.source
        var pending = roots
        var left = allowed
        while let index = pending.popLast(), left >= 0 {
            guard !marks.contains(index), let object = source.checkedObject(ObjectID(index)) else { continue }
            marks.insert(index)
            left -= object.ownSize + object.referenceCount
            guard left >= 0 else { return }
            for position in 0..<object.referenceCount {
                let child = source.reference(position, of: object).index
                if child >= 0, child < source.count, !marks.contains(child) { pending.append(child) }
            }
        }
    }
}

extension EditedGraph {
    /// Goes one step down from a container in an address to be shown.
    fileprivate func append(step position: Int, of container: Object, to address: inout JSONPointer) {
        let pairs = container.keyCount
        guard pairs > 0 else { return address.append(index: position) }
        let pair = position < pairs ? position : position - pairs
        let index = reference(pair, of: container)
        let key = self[index]
        guard let stored = key.stored, stored.kind.isString else { return address.append(index: pair) }
        address.append(key: StoredString(document(of: index), stored).prefix(200))
    }
}
