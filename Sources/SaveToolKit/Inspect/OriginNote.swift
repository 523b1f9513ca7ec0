import KeyedArchives
import SaveCodec
import SaveOperations

/// Tells what comes from the defaults where preferences are shown that lie over them.
///
///     ├─ gems: 340  (default: 0)
///     ├─ playerName: "Ada"
///     └─ soundOn: true  (default)
final class OriginNote {
    private let layers: DefaultsOverlay
    /// What is shown if not the root: the position of the pair of the root that it is part of, and whether it is its value.
    private let start: (position: Int, isValue: Bool)?
    private let same: Set<Int>
    private let own: Abbreviation
    private let hidden: Abbreviation

    /// - Parameters:
    ///   - position: the position of the pair of the root that is shown; nil for all.
    ///   - address: what is shown.
    init(_ layers: DefaultsOverlay, of position: Int?, at address: JSONPointer) {
        self.layers = layers
        start = position.map { ($0, address.tokens.count == 1) }
        same = layers.sameAsDefault()
        own = Abbreviation(of: layers.preferences)
        hidden = Abbreviation(of: layers.defaults.view)
    }

    /// What is told behind a row within so many open containers: at the values of the root, or at the one value that is
    /// shown.
    func text(_ row: Outline.Row, depth: Int) -> String? {
        guard depth == (start == nil ? 1 : 0), let position = position(row, depth: depth) else { return nil }
        switch layers.origins[position] {
        case .preferences: return nil
        case .defaults: return "(default)"
        case .overriding(let id):
            guard start?.isValue ?? true else { return nil }
            if same.contains(position) { return "(same as default)" }
            let value = hidden.line(id)
            let contents = layers.preferences[layers.preferences.root].contents
            let isAlike = own.line(layers.preferences.item(position, of: contents).id) == value
            return isAlike ? "(default differs)" : "(default: \(value))"
        }
    }

    /// Whether a row within so many open containers is part of a default.
    func isDefault(_ row: Outline.Row?, depth: Int) -> Bool {
        guard let position = position(row, depth: depth), case .defaults = layers.origins[position] else {
            return false
        }
        return true
    }

    /// The position of the pair of the root that a row is the value of, or part of if that is shown alone.
    private func position(_ row: Outline.Row?, depth: Int) -> Int? {
        if let start { return start.position }
        guard depth == 1, case .entry(let position, _)? = row?.label else { return nil }
        return position
    }

    /// How many pairs come from where.
    static func summary(_ layers: DefaultsOverlay) -> String {
        let overriding = layers.origins.count { if case .overriding = $0 { true } else { false } }
        let same = layers.sameAsDefault().count
        let own = layers.origins.count - layers.defaultCount - overriding
        return """
            \(own) only in the preferences, \(overriding - same) overriding a default, \(same) the same as the default, \
            \(layers.defaultCount) only in the defaults
            """
    }
}
