public import SaveCodec

/// The contents of a document in the order in which they are shown: step by step, so that nothing is built that is only
/// to be printed.
///
///     {"a": [1, 2], "b": [1, 2] shared}
///
///     value   root        dictionary, opened
///     value   key a       array, opened
///     value   element 0   1
///     value   element 1   2
///     end     array
///     value   key b       array, shown before at /a
///     end     dictionary
///
/// Iterative, and linear in the number of references unless shared containers are to be written out wherever they are
/// referred to.
public struct Outline {
    /// How much of a document is shown.
    public struct Scope: Sendable {
        /// How many containers are opened within each other; nil for all.
        public var depth: Int?
        /// How many contents of a container are shown; nil for all.
        public var limit: Int?
        /// Whether a container is opened wherever it is referred to, not only the first time.
        public var repeatsShared: Bool

        /// Creates a scope; what is not named is not limited.
        public init(depth: Int? = nil, limit: Int? = nil, repeatsShared: Bool = false) {
            self.depth = depth
            self.limit = limit
            self.repeatsShared = repeatsShared
        }
    }

    /// What a value is to the container that it stands in.
    public enum Label: Sendable {
        /// The value that the outline starts from.
        case start
        /// An element at a position.
        case element(Int)
        /// The value of the pair at a position, and its key.
        case entry(Int, key: ObjectID)
    }

    /// What comes next.
    public enum Step {
        /// A value. The contents of one that is opened follow, and then its end.
        case value(Row)
        /// So many contents of the innermost open container are not shown.
        case more(Int)
        /// The end of the innermost open container.
        case end(Node)
    }

    /// A value and how it is shown.
    public struct Row {
        /// The object.
        public let id: ObjectID
        /// The object as a value.
        public let node: Node
        /// What it is to its container.
        public let label: Label
        /// Whether nothing comes behind it in its container.
        public let isLast: Bool
        /// How it is shown.
        public let showing: Showing
    }

    /// How a value is shown.
    public enum Showing: Sendable {
        /// A value that is no container.
        case scalar
        /// A container whose contents follow.
        case opened
        /// A container that stands deeper than the scope allows.
        case closed
        /// A container that has been opened before, at this address.
        case repeated
    }

    private struct Frame {
        let id: ObjectID
        let node: Node
        let count: Int
        let shown: Int
        var next = 0
    }

    /// How a container was reached; the start is reached by no container.
    private struct Origin {
        let container: ObjectID?
        let position: Int
    }

    private let document: Document
    private let scope: Scope
    private let start: ObjectID
    private let prefix: Address
    private var frames: [Frame] = []
    private var hasStarted = false
    /// How each container was reached the first time: by which container, at which position.
    private var origins: [Origin?]

    /// Creates the outline of the value `start`, which stands at `address`.
    public init(of document: Document, from start: ObjectID, at address: Address = .root, scope: Scope = Scope()) {
        self.document = document
        self.scope = scope
        self.start = start
        prefix = address
        origins = [Origin?](repeating: nil, count: document.count)
    }

    /// How many containers are open.
    public var depth: Int { frames.count }

    /// The next step, or nil at the end.
    public mutating func next() -> Step? {
        let top = frames.count - 1
        guard top >= 0 else {
            defer { hasStarted = true }
            return hasStarted ? nil : .value(row(start, .start, isLast: true))
        }
        if frames[top].next < frames[top].shown {
            frames[top].next += 1
            return .value(content(at: frames[top].next - 1, of: top))
        }
        if frames[top].next < frames[top].count {
            frames[top].next = frames[top].count
            return .more(frames[top].count - frames[top].shown)
        }
        return .end(frames.removeLast().node)
    }

    /// The address of the row that came last, as long as nothing else has been asked for.
    public func address(of row: Row) -> Address {
        var address = prefix
        for frame in row.showing == .opened ? frames.dropLast() : frames[...] {
            append(frame.next - 1, of: frame.node, to: &address)
        }
        return address
    }

    /// The address at which a container was opened first; no more of it than about `longest` units.
    public func firstAddress(of id: ObjectID, longest: Int = .max) -> Address {
        var steps: [(container: ObjectID, position: Int)] = []
        var id = id
        while let origin = origins[id.index], let container = origin.container {
            steps.append((container, origin.position))
            id = container
        }
        var address = prefix
        var room = longest
        for step in steps.reversed() where room > 0 {
            append(step.position, of: document[step.container], longest: room, to: &address)
            room -= 1 + (address.tokens.last?.count ?? 0)
        }
        return address
    }

    private func append(_ position: Int, of container: Node, longest: Int = .max, to address: inout Address) {
        if case .dictionary(let pairs) = container, let key = document.text(pairs[position].key) {
            address.append(key: key.prefix(longest))
        } else {
            address.append(index: position)
        }
    }

    private mutating func content(at position: Int, of frame: Int) -> Row {
        let isLast = position + 1 == frames[frame].count
        switch frames[frame].node {
        case .array(let elements), .set(let elements):
            return row(elements[position], .element(position), isLast: isLast)
        case .dictionary(let pairs):
            let pair = pairs[position]
            return row(pair.value, .entry(position, key: pair.key), isLast: isLast)
        default:
            return row(frames[frame].id, .start, isLast: isLast)
        }
    }

    private mutating func row(_ id: ObjectID, _ label: Label, isLast: Bool) -> Row {
        let node = document[id]
        let showing = open(id, node)
        return Row(id: id, node: node, label: label, isLast: isLast, showing: showing)
    }

    /// Opens a value if it is a container that is to be opened here.
    private mutating func open(_ id: ObjectID, _ node: Node) -> Showing {
        guard let count = node.contentCount else { return .scalar }
        if origins[id.index] != nil, !scope.repeatsShared, count > 0 { return .repeated }
        if let depth = scope.depth, frames.count >= depth, count > 0 { return .closed }
        if origins[id.index] == nil {
            origins[id.index] = Origin(container: frames.last?.id, position: (frames.last?.next ?? 0) - 1)
        }
        frames.append(Frame(id: id, node: node, count: count, shown: min(count, scope.limit ?? count)))
        return .opened
    }
}

extension Node {
    /// How many elements or pairs a container has; nil for all other values.
    public var contentCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let pairs): pairs.count
        default: nil
        }
    }
}
