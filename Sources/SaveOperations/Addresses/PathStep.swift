package import KeyedArchives
package import SaveCodec

/// A step from a container to one of its slots.
package struct PathStep: Sendable {
    /// The key; nil for an element.
    package let key: ViewID?
    /// The position of the slot in the container, from zero.
    package let position: Int

    /// Creates a step.
    package init(key: ViewID?, position: Int) {
        self.key = key
        self.position = position
    }
}

extension ObjectView {
    /// Returns the address token of a step: the key, cut off after `longest` code units, or the position.
    func token(of step: PathStep, longest: Int = .max) -> AddressToken {
        guard let key = step.key else { return AddressToken(String(step.position).utf16) }
        guard let text = text(key), text.count > longest else { return token(ofKey: key, at: step.position) }
        return AddressToken(text.prefix(longest))
    }

    /// Appends the token of a step to an address.
    package func append(_ step: PathStep, longest: Int = .max, to address: inout JSONPointer) {
        address.append(token(of: step, longest: longest))
    }

    /// Returns the address of a step relative to its container.
    package func step(_ step: PathStep) -> JSONPointer {
        var address = JSONPointer.root
        append(step, to: &address)
        return address
    }

    /// Appends to an address the token of the slot at a position of a container.
    func append(slot position: Int, of container: ViewID, to address: inout JSONPointer) {
        let key = item(position, of: self[container].contents).key
        if let key, leadsElsewhere(key, at: position, of: container) {
            return address.append(extensionToken: "#\(position)")
        }
        append(PathStep(key: key, position: position), to: &address)
    }

    /// Whether the address token of a key leads to a pair other than the one at `position`.
    package func leadsElsewhere(_ key: ViewID, at position: Int, of container: ViewID) -> Bool {
        guard let text = text(key) else { return false }
        return self.position(of: AddressToken(text.units), in: container) != position
    }
}

/// A slot of a property list without shared containers, with a value that a pattern does not lead into: a scalar, or a
/// container with no match inside.
package struct LeafSlot {
    package let container: ViewID
    package let position: Int
    let value: ViewID
}

extension ObjectView {
    /// Whether a container may be in two slots. Text formats cannot store that, and few binary files do.
    var mayShareContainers: Bool { archive != nil || document.has(.objectTable) && document.mayShareContainers }
}

/// Links from the nodes of a tree to distant ancestors, which lead to any ancestor in logarithmic time (Myers 1983).
///
/// Hostile archives can have chains of millions of objects, so a path of a few steps must not take a walk through all
/// ancestors. The user keeps the parent of each node.
package struct AncestorLinks: Sendable {
    private var depths: [UInt32] = []
    private var jumps: [UInt32] = []

    package init() {}

    package mutating func reserveCapacity(_ count: Int) {
        depths.reserveCapacity(count)
        jumps.reserveCapacity(count)
    }

    /// Adds the next node, below an earlier one, or as a root.
    ///
    /// Two adjacent links of the same length are combined.
    package mutating func append(below parent: Int?) {
        guard let parent else {
            // Only files of many gigabytes exceed 32 bits, and only addresses would be wrong.
            jumps.append(UInt32(truncatingIfNeeded: depths.count))
            return depths.append(0)
        }
        let first = Int(jumps[parent])
        let isEven = depths[parent] &- depths[first] == depths[first] &- depths[Int(jumps[first])]
        jumps.append(isEven ? jumps[first] : UInt32(truncatingIfNeeded: parent))
        depths.append(depths[parent] &+ 1)
    }

    /// Returns the number of steps from the root to a node.
    package func depth(of node: Int) -> Int { Int(depths[node]) }

    /// Returns the nodes on the path to a node, without the root, cut off after `most` nodes.
    package func path(to node: Int, most: Int, parent: (Int) -> Int) -> [Int] {
        let depth = UInt32(clamping: most)
        var number = node
        while depths[number] > depth {
            number = depths[Int(jumps[number])] >= depth ? Int(jumps[number]) : parent(number)
        }
        var path: [Int] = []
        while depths[number] > 0 {
            path.append(number)
            number = parent(number)
        }
        return path.reversed()
    }
}
