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

extension Outline {
    /// Refuses reals that are not finite, which plain JSON has no literal for, in what comes next.
    ///
    /// - Throws: a problem at the address of the first one.
    package consuming func checkFinite() throws(Problem) {
        // What is written out several times need not be looked at again, and in a nested file it might never end.
        scope.repeatsShared = false
        while let step = next() {
            guard case .value(let row) = step, let text = row.scalar?.notFinite else { continue }
            throw Problem(
                "json.not-finite", "the real is \(text); JSON has no such number", address: address(of: row))
        }
    }
}

extension Outline.Row {
    /// The value that the row shows, if it is no container; of data that is opened what is in it.
    package var scalar: Node? {
        switch showing {
        case .scalar(let node), .unreadable(let node, _): return node
        case .nested(let nested):
            guard case .scalar(let node) = nested.root.form else { return nil }
            return node
        case .opened, .closed, .annotated, .repeated: return nil
        }
    }
}

extension Node {
    /// The text of a real or a date that is not finite.
    fileprivate var notFinite: String? {
        switch self {
        case .real32(let value) where !value.isFinite: value.description
        case .real64(let value) where !value.isFinite: value.description
        case .date(let seconds) where !seconds.isFinite: seconds.description
        default: nil
        }
    }
}
