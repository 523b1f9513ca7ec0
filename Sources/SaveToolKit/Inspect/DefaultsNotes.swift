import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The notes about registered defaults in a view of preferences with a defaults overlay.
///
///     ├─ gems: 340  (default: 0)
///     ├─ playerName: "Ada"
///     └─ soundOn: true  (default)
final class DefaultsNotes {
    private let overlay: DefaultsOverlay
    /// The position of the root's pair that contains the shown value, and whether the shown value is the pair's whole
    /// value; nil if the root is shown.
    private let start: (position: Int, isValue: Bool)?
    private let same: Set<Int>
    private let own: ValueAbbreviator
    private let hidden: ValueAbbreviator

    /// - Parameters:
    ///   - position: The position of the root's pair that contains the shown value; nil for the root.
    ///   - address: The address of the shown value.
    init(_ overlay: DefaultsOverlay, of position: Int?, at address: JSONPointer) {
        self.overlay = overlay
        start = position.map { ($0, address.tokens.count == 1) }
        same = overlay.positionsEqualToDefaults()
        own = ValueAbbreviator(of: overlay.preferences)
        hidden = ValueAbbreviator(of: overlay.defaults.view)
    }

    /// Returns the note after a row. Only the values of the root, or the single value that is shown, have a note.
    ///
    /// - Parameter depth: The number of open containers around the row.
    func text(_ row: Outline.Row, depth: Int) -> String? {
        guard depth == (start == nil ? 1 : 0), let position = position(row, depth: depth) else { return nil }
        switch overlay.origins[position] {
        case .preferences: return nil
        case .defaults: return "(default)"
        case .overriding(let id):
            guard start?.isValue ?? true else { return nil }
            if same.contains(position) { return "(same as default)" }
            let value = hidden.line(id)
            let contents = overlay.preferences[overlay.preferences.root].contents
            let isAlike = own.line(overlay.preferences.item(position, of: contents).id) == value
            return isAlike ? "(default differs)" : "(default: \(value))"
        }
    }

    /// Whether a row is part of a default.
    ///
    /// - Parameter depth: The number of open containers around the row.
    func isDefault(_ row: Outline.Row?, depth: Int) -> Bool {
        guard let position = position(row, depth: depth), case .defaults = overlay.origins[position] else {
            return false
        }
        return true
    }

    /// Returns the position of the root's pair that the row belongs to; nil for rows below the values of the root.
    private func position(_ row: Outline.Row?, depth: Int) -> Int? {
        if let start { return start.position }
        guard depth == 1, case .entry(let position, _)? = row?.slot else { return nil }
        return position
    }

    /// Returns the number of pairs of each origin, as text.
    static func summary(_ overlay: DefaultsOverlay) -> String {
        let overriding = overlay.origins.count { if case .overriding = $0 { true } else { false } }
        let same = overlay.positionsEqualToDefaults().count
        let own = overlay.origins.count - overlay.defaultCount - overriding
        return """
            \(own) only in the preferences, \(overriding - same) overriding a default, \(same) the same as the default, \
            \(overlay.defaultCount) only in the defaults
            """
    }
}
