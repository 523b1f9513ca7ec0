/// The objects that the roots of a graph reach and that lead back to themselves: the members of strongly connected
/// components of more than one object, and those that refer to themselves.
///
/// Tarjan's algorithm, linear and iterative.
struct Cycles {
    /// How many objects lead back to themselves.
    private(set) var objects = 0
    /// How many groups they form. Objects of a group lead to each other.
    private(set) var groups = 0

    private struct Frame {
        let object: UInt32
        var next: Int
        var refersToItself = false
    }

    /// An object whose group is known.
    private static let done = UInt32.max

    private let graph: ReferenceGraph
    /// When an object was entered, from 1; 0 for one that has not been.
    private var numbers: [UInt32]
    /// The least number that an object was found to lead to.
    private var lowest: [UInt32]
    private var entered: UInt32 = 0
    private var frames: [Frame] = []
    /// The objects whose group is not known yet.
    private var pending: [UInt32] = []

    init(_ graph: ReferenceGraph) {
        self.graph = graph
        numbers = [UInt32](repeating: 0, count: graph.count)
        lowest = numbers
        for root in graph.roots where numbers[Int(root)] == 0 { visitAll(from: root) }
        (numbers, lowest, pending) = ([], [], [])
    }

    private mutating func visitAll(from root: UInt32) {
        enter(root)
        while let frame = frames.last {
            if frame.next < graph.references(of: frame.object).upperBound {
                frames[frames.count - 1].next += 1
                follow(graph.target(frame.next), from: frame.object)
            } else {
                leave()
            }
        }
    }

    private mutating func enter(_ object: UInt32) {
        entered += 1
        numbers[Int(object)] = entered
        lowest[Int(object)] = entered
        pending.append(object)
        frames.append(Frame(object: object, next: graph.references(of: object).lowerBound))
    }

    private mutating func follow(_ target: UInt32, from object: UInt32) {
        guard numbers[Int(target)] != 0 else { return enter(target) }
        if target == object { frames[frames.count - 1].refersToItself = true }
        // An object whose group is known has the greatest number.
        lowest[Int(object)] = min(lowest[Int(object)], numbers[Int(target)])
    }

    private mutating func leave() {
        let frame = frames.removeLast()
        let low = lowest[Int(frame.object)]
        if low == numbers[Int(frame.object)] { endGroup(with: frame) }
        if let parent = frames.last { lowest[Int(parent.object)] = min(lowest[Int(parent.object)], low) }
    }

    /// All that are pending since a group's first object are the group.
    private mutating func endGroup(with frame: Frame) {
        var size = 0
        while let member = pending.popLast() {
            numbers[Int(member)] = Self.done
            size += 1
            if member == frame.object { break }
        }
        guard size > 1 || frame.refersToItself else { return }
        objects += size
        groups += 1
    }
}
