package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// Whether what is shared below a value can be written out wherever it is referred to, within the limits of reading.
    ///
    /// Which edges of a graph with cycles are followed depends on the way, so the way is gone, up to a length that is
    /// linear in the size of the view.
    package func isExpandable(from start: ViewID, _ limits: Limits = Limits()) -> Bool {
        guard archive != nil else { return document.isExpandable(limits) }
        let largest = limits.expansionFloor.addingSaturated(
            limits.expansionFactor.multipliedSaturated(by: document.sourceSize))
        // As a rule no container is shared, and then there is no way to go.
        if graph.isTree { return isTreeSmall(largest) }
        var outline = Outline(of: self, from: start, scope: Outline.Scope(repeatsShared: true))
        var steps = limits.expansionFloor.addingSaturated(count.multipliedSaturated(by: 4))
        var size = largest
        while steps > 0, size > 0, let step = outline.next() {
            steps -= 1
            guard case .value(let row) = step else { continue }
            size -= 1
            if case .scalar(let node) = row.showing { size -= node.contentSize }
        }
        return steps > 0 && size > 0
    }

    /// Whether the values of a graph in which no container is shared, with the scalars wherever they stand, are so small.
    private func isTreeSmall(_ largest: Int) -> Bool {
        var room = largest
        for container in graph.containers where room > 0 {
            room -= 1 + container.count
            for position in 0..<container.count {
                room -= scalarObject(graph.value(position, of: container))?.ownSize ?? 0
            }
        }
        return room > 0
    }
}

extension Int {
    fileprivate func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    fileprivate func multipliedSaturated(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
