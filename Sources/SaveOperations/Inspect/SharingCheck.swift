package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// Whether what is shared below a value can be written out wherever it is referred to, within the limits of reading.
    ///
    /// Which edges of a graph with cycles are followed depends on the way, so the way is gone, up to a length that is
    /// linear in the size of the view.
    package func isExpandable(from start: ViewID, _ limits: Limits = Limits()) -> Bool {
        guard archive != nil else { return document.isExpandable(limits) }
        var outline = Outline(of: self, from: start, scope: Outline.Scope(repeatsShared: true))
        var steps = limits.expansionFloor.addingSaturated(count.multipliedSaturated(by: 4))
        var size = limits.expansionFloor.addingSaturated(
            limits.expansionFactor.multipliedSaturated(by: document.sourceSize))
        while steps > 0, size > 0, let step = outline.next() {
            steps -= 1
            guard case .value(let row) = step else { continue }
            size -= 1
            if case .scalar(let node) = row.showing { size -= node.contentSize }
        }
        return steps > 0 && size > 0
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
