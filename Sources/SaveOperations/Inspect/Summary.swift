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
