import KeyedArchives
package import SaveCodec

/// Who else sees what an address leads to: an object that is referred to from elsewhere as well is there, too.
///
///     /bar/foos/0/name     Foo is shared with /foo     it is at /foo/name, too
///
/// A reference from within the object itself, such as a child's to its parent, is no other way to it.
package struct Sharing: Sendable {
    /// The containers of the path that something refers to besides the way of the address, by depth.
    private(set) var depths: Set<Int> = []
    /// How many other ways there are.
    package private(set) var count = 0
    /// The nearest of them, as addresses of the same value.
    package var addresses: [JSONPointer] {
        ways.map { $0.address.appending(path.address, from: $0.depth) }
    }
    /// The addresses of containers of the path, by their depth in the path.
    private var ways: [(address: JSONPointer, depth: Int)] = []
    private var path: ResolvedAddress
    /// By identity where each container was found first; the containers of the path are found on the path.
    private var places: [Origin?]
    private var queue: [ViewID] = []

    private struct Origin {
        var container: UInt32
        var position: UInt32
        /// How many steps it is from the root.
        var depth: UInt32
        /// The last container of the path that it was found in, by its depth in the path.
        var branch: UInt32
    }

    /// As many addresses are made at most, of so many steps.
    private static let mostAddresses = 5
    private static let mostSteps = 100

    /// Finds out who else sees what a path leads to.
    init(_ path: ResolvedAddress) {
        self.path = path
        places = [Origin?](repeating: nil, count: path.view.count)
        takePath()
        // What is found from a container is found without those below it on the path, as those are looked into later.
        for container in path.containers {
            queue = [container]
            var position = 0
            while position < queue.count {
                lookInto(queue[position])
                position += 1
            }
        }
        places = []
        queue = []
    }

    /// The same for another path if it shares with this one all containers that can be shared at all; nil if not.
    func along(_ other: ResolvedAddress) -> Sharing? {
        let depth = path.sharedDepth(in: path.view.graph)
        guard other.view === path.view, depth == other.sharedDepth(in: path.view.graph),
            path.containers.prefix(depth) == other.containers.prefix(depth),
            path.positions.prefix(max(depth - 1, 0)) == other.positions.prefix(max(depth - 1, 0))
        else { return nil }
        var sharing = self
        sharing.path = other
        return sharing
    }

    private mutating func takePath() {
        for (depth, id) in path.containers.enumerated() where places[id.index] == nil {
            let number = UInt32(truncatingIfNeeded: depth)
            places[id.index] = Origin(
                container: UInt32(truncatingIfNeeded: path.containers[max(depth - 1, 0)].index),
                position: UInt32(truncatingIfNeeded: depth > 0 ? path.positions[depth - 1] : 0), depth: number,
                branch: number)
        }
    }

    private mutating func lookInto(_ container: ViewID) {
        guard let place = places[container.index] else { return }
        let view = path.view
        let contents = view[container].contents
        for position in 0..<contents.count {
            let id = view.item(position, of: contents).id
            guard view.scalar(id) == nil else { continue }
            if let known = places[id.index] {
                meet(known, from: container, foundAt: place, position: position)
            } else {
                places[id.index] = Origin(
                    container: UInt32(truncatingIfNeeded: container.index),
                    position: UInt32(truncatingIfNeeded: position), depth: place.depth &+ 1, branch: place.branch)
                queue.append(id)
            }
        }
    }

    /// Takes a further reference to a container into account.
    private mutating func meet(_ known: Origin, from container: ViewID, foundAt place: Origin, position: Int) {
        let depth = Int(known.branch)
        guard known.depth == known.branch, depth > 0, depth < path.containers.count, place.branch < known.branch else {
            return
        }
        let isOnPath = container == path.containers[depth - 1] && position == path.positions[depth - 1]
        guard !isOnPath else { return }
        depths.insert(depth)
        count += 1
        guard ways.count < Self.mostAddresses, place.depth < Self.mostSteps else { return }
        ways.append((address(of: container, position), depth))
    }

    /// The address of a slot.
    private func address(of container: ViewID, _ position: Int) -> JSONPointer {
        let view = path.view
        var steps = [(container, position)]
        var id = container
        while let place = places[id.index], place.depth > 0 {
            id = view.id(index: Int(place.container))
            steps.append((id, Int(place.position)))
        }
        var address = JSONPointer.root
        for (container, position) in steps.reversed() {
            view.append(slot: position, of: container, to: &address)
        }
        return address
    }
}

extension ResolvedAddress {
    /// How many containers it is to the last one that is among those which several slots refer to; one at least.
    fileprivate func sharedDepth(in graph: ObjectGraph) -> Int {
        min((containers.lastIndex(where: graph.isShared) ?? 0) + 1, containers.count)
    }
}

extension ObjectView {
    /// The value with an identity of this number, which is that of one.
    fileprivate func id(index: Int) -> ViewID {
        index < document.count ? id(stored: ObjectID(index)) : id(of: UID(index - document.count))
    }
}
