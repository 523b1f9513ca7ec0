import KeyedArchives
import SaveCodec
import SaveOperations

/// The addresses of changes as text.
///
/// Changes are in document order, so the address of each container is built only once. Keys in a hostile file can make
/// addresses very long.
final class ChangeAddresses {
    private let difference: Difference
    /// Formats an address; the result for the root is empty.
    private let write: (JSONPointer) -> [UInt8]
    private var latest = Sides { _ in Latest() }

    /// The most recently written parts of addresses on one side.
    private struct Latest {
        /// The node number of the latest container, or -1 for none, and the container's address.
        var node = -1
        var container: [UInt8] = []
        /// A long key, which many containers may share, and its step.
        var key: (id: ViewID, step: [UInt8])?
    }

    /// The number of code units above which a key is long.
    private static let longKey = 64

    init(_ difference: Difference, _ write: @escaping (JSONPointer) -> [UInt8]) {
        self.difference = difference
        self.write = write
    }

    /// Creates addresses as text output shows them.
    static func shown(_ difference: Difference) -> ChangeAddresses {
        ChangeAddresses(difference) { $0 == .root ? [] : Array($0.description.utf8) }
    }

    /// Creates addresses that are escaped as the contents of JSON strings.
    static func json(_ difference: Difference) -> ChangeAddresses {
        ChangeAddresses(difference) { JSONString.escaped($0.operand) }
    }

    /// Returns the address of a change on one side, or nil if the side has no value.
    func address(of change: Change, _ side: Side) -> [UInt8]? {
        guard change.value(side) != nil else { return nil }
        guard let place = difference.site(of: change) else {
            return difference.address(of: change, side).map(write)
        }
        let container = container(of: place, side)
        guard let position = place.position(side), difference.depth(of: change) <= Difference.defaultMaxTokens else {
            return difference.address(ofPair: place.node, side) == difference.commonAddress(ofPair: place.node, side)
                ? container : write(difference.address(ofPair: place.node, side))
        }
        let key = difference.view(side).item(position, of: place.container(side)).key
        return container + step(PathStep(key: key, position: position), side)
    }

    private func step(_ step: PathStep, _ side: Side) -> [UInt8] {
        let view = difference.view(side)
        guard let key = step.key, let text = view.text(key), text.count > Self.longKey else {
            return write(view.step(step))
        }
        if let known = latest[side].key, known.id == key { return known.step }
        let written = write(view.step(step))
        latest[side].key = (key, written)
        return written
    }

    private func container(of site: ChangeSite, _ side: Side) -> [UInt8] {
        if latest[side].node != site.node {
            latest[side].node = site.node
            latest[side].container = write(difference.commonAddress(ofPair: site.node, side))
        }
        return latest[side].container
    }
}

/// The addresses at which the objects of two archives were compared.
final class ComparedAddresses {
    private let difference: Difference
    private let areArchives: Bool
    /// The pair of each container in the save before, by the container's identity: the number of the pair plus 1, or 0
    /// for a container without a pair.
    private var pairsBefore: [UInt32] = []

    init(_ difference: Difference) {
        self.difference = difference
        areArchives = difference.before.archive != nil && difference.after.archive != nil
        guard areArchives, difference.changes.contains(where: { $0.before != nil }) else { return }
        pairsBefore = [UInt32](repeating: 0, count: difference.before.count)
        for (number, pair) in difference.pairs.enumerated() {
            pairsBefore[pair.before.index] = UInt32(truncatingIfNeeded: number + 1)
        }
    }

    /// Returns the address of the object that a change refers to on one side, if the other side has the same object at
    /// another address.
    func otherAddress(of change: Change, _ side: Side) -> JSONPointer? {
        guard areArchives, !isPair(change), let pair = change.value(side).flatMap({ pair(of: $0, side) }) else {
            return nil
        }
        return difference.address(ofPair: pair, side)
    }

    private func pair(of id: ViewID, _ side: Side) -> Int? {
        guard side == .before else { return difference.partner(ofAfter: id) }
        return id.index < pairsBefore.count && pairsBefore[id.index] > 0 ? Int(pairsBefore[id.index]) - 1 : nil
    }

    /// Whether the two values of a change were compared as the same object.
    private func isPair(_ change: Change) -> Bool {
        guard let before = change.before, let pair = change.after.flatMap(difference.partner) else { return false }
        return difference.pairs[pair].before == before
    }
}

// MARK: Locations

/// The locations of changes and their neighbours in text files:
///
///     ~ /health (5:2 → 6:2): 100 → 64
///     + /shield (7:2): 5
///     ~ /level (→ 8:2): 1 → 2            the file before is binary
final class ChangeLocations {
    private let difference: Difference
    private let locations: Sides<FileLocations?>

    init(_ saves: ComparedSaves) {
        difference = saves.difference
        locations = Sides { $0 == .before ? saves.before.locations : saves.after.locations }
    }

    /// Returns the locations of a change, enclosed in parentheses; empty if no location is known.
    func note(on change: Change) -> String {
        let (before, after) = (location(of: change, .before), location(of: change, .after))
        switch (before, after) {
        case (nil, nil): return ""
        case (let place?, nil): return " (\(place)\(change.after == nil ? "" : " →"))"
        case (nil, let place?): return " (\(change.before == nil ? "" : "→ ")\(place))"
        case (let before?, let after?): return " (\(before) → \(after))"
        }
    }

    /// Returns the location of a slot beside a change, enclosed in parentheses; empty if the location is unknown.
    ///
    /// - Parameters:
    ///   - position: The position of the slot in its container.
    ///   - site: The compared containers that the change is in.
    func note(on position: Int, of site: ChangeSite, _ side: Side) -> String {
        location(of: position, in: site, side).map { " (\($0))" } ?? ""
    }

    private func location(of change: Change, _ side: Side) -> SourceLocation? {
        guard change.value(side) != nil else { return nil }
        var place = difference.site(of: change)
        if let containers = place, containers.positionBefore == nil, containers.positionAfter == nil {
            place = difference.enclosingSite(of: containers)
        }
        guard let place else { return locations[side]?.line(of: .root, in: difference.view(side)) }
        return place.position(side).flatMap { location(of: $0, in: place, side) }
    }

    private func location(of position: Int, in site: ChangeSite, _ side: Side) -> SourceLocation? {
        locations[side]?.line(at: position, of: site.container(side), in: difference.view(side))
    }
}
