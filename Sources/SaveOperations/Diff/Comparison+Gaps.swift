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
        _ gap: SlotGaps.Gap, _ a: ObjectGraph.Container, _ b: ObjectGraph.Container
    ) -> [SlotPairing] {
        guard !gap.before.isEmpty, !gap.after.isEmpty else { return [] }
        let x = gap.before.map { before.value($0, of: a) }
        let y = gap.after.map { after.value($0, of: b) }
        var pairs: [(Int, Int)] = []
        var start = (0, 0)
        for anchor in anchors(x, y) + [(x.count, y.count)] {
            pairs += pairShort(x, y, start.0..<anchor.0, start.1..<anchor.1)
            if anchor.0 < x.count { pairs.append(anchor) }
            start = (anchor.0 + 1, anchor.1 + 1)
        }
        return pairs.map { i, j in
            SlotPairing(before: gap.before[i], after: gap.after[j], kind: areAlike(x[i], y[j]) ? .kept : .replaced)
        }
    }

    /// Elements of long lists that are surely the same: their scalars are equal, or they alone have something in common.
    private mutating func anchors(_ x: [ViewID], _ y: [ViewID]) -> [(Int, Int)] {
        guard !WagnerFischerTable.isFitting(x.count, y.count) || x.count * y.count > 1 << 12 else { return [] }
        let local = SequenceAlignment(
            x.enumerated().map { i, id in before.number(of: id).map { hashesBefore.local[$0] } ?? UInt64(2 * i) },
            y.enumerated().map { j, id in after.number(of: id).map { hashesAfter.local[$0] } ?? UInt64(2 * j + 1) })
        let first = local.partners.enumerated().filter { $0.element >= 0 }.map { ($0.offset, $0.element) }
        var anchors: [(Int, Int)] = []
        var start = (0, 0)
        for anchor in first + [(x.count, y.count)] {
            anchors += featureAnchors(x, y, start.0..<anchor.0, start.1..<anchor.1)
            if anchor.0 < x.count { anchors.append(anchor) }
            start = (anchor.0 + 1, anchor.1 + 1)
        }
        return anchors
    }

    /// Elements that have a feature in common that no others of their lists have, as many as keep their order.
    private mutating func featureAnchors(
        _ x: [ViewID], _ y: [ViewID], _ rangeX: Range<Int>, _ rangeY: Range<Int>
    ) -> [(Int, Int)] {
        guard !rangeX.isEmpty, !rangeY.isEmpty, !WagnerFischerTable.isFitting(rangeX.count, rangeY.count) else {
            return []
        }
        var places: [UInt64: (x: Int, y: Int)] = [:]
        for i in rangeX {
            for feature in before.number(of: x[i]).map({ featuresBefore($0) }) ?? [] {
                places[feature] = (places[feature] == nil ? i : -2, -1)
            }
        }
        for j in rangeY {
            for feature in after.number(of: y[j]).map({ featuresAfter($0) }) ?? [] {
                guard let place = places[feature] else { continue }
                places[feature]?.y = place.y == -1 ? j : -2
            }
        }
        var anchors: [(Int, Int)] = []
        for i in rangeX {
            let features = before.number(of: x[i]).map { featuresBefore($0) } ?? []
            let found = features.lazy.compactMap { places[$0] }.first { $0.x == i && $0.y >= 0 }
            if let found { anchors.append((i, found.y)) }
        }
        return RisingSequence.positions(in: anchors.map(\.1)).map { anchors[$0] }
    }

    /// Pairs the elements of two parts by how alike they are, those of long parts one by one.
    private mutating func pairShort(
        _ x: [ViewID], _ y: [ViewID], _ rangeX: Range<Int>, _ rangeY: Range<Int>
    ) -> [(Int, Int)] {
        let (n, m) = (rangeX.count, rangeY.count)
        guard n > 0, m > 0 else { return [] }
        guard n * m > 1, n * m <= 1 << 14 || min(n, m) <= 4 else {
            return zip(rangeX, rangeY).map { ($0, $1) }
        }
        let pairs = WagnerFischerTable.align(n, m) { i, j in
            cost(x[rangeX.lowerBound + i], y[rangeY.lowerBound + j])
        }
        return pairs.map { (rangeX.lowerBound + $0, rangeY.lowerBound + $1) }
    }

    /// What changing a value into another costs, where removing one or adding one costs 1000.
    private mutating func cost(_ x: ViewID, _ y: ViewID) -> Int {
        guard let a = before.number(of: x), let b = after.number(of: y) else { return 1001 }
        guard areComparable(before.containers[a], after.containers[b]) else { return 1001 }
        let similarity = similarity(a, b)
        return similarity < Sketch.alike ? 1001 : 1000 - similarity / 2
    }

    /// Whether two values are one that was changed inside, if at all.
    private mutating func areAlike(_ x: ViewID, _ y: ViewID) -> Bool {
        guard let a = before.number(of: x), let b = after.number(of: y) else {
            return before.number(of: x) == nil && after.number(of: y) == nil
        }
        guard areComparable(before.containers[a], after.containers[b]) else { return true }
        if hashesBefore.local[a] == hashesAfter.local[b] || similarity(a, b) >= Sketch.alike { return true }
        return haveOneField(before.containers[a], after.containers[b])
    }

    /// Whether two objects consist of one field, the same one: that it was changed is told best as that.
    private mutating func haveOneField(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        a.kind.isKeyed && a.count == 1 && b.count == 1 && before.classNumber(of: a) == after.classNumber(of: b)
            && scalars.areSameKeys(before.key(0, of: a), after.key(0, of: b))
    }
}
