/// An editor for a document, which keeps the bytes of everything that is not edited.
///
///     #0 {"health": #2, "name": #4}        add 6 as #5, then replace #2 in #0 by #5
///     #1 "health"  #2 5  #3 "name" …   ─▶  #0 {"health": #2, …}  #1 "health"  #2 6  #3 "name" …
///
/// During editing, existing objects keep their indices, and new ones get the next indices. ``finish(limits:)``
/// renumbers the objects:
///
/// - In a binary file, objects keep their order. A new object takes the position of the one that it replaces, and all
///   others follow at the end. Objects that became unreachable are dropped. Objects that were unreachable before are
///   kept. The header and the text encodings are kept, and so are the widths of offsets and references if they suffice.
/// - In a document read from text, objects keep their indices. Objects that became unreachable remain in the table. New
///   objects and containers with new contents are added at the end.
package struct DocumentEditor: ~Copyable {
    private var graph: EditedGraph
    private var scalars = DocumentBuilder()
    /// The indices of new scalars in the graph, by their index in ``scalars``.
    private var scalarNumbers: [UInt32?] = []
    private var lastScalar: ObjectID?
    private var isEdited = false

    /// Creates an editor for a document. For an extension, the editor edits the original.
    package init(_ document: Document) {
        graph = EditedGraph(document.original)
    }

    var source: Document { graph.source }

    package var root: ObjectID {
        get { graph.root }
        set {
            isEdited = isEdited || newValue != graph.root
            graph.root = newValue
        }
    }

    /// Adds the scalar that the closure adds to a builder. Equal scalars become one object.
    package mutating func add(_ add: (inout DocumentBuilder) -> Void) -> ObjectID {
        add(&scalars)
        guard let scalar = scalars.takeLast() else { return graph.root }
        lastScalar = scalar
        while scalarNumbers.count <= scalar.index { scalarNumbers.append(nil) }
        if let number = scalarNumbers[scalar.index] { return ObjectID(Int(number)) }
        let id = graph.add(.scalar(scalar))
        scalarNumbers[scalar.index] = UInt32(truncatingIfNeeded: id.index)
        return id
    }

    /// Adds a scalar of another document with its bits and stored form.
    package mutating func add(_ object: StoredObject, of document: Document) -> ObjectID {
        add { $0.add(object, of: document) }
    }

    /// Adds an empty container.
    package mutating func addContainer(_ kind: StoredObject.Kind) -> ObjectID {
        graph.add(.container(kind, .empty))
    }

    /// Sets the contents of an existing or new container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - contents: The elements, or all keys followed by all values.
    ///   - origins: The earlier positions of the elements or pairs in the container; nil if they are unknown.
    package mutating func setContents(of container: ObjectID, to contents: [ObjectID], origins: MemberOrigins? = nil) {
        isEdited = true
        graph.setContents(of: container, to: contents, origins: origins)
    }

    /// An edit of an element or of a pair's value. A pattern may edit very many members, so the numbers have 32 bits.
    package struct MemberEdit {
        private let position32: UInt32
        private let value32: UInt32

        private static let removed = UInt32.max

        package init(position: Int, value: ObjectID?) {
            position32 = UInt32(truncatingIfNeeded: position)
            value32 = value.map { UInt32(truncatingIfNeeded: $0.index) } ?? Self.removed
        }

        var position: Int { Int(position32) }
        /// The new value; nil to remove the element or the pair.
        var value: ObjectID? { value32 == Self.removed ? nil : ObjectID(Int(value32)) }
    }

    /// Replaces and removes members of an existing container that is not edited otherwise.
    ///
    /// - Parameter edits: The edits, in ascending order of their positions, at most one per member.
    package mutating func editMembers(of container: ObjectID, _ edits: [MemberEdit]) {
        isEdited = true
        graph.editMembers(of: container, edits)
    }

    /// Returns the edited document, or the original if there was no edit.
    ///
    /// - Throws: A problem if a container would contain itself, a key would be a container, containers would be too
    ///   deeply nested, or the document would become too large.
    package consuming func finish(limits: Limits = Limits()) throws(Problem) -> Document {
        guard isEdited else { return graph.source }
        if let lastScalar {
            scalars.add(lastScalar)
            graph.scalars = try scalars.finish()
        }
        var check = EditCheck(graph, limits: limits)
        try check.run()
        let source = graph.source
        guard source.isFile else { return try graph.rebuilt().allowing(asMuchAs: source) }
        check.addUnreached()
        return try EditedFileLayout(graph, kept: check.reached).document(limits).allowing(asMuchAs: source)
    }
}

// MARK: The check

/// A check of the reachable objects of an edited document for cycles, keys that are containers, and excessive depth.
///
/// This preserves what every ``Document`` guarantees. Every object is visited once. The walk keeps its own stack, so
/// depth cannot overflow the call stack.
private struct EditCheck {
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
    /// The number of bytes and references of source objects that may still be visited. Only overlapping objects can
    /// exhaust it.
    private var budget: Int
    /// The state of each object: unvisited, open (on the path from the root), or its height.
    ///
    /// The height of a scalar is 1. The height of a container is one more than the greatest height of its contents, or
    /// 2 if it is empty.
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
        case Self.open:
            throw Problem(
                "edit.cycle", "the container would contain itself; a property list cannot represent that",
                address: address)
        case Self.unvisited: try enter(child)
        default:
            guard path.count + Int(heights[child]) - 1 <= maxDepth else { throw .tooDeep(maxDepth, at: nil) }
        }
        guard frame.next >= frame.container.keyCount || heights[child] == 1 else {
            throw Problem(
                "edit.key", "found a container as a key; a property list allows only scalar keys", address: address)
        }
    }

    private mutating func enter(_ index: Int) throws(Problem) {
        let object = graph[index]
        reached.insert(index)
        if let stored = object.stored, object.contents == nil {
            budget -= stored.ownSize + stored.referenceCount
            guard budget >= 0 else {
                throw Problem(
                    "edit.overlap",
                    "overlapping objects would take more than \(allowed) bytes if written one by one")
            }
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

    /// Adds the objects that were already unreachable in the source, and everything they refer to, since no edit
    /// removed them.
    ///
    /// Damaged objects are left out. The walk stops at the size limit, which only overlapping objects can exceed.
    fileprivate mutating func addUnreached() {
        let source = graph.source
        let rest = (0..<source.count).filter { !reached.contains($0) }
        guard !rest.isEmpty else { return }
        var known = Bitmap(count: source.count)
        mark([source.root.index], in: &known)
        var kept = reached
        mark(rest.filter { !known.contains($0) }, in: &kept)
        reached = kept
    }

    /// Marks objects of the source and everything they referred to before the edits.
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
    /// Appends a step to an address for display: from a container to one of its references.
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
