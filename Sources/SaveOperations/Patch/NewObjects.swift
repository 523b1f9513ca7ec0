import KeyedArchives
import SaveCodec

/// The containers that only the later document has, with the locations at which the patch adds them.
struct NewObjects {
    enum Location {
        /// In a slot of a pair, by its final position.
        case slot(pair: Int, after: Int)
        /// In a slot of another new container.
        case inside(ViewID, position: Int)
        /// In a key, directly or in another container. No address leads to it.
        case key
        case root
    }

    /// A slot of a new container that is null until a later operation sets it.
    struct Deferred {
        let container: ViewID
        let position: Int
        let value: ViewID
    }

    /// A container that is written as part of a value.
    struct Container {
        let id: ViewID
        /// The index in ``ValueScan/containers`` of the container that holds it; nil for the value itself and for
        /// containers in keys.
        let parent: Int?
        /// The slot that holds it.
        let position: Int
    }

    /// The objects in a value that is about to be written.
    struct ValueScan {
        /// The objects that already exist in the document.
        var elsewhere: [ViewID] = []
        /// The objects that occur more than once.
        var shared: Set<UID> = []
        var deferred: [Deferred] = []
        /// The containers to write, each after the one that holds it.
        var containers: [Container] = []
    }

    /// The maximum depth of a value. Deeper values get operations of their own, so that every JSON reader accepts the
    /// patch.
    private static let maxDepth = 60

    private var locations: [ViewID: Location] = [:]
    /// The deferred objects that are not written yet.
    private var waiting: Set<ViewID> = []
    private(set) var size = 0

    subscript(id: ViewID) -> Location? { locations[id] }

    /// Visits a value that is about to be written, in the order of writing, and records the locations of new
    /// containers.
    ///
    /// - Parameter isElsewhere: Whether a container exists in the document already.
    mutating func scan(
        _ root: ViewID, at location: Location, in view: ObjectView, limit: Int, isElsewhere: (ViewID) -> Bool
    ) throws(Problem) -> ValueScan {
        var scan = ValueScan()
        guard try enter(root, at: location, in: view, limit: limit) else { return scan }
        scan.containers.append(Container(id: root, parent: nil, position: 0))
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
                scan.shared.insert(uid)
                continue
            }
            if view.scalar(child) == nil, isElsewhere(child) || (locations[child] != nil && view.uid(child) != nil) {
                scan.elsewhere.append(child)
                continue
            }
            let isDeep = view.archive != nil && path.count >= Self.maxDepth && view.scalar(child) == nil
            if isDeep || waiting.contains(child) {
                guard !isInKey, view.uid(child) != nil else {
                    throw Problem(
                        "patch.depth",
                        "a patch cannot represent this value: its keys or in-place values are too deeply nested")
                }
                waiting.insert(child)
                scan.deferred.append(Deferred(container: frame.id, position: position, value: child))
                continue
            }
            let location: Location = isInKey ? .key : .inside(frame.id, position: position)
            guard try enter(child, at: location, in: view, limit: limit) else { continue }
            met.insert(child)
            let number = scan.containers.count
            scan.containers.append(
                Container(id: child, parent: isInKey ? nil : frame.number, position: position))
            path.append((child, number, view[child].contents, 0, isInKey))
        }
        return scan
    }

    /// Records the location of a value that is a container.
    ///
    /// - Returns: False for a scalar, which has no contents.
    private mutating func enter(
        _ id: ViewID, at location: Location, in view: ObjectView, limit: Int
    ) throws(Problem) -> Bool {
        try add(view.ownSize(of: id), limit: limit)
        if let scalar = view.scalar(id) {
            // The name of a field is a UID. Graph JSON cannot express it.
            if case .uid = scalar, view.archive != nil { throw .patchKey(at: nil) }
            return false
        }
        locations[id] = location
        return true
    }

    /// Adds to the size of the patch, and throws if it exceeds the limit.
    mutating func add(_ more: Int, limit: Int) throws(Problem) {
        size += more
        if size > limit {
            throw Problem("patch.length", "the patch would be far larger than the documents; it is not written")
        }
    }
}
