import KeyedArchives

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
