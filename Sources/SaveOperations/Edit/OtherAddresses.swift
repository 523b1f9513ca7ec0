import KeyedArchives
package import SaveCodec

/// The other paths to the value of a resolved address. They exist if an object on its path is shared.
///
///     /bar/foos/0/name     Foo is shared with /foo     also at /foo/name
///
/// A key that is an object has no address. The address of its pair is used for it and for the values inside
/// it.
///
/// A reference from within the object itself, such as a child's reference to its parent, is not another path.
package struct OtherAddresses: Sendable {
    /// The depths of the shared containers on the path. References to a container from inside itself do not make it
    /// shared.
    private(set) var depths: Set<Int> = []
    /// The number of other references to containers on the path.
    package private(set) var count = 0
    /// Other addresses of the value, at most five.
    package var addresses: [OtherAddress] {
        containerAddresses.map { other, depth in
            other.isOfKey
                ? other : OtherAddress(address: other.address.appending(path.address, from: depth), isOfKey: false)
        }
    }
    /// The other addresses of containers on the path, with the depths of the containers.
    private var containerAddresses: [(address: OtherAddress, depth: Int)] = []
    private var path: ResolvedAddress
    /// The first reference found to each container, by ``ViewID/index``. For a container on the path it is the
    /// reference on the path.
    private var origins: [Origin?]
    private var queue: [ViewID] = []

    package struct OtherAddress: Sendable {
        package let address: JSONPointer
        /// Whether the value is the key of the pair at the address, or is inside the key.
        package let isOfKey: Bool
    }

    /// A reference in a slot: its value, or its key.
    private struct Reference: Equatable {
        var container: UInt32
        var position: UInt32
        var isKey: Bool

        init(_ container: ViewID, _ position: Int, isKey: Bool = false) {
            self.container = UInt32(truncatingIfNeeded: container.index)
            self.position = UInt32(truncatingIfNeeded: position)
            self.isKey = isKey
        }
    }

    private struct Origin {
        var reference: Reference
        var depth: UInt32
        /// The depth of the last container on the path through which the container was found.
        var branch: UInt32
    }

    private static let maxAddresses = 5
    /// The maximum number of tokens in an address.
    private static let maxSteps = 100

    init(_ path: ResolvedAddress) {
        self.path = path
        origins = [Origin?](repeating: nil, count: path.view.count)
        addPath()
        // The search from a container does not enter later containers on the path, which have their own searches.
        for container in path.containers {
            queue = [container]
            var position = 0
            while position < queue.count {
                lookInto(queue[position])
                position += 1
            }
        }
        origins = []
        queue = []
    }

    /// Returns the result for another path if it has the same containers down to the last shared one; nil otherwise.
    func result(for other: ResolvedAddress) -> OtherAddresses? {
        let depth = path.sharedDepth(in: path.view.graph)
        guard other.view === path.view, depth == other.sharedDepth(in: path.view.graph),
            path.containers.prefix(depth) == other.containers.prefix(depth),
            path.positions.prefix(max(depth - 1, 0)) == other.positions.prefix(max(depth - 1, 0))
        else { return nil }
        var sharing = self
        sharing.path = other
        return sharing
    }

    private mutating func addPath() {
        for (depth, id) in path.containers.enumerated() where origins[id.index] == nil {
            let number = UInt32(truncatingIfNeeded: depth)
            let reference = Reference(path.containers[max(depth - 1, 0)], depth > 0 ? path.positions[depth - 1] : 0)
            origins[id.index] = Origin(reference: reference, depth: number, branch: number)
        }
    }

    private mutating func lookInto(_ container: ViewID) {
        guard let origin = origins[container.index] else { return }
        let view = path.view
        let contents = view[container].contents
        for position in 0..<contents.count {
            let item = view.item(position, of: contents)
            enter(item.id, by: Reference(container, position), from: origin)
            if let key = item.key { enter(key, by: Reference(container, position, isKey: true), from: origin) }
        }
    }

    private mutating func enter(_ id: ViewID, by reference: Reference, from origin: Origin) {
        guard path.view.scalar(id) == nil else { return }
        if let known = origins[id.index] { return record(known, by: reference, from: origin) }
        origins[id.index] = Origin(reference: reference, depth: origin.depth &+ 1, branch: origin.branch)
        queue.append(id)
    }

    /// Records a further reference to a container.
    private mutating func record(_ known: Origin, by reference: Reference, from origin: Origin) {
        let depth = Int(known.branch)
        guard known.depth == known.branch, depth > 0, depth < path.containers.count, origin.branch < known.branch else {
            return
        }
        guard reference != known.reference else { return }
        depths.insert(depth)
        count += 1
        guard containerAddresses.count < Self.maxAddresses, origin.depth < Self.maxSteps else { return }
        containerAddresses.append((address(of: reference), depth))
    }

    private func address(of reference: Reference) -> OtherAddress {
        var steps = [reference]
        while let step = steps.last, let origin = origins[Int(step.container)], origin.depth > 0 {
            steps.append(origin.reference)
        }
        var address = JSONPointer.root
        for step in steps.reversed() {
            path.view.append(slot: Int(step.position), of: path.view.id(index: Int(step.container)), to: &address)
            if step.isKey { return OtherAddress(address: address, isOfKey: true) }
        }
        return OtherAddress(address: address, isOfKey: false)
    }
}

extension ResolvedAddress {
    /// Returns the number of containers up to the last shared one, or 1 if none is shared.
    fileprivate func sharedDepth(in graph: ContainerGraph) -> Int {
        min((containers.lastIndex(where: graph.isShared) ?? 0) + 1, containers.count)
    }
}

extension ObjectView {
    fileprivate func id(index: Int) -> ViewID {
        index < document.count ? id(stored: ObjectID(index)) : id(of: UID(index - document.count))
    }
}
