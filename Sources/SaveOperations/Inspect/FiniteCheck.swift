import KeyedArchives
package import SaveCodec

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
