/// Edits a document: what is not touched keeps its bytes.
///
///     #0 {"health": #2, "name": #4}        add 6 as #5, let #0 hold it for #2
///     #1 "health"  #2 5  #3 "name" …   ─▶  #0 {"health": #2, …}  #1 "health"  #2 6  #3 "name" …
///
/// Objects that exist keep their number while they are edited, and new ones get numbers behind. What comes out of
/// ``finish(limits:)`` is numbered anew: of a binary file the objects stand as they stood, a new one in the place of the
/// one that it replaces, and further new ones at the end. Objects that the edits cut off are left out; those that
/// nothing referred to before stay. Headers, widths and text encodings are kept as far as they suffice. Of a text, objects
/// keep their number, what is cut off stays in the table, and what is new or holds something new stands behind.
package struct DocumentEditor: ~Copyable {
    private var graph: EditedGraph
    private var scalars = DocumentBuilder()
    /// The numbers of new scalars, by their number in the builder.
    private var scalarNumbers: [UInt32?] = []
    private var lastScalar: ObjectID?
    private var isEdited = false

    /// Begins to edit a document.
    package init(_ document: Document) {
        graph = EditedGraph(document)
    }

    /// The document as it was.
    var source: Document { graph.source }

    /// The object that the document consists of.
    package var root: ObjectID {
        get { graph.root }
        set {
            isEdited = isEdited || newValue != graph.root
            graph.root = newValue
        }
    }

    /// The new scalar that `add` adds to a builder. Equal ones are one object.
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

    /// A new scalar with the bits and the stored form of one of another document.
    package mutating func add(_ object: StoredObject, of document: Document) -> ObjectID {
        add { $0.add(object, of: document) }
    }

    /// A new container, empty for the time being.
    package mutating func addContainer(_ kind: StoredObject.Kind) -> ObjectID {
        graph.add(.container(kind, []))
    }

    /// Gives a container, new or not, other contents: the elements, or all keys and then all values.
    ///
    /// - Parameter origins: where the elements or pairs were in the container; nil for new ones, and if nobody knows.
    package mutating func setContents(of container: ObjectID, to contents: [ObjectID], origins: [Int?]? = nil) {
        isEdited = true
        graph.memberOrigins[container.index] = origins
        graph.setContents(of: container, to: contents.map { UInt32(truncatingIfNeeded: $0.index) })
    }

    /// The document as edited; without an edit the source itself.
    ///
    /// - Throws: a problem if a container would contain itself, a key be a container, containers be nested too deep, or
    ///   the document become too large.
    package consuming func finish(limits: Limits = Limits()) throws(Problem) -> Document {
        guard isEdited else { return graph.source }
        if let lastScalar {
            scalars.add(lastScalar)
            graph.scalars = try scalars.finish()
        }
        var check = EditCheck(graph, limits: limits)
        try check.run()
        guard graph.source.isFile else { return try graph.rebuilt() }
        check.addUnreached()
        return try EditedFile(graph, kept: check.reached).document(limits)
    }
}

// MARK: The check

/// Checks what the root of an edited document reaches: that no container reaches itself, that keys are no containers, and
/// how deep containers are nested. So the document keeps what every document promises.
///
/// Visits every object once, on a stack of its own.
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

// MARK: Problems

/// What can be wrong with an edit of a property list.
extension Problem {
    fileprivate static func editCycle(at address: JSONPointer) -> Problem {
        Problem("edit.cycle", "the container would contain itself, which a property list cannot", address: address)
    }

    fileprivate static func editKey(at address: JSONPointer) -> Problem {
        Problem("edit.key", "the key is a container, which a property list cannot have as key", address: address)
    }

    fileprivate static func editOverlap(allowed: Int) -> Problem {
        Problem(
            "edit.overlap",
            "objects of the file overlap, so that written one by one they would take more than \(allowed) bytes")
    }
}
