/// Checks the objects that the root of a binary property list reaches, and only those: that they are sound, that keys are
/// scalars, that no container reaches itself, and how deep they are nested.
///
/// Visits every object once, on a stack of its own.
struct ReachabilityCheck {
    private struct Frame {
        let index: Int
        let container: StoredObject
        var next = 0
    }

    private static let unvisited: Int32 = 0
    private static let open: Int32 = -1

    private let document: Document
    private let maxDepth: Int
    /// For every object: not visited, on the path from the root, or how many containers are nested in it at most, itself
    /// included, plus one.
    private var heights: [Int32]
    private var path: [Frame] = []
    /// Dictionaries with keys that are no strings.
    private(set) var nonStringKeys = Oddity()
    /// How many references may still be followed; fewer than there can be only where containers overlap.
    private var budget: Int

    init(_ document: Document, limits: Limits) {
        self.document = document
        maxDepth = limits.maxDepth
        budget = limits.maxExpandedSize(of: document)
        heights = [Int32](repeating: Self.unvisited, count: document.count)
    }

    /// - Throws: the first problem, with the byte offset of the object and its address.
    mutating func run() throws(Problem) {
        try enter(document.root.index)
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
        let child = document.reference(frame.next, of: frame.container).index
        guard child >= 0, child < document.count else {
            throw .referenceOutOfRange(
                child, frame.container, frame.next, document.count, at: place(of: frame), address)
        }
        switch heights[child] {
        case Self.open:
            throw .cycle(child, at: place(of: frame), address)
        case Self.unvisited:
            try enter(child)
        default:
            guard path.count + Int(heights[child]) - 1 <= maxDepth else {
                throw .tooDeep(maxDepth, at: place(of: child))
            }
        }
        if frame.container.kind == .dictionary, frame.next < frame.container.count, heights[child] != 1 {
            throw .containerKey(frame.next, child, at: place(of: frame), address)
        }
    }

    private mutating func enter(_ index: Int) throws(Problem) {
        guard let object = document.checkedObject(ObjectID(index)) else { throw unsound(index) }
        guard object.kind.isContainer else {
            heights[index] = 1
            return
        }
        guard path.count < maxDepth else { throw .tooDeep(maxDepth, at: place(of: index)) }
        budget -= object.referenceCount
        guard budget >= 0 else { throw .tooManyReferences(at: place(of: index)) }
        heights[index] = Self.open
        path.append(Frame(index: index, container: object))
    }

    private mutating func leave(_ frame: Frame) {
        path.removeLast()
        var height: Int32 = 1
        for position in 0..<frame.container.referenceCount {
            height = max(height, heights[document.reference(position, of: frame.container).index])
        }
        heights[frame.index] = height + 1
        if hasOtherKey(frame.container) { nonStringKeys.note(at: frame.index) }
    }

    private func hasOtherKey(_ container: StoredObject) -> Bool {
        guard container.kind == .dictionary else { return false }
        return (0..<container.count).contains { !document.object(document.key($0, of: container)).kind.isString }
    }

    private func unsound(_ index: Int) -> Problem {
        let table = document.table
        guard let offset = document.offset(of: ObjectID(index)) else {
            let entry = table.start + index * table.offsetSize
            let found = document.image.bigEndian(at: entry, width: table.offsetSize)
            return .offsetOutOfRange(found, entry: index, table, at: entry)
        }
        return .unsound(
            index, ObjectMarkerFault(in: document.image, at: offset, table: table), at: .byte(offset), address)
    }

    private func place(of frame: Frame) -> Place? {
        place(of: frame.index)
    }

    private func place(of index: Int) -> Place? {
        document.offset(of: ObjectID(index)).map(Place.byte)
    }

    /// The address of the reference that is being followed; nil for the root, whose place says it all.
    private var address: Address? {
        var address = Address.root
        for frame in path where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address == .root ? nil : address
    }
}
