import KeyedArchives
import SaveCodec

/// The containers that the document after has anew: where each was put by the patch that is being written.
struct NewObjects {
    /// Where a container was put.
    enum Location {
        /// In a slot of a pair, by its position in the end.
        case slot(pair: Int, after: Int)
        /// In a slot of another new container.
        case inside(ViewID, position: Int)
        /// In a key, or in a container that is in one: no address leads there.
        case key
        /// At the root.
        case root
    }

    /// A slot of a new container that is null for now, and what is to stand there.
    struct Deferred {
        let container: ViewID
        let position: Int
        let value: ViewID
    }

    /// A container that is written as part of a value.
    struct Container {
        let id: ViewID
        /// The container that holds it, by its number among those of the value; nil for the value, and for what is in keys.
        let parent: Int?
        /// Its slot there.
        let position: Int
    }

    /// What has been found out about one value before it is written.
    struct Survey {
        /// The objects that stand elsewhere.
        var elsewhere: [ViewID] = []
        /// The objects that are met more than once.
        var shared: Set<UID> = []
        var deferred: [Deferred] = []
        /// The containers that are written, each behind the one that holds it.
        var containers: [Container] = []
    }

    /// Values nested deeper are put in by operations of their own, so that every reader of JSON can read the patch.
    private static let maxDepth = 60

    private var locations: [ViewID: Location] = [:]
    /// The objects that stand deeper, until they are written.
    private var waiting: Set<ViewID> = []
    private(set) var size = 0

    subscript(id: ViewID) -> Location? { locations[id] }

    /// Looks through a value that is about to be written, in the order in which it is.
    ///
    /// - Parameter isElsewhere: whether a container is in the document already.
    mutating func survey(
        _ root: ViewID, at location: Location, in view: ObjectView, limit: Int, isElsewhere: (ViewID) -> Bool
    ) throws(Problem) -> Survey {
        var survey = Survey()
        guard try enter(root, at: location, in: view, limit: limit) else { return survey }
        survey.containers.append(Container(id: root, parent: nil, position: 0))
        let known = Set([root])
        var met = known
        waiting.remove(root)
        var path = [(id: root, number: 0, contents: view[root].contents, next: 0, isKey: false)]
        while let frame = path.last {
            guard frame.next < 2 * frame.contents.count else {
                path.removeLast()
                continue
            }
            path[path.count - 1].next += 1
            let position = frame.next / 2
            let item = view.item(position, of: frame.contents)
            guard let child = frame.next % 2 == 0 ? item.key : item.id else { continue }
            let isInKey = frame.isKey || frame.next % 2 == 0
            if met.contains(child), let uid = view.uid(child) {
                survey.shared.insert(uid)
                continue
            }
            if view.scalar(child) == nil, isElsewhere(child) || (locations[child] != nil && view.uid(child) != nil) {
                survey.elsewhere.append(child)
                continue
            }
            let isDeep = view.archive != nil && path.count >= Self.maxDepth && view.scalar(child) == nil
            if isDeep || waiting.contains(child) {
                guard !isInKey, view.uid(child) != nil else { throw .patchDepth() }
                waiting.insert(child)
                survey.deferred.append(Deferred(container: frame.id, position: position, value: child))
                continue
            }
            let location: Location = isInKey ? .key : .inside(frame.id, position: position)
            guard try enter(child, at: location, in: view, limit: limit) else { continue }
            met.insert(child)
            let number = survey.containers.count
            survey.containers.append(
                Container(id: child, parent: isInKey ? nil : frame.number, position: position))
            path.append((child, number, view[child].contents, 0, isInKey))
        }
        return survey
    }

    /// Notes where a value is put. False for a scalar, which holds nothing.
    private mutating func enter(
        _ id: ViewID, at location: Location, in view: ObjectView, limit: Int
    ) throws(Problem) -> Bool {
        try add(1 + view.document.object(view.storedScalar(of: id) ?? view.stored(id)).ownSize, limit: limit)
        if let position = view[id].classPosition, let archive = view.archive {
            try add(archive.classes[position].name.count, limit: limit)
        }
        if let scalar = view.scalar(id) {
            // A field whose name is a UID: graph JSON has no such names.
            if case .uid = scalar, view.archive != nil { throw .patchKey(at: nil) }
            return false
        }
        locations[id] = location
        return true
    }

    /// Counts what is written.
    mutating func add(_ more: Int, limit: Int) throws(Problem) {
        size += more
        if size > limit { throw .patchTooLong() }
    }
}
