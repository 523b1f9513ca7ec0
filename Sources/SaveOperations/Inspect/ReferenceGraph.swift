import KeyedArchives
import SaveCodec

/// The references between the objects of an archive, in two flat arrays:
///
///     $top ─▶ 1      roots    1
///     1 ─▶ 2, 4      starts   0  0  2  2  2  3
///     4 ─▶ 1         targets  2  4  1
///
/// The references of object `n` stand in `targets` from `starts[n]` up to `starts[n + 1]`, as often as they are stored. Nil
/// and class records are no objects, so there is no reference to them.
struct ReferenceGraph {
    /// The objects that `$top` refers to.
    private(set) var roots: [UInt32] = []
    private var starts = [0]
    private var targets: [UInt32] = []

    init(expectedCount: Int) {
        starts.reserveCapacity(expectedCount + 1)
    }

    // MARK: Composing

    mutating func addRoot(_ uid: UID) {
        roots.append(UInt32(truncatingIfNeeded: uid.index))
    }

    /// Adds a reference of the object at hand.
    mutating func addReference(to uid: UID) {
        targets.append(UInt32(truncatingIfNeeded: uid.index))
    }

    /// Ends the references of the object at hand; the next one has the next number.
    mutating func endObject() {
        starts.append(targets.count)
    }

    // MARK: Looking up

    /// How many objects there are.
    var count: Int { starts.count - 1 }

    /// Where the references of an object stand.
    @inline(__always)
    func references(of object: UInt32) -> Range<Int> {
        starts[Int(object)]..<starts[Int(object) + 1]
    }

    /// The object that the reference at a position leads to.
    @inline(__always)
    func target(_ position: Int) -> UInt32 {
        targets[position]
    }
}

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
