package import SaveCodec

/// Statistics of a document: of the objects in a binary file, or of the values in a text. In a text, keys are not
/// values, and a value counts at each occurrence.
package struct DocumentSummary: Sendable {
    /// The statistics of one kind.
    package struct Tally: Sendable, Equatable {
        /// The number of objects.
        package var objects = 0
        /// The number of elements or pairs in the containers.
        package var contents = 0
        /// The bytes of the scalars, without markers.
        package var bytes = 0
    }

    /// Whether the document is a text, which has no shared objects.
    package let isText: Bool
    /// The kind of the root.
    package private(set) var root: ValueKind
    /// The largest number of containers nested in each other.
    package private(set) var depth = 0
    /// The objects that the root reaches, by kind.
    package private(set) var tallies: [ValueKind: Tally] = [:]
    /// The number of containers with more than one reference.
    package private(set) var sharedContainers = 0
    /// The number of scalars with more than one reference.
    package private(set) var sharedScalars = 0
    /// The number of objects that the root does not reach.
    package private(set) var unreachable = 0
    /// The number of distinct objects that serve as keys, or the number of keys in a text.
    package private(set) var keys = 0
    /// The data values that are files, by type of file.
    package private(set) var payloads: [EmbeddedFileType: Int] = [:]

    /// Counts the objects of a document, each one once.
    package init(of document: Document) {
        isText = document.has(.text)
        root = document[document.root].kind
        var scan = ReachableReferenceCounts(document)
        scan.run()
        depth = scan.heights[document.root.index]
        for index in scan.references.indices where scan.references[index] == 0 { unreachable += 1 }
        keys = isText ? scan.keyUses.reduce(0, +) : scan.keyUses.count { $0 > 0 }
        for id in scan.order {
            let references = scan.references[id.index]
            count(document[id], references, times: isText ? references - scan.keyUses[id.index] : 1)
        }
    }

    /// The number of objects that the root reaches.
    package var reachable: Int { tallies.values.reduce(0) { $0 + $1.objects } }

    private mutating func count(_ node: Node, _ references: Int, times: Int) {
        guard times > 0 else { return }
        tallies[node.kind, default: Tally()].objects += times
        tallies[node.kind, default: Tally()].contents += times * (node.contentCount ?? 0)
        tallies[node.kind, default: Tally()].bytes += times * node.contentSize
        let isShared = references > 1 && !isText
        if isShared, node.contentCount != nil { sharedContainers += 1 }
        if isShared, node.contentCount == nil { sharedScalars += 1 }
        if case .data(let bytes) = node, let payload = EmbeddedFileType(bytes) {
            payloads[payload, default: 0] += times
        }
    }
}

// MARK: Counting

/// The numbers of references to the objects that a document's root reaches. Visits each object once. Iterative.
private struct ReachableReferenceCounts {
    private struct Frame {
        let id: ObjectID
        let node: Node
        let count: Int
        var next = 0
    }

    private let document: Document
    private var frames: [Frame] = []

    /// The reachable objects, in the order of the search.
    private(set) var order: [ObjectID] = []
    /// The number of references to each object. The document refers to the root once.
    private(set) var references: [Int]
    /// The number of levels of containers at and below each object.
    private(set) var heights: [Int]
    /// The number of times that each object is a key.
    private(set) var keyUses: [Int]

    init(_ document: Document) {
        self.document = document
        references = [Int](repeating: 0, count: document.count)
        heights = references
        keyUses = references
    }

    mutating func run() {
        refer(to: document.root)
        while let frame = frames.last {
            if frame.next < frame.count {
                frames[frames.count - 1].next += 1
                visitContent(frame)
            } else {
                frames.removeLast()
                raise(frames.last?.id, above: frame.id)
            }
        }
    }

    private mutating func visitContent(_ frame: Frame) {
        switch frame.node {
        case .array(let elements), .set(let elements): refer(to: elements[frame.next])
        case .dictionary(let pairs):
            let pair = pairs[frame.next]
            keyUses[pair.key.index] += 1
            refer(to: pair.key)
            refer(to: pair.value)
        default: break
        }
    }

    private mutating func refer(to id: ObjectID) {
        references[id.index] += 1
        guard references[id.index] == 1 else { return raise(frames.last?.id, above: id) }
        order.append(id)
        let node = document[id]
        guard let count = node.contentCount else { return }
        heights[id.index] = 1
        frames.append(Frame(id: id, node: node, count: count))
    }

    /// Raises the height of a container above the height of its contents.
    private mutating func raise(_ container: ObjectID?, above content: ObjectID) {
        guard let container else { return }
        heights[container.index] = max(heights[container.index], heights[content.index] + 1)
    }
}

// MARK: Sizes

extension Node {
    /// The size of a scalar's stored contents in bytes; 0 for containers.
    var contentSize: Int {
        switch self {
        case .null, .boolean, .array, .set, .dictionary: 0
        case .integer(let integer): integer.width
        case .real32: 4
        case .real64, .date: 8
        case .data(let bytes): bytes.count
        case .string(let text): text.isOneByte ? text.count : 2 * text.count
        case .uid(let uid): uid.width
        }
    }

    /// The number of elements or pairs of a container; nil for any other value.
    var contentCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let pairs): pairs.count
        default: nil
        }
    }
}
