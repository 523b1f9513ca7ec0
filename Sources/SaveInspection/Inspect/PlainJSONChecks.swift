package import KeyedArchives
package import SaveCodec

extension ObjectView {
    /// Whether the shared values below a value can be expanded at every reference within the limits.
    ///
    /// If there are cycles, the size of the expansion depends on the path. This walks the expansion, up to a number of
    /// steps that is linear in the size of the view.
    package func isExpandable(from start: ViewID, _ limits: Limits = Limits()) -> Bool {
        guard archive != nil else { return document.isExpandable(limits) }
        var steps = limits.expansionFloor.addingSaturated(count.multipliedSaturated(by: 4))
        var size = limits.maxExpandedSize(of: document)
        // The size is measured as in `treeSize`: two for each step, and one for each 64 bytes. By this measure, most
        // expansions are certainly small enough or certainly too large.
        let tooLarge = steps.multipliedSaturated(by: 2).addingSaturated(size / 64)
        if let treeSize = treeSize(upTo: tooLarge, from: start) {
            if treeSize < min(steps, size / 64) { return true }
            if treeSize == tooLarge { return false }
        }
        var outline = Outline(of: self, from: start, scope: Outline.Scope(repeatsShared: true))
        while steps > 0, size > 0, let step = outline.next() {
            steps -= 1
            guard case .value(let row) = step else { continue }
            size -= 1 + (row.scalar?.contentSize ?? 0)
        }
        return steps > 0 && size > 0
    }

    /// Returns the size of the expansion of a value, at most `limit`: two for each value, and one for each 64 bytes of a
    /// scalar. Returns nil if there is a cycle, since the size depends on the path then.
    ///
    /// The size of each container is computed once. Linear and iterative.
    private func treeSize(upTo limit: Int, from start: ViewID) -> Int? {
        guard let value = container(start) else { return 2 }
        var sizes = SparseTable(count: count)
        let (open, large) = (UInt32.max, min(limit, Int(UInt32.max) - 1))
        var frames = [(id: start, contents: value.contents, next: 0, size: 2)]
        sizes[start.index] = open
        while let frame = frames.last {
            guard frame.size < large else { return large == limit ? limit : nil }
            guard frame.next < frame.contents.count else {
                sizes[frame.id.index] = UInt32(frame.size)
                frames.removeLast()
                if frames.isEmpty { return frame.size }
                frames[frames.count - 1].size += frame.size
                continue
            }
            frames[frames.count - 1].next += 1
            let id = item(frame.next, of: frame.contents).id
            switch sizes[id.index] {
            case open: return nil
            case 0:
                if let value = container(id) {
                    sizes[id.index] = open
                    frames.append((id, value.contents, 0, 2))
                } else {
                    frames[frames.count - 1].size += 2 + (scalarObject(id)?.ownSize ?? 0) / 64
                }
            case let known: frames[frames.count - 1].size += Int(known)
            }
        }
        return nil
    }
}

extension Outline {
    /// Throws if a real or a date in the rest of the outline is not finite, since plain JSON has no literal for it.
    ///
    /// - Throws: `json.not-finite` with the address of the first such value.
    package consuming func checkFinite() throws(Problem) {
        // One occurrence of a shared value is enough. Expanding every occurrence might take exponential time.
        scope.repeatsShared = false
        while let step = next() {
            guard case .value(let row) = step, let text = row.scalar?.notFinite else { continue }
            throw Problem(
                "json.not-finite", "the real is \(text); JSON has no such number", address: address(of: row))
        }
    }
}

extension Outline.Row {
    /// The scalar that the row shows: the value, or the root of its nested save. Nil for a container.
    package var scalar: Node? {
        switch presentation {
        case .scalar, .unreadable: level.view.scalar(id)
        case .nested(let nested): nested.view.scalar(nested.view.root)
        case .opened, .closed, .annotated, .repeated: nil
        }
    }
}

extension Node {
    /// The text of a real or a date that is not finite; nil for any other value.
    fileprivate var notFinite: String? {
        switch self {
        case .real32(let value) where !value.isFinite: value.description
        case .real64(let value) where !value.isFinite: value.description
        case .date(let seconds) where !seconds.isFinite: seconds.description
        default: nil
        }
    }
}
