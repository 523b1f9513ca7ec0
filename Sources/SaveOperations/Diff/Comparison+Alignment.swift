import KeyedArchives
import SaveCodec

/// Which slots of two containers are compared with each other.
extension Comparison {
    /// The steps from the slots of one container to those of another.
    mutating func align(_ a: Int, _ b: Int, node: Int, state: Int) -> [SlotStep] {
        let (x, y) = (before.containers[a], after.containers[b])
        if x.kind.isKeyed { return alignKeys(x, y, node: node) }
        let facts = patterns.isEmpty ? nil : patterns[state]
        if x.kind == .set || y.kind == .set || facts?.isUnordered ?? false {
            return alignMembers(of: x, y)
        }
        return alignElements(of: x, y, by: facts?.identity)
    }

    private static func inPlace(_ count: Int) -> [SlotStep] {
        (0..<count).map { SlotStep(kind: .kept, slots: SlotPair($0, $0)) }
    }

    // MARK: Keys

    private mutating func alignKeys(
        _ x: ObjectGraph.Container, _ y: ObjectGraph.Container, node: Int
    ) -> [SlotStep] {
        let classSlots = SlotPair(sides.before.classes.slot(of: x), sides.after.classes.slot(of: y))
        var same = 0
        if classSlots == .none {
            while same < min(x.count, y.count), areSameKeys(before.key(same, of: x), after.key(same, of: y)) {
                same += 1
            }
        }
        if same == x.count, same == y.count {
            hasSameKeys[node] = true
            return Self.inPlace(same)
        }
        var hashesX = [UInt64](repeating: 0, count: x.count)
        for slot in same..<x.count { hashesX[slot] = hash(of: before.key(slot, of: x), .before) }
        var places = HashedPlaces(hashesX, at: (same..<x.count).filter { $0 != Int(classSlots.before) })
        var partners: [(slot: Int, kind: SlotStep.Kind)?] = (0..<same).map { ($0, .kept) }
        var found = same
        for slot in same..<y.count {
            let key = after.key(slot, of: y)
            let place = slot == Int(classSlots.after) ? nil : places.take(hash(of: key, .after))
            let isSame = place.map { areSameKeys(before.key($0, of: x), key) } ?? false
            if isSame { found += 1 }
            partners.append(isSame ? place.map { ($0, .kept) } : nil)
        }
        let fields = (x.count - (classSlots.before < 0 ? 0 : 1), y.count - (classSlots.after < 0 ? 0 : 1))
        hasSameKeys[node] = fields.0 == found && fields.1 == found
        return SlotStep.merge(x.count, partners, omitting: classSlots)
    }

    private mutating func areSameKeys(_ a: ViewID, _ b: ViewID) -> Bool {
        if let x = before.number(of: a), let y = after.number(of: b) {
            return equality?.areEqual(x, y) ?? false
        }
        return scalars.areSameKeys(a, b)
    }

    /// A hash that no file can be made to collide with.
    private mutating func hash(of key: ViewID, _ side: Side) -> UInt64 {
        if let number = sides[side].graph.number(of: key) {
            return ScalarHash.mix(seed, UInt64(equality?.block(of: number, side) ?? 0))
        }
        let compared = sides[side]
        return compared.view.scalarObject(key).map { keyHashes[side].hash(of: $0, key, in: compared) } ?? 0
    }

    // MARK: Tokens

    /// By what elements are told apart: by a field; or else which pair they are, or their hash.
    private func tokens(of container: ObjectGraph.Container, _ side: Side, by field: [UInt16]? = nil) -> [UInt64] {
        let (graph, hashes, pairs) = (sides[side].graph, hashes[side], pairs[side])
        return (0..<container.count).map { position in
            let value = graph.value(position, of: container)
            if let field { return token(of: value, by: field, side) }
            guard areArchives, let number = graph.number(of: value), pairs[number] >= 0 else { return hashes[value] }
            return ScalarHash.mix(~seed, UInt64(pairs[number]))
        }
    }

    /// The hash of an element's field; of an element without it that of the element.
    private func token(of element: ViewID, by field: [UInt16], _ side: Side) -> UInt64 {
        let (graph, hashes) = (sides[side].graph, hashes[side])
        guard let number = graph.number(of: element), graph.containers[number].kind.isKeyed else {
            return hashes[element]
        }
        let container = graph.containers[number]
        for position in 0..<container.count {
            guard let name = sides[side].view.text(graph.key(position, of: container)), name.elementsEqual(field) else {
                continue
            }
            return ScalarHash.mix(11, hashes[graph.value(position, of: container)])
        }
        return hashes[element]
    }

    // MARK: Elements

    private mutating func alignElements(
        of a: ObjectGraph.Container, _ b: ObjectGraph.Container, by field: [UInt16]?
    ) -> [SlotStep] {
        let (x, y) = (tokens(of: a, .before, by: field), tokens(of: b, .after, by: field))
        if x == y { return Self.inPlace(x.count) }
        let aligned = CommonSubsequence(x, y).partners
        var partners = [(slot: Int, kind: SlotStep.Kind)?](repeating: nil, count: y.count)
        for (slot, partner) in aligned.enumerated() where partner >= 0 { partners[partner] = (slot, .kept) }
        var isFree = aligned.map { $0 < 0 }
        addMoved(from: x, to: y, partners: &partners, isFree: &isFree)
        MoveReview.run(&partners, &isFree)
        var gaps = SlotGaps(count: x.count, partners: partners, isFree: isFree)
        while let gap = gaps.next() {
            for pair in pairUp(gap, of: a, b) { partners[pair.after] = (pair.before, pair.kind) }
        }
        return SlotStep.merge(x.count, partners)
    }

    /// Pairs what is gone in one place and has come in another.
    private func addMoved(
        from x: [UInt64], to y: [UInt64], partners: inout [(slot: Int, kind: SlotStep.Kind)?], isFree: inout [Bool]
    ) {
        var places = HashedPlaces(x, at: x.indices.filter { isFree[$0] })
        for slot in y.indices where partners[slot] == nil {
            guard let place = places.take(y[slot]) else { continue }
            partners[slot] = (place, .moved)
            isFree[place] = false
        }
    }

    // MARK: Members

    private mutating func alignMembers(of a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> [SlotStep] {
        let (x, y) = (tokens(of: a, .before), tokens(of: b, .after))
        var places = HashedPlaces(x, at: x.indices)
        var partners: [(slot: Int, kind: SlotStep.Kind)?] = y.map { places.take($0).map { ($0, .kept) } }
        var isFree = [Bool](repeating: true, count: x.count)
        for case .some(let partner) in partners { isFree[partner.slot] = false }
        let gap = SlotGaps.Gap(
            before: x.indices.filter { isFree[$0] }, after: y.indices.filter { partners[$0] == nil })
        // Members that have nothing in common are not one that was changed.
        for pair in pairUp(gap, of: a, b) where pair.kind == .kept && isContainer(pair.before, of: a) {
            partners[pair.after] = (pair.before, .kept)
        }
        return SlotStep.merge(x.count, partners)
    }

    private func isContainer(_ slot: Int, of container: ObjectGraph.Container) -> Bool {
        before.number(of: before.value(slot, of: container)) != nil
    }
}

/// Takes back moves that are more than two changes would be.
///
///     [1, 8, 9, 2]   →   [2, 8, 9, 3]      2 was moved, 1 removed and 3 added, or else
///                                          1 was changed to 2, and 2 to 3
private enum MoveReview {
    /// - Parameters:
    ///   - partners: for every slot after the one before; nil for one that is new so far.
    ///   - isFree: for every slot before whether it is gone so far.
    static func run(_ partners: inout [(slot: Int, kind: SlotStep.Kind)?], _ isFree: inout [Bool]) {
        guard partners.contains(where: { $0?.kind == .moved }) else { return }
        let gaps = gapNumbers(partners, isFree.count)
        // How many more slots come than go in each gap.
        var surplus = [Int](repeating: 0, count: isFree.count + 1)
        for slot in isFree.indices where isFree[slot] { surplus[gaps.before[slot]] -= 1 }
        for slot in partners.indices where partners[slot] == nil { surplus[gaps.after[slot]] += 1 }
        for slot in partners.indices {
            guard let partner = partners[slot], partner.kind == .moved else { continue }
            let (from, to) = (gaps.before[partner.slot], gaps.after[slot])
            guard surplus[from] > 0, surplus[to] < 0 else { continue }
            (surplus[from], surplus[to]) = (surplus[from] - 1, surplus[to] + 1)
            partners[slot] = nil
            isFree[partner.slot] = true
        }
    }

    /// In which gap between slots that are kept each slot lies.
    private static func gapNumbers(
        _ partners: [(slot: Int, kind: SlotStep.Kind)?], _ count: Int
    ) -> (before: [Int], after: [Int]) {
        var isKept = [Bool](repeating: false, count: count)
        var after: [Int] = []
        var gap = 0
        for partner in partners {
            after.append(gap)
            guard let partner, partner.kind == .kept else { continue }
            isKept[partner.slot] = true
            gap += 1
        }
        var before: [Int] = []
        gap = 0
        for isKept in isKept {
            before.append(gap)
            if isKept { gap += 1 }
        }
        return (before, after)
    }
}
