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
        let scan = ReachableReferenceCounts(document)
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

/// The numbers of references to the objects that a document's root reaches.
private struct ReachableReferenceCounts {
    /// The reachable objects, each after its contents.
    let order: [ObjectID]
    /// The number of references to each object. The document refers to the root once.
    private(set) var references: [Int]
    /// The number of levels of containers at and below each object.
    private(set) var heights: [Int]
    /// The number of times that each object is a key.
    private(set) var keyUses: [Int]

    init(_ document: Document) {
        order = document.contentsFirst
        references = [Int](repeating: 0, count: document.count)
        heights = references
        keyUses = references
        references[document.root.index] = 1
        for id in order {
            let object = document.object(id)
            guard object.kind.isContainer else { continue }
            var height = 1
            for position in 0..<object.referenceCount {
                let content = document.reference(position, of: object).index
                references[content] += 1
                if object.kind == .dictionary, position < object.count { keyUses[content] += 1 }
                height = max(height, heights[content] + 1)
            }
            heights[id.index] = height
        }
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
