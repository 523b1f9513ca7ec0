import KeyedArchives
import SaveCodec

/// The references between the objects of an archive, in two flat arrays:
///
///     $top ─▶ 1      roots    1
///     1 ─▶ 2, 4      starts   0  0  2  2  2  3
///     4 ─▶ 1         targets  2  4  1
///
/// The references of object `n` are in `targets` from `starts[n]` up to `starts[n + 1]`, with duplicates. References to
/// nil and to class records are left out, since these are not objects.
struct ReferenceGraph {
    /// The objects that `$top` refers to.
    private(set) var roots: [UInt32] = []
    private var starts = [0]
    private var targets: [UInt32] = []

    init(expectedCount: Int) {
        starts.reserveCapacity(expectedCount + 1)
    }

    /// Collects the references between the objects of an archive.
    init(_ archive: KeyedArchive) {
        self.init(expectedCount: archive.count)
        for index in 0..<archive.count {
            if archive.role(of: UID(index)) != .null {
                Self.forEachTarget(in: archive.objectID(UID(index)), of: archive) { addReference(to: $0) }
            }
            endObject()
        }
        addRoots(of: archive)
    }

    // MARK: Building

    /// Adds the objects that `$top` refers to.
    mutating func addRoots(of archive: KeyedArchive) {
        Self.forEachTarget(in: archive.storedTop, of: archive) { roots.append(UInt32(truncatingIfNeeded: $0.index)) }
    }

    /// Calls a function with the target of each reference in a stored object.
    private static func forEachTarget(in id: ObjectID, of archive: KeyedArchive, _ body: (UID) -> Void) {
        let document = archive.document
        let object = document.object(id)
        guard object.kind.isContainer else { return }
        for position in 0..<object.count {
            let value = document.object(document.member(position, of: object))
            if let target = target(of: value, in: archive) { body(target) }
            guard value.kind.isContainer else { continue }
            var contents = InPlaceWalk(of: value, in: document)
            while let (_, object) = contents.next() {
                if !contents.isKey, let target = target(of: object, in: archive) { body(target) }
            }
        }
    }

    /// Returns the object that a stored value refers to; nil for any other value.
    static func target(of value: StoredObject, in archive: KeyedArchive) -> UID? {
        guard value.kind == .uid else { return nil }
        let index = Int(archive.document.uid(value))
        guard index < archive.count, archive.role(of: UID(index)).isObject else { return nil }
        return UID(index)
    }

    /// Adds a reference from the current object.
    mutating func addReference(to uid: UID) {
        targets.append(UInt32(truncatingIfNeeded: uid.index))
    }

    /// Ends the references of the current object. The next object becomes the current one.
    mutating func endObject() {
        starts.append(targets.count)
    }

    // MARK: Lookup

    var count: Int { starts.count - 1 }

    /// Returns the positions of an object's references.
    @inline(__always)
    func references(of object: UInt32) -> Range<Int> {
        starts[Int(object)]..<starts[Int(object) + 1]
    }

    /// Returns the target of the reference at a position.
    @inline(__always)
    func target(_ position: Int) -> UInt32 {
        targets[position]
    }
}

/// The objects that the roots of a graph reach. The search is breadth-first, so it finds shortest paths.
struct Reachability {
    /// The reachable objects, nearest first.
    private(set) var order: [UInt32] = []
    /// The number of references on the shortest path from a root to the farthest object; 0 if there are only roots.
    private(set) var depth = 0
    /// The objects with two or more references from roots and reachable objects.
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
