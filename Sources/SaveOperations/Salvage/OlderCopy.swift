import KeyedArchives
import SaveCodec

/// The containers of a repaired save with their counterparts in an older copy, where the lost values can be found.
///
///     repaired   {"name": "Bob", "items": [null, null], "lost key 7": 90}
///     older      {"name": "Bob", "items": ["axe", "bow"], "health": 80}
///
/// A comparison (``Difference``) pairs the containers and aligns their slots. The slots that it leaves unpaired are
/// paired by key or, in arrays of equal length, by position. The time is linear, apart from the comparison.
struct OlderCopy {
    let view: ObjectView
    let older: ObjectView
    private let difference: Difference
    /// The number of the pair of each container in the comparison.
    private var pairNumbers: [ViewID: Int] = [:]
    /// The counterpart of each container.
    private(set) var partners: [ViewID: ViewID] = [:]
    /// The containers with several counterparts. Such a container is in several slots, which have different containers
    /// in the older copy.
    private(set) var ambiguous: Set<ViewID> = []
    /// The class in the older copy of each object whose class is lost, by position in the older archive's classes.
    private(set) var classes: [ViewID: Int] = [:]
    /// The containers that may lack members at their end.
    private let open: Set<ViewID>
    private let keyNumbers = KeyNumbers()

    /// A slot in a container, and the value that the older copy has there.
    struct Slot {
        let container: ViewID
        /// The position of the slot; the number of slots for one that does not exist.
        let position: Int
        /// The key in the older copy, if the slot needs one.
        let key: ViewID?
        /// The value in the older copy; nil to keep the present one.
        let value: ViewID?
    }

    init(of view: ObjectView, _ older: ObjectView, open: Set<ViewID>) {
        (self.view, self.older, self.open) = (view, older, open)
        var options = DifferenceOptions()
        options.keepsAlignments = true
        difference = Difference(view, older, options: options)
        for (number, pair) in difference.pairs.enumerated() where pairNumbers[pair.before] == nil {
            pairNumbers[pair.before] = number
        }
        pairContainers()
    }

    // MARK: Pairs

    private mutating func pairContainers() {
        guard view.container(view.root) != nil, older.container(older.root) != nil else { return }
        var queue: [ViewID] = []
        func take(_ id: ViewID, _ other: ViewID) {
            // The slots are decisive. The comparison may pair a container that is cut off with a similar one elsewhere.
            if let known = partners[id] {
                if known != other { ambiguous.insert(id) }
                return
            }
            partners[id] = other
            queue.append(id)
        }
        take(view.root, older.root)
        var next = 0
        while next < queue.count {
            let id = queue[next]
            next += 1
            guard let partner = partners[id] else { continue }
            for (position, counterpart) in pairedSlots(of: id, partner) {
                let (value, other) = (view.item(position, of: id).id, older.item(counterpart, of: partner).id)
                guard let kind = view.kind(of: value), let otherKind = older.kind(of: other) else { continue }
                noteClass(of: value, other)
                if kind == otherKind { take(value, other) }
            }
        }
    }

    private mutating func noteClass(of id: ViewID, _ other: ViewID) {
        guard let position = view.classPosition(of: id), let number = older.classPosition(of: other),
            view.archive?.classes[position].name.string == SalvageLoss.className
        else { return }
        classes[id] = classes[id] ?? number
    }

    /// Returns the positions of the slots of a container that have a counterpart, each with the position of the
    /// counterpart.
    private func pairedSlots(of id: ViewID, _ partner: ViewID) -> [(position: Int, counterpart: Int)] {
        let (contents, others) = (view[id].contents, older[partner].contents)
        let isKeyed = view[id].variant.isKeyed
        guard isKeyed == older[partner].variant.isKeyed else { return [] }
        var found = [Bool](repeating: false, count: contents.count)
        var taken = [Bool](repeating: false, count: others.count)
        // Elements before the end that is missing keep their positions.
        if !isKeyed, open.contains(id) { return (0..<min(contents.count, others.count)).map { ($0, $0) } }
        var pairs: [(position: Int, counterpart: Int)] = []
        if let number = pairNumbers[id], difference.pairs[number].after == partner {
            for (before, after) in difference.aligned(number)
            where found.indices.contains(before) && taken.indices.contains(after) {
                (found[before], taken[after]) = (true, true)
                pairs.append((before, after))
            }
        }
        guard found.contains(false), taken.contains(false) else { return pairs }
        if isKeyed {
            var positions: [Int: Int] = [:]
            for position in taken.indices where !taken[position] {
                if let key = keyNumbers.number(of: older.item(position, of: others).key, in: older, isOlder: true) {
                    positions[key] = position
                }
            }
            for position in found.indices where !found[position] {
                let key = keyNumbers.number(of: view.item(position, of: contents).key, in: view, isOlder: false)
                guard let other = key.flatMap({ positions[$0] }) else { continue }
                pairs.append((position, other))
            }
        } else if contents.count == others.count {
            for position in found.indices where !found[position] && !taken[position] {
                pairs.append((position, position))
            }
        }
        return pairs
    }

    // MARK: Slots

    /// Returns the lost slots of a container that the older copy has, with the values there. Returns none for a
    /// container with several counterparts.
    ///
    /// - Parameters:
    ///   - lost: The positions of placeholders.
    ///   - lostKeys: The positions of pairs whose key is a placeholder.
    func slots(of id: ViewID, lost: Set<Int>, lostKeys: Set<Int>) -> [Slot] {
        guard let partner = partners[id], !ambiguous.contains(id) else { return [] }
        var slots: [Slot] = []
        var isPresent = [Bool](repeating: false, count: older[partner].contents.count)
        let pairs = pairedSlots(of: id, partner)
        // If no root has the assumed name, the older roots may be objects that came back without a name.
        if view.archive != nil, id == view.root, pairs.isEmpty { return slots }
        // Writers keep the order of keys.
        var isInOrder =
            isPresent.count == view[id].contents.count && pairs.count + lostKeys.count == isPresent.count
        for (position, other) in pairs {
            isPresent[other] = true
            isInOrder = isInOrder && position == other
            guard lost.contains(position), !lostKeys.contains(position) else { continue }
            slots.append(
                Slot(container: id, position: position, key: nil, value: older.item(other, of: partner).id))
        }
        let absent = isPresent.indices.filter { !isPresent[$0] }
        let isKeyed = view[id].variant.isKeyed
        guard isKeyed else {
            return slots + appended(absent.filter { $0 >= view[id].contents.count }, to: id, partner)
        }
        // A single key is also known by the only slot that is left.
        let others = isInOrder ? lostKeys.sorted() : lostKeys.count == 1 ? absent : []
        let named = self.named(lostKeys, of: id, others, of: partner)
        for (position, other) in named.sorted(by: { $0.key < $1.key }) {
            let item = older.item(other, of: partner)
            slots.append(
                Slot(
                    container: id, position: position, key: item.key, value: lost.contains(position) ? item.id : nil))
        }
        // An absent key may belong to a pair whose key is lost.
        guard named.count == lostKeys.count else { return slots }
        let taken = Set(named.values)
        return slots + appended(absent.filter { !taken.contains($0) }, to: id, partner)
    }

    private func appended(_ positions: [Int], to id: ViewID, _ partner: ViewID) -> [Slot] {
        guard open.contains(id) else { return [] }
        let count = view[id].contents.count
        return positions.enumerated().map { offset, position in
            let item = older.item(position, of: partner)
            return Slot(container: id, position: count + offset, key: item.key, value: item.id)
        }
    }

    /// Returns the slots of the older copy for the pairs whose keys are lost, by the positions of the pairs.
    ///
    /// - Parameter others: The slots that the repaired dictionary lacks, in the order of the pairs. There must be one
    ///   for each pair, whose value is of the same kind, unless the pair's value is lost, too. If no key of several
    ///   came back, no value may have come back.
    private func named(_ lostKeys: Set<Int>, of id: ViewID, _ others: [Int], of partner: ViewID) -> [Int: Int] {
        let isKnown = lostKeys.count == 1 || lostKeys.count < view[id].contents.count
        guard lostKeys.count == others.count else { return [:] }
        var named: [Int: Int] = [:]
        for (position, other) in zip(lostKeys.sorted(), others) {
            let (value, counterpart) = (view.item(position, of: id).id, older.item(other, of: partner).id)
            let (node, found) = (view.scalar(value), older.scalar(counterpart))
            let isPlaceholder = if case .null? = node { true } else { false }
            let isSame = node?.kind == found?.kind && view.kind(of: value) == older.kind(of: counterpart)
            guard isPlaceholder || isSame && isKnown else { return [:] }
            named[position] = other
        }
        return named
    }
}

/// The numbers of texts that are keys. The text of a key that many dictionaries share is hashed once.
private final class KeyNumbers {
    private var numbers: [[UInt16]: Int] = [:]
    private var known: (older: [ViewID: Int], newer: [ViewID: Int]) = ([:], [:])

    /// Returns the same number for equal texts; nil for no key, or one that is not a text.
    func number(of key: ViewID?, in view: ObjectView, isOlder: Bool) -> Int? {
        guard let key else { return nil }
        if let number = isOlder ? known.older[key] : known.newer[key] { return number }
        guard let text = view.text(key) else { return nil }
        let number = numbers[text.units] ?? numbers.count
        numbers[text.units] = number
        if isOlder { known.older[key] = number } else { known.newer[key] = number }
        return number
    }
}
