package import SaveCodec

/// What a document consists of, in numbers.
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

    /// What the root is.
    package private(set) var root: NodeKind
    /// How many containers are nested in each other at most.
    package private(set) var depth = 0
    /// The objects that the root reaches, by kind.
    package private(set) var tallies: [NodeKind: Tally] = [:]
    /// How many containers are referred to more than once.
    package private(set) var sharedContainers = 0
    /// How many scalars are referred to more than once.
    package private(set) var sharedScalars = 0
    /// How many objects the root does not reach.
    package private(set) var unreachable = 0
    /// How many different objects serve as keys.
    package private(set) var keys = 0
    /// The data values that are files in themselves, by kind.
    package private(set) var payloads: [Payload: Int] = [:]

    /// Counts a document through, each object once.
    package init(of document: Document) {
        root = document[document.root].kind
        var survey = DocumentStatistics(document)
        survey.run()
        depth = survey.heights[document.root.index]
        for index in survey.references.indices where survey.references[index] == 0 { unreachable += 1 }
        keys = survey.isKey.count { $0 }
        for id in survey.order { count(document[id], isShared: survey.references[id.index] > 1) }
    }

    /// How many objects the root reaches.
    package var reachable: Int { tallies.values.reduce(0) { $0 + $1.objects } }

    private mutating func count(_ node: Node, isShared: Bool) {
        tallies[node.kind, default: Tally()].objects += 1
        tallies[node.kind, default: Tally()].contents += node.contentCount ?? 0
        tallies[node.kind, default: Tally()].bytes += node.contentSize
        if isShared, node.contentCount != nil { sharedContainers += 1 }
        if isShared, node.contentCount == nil { sharedScalars += 1 }
        if case .data(let bytes) = node, let payload = Payload(bytes) { payloads[payload, default: 0] += 1 }
    }
}
