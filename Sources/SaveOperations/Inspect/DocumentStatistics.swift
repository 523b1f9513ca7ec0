import SaveCodec

/// Goes through all that a document's root reaches, each object once, and counts how it is referred to. Iterative.
struct DocumentStatistics {
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
