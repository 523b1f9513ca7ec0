package import KeyedArchives

extension Outline.Scope {
    /// Returns the scope with the greatest depth at which the outline of a value has at most `rows` rows, but at least
    /// depth 3. Returns the scope unchanged if the whole outline fits.
    package func overview(of view: ObjectView, from start: ViewID, rows: Int) -> Outline.Scope {
        var scope = self
        var (fitting, tooDeep) = (3, max(rows, 4))
        while tooDeep - fitting > 1 {
            scope.depth = (fitting + tooDeep) / 2
            switch Self.size(Outline(of: view, from: start, scope: scope), upTo: rows) {
            case .complete: return self
            case .cutOff: fitting = (fitting + tooDeep) / 2
            case .tooLarge: tooDeep = (fitting + tooDeep) / 2
            }
        }
        scope.depth = fitting
        return scope
    }

    private enum Size {
        case complete
        /// The outline fits, but some containers are not opened.
        case cutOff
        case tooLarge
    }

    private static func size(_ outline: consuming Outline, upTo rows: Int) -> Size {
        var (shown, size) = (0, Size.complete)
        while let step = outline.next() {
            guard case .value(let row) = step else { continue }
            shown += 1
            if shown > rows { return .tooLarge }
            if case .closed = row.presentation { size = .cutOff }
        }
        return size
    }
}
