package import SaveCodec

/// The contents of a document in numbers: the objects of a binary file, or the values of a text, without keys and each
/// as often as it occurs.
package struct Summary: Sendable {
    /// The objects of one kind.
    package struct Tally: Sendable, Equatable {
        /// How many objects there are.
        package var objects = 0
        /// How many elements, or pairs, the containers hold.
        package var contents = 0
        /// How many bytes the scalars take, markers aside.
        package var bytes = 0
    }

    /// Whether the document is a text, in which nothing is shared.
    package let isText: Bool
    /// What the root is.
    package private(set) var root: ValueKind
    /// How many containers are nested in each other at most.
    package private(set) var depth = 0
    /// The objects that the root reaches, by kind.
    package private(set) var tallies: [ValueKind: Tally] = [:]
    /// How many containers are referred to more than once.
    package private(set) var sharedContainers = 0
    /// How many scalars are referred to more than once.
    package private(set) var sharedScalars = 0
    /// How many objects the root does not reach.
    package private(set) var unreachable = 0
    /// The number of distinct objects that serve as keys, or the number of keys in a text.
    package private(set) var keys = 0
    /// The data values that are files in themselves, by kind.
    package private(set) var payloads: [Payload: Int] = [:]

    /// Counts a document through, each object once.
    package init(of document: Document) {
        isText = document.has(.text)
        root = document[document.root].kind
        var survey = DocumentStatistics(document)
        survey.run()
        depth = survey.heights[document.root.index]
        for index in survey.references.indices where survey.references[index] == 0 { unreachable += 1 }
        keys = isText ? survey.keyUses.reduce(0, +) : survey.keyUses.count { $0 > 0 }
        for id in survey.order {
            let references = survey.references[id.index]
            count(document[id], references, times: isText ? references - survey.keyUses[id.index] : 1)
        }
    }

    /// How many objects the root reaches.
    package var reachable: Int { tallies.values.reduce(0) { $0 + $1.objects } }

    private mutating func count(_ node: Node, _ references: Int, times: Int) {
        guard times > 0 else { return }
        tallies[node.kind, default: Tally()].objects += times
        tallies[node.kind, default: Tally()].contents += times * (node.contentCount ?? 0)
        tallies[node.kind, default: Tally()].bytes += times * node.contentSize
        let isShared = references > 1 && !isText
        if isShared, node.contentCount != nil { sharedContainers += 1 }
        if isShared, node.contentCount == nil { sharedScalars += 1 }
        if case .data(let bytes) = node, let payload = Payload(bytes) { payloads[payload, default: 0] += times }
    }
}

// MARK: Counting

/// Goes through all that a document's root reaches, each object once, and counts how it is referred to. Iterative.
private struct DocumentStatistics {
    private struct Frame {
        let id: ObjectID
        let node: Node
        let count: Int
        var next = 0
    }

    private let document: Document
    private var frames: [Frame] = []

    /// The objects that are reached, in the order in which they are.
    private(set) var order: [ObjectID] = []
    /// How often each object is referred to, the root once by the document itself.
    private(set) var references: [Int]
    /// How many containers are nested in each other from an object down, itself included.
    private(set) var heights: [Int]
    /// The number of keys that each object is.
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

    /// A container is one higher than the highest of its contents.
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

    /// How many elements or pairs a container has; nil for all other values.
    var contentCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let pairs): pairs.count
        default: nil
        }
    }
}
