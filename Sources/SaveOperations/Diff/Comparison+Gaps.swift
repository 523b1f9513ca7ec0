import KeyedArchives
import SaveCodec

/// Elements that are gone and elements that have come in one place: which of them are one that was changed.
extension Comparison {
    /// Slots that stand for each other.
    struct SlotPairing {
        let before: Int
        let after: Int
        let kind: SlotStep.Kind
    }

    /// Pairs slots, in order, those that are alike with each other. The rest of the shorter list is paired too: a change
    /// is less than a removal and an addition.
    mutating func pairUp(
        _ gap: SlotGaps.Gap, of a: ObjectGraph.Container, _ b: ObjectGraph.Container
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

    /// Elements of long lists that are surely the same: their scalars are equal, or they alone have something in common.
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

    /// Elements that have a feature in common that no others of their lists have, as many as keep their order.
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
        return RisingSequence.positions(in: anchors.map(\.1)).map { anchors[$0] }
    }

    /// The features of a container; none of a scalar.
    private mutating func features(of id: ViewID, _ side: Side) -> [UInt64] {
        sides[side].graph.number(of: id).map { sketch(of: $0, side).features } ?? []
    }

    /// Pairs the elements of two parts by how alike they are, those of long parts one by one.
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

    /// What changing a value into another costs, where removing one or adding one costs 1000.
    private mutating func cost(_ x: ViewID, _ y: ViewID) -> Int {
        guard let a = before.number(of: x), let b = after.number(of: y) else { return 1001 }
        guard areComparable(before.containers[a], after.containers[b]) else { return 1001 }
        let similarity = similarity(a, b)
        return similarity < Sketch.alike ? 1001 : 1000 - similarity / 2
    }

    /// Whether two values are one that was changed inside, if at all.
    ///
    /// - Parameter areAlone: whether nothing else is in the gap, so that neither may be another element.
    private mutating func areAlike(_ x: ViewID, _ y: ViewID, areAlone: Bool) -> Bool {
        guard let a = before.number(of: x), let b = after.number(of: y) else {
            return before.number(of: x) == nil && after.number(of: y) == nil
        }
        guard areComparable(before.containers[a], after.containers[b]) else { return true }
        if hashes.before.local[a] == hashes.after.local[b] { return true }
        let similarity = similarity(a, b)
        if similarity >= Sketch.alike { return true }
        // What was changed is told best field by field.
        let count = before.containers[a].count
        guard count == 1 || areAlone && similarity > 0 && count <= Self.mostFields else { return false }
        return haveSameFields(before.containers[a], after.containers[b])
    }

    /// As many fields of an object that has little in common with the one before are told one by one.
    private static let mostFields = 16

    /// Whether two objects are of one class and have the same fields.
    private mutating func haveSameFields(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        a.kind.isKeyed && a.count == b.count
            && sides.before.classes.number(of: a) == sides.after.classes.number(of: b)
            && (0..<a.count).allSatisfy { scalars.areSameKeys(before.key($0, of: a), after.key($0, of: b)) }
    }
}

/// What is left of two lists between elements that keep their order: slots that are gone and slots that have come.
struct SlotGaps {
    /// Slots before and after, in rising order.
    struct Gap {
        let before: [Int]
        let after: [Int]
    }

    private let count: Int
    private let partners: [(slot: Int, kind: SlotStep.Kind)?]
    private let isFree: [Bool]
    private var positions = (before: 0, after: 0)

    init(count: Int, partners: [(slot: Int, kind: SlotStep.Kind)?], isFree: [Bool]) {
        self.count = count
        self.partners = partners
        self.isFree = isFree
    }

    /// The next gap with something on both sides.
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
