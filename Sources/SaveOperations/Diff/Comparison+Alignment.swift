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
            return alignMembers(tokensBefore(x), tokensAfter(y), x, y)
        }
        guard let field = facts?.identity else {
            return alignElements(tokensBefore(x), tokensAfter(y), x, y, by: nil)
        }
        let tokens = (tokensBefore(x, by: field), tokensAfter(y, by: field))
        return alignElements(tokens.0, tokens.1, x, y, by: field)
    }

    private static func inPlace(_ count: Int) -> [SlotStep] {
        (0..<count).map { SlotStep(kind: .kept, slots: SlotPair($0, $0)) }
    }

    // MARK: Keys

    private mutating func alignKeys(
        _ x: ObjectGraph.Container, _ y: ObjectGraph.Container, node: Int
    ) -> [SlotStep] {
        let classSlots = SlotPair(before.classSlot(of: x), after.classSlot(of: y))
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
        for slot in same..<x.count { hashesX[slot] = hash(of: before.key(slot, of: x), in: before, base: 0) }
        var places = HashedPlaces(hashesX, at: (same..<x.count).filter { $0 != Int(classSlots.before) })
        var partners: [(slot: Int, kind: SlotStep.Kind)?] = (0..<same).map { ($0, .kept) }
        var found = same
        for slot in same..<y.count {
            let key = after.key(slot, of: y)
            let place = slot == Int(classSlots.after) ? nil : places.take(hash(of: key, in: after, base: 1))
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
    private mutating func hash(of key: ViewID, in graph: ComparedGraph, base: Int) -> UInt64 {
        if let number = graph.number(of: key) {
            return ScalarHash.mix(seed, UInt64(equality?.block(of: number, isAfter: base == 1) ?? 0))
        }
        guard let object = graph.scalarObject(key) else { return 0 }
        return base == 0
            ? keyHashes.before.hash(of: object, key, in: graph) : keyHashes.after.hash(of: object, key, in: graph)
    }

    // MARK: Tokens

    /// By what elements are told apart: which pair they are, or else their hash.
    private func tokensBefore(_ container: ObjectGraph.Container) -> [UInt64] {
        (0..<container.count).map { position in
            let value = before.value(position, of: container)
            guard let number = before.number(of: value), pairsBefore[number] >= 0 else { return hashesBefore[value] }
            return areArchives ? ScalarHash.mix(~seed, UInt64(pairsBefore[number])) : hashesBefore[value]
        }
    }

    private func tokensAfter(_ container: ObjectGraph.Container) -> [UInt64] {
        (0..<container.count).map { position in
            let value = after.value(position, of: container)
            guard let number = after.number(of: value), pairsAfter[number] >= 0 else { return hashesAfter[value] }
            return areArchives ? ScalarHash.mix(~seed, UInt64(pairsAfter[number])) : hashesAfter[value]
        }
    }

    private func tokensBefore(_ container: ObjectGraph.Container, by field: [UInt16]) -> [UInt64] {
        (0..<container.count).map {
            Self.token(before.value($0, of: container), before, hashesBefore, field)
        }
    }

    private func tokensAfter(_ container: ObjectGraph.Container, by field: [UInt16]) -> [UInt64] {
        (0..<container.count).map {
            Self.token(after.value($0, of: container), after, hashesAfter, field)
        }
    }

    /// The hash of an element's field; of an element without it that of the element.
    private static func token(
        _ element: ViewID, _ graph: ComparedGraph, _ hashes: ValueHashes, _ field: [UInt16]
    ) -> UInt64 {
        guard let number = graph.number(of: element), graph.containers[number].kind.isKeyed else {
            return hashes[element]
        }
        let container = graph.containers[number]
        for position in 0..<container.count {
            guard let name = graph.view.text(graph.key(position, of: container)), name.elementsEqual(field) else {
                continue
            }
            return ScalarHash.mix(11, hashes[graph.value(position, of: container)])
        }
        return hashes[element]
    }

    // MARK: Elements

    private mutating func alignElements(
        _ x: [UInt64], _ y: [UInt64], _ a: ObjectGraph.Container, _ b: ObjectGraph.Container, by field: [UInt16]?
    ) -> [SlotStep] {
        if x == y { return Self.inPlace(x.count) }
        let aligned = SequenceAlignment(x, y).partners
        var partners = [(slot: Int, kind: SlotStep.Kind)?](repeating: nil, count: y.count)
        for (slot, partner) in aligned.enumerated() where partner >= 0 { partners[partner] = (slot, .kept) }
        var isFree = aligned.map { $0 < 0 }
        addMoved(x, y, &partners, &isFree)
        MoveReview.run(&partners, &isFree)
        var gaps = SlotGaps(x.count, partners, isFree)
        while let gap = gaps.next() {
            for pair in pairUp(gap, a, b) { partners[pair.after] = (pair.before, pair.kind) }
        }
        return SlotStep.merge(x.count, partners)
    }

    /// Pairs what is gone in one place and has come in another.
    private func addMoved(
        _ x: [UInt64], _ y: [UInt64], _ partners: inout [(slot: Int, kind: SlotStep.Kind)?], _ isFree: inout [Bool]
    ) {
        var places = HashedPlaces(x, at: x.indices.filter { isFree[$0] })
        for slot in y.indices where partners[slot] == nil {
            guard let place = places.take(y[slot]) else { continue }
            partners[slot] = (place, .moved)
            isFree[place] = false
        }
    }

    // MARK: Members

    private mutating func alignMembers(
        _ x: [UInt64], _ y: [UInt64], _ a: ObjectGraph.Container, _ b: ObjectGraph.Container
    ) -> [SlotStep] {
        var places = HashedPlaces(x, at: x.indices)
        var partners: [(slot: Int, kind: SlotStep.Kind)?] = y.map { places.take($0).map { ($0, .kept) } }
        var isFree = [Bool](repeating: true, count: x.count)
        for case .some(let partner) in partners { isFree[partner.slot] = false }
        let gap = SlotGaps.Gap(
            before: x.indices.filter { isFree[$0] }, after: y.indices.filter { partners[$0] == nil })
        // Members that have nothing in common are not one that was changed.
        for pair in pairUp(gap, a, b) where pair.kind == .kept && isContainer(pair.before, of: a) {
            partners[pair.after] = (pair.before, .kept)
        }
        return SlotStep.merge(x.count, partners)
    }

    private func isContainer(_ slot: Int, of container: ObjectGraph.Container) -> Bool {
        before.number(of: before.value(slot, of: container)) != nil
    }
}
