package import KeyedArchives
package import SaveCodec

/// What a keyed archive consists of, in numbers.
///
/// All is found in a few passes over the objects, none of which follows a reference twice.
package struct ArchiveSummary: Sendable {
    /// Objects of one sort.
    package struct Tally: Sendable, Equatable {
        /// How many there are.
        package var objects = 0
        /// How many bytes they take in the property list, with the values that they hold in place. What several objects
        /// share there is counted for the first.
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

    /// A sort of objects, and how many there are.
    package struct Row: Sendable {
        /// What the objects are.
        package let subject: Subject
        /// How many there are.
        package let tally: Tally
    }

    /// What objects are, in the order in which rows stand.
    package enum Subject: Sendable {
        /// Objects of a class of the game.
        case gameClass(StoredString)
        /// Objects of a class of Foundation, or of another framework of the system.
        case systemClass(StoredString)
        /// Plain values.
        case value(ValueKind)
        /// The names of fields: the keys of dictionaries as they are stored.
        case names
        /// Class records.
        case classRecords
    }

    /// The archive.
    package let archive: KeyedArchive
    /// How many objects there are of each sort: classes of the game, classes of the system, values; within these the
    /// most bytes first.
    package let rows: [Row]
    /// How many objects have a class.
    package let instances: Int
    /// How many objects are plain values.
    package let values: Int
    /// How many references lead from a root to the object that is farthest from all roots, on the shortest way.
    package let depth: Int
    /// How many containers and objects with fields the roots and what they reach refer to more than once.
    package let shared: Int
    /// How many objects that the roots reach lead back to themselves.
    package let cyclic: Int
    /// How many groups these form.
    package let cycles: Int
    /// How many objects no root leads to.
    package let unreachable: Int
    /// The data values that are files in themselves, by kind.
    package let payloads: [Payload: Int]

    /// Counts an archive through.
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

    /// How many objects there are.
    package var objects: Int { instances + values }

    /// How many classes have objects.
    package var classes: Int {
        rows.count { $0.subject.isClass }
    }

    /// The numbers only: what they were found with takes as much memory as the graph.
    private static func cycles(of graph: ReferenceGraph) -> (objects: Int, groups: Int) {
        let cycles = Cycles(graph)
        return (cycles.objects, cycles.groups)
    }
}

extension ArchiveSummary.Subject {
    /// Whether the objects are those of a class.
    var isClass: Bool {
        switch self {
        case .gameClass, .systemClass: true
        case .value, .names, .classRecords: false
        }
    }
}

/// The objects that the roots of a graph reach and that lead back to themselves: the members of strongly connected
/// components of more than one object, and those that refer to themselves.
///
/// Tarjan's algorithm, linear and iterative.
private struct Cycles {
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
