package import KeyedArchives
package import SaveCodec

/// Where a change happened: two containers that were compared, and their slots.
package struct ChangePlace: Sendable, Hashable {
    /// The number of the two containers among those that were compared.
    package let node: Int
    /// The container before.
    let before: ViewID
    /// The container after.
    let after: ViewID
    /// The position in the container before; nil for what was added, and for a change of the containers themselves.
    package let positionBefore: Int?
    /// The position in the container after; nil for what was removed, and for a change of the containers themselves.
    package let positionAfter: Int?

    /// The container on a side.
    package func container(_ side: Side) -> ViewID { side == .before ? before : after }

    /// The position in the container of a side; nil for none.
    package func position(_ side: Side) -> Int? { side == .before ? positionBefore : positionAfter }
}

extension Difference {
    /// Where a change happened; nil where one root replaces the other.
    package func place(of change: Change) -> ChangePlace? {
        guard change.node < paths.nodes.count else { return nil }
        let pair = paths.nodes[change.node]
        return ChangePlace(
            node: change.node, before: pair.before, after: pair.after,
            positionBefore: Self.position(change.slots.before), positionAfter: Self.position(change.slots.after))
    }

    /// The slots through which the containers of a place were found; nil for the roots.
    package func place(around place: ChangePlace) -> ChangePlace? {
        guard place.node > 0 else { return nil }
        let pair = paths.nodes[place.node]
        let parent = paths.nodes[Int(pair.parent)]
        return ChangePlace(
            node: Int(pair.parent), before: parent.before, after: parent.after,
            positionBefore: Self.position(pair.positionBefore), positionAfter: Self.position(pair.positionAfter))
    }

    /// The address of a slot of the containers of a place, no more than ``usualSteps`` of it.
    package func address(ofSlot position: Int, in place: ChangePlace, _ side: Side) -> JSONPointer {
        var address = way(toPair: place.node, side)
        view(side).append(position, of: place.container(side), to: &address)
        return address
    }

    /// Where a change is, as a pattern: `*` for positions, also those of pairs whose keys no address tells, and for long
    /// keys, `**` for what is below so many steps.
    package func pattern(of change: Change, steps: Int, longestKey: Int) -> JSONPointer {
        let side: Side = change.after == nil ? .before : .after
        guard change.node < paths.nodes.count else { return rootAddress(side) }
        var pattern = base[side]?.withoutEntrances ?? .root
        let view = view(side)
        let graph = view.graph
        func isTold(_ key: ViewID) -> Bool {
            if let text = view.text(key) { return text.count <= longestKey }
            return !view.token(ofKey: key, at: 0).isNumberedPair
        }
        func append(_ slot: Int32, of container: ViewID) {
            let container = graph.containers[graph.number(of: container) ?? 0]
            if container.kind.isKeyed, isTold(graph.key(Int(slot), of: container)) {
                view.append(Int(slot), of: container.id, to: &pattern)
            } else {
                pattern.append(form: "*")
            }
        }
        for number in paths.path(to: change.node, most: steps) {
            let (node, parent) = (paths.nodes[number], paths.nodes[Int(paths.nodes[number].parent)])
            append(node.position(side), of: parent.container(side))
        }
        if depth(of: change) > steps {
            pattern.append(key: "**".utf16)
        } else if change.slots[side] >= 0 {
            append(change.slots[side], of: paths.nodes[change.node].container(side))
        }
        return pattern
    }

    private static func position(_ slot: Int32) -> Int? { slot < 0 ? nil : Int(slot) }
}
