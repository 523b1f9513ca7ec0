import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The output formats of `savetool inspect`.
enum InspectFormat: String, CaseIterable {
    case tree, flat, json, ndjson, summary, dot, mermaid, html
}

/// The options that say how much of a save `inspect` shows.
struct InspectExtent {
    let format: InspectFormat
    let depth: Int?
    /// The maximum number of entries of each container; 0 for no maximum, and nil for the usual one of the format.
    let limit: Int?
    /// Whether shared containers are written out at each reference.
    let expands: Bool
    /// The options for opening nested saves; nil to show them as data.
    let nesting: NestedSaveOptions?

    /// The number of rows for an archive's tree if no option sets its extent.
    private static let overviewRows = 200

    /// Returns the extent to which the contents of a value are shown.
    ///
    /// - Parameter condenses: Whether a tree shows an object as one line of text if that describes it completely.
    func scope(
        for view: ObjectView, from start: ViewID, condenses: Bool, within limits: Limits
    ) -> Outline.Scope {
        switch format {
        case .tree:
            var scope = Outline.Scope(
                depth: depth, limit: limit.map { $0 == 0 ? nil : $0 } ?? 50, annotates: condenses, nesting: nesting)
            scope.shortensLists = limit == nil
            if depth != nil || limit != nil || view.archive == nil { return scope }
            return scope.overview(of: view, from: start, rows: Self.overviewRows)
        case .html:
            return Outline.Scope(depth: depth, limit: limit == 0 ? nil : limit, annotates: true, nesting: nesting)
        case .flat, .json, .ndjson, .summary, .dot, .mermaid:
            return Outline.Scope(
                depth: depth, limit: limit == 0 ? nil : limit,
                repeatsShared: (format == .json || expands) && view.isExpandable(from: start, limits),
                nesting: nesting)
        }
    }

    /// Whether the last line of a tree reports what is left out. It does so only if no option limits the tree.
    var reportsOmissions: Bool { limit == nil && depth == nil }

    /// Returns the maximum number of rows of a summary, or of a container's contents in a diagram; nil for no limit.
    ///
    /// - Parameter usual: The number if `--limit` is not given.
    func bound(_ usual: Int) -> Int? {
        let bound = limit ?? usual
        return bound == 0 ? nil : bound
    }
}
