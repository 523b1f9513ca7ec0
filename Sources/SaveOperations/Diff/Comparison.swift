import KeyedArchives
import SaveCodec

/// Compares two graphs, slot by slot from the roots down, and finds which of their containers are the same.
///
/// A container is paired with the first that it is compared with. Only where an object is referred to from several
/// places, and the two are not equal, may the slot have been pointed at another object: then the pairing waits until
/// nothing else is left, and those that are most alike are paired first, of those the ones that are found at most slots:
/// where one object has become two equal ones, or two have become one, the partner is the one with most references. What
/// has been paired otherwise in the end is a *conflict*: the slot refers to another object than before.
struct Comparison {
    /// A pair of slots whose containers are not known to be the same.
    struct CandidatePair {
        let node: Int
        let order: Int
        let slots: SlotPair
        let state: Int
        let before: Int
        let after: Int
    }

    /// A difference found.
    struct Record {
        let node: Int
        /// The position among the steps of the node.
        let order: Int
        let kind: Change.Kind
        let slots: SlotPair
        /// The difference between the saves in the two values, by number; nil where they hold none.
        var nested: Int?
    }

    /// The facts about a node beside its containers.
    struct NodeFacts {
        /// The position among the steps of its parent.
        let order: Int32
        /// The state of the patterns there.
        let state: Int32
        /// The number of slots that were found equal.
        var kept: Int32 = 0
        /// Whether both containers have the same keys.
        var hasSameKeys = false
    }

    let options: DifferenceOptions
    let sides: Sides<ComparedSide>
    /// Whether sharing and storage count.
    let areArchives: Bool
    var hashes: Sides<ValueHashes>
    var scalars: ScalarComparison
    var patterns: PointerPatternMatcher
    let seed = UInt64.random(in: 0...UInt64.max)
    /// Hashes of keys that no file can be made to collide with.
    var keyHashes: Sides<ScalarHashes>

    /// The pairs, and behind them containers that were compared without being the same.
    private(set) var nodes: [MatchedPair] = []
    private(set) var pairCount = 0
    /// The facts about each node.
    var nodeFacts: [NodeFacts] = []
    /// For each node the slots that are compared with each other, if they are kept.
    private(set) var alignments: [[SlotPair]]?
    /// The pair of each container, by number; negative for none.
    private(set) var pairs: Sides<[Int32]>

    var records: [Record] = []
    var edits: [(pair: Int, edit: SlotEdit)] = []
    var conflicts: [CandidatePair] = []
    private var deferred = MatchQueue()
    private var sketches = Sides { _ in [Int: Sketch]() }
    private(set) var equality: Equality?
    /// Where the patterns stand at the roots.
    private let start: Int
    /// What was found within saves that are stored in values.
    var nested: NestedComparisons

    /// - Parameter place: where the views are within others, if they are those of saves in values.
    init(
        _ before: ObjectView, _ after: ObjectView, options: DifferenceOptions, keepsAlignments: Bool,
        at place: NestedComparisons.Place? = nil
    ) {
        self.options = options
        start = place?.state ?? PointerPatternMatcher.start
        nested = NestedComparisons(place?.room ?? .init(before, after))
        alignments = keepsAlignments ? [] : nil
        areArchives = before.archive != nil && after.archive != nil
        let sides = ComparedSide.both(before, after, by: options.runner)
        let coarseness = ValueHashes.Coarseness(areArchives: areArchives, options)
        let seed = seed
        hashes = Sides(by: options.runner) { ValueHashes(sides[$0], coarseness) }
        scalars = ScalarComparison(sides, options)
        keyHashes = Sides { _ in ScalarHashes(seed: seed) }
        patterns = place?.patterns ?? PointerPatternMatcher(options)
        pairs = Sides { [Int32](repeating: -1, count: sides[$0].graph.containers.count) }
        self.sides = sides
    }

    var before: ObjectGraph { sides.before.graph }

    var after: ObjectGraph { sides.after.graph }

    /// Compares everything. False if the roots are not to be compared, but replaced.
    mutating func run() -> Bool {
        guard let a = before.number(of: sides.before.view.root), let b = after.number(of: sides.after.view.root),
            areComparable(before.containers[a], after.containers[b])
        else { return false }
        if before.hasContainerKeys || after.hasContainerKeys {
            equality = Equality(sides, countsWidths: options.countsWidths)
        }
        pair(CandidatePair(node: 0, order: 0, slots: .none, state: start, before: a, after: b))
        compareAll(from: 0)
        while let candidate = deferred.popBest() {
            let next = nodes.count
            if !isSettled(candidate) {
                if hashes.before[before.containers[candidate.before].id]
                    == hashes.after[after.containers[candidate.after].id]
                {
                    nodeFacts[candidate.node].kept &+= 1
                }
                pair(candidate)
            }
            compareAll(from: next)
        }
        pairCount = nodes.count
        resolveConflicts()
        joinMoved()
        return true
    }

    private mutating func compareAll(from first: Int) {
        var next = first
        while next < nodes.count {
            compareSlots(of: next)
            next += 1
        }
    }

    // MARK: Nodes

    private mutating func pair(_ candidate: CandidatePair) {
        pairs.before[candidate.before] = Int32(truncatingIfNeeded: nodes.count)
        pairs.after[candidate.after] = Int32(truncatingIfNeeded: nodes.count)
        addNode(candidate)
    }

    /// Adds a node whose slots are to be compared.
    mutating func addNode(_ candidate: CandidatePair) {
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        let node = nodes.count
        nodes.append(
            MatchedPair(
                before: a.id, after: b.id, parent: Int32(truncatingIfNeeded: candidate.node),
                positionBefore: candidate.slots.before, positionAfter: candidate.slots.after))
        nodeFacts.append(
            NodeFacts(
                order: Int32(truncatingIfNeeded: candidate.order), state: Int32(truncatingIfNeeded: candidate.state)))
        guard hasOtherClass(a, b), patterns.isEmpty || patterns[candidate.state].isWanted else { return }
        records.append(Record(node: node, order: -1, kind: .class, slots: .none))
        addEdit(.setClass, to: node)
    }

    mutating func compareSlots(of node: Int) {
        let (a, b) = (container(of: node, .before), container(of: node, .after))
        let state = Int(nodeFacts[node].state)
        let steps = align(a, b, node: node, state: state)
        alignments?.append(steps.compactMap { $0.slots.before < 0 || $0.slots.after < 0 ? nil : $0.slots })
        for (order, step) in steps.enumerated() {
            var candidate = CandidatePair(
                node: node, order: order, slots: step.slots, state: state, before: a, after: b)
            if !patterns.isEmpty {
                candidate = CandidatePair(
                    node: node, order: order, slots: step.slots, state: nextState(candidate), before: a, after: b)
                let facts = patterns[candidate.state]
                if facts.isIgnored || !facts.mayHoldWanted {
                    nodeFacts[node].kept &+= 1
                    continue
                }
            }
            take(step, candidate)
        }
    }

    private mutating func take(_ step: SlotStep, _ candidate: CandidatePair) {
        let (x, y) = (Int(step.slots.before), Int(step.slots.after))
        switch step.kind {
        case .kept: compare(candidate)
        case .replaced: compare(candidate, areAlike: false)
        case .removed:
            note(candidate, .removed)
            addEdit(.remove(before: x), to: candidate.node)
        case .added:
            note(candidate, .added)
            addEdit(.insert(after: y), to: candidate.node)
        case .moved:
            if patterns.isEmpty || patterns[candidate.state].isWanted { note(candidate, .moved) }
            addEdit(.move(before: x, after: y), to: candidate.node)
            compare(candidate)
        }
    }

    /// The number of the container of a node on a side.
    func container(of node: Int, _ side: Side) -> Int { sides[side].graph.number(of: nodes[node].container(side)) ?? 0 }

    /// The value of a record's slot on a side; nil where there is none.
    func value(of record: Record, _ side: Side) -> ViewID? {
        let (slot, graph) = (Int(record.slots[side]), sides[side].graph)
        return slot < 0 ? nil : graph.value(slot, of: graph.containers[container(of: record.node, side)])
    }

    /// The state of the patterns one step down from containers, at one of their slots.
    private mutating func nextState(_ candidate: CandidatePair) -> Int {
        let side: Side = candidate.slots.after >= 0 ? .after : .before
        let graph = sides[side].graph
        let container = graph.containers[side == .after ? candidate.after : candidate.before]
        let position = Int(candidate.slots[side])
        let key = container.kind.isKeyed ? graph.key(position, of: container) : nil
        return patterns.next(
            candidate.state, by: Outline.PathStep(key: key, position: position), in: sides[side].view)
    }

    // MARK: Slots

    /// Compares the values of two slots of containers. Those of elements that have little in common are one replaced by
    /// the other, unless they turn out to be the same object.
    private mutating func compare(_ candidate: CandidatePair, areAlike: Bool = true) {
        let x = before.value(Int(candidate.slots.before), of: before.containers[candidate.before])
        let y = after.value(Int(candidate.slots.after), of: after.containers[candidate.after])
        if let a = before.number(of: x), let b = after.number(of: y) {
            let candidate = CandidatePair(
                node: candidate.node, order: candidate.order, slots: candidate.slots, state: candidate.state, before: a,
                after: b)
            return match(candidate, areAlike: areAlike)
        }
        let tolerance = patterns.isEmpty ? options.tolerance : patterns[candidate.state].tolerance
        if let kind = kindOfReplacement(x, y, tolerance: tolerance) {
            if kind == .changed, compareSaves(x, y, candidate) { return }
            replace(candidate, kind)
        } else {
            nodeFacts[candidate.node].kept &+= 1
        }
    }

    /// How two values differ of which one at least is a scalar; nil if they are the same.
    private mutating func kindOfReplacement(
        _ x: ViewID, _ y: ViewID, tolerance: DifferenceOptions.Tolerance
    ) -> Change.Kind? {
        func isNull(_ id: ViewID, _ side: Side) -> Bool { sides[side].view.scalarObject(id)?.kind == .null }
        guard before.number(of: x) == nil else { return isNull(y, .after) ? .changed : .type }
        guard after.number(of: y) == nil else { return isNull(x, .before) ? .changed : .type }
        return switch scalars.compare(x, y, tolerance: tolerance) {
        case .same: nil
        case .changed: .changed
        case .type: .type
        case .storage: .storage
        case .class: .class
        }
    }

    /// What is different where roots are not paired, and where only the bytes of data at the roots are.
    mutating func compareReplacedRoots() -> (changes: [Change], sameSaves: [Change]) {
        let facts = patterns[start]
        guard !facts.isIgnored, facts.mayHoldWanted, let kind = kindOfReplacedRoot() else { return ([], []) }
        let (x, y) = (sides.before.view.root, sides.after.view.root)
        var change = Change(kind: kind, before: x, after: y, node: 0, slots: .none)
        guard kind == .changed, let number = nestedDifference(x, y, start) else { return ([change], []) }
        guard !nested.differences[number].isEmpty else { return ([], [change]) }
        change.nested = number
        return ([change], [])
    }

    /// How roots differ that are not paired; nil if they are the same scalar.
    private mutating func kindOfReplacedRoot() -> Change.Kind? {
        let (x, y) = (sides.before.view.root, sides.after.view.root)
        if let a = before.number(of: x), let b = after.number(of: y) {
            return kindOfReplacement(before.containers[a], after.containers[b])
        }
        return kindOfReplacement(x, y, tolerance: patterns[start].tolerance)
    }

    /// Pairs two containers that are found at a pair of slots, or puts that off, or replaces the one by the other.
    mutating func match(_ candidate: CandidatePair, areAlike: Bool) {
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        guard areComparable(a, b) else {
            let kind = kindOfReplacement(a, b)
            if kind == .storage { conflicts.append(candidate) }
            return replace(candidate, kind)
        }
        guard !isSettled(candidate) else { return }
        let areEqual = hashes.before[a.id] == hashes.after[b.id]
        if areEqual {
            guard !areArchives || references(candidate) == 2 else { return postpone(candidate, score: 4000) }
            nodeFacts[candidate.node].kept &+= 1
            return pair(candidate)
        }
        let areAlike = areAlike && (!hasOtherClass(a, b) || haveFieldsInCommon(candidate))
        if areArchives, mayBeAnother(candidate, areAlike) { return postpone(candidate, score: score(candidate)) }
        if areAlike { pair(candidate) } else { replace(candidate, .changed) }
    }

    private mutating func postpone(_ candidate: CandidatePair, score: Int) {
        deferred.add(candidate, score: score, references: references(candidate))
    }

    /// How many slots refer to the containers of a candidate pair.
    private func references(_ candidate: CandidatePair) -> Int {
        Int(before.referenceCounts[candidate.before]) + Int(after.referenceCounts[candidate.after])
    }

    /// Whether nothing is to be decided any more: one of the containers has a partner, or all that can have one.
    private mutating func isSettled(_ candidate: CandidatePair) -> Bool {
        let (x, y) = (pairs.before[candidate.before], pairs.after[candidate.after])
        guard x >= 0 || y >= 0 || pairCount > 0 else { return false }
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        // A value that is stored once and stands twice may have to be written twice.
        if x == y, x >= 0, haveIdentity(a, b) {
            nodeFacts[candidate.node].kept &+= 1
        } else {
            conflicts.append(candidate)
        }
        return true
    }

    /// Whether objects of two classes are one whose class has changed.
    private mutating func haveFieldsInCommon(_ candidate: CandidatePair) -> Bool {
        before.containers[candidate.before].kind != .object || similarity(candidate.before, candidate.after) >= 500
    }

    /// Whether a slot may refer to another object than before, or to the same although it does not look so: they are
    /// referred to from elsewhere too.
    private func mayBeAnother(_ candidate: CandidatePair, _ areAlike: Bool) -> Bool {
        let isSharedBefore = before.referenceCounts[candidate.before] > 1
        let isSharedAfter = after.referenceCounts[candidate.after] > 1
        return areAlike ? isSharedBefore || isSharedAfter : isSharedBefore && isSharedAfter
    }

    private mutating func score(_ candidate: CandidatePair) -> Int {
        if hashes.before.local[candidate.before] == hashes.after.local[candidate.after] { return 2000 }
        return similarity(candidate.before, candidate.after)
    }

    /// How much a container before and one after have in common, from 0 to 1000.
    mutating func similarity(_ a: Int, _ b: Int) -> Int {
        sketch(of: a, .before).similarity(to: sketch(of: b, .after))
    }

    /// The sketch of a container, made once.
    mutating func sketch(of number: Int, _ side: Side) -> Sketch {
        if let sketch = sketches[side][number] { return sketch }
        let sketch = Sketch(of: number, in: sides[side], &hashes[side])
        sketches[side][number] = sketch
        return sketch
    }

    /// The value of the slot is another.
    mutating func replace(_ candidate: CandidatePair, _ kind: Change.Kind) {
        note(candidate, kind)
        addEdit(.set(before: Int(candidate.slots.before), after: Int(candidate.slots.after)), to: candidate.node)
    }

    mutating func note(_ candidate: CandidatePair, _ kind: Change.Kind, nested: Int? = nil) {
        records.append(
            Record(node: candidate.node, order: candidate.order, kind: kind, slots: candidate.slots, nested: nested))
    }

    /// Adds a step for a pair; what is only compared has none.
    mutating func addEdit(_ edit: SlotEdit, to node: Int) {
        if pairCount == 0 || node < pairCount { edits.append((node, edit)) }
    }

    // MARK: What may be compared

    /// Whether two containers may be the same one.
    func areComparable(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        areOneForm(a, b) && (!areArchives || areStoredAlike(a, b))
    }

    /// Whether two containers of archives are both stored in place, both without a class, or both as objects of a class.
    private func areStoredAlike(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        (sides.before.view.uid(a.id) == nil) == (sides.after.view.uid(b.id) == nil)
            && (a.classPosition == nil) == (b.classPosition == nil)
    }

    /// Against a property list, a dictionary stands for an object too, and an array for a set.
    private func areOneForm(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        let isMixed = (sides.before.view.archive == nil) != (sides.after.view.archive == nil)
        return isMixed ? a.kind.isKeyed == b.kind.isKeyed : a.kind == b.kind
    }

    /// How two containers differ that may not be the same one.
    private func kindOfReplacement(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Change.Kind {
        if areOneForm(a, b) { return .storage }
        return a.kind.isKeyed != b.kind.isKeyed ? .type : .changed
    }

    /// Whether two containers have different classes. What is stored in place has none.
    private func hasOtherClass(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        let (x, y) = (sides.before.classes.number(of: a), sides.after.classes.number(of: b))
        return x != y && (haveIdentity(a, b) || (x >= 0 && y >= 0))
    }

    /// Whether it matters which object a slot refers to.
    func haveIdentity(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        areArchives && sides.before.view.uid(a.id) != nil && sides.after.view.uid(b.id) != nil
    }

    mutating func makeEquality() -> Equality {
        if let equality { return equality }
        let made = Equality(sides, countsWidths: options.countsWidths)
        equality = made
        return made
    }
}
