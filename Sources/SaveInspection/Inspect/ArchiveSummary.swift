package import KeyedArchives
package import SaveCodec

/// Statistics of a keyed archive.
///
/// The statistics take a few passes over the objects. No pass follows a reference twice.
package struct ArchiveSummary: Sendable {
    /// The number and size of some objects.
    package struct Tally: Sendable, Equatable {
        /// The number of objects.
        package var objects = 0
        /// The bytes of the objects in the property list, including values stored in place. Shared bytes count for the
        /// first object that contains them.
        package var bytes = 0

        mutating func add(_ bytes: Int) {
            objects += 1
            self.bytes += bytes
        }

        mutating func add(_ other: Tally) {
            objects += other.objects
            bytes += other.bytes
        }
    }

    /// The count and size of the objects with one subject.
    package struct Row: Sendable {
        /// The subject of the objects.
        package let subject: Subject
        /// The number and size of the objects.
        package let tally: Tally
    }

    /// The subject of a row, in display order.
    package enum Subject: Sendable {
        /// Objects of a class of the game.
        case gameClass(StoredString)
        /// Objects of a class of Foundation, or of another system framework.
        case systemClass(StoredString)
        /// Plain values.
        case value(ValueKind)
        /// The names of fields: the stored keys of dictionaries.
        case names
        case classRecords
    }

    package let archive: KeyedArchive
    /// The rows by subject: classes of the game, classes of the system, values; most bytes first within each.
    package let rows: [Row]
    /// The number of objects with a class.
    package let instances: Int
    /// The number of objects that are plain values.
    package let values: Int
    /// The number of references on the shortest path from a root to the farthest object.
    package let depth: Int
    /// The number of containers, objects included, that have more than one reference from roots and reachable objects.
    package let shared: Int
    /// The number of reachable objects that reach themselves.
    package let cyclic: Int
    /// The number of groups of objects that reach each other.
    package let cycles: Int
    /// The number of objects that no root reaches.
    package let unreachable: Int
    /// The number of data values that contain a file, by file type.
    package let payloads: [EmbeddedFileType: Int]

    /// Counts the objects of an archive.
    package init(of archive: KeyedArchive) {
        self.archive = archive
        let statistics = ArchiveStatistics(archive)
        rows = statistics.rows(of: archive)
        payloads = statistics.payloads
        instances = statistics.instances.reduce(0) { $0 + $1.objects }
        values = statistics.values.values.reduce(0) { $0 + $1.objects }
        let reach = Reachability(statistics.graph)
        depth = reach.depth
        unreachable = instances + values - reach.order.count
        let view = ObjectView(archive)
        shared = reach.shared.reduce(0) { $0 + (view[view.id(of: UID($1))].isContainer ? 1 : 0) }
        (cyclic, cycles) = Self.cycles(of: statistics.graph)
    }

    /// The number of objects.
    package var objects: Int { instances + values }

    /// The number of classes with objects.
    package var classes: Int { rows.count { $0.subject.isClass } }

    /// Counts the objects that are part of cycles, and the groups of objects that reach each other.
    ///
    /// Only the counts are kept, because `Cycles` needs as much memory as the graph.
    private static func cycles(of graph: ReferenceGraph) -> (objects: Int, groups: Int) {
        let cycles = Cycles(graph)
        return (cycles.objects, cycles.groups)
    }
}

extension ArchiveSummary.Subject {
    var isClass: Bool {
        switch self {
        case .gameClass, .systemClass: true
        case .value, .names, .classRecords: false
        }
    }
}

/// The reachable objects that reach themselves: the members of strongly connected components of more than one object,
/// and objects that refer to themselves.
///
/// Tarjan's algorithm, linear and iterative.
private struct Cycles {
    /// The number of objects that reach themselves.
    private(set) var objects = 0
    /// The number of groups. The objects in a group reach each other.
    private(set) var groups = 0

    private struct Frame {
        let object: UInt32
        var next: Int
        var refersToItself = false
    }

    /// The number of an object whose group is known.
    private static let done = UInt32.max

    private let graph: ReferenceGraph
    /// The order in which objects were visited, from 1; 0 for an object not visited yet.
    private var numbers: [UInt32]
    /// The least number that each object is known to reach.
    private var lowest: [UInt32]
    private var entered: UInt32 = 0
    private var frames: [Frame] = []
    /// The visited objects whose group is not known yet.
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

    /// Ends a group, which consists of all objects pending since its first one.
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
