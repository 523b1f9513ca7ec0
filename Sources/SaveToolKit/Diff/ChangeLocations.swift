import KeyedArchives
import SaveCodec
import SaveOperations

/// Where in text files changes and their neighbours stand:
///
///     ~ /health (5:2 → 6:2): 100 → 64
///     + /shield (7:2): 5
///     ~ /level (→ 8:2): 1 → 2            the file before is binary
final class ChangeLocations {
    private let difference: Difference
    private let places: Sides<FilePlaces?>

    init(_ saves: ComparedSaves) {
        difference = saves.difference
        places = Sides { $0 == .before ? saves.before.places : saves.after.places }
    }

    /// What is told of a change; nothing if no place is known.
    func note(on change: Change) -> String {
        let (before, after) = (location(of: change, .before), location(of: change, .after))
        switch (before, after) {
        case (nil, nil): return ""
        case (let place?, nil): return " (\(place)\(change.after == nil ? "" : " →"))"
        case (nil, let place?): return " (\(change.before == nil ? "" : "→ ")\(place))"
        case (let before?, let after?): return " (\(before) → \(after))"
        }
    }

    /// What is told of something else in the containers of a place.
    func note(on position: Int, of place: ChangePlace, _ side: Side) -> String {
        location(of: position, in: place, side).map { " (\($0))" } ?? ""
    }

    private func location(of change: Change, _ side: Side) -> SourceLocation? {
        guard change.value(side) != nil else { return nil }
        var place = difference.place(of: change)
        if let containers = place, containers.positionBefore == nil, containers.positionAfter == nil {
            place = difference.place(around: containers)
        }
        guard let place else { return places[side]?.line(of: .root, in: difference.view(side)) }
        return place.position(side).flatMap { location(of: $0, in: place, side) }
    }

    private func location(of position: Int, in place: ChangePlace, _ side: Side) -> SourceLocation? {
        places[side]?.line(at: position, of: place.container(side), in: difference.view(side))
    }
}
