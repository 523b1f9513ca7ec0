import KeyedArchives
import SaveCodec

/// The alignment of the slots of two containers.
extension Comparison {
    /// Returns the steps from the slots of one container to the slots of another.
    mutating func align(_ a: Int, _ b: Int, node: Int, state: Int) -> [AlignmentStep] {
        let (x, y) = (before.containers[a], after.containers[b])
        if x.kind.isKeyed { return alignKeys(x, y, node: node) }
        let rules = patterns.isEmpty ? nil : patterns[state]
        if x.kind == .set || y.kind == .set || rules?.isUnordered ?? false {
            return alignMembers(of: x, y)
        }
        return alignElements(of: x, y, by: rules?.identity)
    }

    private static func inPlace(_ count: Int) -> [AlignmentStep] {
        (0..<count).map { AlignmentStep(kind: .kept, slots: SlotPair($0, $0)) }
    }

    // MARK: Keys

    private mutating func alignKeys(
        _ x: ContainerGraph.Container, _ y: ContainerGraph.Container, node: Int
    ) -> [AlignmentStep] {
        let (before, after) = (before, after)
        let classSlots = SlotPair(sides.before.classes.slot(of: x), sides.after.classes.slot(of: y))
        var same = 0
        if classSlots == .none {
            while same < min(x.count, y.count), areSameKeys(before.key(same, of: x), after.key(same, of: y)) {
                same += 1
            }
        }
        if same == x.count, same == y.count {
            tree.noteKeys(of: node, areSame: true)
            return Self.inPlace(same)
        }
        var hashesX = [UInt64](repeating: 0, count: x.count)
        for slot in same..<x.count { hashesX[slot] = keys.hash(of: before.key(slot, of: x), .before) }
        var places = HashPositions(hashesX, at: (same..<x.count).filter { $0 != Int(classSlots.before) })
        var partners: [(slot: Int, kind: AlignmentStep.Kind)?] = (0..<same).map { ($0, .kept) }
        var found = same
        for slot in same..<y.count {
            let key = after.key(slot, of: y)
            let place = slot == Int(classSlots.after) ? nil : places.take(keys.hash(of: key, .after))
            let isSame = place.map { areSameKeys(before.key($0, of: x), key) } ?? false
            if isSame { found += 1 }
            partners.append(isSame ? place.map { ($0, .kept) } : nil)
        }
        let fields = (x.count - (classSlots.before < 0 ? 0 : 1), y.count - (classSlots.after < 0 ? 0 : 1))
        tree.noteKeys(of: node, areSame: fields.0 == found && fields.1 == found)
        return AlignmentStep.merge(x.count, partners, omitting: classSlots)
    }

    private mutating func areSameKeys(_ a: ViewID, _ b: ViewID) -> Bool {
        keys.areEqualContainers(a, b) ?? scalars.areSameKeys(a, b)
    }

    // MARK: Tokens

    /// Returns the tokens for aligning the elements of a container.
    ///
    /// - Parameter field: The field whose hash is the token. If nil, the token is the number of the element's pair, or
    ///   the hash of the element if it has no pair.
    private func tokens(of container: ContainerGraph.Container, _ side: Side, by field: [UInt16]? = nil) -> [UInt64] {
        let (graph, hashes, pairs) = (sides[side].graph, hashes[side], tree.pairs[side])
        return (0..<container.count).map { position in
            let value = graph.value(position, of: container)
            if let field { return token(of: value, by: field, side) }
            guard areArchives, let number = graph.number(of: value), pairs[number] >= 0 else { return hashes[value] }
            return tree.token(ofPair: pairs[number])
        }
    }

    /// Returns the hash of a field of an element, or of the whole element if it has no such field.
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
        of a: ContainerGraph.Container, _ b: ContainerGraph.Container, by field: [UInt16]?
    ) -> [AlignmentStep] {
        var (x, y) = (tokens(of: a, .before, by: field), tokens(of: b, .after, by: field))
        if x == y { return Self.inPlace(x.count) }
        if let named = options.namedElements[a.id] {
            // A unique token matches no other element.
            for position in named.before where position < x.count { x[position] = UInt64(position) }
            for position in named.after where position < y.count { y[position] = ~UInt64(position) }
        }
        var subsequence = CommonSubsequence(x, y)
        // Equal containers are not interchangeable: other places may refer to one of them.
        subsequence.matchFirstOfEqualNeighbors { before.number(of: before.value($0, of: a)) == nil }
        let aligned = subsequence.partners
        var partners = [(slot: Int, kind: AlignmentStep.Kind)?](repeating: nil, count: y.count)
        for (slot, partner) in aligned.enumerated() where partner >= 0 { partners[partner] = (slot, .kept) }
        var isFree = aligned.map { $0 < 0 }
        addMoved(from: x, to: y, partners: &partners, isFree: &isFree)
        MoveReduction.run(&partners, &isFree)
        var gaps = SlotGaps(count: x.count, partners: partners, isFree: isFree)
        while let gap = gaps.next() {
            for pair in pairUp(gap, of: a, b) { partners[pair.after] = (pair.before, pair.kind) }
        }
        return AlignmentStep.merge(x.count, partners)
    }

    /// Pairs elements that are removed at one position and added at another.
    private func addMoved(
        from x: [UInt64], to y: [UInt64], partners: inout [(slot: Int, kind: AlignmentStep.Kind)?], isFree: inout [Bool]
    ) {
        var places = HashPositions(x, at: x.indices.filter { isFree[$0] })
        for slot in y.indices where partners[slot] == nil {
            guard let place = places.take(y[slot]) else { continue }
            partners[slot] = (place, .moved)
            isFree[place] = false
        }
    }

    // MARK: Members

    private mutating func alignMembers(of a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> [AlignmentStep]
    {
        let (x, y) = (tokens(of: a, .before), tokens(of: b, .after))
        var places = HashPositions(x, at: x.indices)
        var partners: [(slot: Int, kind: AlignmentStep.Kind)?] = y.map { places.take($0).map { ($0, .kept) } }
        var isFree = [Bool](repeating: true, count: x.count)
        for case .some(let partner) in partners { isFree[partner.slot] = false }
        let gap = SlotGaps.Gap(
            before: x.indices.filter { isFree[$0] }, after: y.indices.filter { partners[$0] == nil })
        // Two members with nothing in common are a removal and an addition, not a change.
        for pair in pairUp(gap, of: a, b) where pair.kind == .kept && isContainer(pair.before, of: a) {
            partners[pair.after] = (pair.before, .kept)
        }
        return AlignmentStep.merge(x.count, partners)
    }

    private func isContainer(_ slot: Int, of container: ContainerGraph.Container) -> Bool {
        before.number(of: before.value(slot, of: container)) != nil
    }
}

/// Undoes moves that cost more than two changes.
///
///     [1, 8, 9, 2]   →   [2, 8, 9, 3]      2 was moved, 1 removed and 3 added, or else
///                                          1 was changed to 2, and 2 to 3
private enum MoveReduction {
    /// - Parameters:
    ///   - partners: For each later slot, its partner among the earlier slots; nil if it counts as new so far.
    ///   - isFree: For each earlier slot, whether it counts as removed so far.
    static func run(_ partners: inout [(slot: Int, kind: AlignmentStep.Kind)?], _ isFree: inout [Bool]) {
        guard partners.contains(where: { $0?.kind == .moved }) else { return }
        let gaps = gapNumbers(partners, isFree.count)
        // The number of additions minus the number of removals, for each gap.
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

    /// Returns, for each slot, the number of the gap between kept slots that contains it.
    private static func gapNumbers(
        _ partners: [(slot: Int, kind: AlignmentStep.Kind)?], _ count: Int
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

// MARK: Gaps

/// Pairing of removed and added elements in one gap.
extension Comparison {
    struct SlotPairing {
        let before: Int
        let after: Int
        let kind: AlignmentStep.Kind
    }

    /// Pairs the slots of a gap without changing their order, so that similar values become partners. Every slot of the
    /// shorter list gets a partner, since a change is smaller than a removal and an addition.
    fileprivate mutating func pairUp(
        _ gap: SlotGaps.Gap, of a: ContainerGraph.Container, _ b: ContainerGraph.Container
    ) -> [SlotPairing] {
        guard !gap.before.isEmpty, !gap.after.isEmpty else { return [] }
        let x = gap.before.map { before.value($0, of: a) }
        let y = gap.after.map { after.value($0, of: b) }
        var pairs: [(Int, Int)] = []
        var start = (0, 0)
        for anchor in anchors(x, y) + [(x.count, y.count)] {
            pairs += pairShort(x, y, in: (start.0..<anchor.0, start.1..<anchor.1))
            if anchor.0 < x.count { pairs.append(anchor) }
            start = (anchor.0 + 1, anchor.1 + 1)
        }
        return pairs.map { i, j in
            let areAlike = areAlike(x[i], y[j], areAlone: x.count == 1 && y.count == 1)
            return SlotPairing(before: gap.before[i], after: gap.after[j], kind: areAlike ? .kept : .replaced)
        }
    }

    /// Returns the pairs of elements of long lists that certainly match: their local hashes are equal, or they share a
    /// feature that no other element has. Returns none for short lists.
    private mutating func anchors(_ x: [ViewID], _ y: [ViewID]) -> [(Int, Int)] {
        guard !WagnerFischerTable.isFitting(x.count, y.count) || x.count * y.count > 1 << 12 else { return [] }
        let local = CommonSubsequence(
            x.enumerated().map { i, id in before.number(of: id).map { hashes.before.local[$0] } ?? UInt64(2 * i) },
            y.enumerated().map { j, id in after.number(of: id).map { hashes.after.local[$0] } ?? UInt64(2 * j + 1) })
        let first = local.partners.enumerated().filter { $0.element >= 0 }.map { ($0.offset, $0.element) }
        var anchors: [(Int, Int)] = []
        var start = (0, 0)
        for anchor in first + [(x.count, y.count)] {
            anchors += featureAnchors(x, y, in: (start.0..<anchor.0, start.1..<anchor.1))
            if anchor.0 < x.count { anchors.append(anchor) }
            start = (anchor.0 + 1, anchor.1 + 1)
        }
        return anchors
    }

    /// Pairs elements that share a feature that no other element of their lists has. Returns the largest subset of the
    /// pairs in which the elements keep their order.
    private mutating func featureAnchors(
        _ x: [ViewID], _ y: [ViewID], in ranges: (x: Range<Int>, y: Range<Int>)
    ) -> [(Int, Int)] {
        guard !ranges.x.isEmpty, !ranges.y.isEmpty,
            !WagnerFischerTable.isFitting(ranges.x.count, ranges.y.count)
        else { return [] }
        var places: [UInt64: (x: Int, y: Int)] = [:]
        for i in ranges.x {
            for feature in features(of: x[i], .before) {
                places[feature] = (places[feature] == nil ? i : -2, -1)
            }
        }
        for j in ranges.y {
            for feature in features(of: y[j], .after) {
                guard let place = places[feature] else { continue }
                places[feature]?.y = place.y == -1 ? j : -2
            }
        }
        var anchors: [(Int, Int)] = []
        for i in ranges.x {
            let found = features(of: x[i], .before).lazy.compactMap { places[$0] }.first { $0.x == i && $0.y >= 0 }
            if let found { anchors.append((i, found.y)) }
        }
        return LongestIncreasingSubsequence.positions(in: anchors.map(\.1)).map { anchors[$0] }
    }

    /// Returns the features of a container; none for a scalar.
    private mutating func features(of id: ViewID, _ side: Side) -> [UInt64] {
        sides[side].graph.number(of: id).map { sketch(of: $0, side).features } ?? []
    }

    /// Pairs the elements of two ranges by similarity or, if the ranges are long, by position.
    private mutating func pairShort(
        _ x: [ViewID], _ y: [ViewID], in ranges: (x: Range<Int>, y: Range<Int>)
    ) -> [(Int, Int)] {
        let (n, m) = (ranges.x.count, ranges.y.count)
        guard n > 0, m > 0 else { return [] }
        guard n * m > 1, n * m <= 1 << 14 || min(n, m) <= 4 else {
            return zip(ranges.x, ranges.y).map { ($0, $1) }
        }
        let pairs = WagnerFischerTable.align(n, m) { i, j in
            cost(x[ranges.x.lowerBound + i], y[ranges.y.lowerBound + j])
        }
        return pairs.map { (ranges.x.lowerBound + $0, ranges.y.lowerBound + $1) }
    }

    /// Returns the cost of changing one value into another, where a removal or an addition costs 1000.
    private mutating func cost(_ x: ViewID, _ y: ViewID) -> Int {
        guard let a = before.number(of: x), let b = after.number(of: y) else { return 1001 }
        guard areComparable(before.containers[a], after.containers[b]) else { return 1001 }
        let similarity = similarity(a, b)
        return similarity < SimilaritySketch.alike ? 1001 : 1000 - similarity / 2
    }

    /// Whether one value is a changed version of the other.
    ///
    /// - Parameter areAlone: Whether the gap contains nothing else, so that neither can match another element.
    private mutating func areAlike(_ x: ViewID, _ y: ViewID, areAlone: Bool) -> Bool {
        guard let a = before.number(of: x), let b = after.number(of: y) else {
            return before.number(of: x) == nil && after.number(of: y) == nil
        }
        guard areComparable(before.containers[a], after.containers[b]) else { return true }
        if hashes.before.local[a] == hashes.after.local[b] { return true }
        let similarity = similarity(a, b)
        if similarity >= SimilaritySketch.alike { return true }
        // If the fields are the same, a change is clearest field by field.
        let count = before.containers[a].count
        guard count == 1 || areAlone && similarity > 0 && count <= Self.maxFields else { return false }
        return haveSameFields(before.containers[a], after.containers[b])
    }

    /// The largest number of fields to compare one by one if two objects have little in common.
    private static let maxFields = 16

    /// Whether two objects have the same class and the same fields.
    private mutating func haveSameFields(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        a.kind.isKeyed && a.count == b.count
            && sides.before.classes.number(of: a) == sides.after.classes.number(of: b)
            && (0..<a.count).allSatisfy { scalars.areSameKeys(before.key($0, of: a), after.key($0, of: b)) }
    }
}

/// The gaps between elements that keep their order. Each gap consists of removed and added slots.
private struct SlotGaps {
    /// The earlier and the later slots in a gap, in ascending order.
    struct Gap {
        let before: [Int]
        let after: [Int]
    }

    private let count: Int
    private let partners: [(slot: Int, kind: AlignmentStep.Kind)?]
    private let isFree: [Bool]
    private var positions = (before: 0, after: 0)

    init(count: Int, partners: [(slot: Int, kind: AlignmentStep.Kind)?], isFree: [Bool]) {
        self.count = count
        self.partners = partners
        self.isFree = isFree
    }

    /// Returns the next gap with slots on both sides.
    mutating func next() -> Gap? {
        while positions.after <= partners.count, positions.before <= count {
            var after: [Int] = []
            var end = count
            while positions.after < partners.count {
                let slot = positions.after
                positions.after += 1
                if let partner = partners[slot] {
                    guard partner.kind == .kept else { continue }
                    end = partner.slot
                    break
                }
                after.append(slot)
            }
            let before = after.isEmpty ? [] : (positions.before..<max(positions.before, end)).filter { isFree[$0] }
            positions.before = end + 1
            if !before.isEmpty { return Gap(before: before, after: after) }
        }
        return nil
    }
}
