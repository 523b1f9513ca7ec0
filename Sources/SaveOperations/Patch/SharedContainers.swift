import KeyedArchives
import SaveCodec

/// The containers of a plain document under a patch that several slots may refer to, and how much has been copied.
///
///     {"a": X, "b": X}          copy of /a to /b: one X, shared
///     {"a": X, "b": X'}         an operation on /b/0: X' is a copy, and what X refers to is shared now
struct SharedContainers {
    private var shared: Set<Draft.ID> = []
    /// How many slots have been copied.
    private var copied = 0

    /// The containers that the document of a view refers to more than once; none of an archive, where objects are shared
    /// on purpose.
    init(_ view: ObjectView) {
        guard view.archive == nil else { return }
        for container in view.graph.containers where view.graph.isShared(container.id) {
            shared.insert(Draft.ID(index: container.id.index))
        }
    }

    /// Notes that a value is referred to once more.
    mutating func insert(_ id: Draft.ID) {
        shared.insert(id)
    }

    /// A copy of a container that is shared, for one of those who refer to it; nil for one that is not.
    mutating func split(_ id: Draft.ID, _ draft: inout Draft, _ limits: Limits) throws(Problem) -> Draft.ID? {
        guard shared.contains(id), let number = draft.open(id) else { return nil }
        let container = draft.containers[number]
        try charge(1 + container.count, limits, draft.view.document)
        for slot in container.contents {
            let value = Draft.ID(index: Int(slot.value))
            if draft.isContainer(value) { shared.insert(value) }
        }
        return draft.add(container)
    }

    /// Counts what is copied.
    ///
    /// - Throws: a problem if it is more than a document may grow to that is written out in full.
    mutating func charge(_ size: Int, _ limits: Limits, _ document: Document) throws(Problem) {
        copied += size
        do {
            try limits.check(expandedSize: copied, of: document)
        } catch {
            throw .patchTooLarge()
        }
    }
}
