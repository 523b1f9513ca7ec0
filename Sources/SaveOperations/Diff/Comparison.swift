import KeyedArchives
import SaveCodec

/// A comparison of two graphs, slot by slot from the roots. It pairs the containers that both graphs have.
///
/// A container is paired with the first one that it is compared with. In an archive, however, a slot may now refer to
/// another object if the objects have several references. Two such containers are only a candidate pair, which waits
/// until all others are done. Then the most similar candidates are paired first, and of equally similar ones those that
/// meet at the most slots. If one object became two equal ones, or two became one, the object with the most references
/// gets the partner.
///
/// A slot whose containers end up in different pairs is a *conflict*: it now refers to another object. The same applies
/// if an edit of the earlier object would change a key that both graphs have.
struct Comparison {
    /// Two slots to compare.
    struct SlotCandidate {
        let node: Int
        /// The index among the steps of the node.
        let order: Int
        let positions: SlotPair
        /// The state of the pattern matcher.
        let state: Int
    }

    /// Two containers found in a pair of slots.
    struct CandidatePair {
        let slots: SlotCandidate
        /// The numbers of the containers.
        let before: Int
        let after: Int

        var node: Int { slots.node }
    }

    /// A difference between two slots, or between the containers of a node.
    struct Record {
        let node: Int
        /// The index among the steps of the node.
        let order: Int
        let kind: Change.Kind
        let slots: SlotPair
        /// The index of the difference between the saves nested in the two values; nil if they hold none.
        var nested: Int?
    }

    let options: DifferenceOptions
    let sides: Sides<ComparedSide>
    /// Whether both views are archives, so that sharing and storage count.
    let areArchives: Bool
    var hashes: Sides<ValueHashes>
    var scalars: ScalarComparison
    var patterns: PointerPatternMatcher
    var keys: ComparedKeys
    var tree: PairTree

    var records: [Record] = []
    var edits: [(pair: Int, edit: SlotEdit)] = []
    var conflicts: [CandidatePair] = []
    private var deferred = MatchQueue()
    private var sketches = Sides { _ in [Int: SimilaritySketch]() }
    /// The state of the pattern matcher at the roots.
    private let start: Int
    var nested: NestedComparisons

    /// - Parameter context: The context of the views in the comparison around them, if they are nested saves.
    init(
        _ before: ObjectView, _ after: ObjectView, options: DifferenceOptions, keepsAlignments: Bool,
        in context: NestedComparisons.Context? = nil
    ) {
        var options = options
        // The identifiers of a nested save are its own.
        if context != nil { options.namedElements = [:] }
        self.options = options
        start = context?.state ?? PointerPatternMatcher.start
        nested = NestedComparisons(context?.budget ?? .init(before, after))
        areArchives = before.archive != nil && after.archive != nil
        let sides = ComparedSide.both(before, after, by: options.runner)
        let hashOptions = ValueHashes.HashOptions(areArchives: areArchives, options)
        hashes = Sides(by: options.runner) { ValueHashes(sides[$0], hashOptions) }
        scalars = ScalarComparison(sides, options)
        keys = ComparedKeys(sides, options)
        patterns = context?.patterns ?? PointerPatternMatcher(options)
        tree = PairTree(sides, keepsAlignments: keepsAlignments)
        self.sides = sides
    }

    var before: ContainerGraph { sides.before.graph }

    var after: ContainerGraph { sides.after.graph }

    /// Compares the graphs. Returns false if one root replaces the other without being compared.
    mutating func run() -> Bool {
        guard let a = before.number(of: sides.before.view.root), let b = after.number(of: sides.after.view.root),
            areComparable(before.containers[a], after.containers[b])
        else { return false }
        keys.compareContainers(keepsCommon: areArchives, replacesNew: options.replacesDictionariesWithNewKeys)
        pair(
            CandidatePair(
                slots: SlotCandidate(node: 0, order: 0, positions: .none, state: start), before: a, after: b))
        compareAll(from: 0)
        while let candidate = deferred.popBest() {
            let next = tree.nodes.count
            if !isSettled(candidate) {
                if hashes.before[before.containers[candidate.before].id]
                    == hashes.after[after.containers[candidate.after].id]
                {
                    tree.countKept(of: candidate.node)
                }
                pair(candidate)
            }
            compareAll(from: next)
        }
        tree.endMatching()
        resolveConflicts()
        joinMoved()
        return true
    }

    private mutating func compareAll(from first: Int) {
        var next = first
        while next < tree.nodes.count {
            compareSlots(of: next)
            next += 1
        }
    }

    // MARK: Nodes

    private mutating func pair(_ candidate: CandidatePair) {
        tree.match(candidate.before, candidate.after)
        addNode(candidate)
    }

    mutating func addNode(_ candidate: CandidatePair) {
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        let node = tree.add(a.id, b.id, at: candidate.slots)
        guard hasOtherClass(a, b), patterns.isEmpty || patterns[candidate.slots.state].isWanted else { return }
        records.append(Record(node: node, order: -1, kind: .class, slots: .none))
        addEdit(.setClass, to: node)
    }

    mutating func compareSlots(of node: Int) {
        // Local references save atomic reference counting for every slot.
        let (before, after) = (before, after)
        let (a, b) = (container(of: node, .before), container(of: node, .after))
        let (x, y) = (before.containers[a], after.containers[b])
        if patterns.isEmpty, !tree.keepsAlignments, haveSameScalars(x, y) {
            tree.noteKeys(of: node, areSame: x.kind.isKeyed)
            tree.countKept(x.count, of: node)
            return
        }
        let state = Int(tree.facts[node].state)
        let steps = align(a, b, node: node, state: state)
        tree.noteAlignment(steps)
        for (order, step) in steps.enumerated() {
            if step.kind == .kept, patterns.isEmpty {
                let value = before.value(Int(step.slots.before), of: x)
                let other = after.value(Int(step.slots.after), of: y)
                if before.number(of: value) == nil, after.number(of: other) == nil, scalars.areIdentical(value, other) {
                    tree.countKept(of: node)
                    continue
                }
            }
            var candidate = SlotCandidate(node: node, order: order, positions: step.slots, state: state)
            if !patterns.isEmpty {
                candidate = SlotCandidate(
                    node: node, order: order, positions: step.slots, state: nextState(candidate, of: a, b))
                let rules = patterns[candidate.state]
                if rules.isIgnored || !rules.mayContainIncluded {
                    tree.countKept(of: node)
                    continue
                }
            }
            take(step, as: candidate, of: a, b)
        }
    }

    /// Whether two containers have only scalars, and the same ones at each position, so that they need no alignment.
    private mutating func haveSameScalars(_ x: ContainerGraph.Container, _ y: ContainerGraph.Container) -> Bool {
        guard x.count == y.count, x.kind == y.kind, hashes.before[x.id] == hashes.after[y.id] else { return false }
        let (before, after) = (before, after)
        guard sides.before.classes.slot(of: x) < 0, sides.after.classes.slot(of: y) < 0 else { return false }
        for position in 0..<x.count {
            let (value, other) = (before.value(position, of: x), after.value(position, of: y))
            guard before.number(of: value) == nil, after.number(of: other) == nil else { return false }
            if x.kind.isKeyed {
                let (key, otherKey) = (before.key(position, of: x), after.key(position, of: y))
                guard before.number(of: key) == nil, scalars.areSameKeys(key, otherKey) else { return false }
            }
            guard scalars.areIdentical(value, other) else { return false }
        }
        return true
    }

    private mutating func take(_ step: AlignmentStep, as candidate: SlotCandidate, of a: Int, _ b: Int) {
        let (x, y) = (Int(step.slots.before), Int(step.slots.after))
        switch step.kind {
        case .kept: compare(candidate, of: a, b)
        case .replaced: compare(candidate, of: a, b, areAlike: false)
        case .removed:
            note(candidate, .removed)
            addEdit(.remove(before: x), to: candidate.node)
        case .added:
            note(candidate, .added)
            addEdit(.insert(after: y), to: candidate.node)
        case .moved:
            if patterns.isEmpty || patterns[candidate.state].isWanted { note(candidate, .moved) }
            addEdit(.move(before: x, after: y), to: candidate.node)
            compare(candidate, of: a, b)
        }
    }

    /// Returns the number of a node's container on a side.
    func container(of node: Int, _ side: Side) -> Int {
        sides[side].graph.number(of: tree.nodes[node].container(side)) ?? 0
    }

    /// Returns the value in a record's slot on a side; nil for no slot.
    func value(of record: Record, _ side: Side) -> ViewID? {
        let (slot, graph) = (Int(record.slots[side]), sides[side].graph)
        return slot < 0 ? nil : graph.value(slot, of: graph.containers[container(of: record.node, side)])
    }

    /// Returns the state of the pattern matcher after the step from a pair of containers to one of their slots.
    private mutating func nextState(_ candidate: SlotCandidate, of a: Int, _ b: Int) -> Int {
        let side: Side = candidate.positions.after >= 0 ? .after : .before
        let graph = sides[side].graph
        let container = graph.containers[side == .after ? b : a]
        let position = Int(candidate.positions[side])
        let key = container.kind.isKeyed ? graph.key(position, of: container) : nil
        return patterns.next(
            candidate.state, by: PathStep(key: key, position: position), in: sides[side].view)
    }

    // MARK: Slots

    /// Compares the values of two slots of the containers `a` and `b`.
    ///
    /// - Parameter areAlike: Whether the values have something in common. If not, one replaces the other, unless they
    ///   turn out to be the same object.
    private mutating func compare(_ candidate: SlotCandidate, of a: Int, _ b: Int, areAlike: Bool = true) {
        let x = before.value(Int(candidate.positions.before), of: before.containers[a])
        let y = after.value(Int(candidate.positions.after), of: after.containers[b])
        if let a = before.number(of: x), let b = after.number(of: y) {
            return match(CandidatePair(slots: candidate, before: a, after: b), areAlike: areAlike)
        }
        let tolerance = patterns.isEmpty ? options.tolerance : patterns[candidate.state].tolerance
        if let kind = kindOfReplacement(x, y, tolerance: tolerance) {
            if kind == .changed, compareSaves(x, y, at: candidate) { return }
            replace(candidate, kind)
        } else {
            tree.countKept(of: candidate.node)
        }
    }

    /// Returns the kind of difference between two values, at least one of them a scalar; nil if they are equal.
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

    /// Returns the differences of roots that are not paired. `equalNestedSaves` lists data with different bytes whose
    /// nested saves are equal by meaning.
    mutating func compareReplacedRoots() -> (changes: [Change], equalNestedSaves: [Change]) {
        let rules = patterns[start]
        guard !rules.isIgnored, rules.mayContainIncluded, let kind = kindOfReplacedRoot() else { return ([], []) }
        let (x, y) = (sides.before.view.root, sides.after.view.root)
        var change = Change(kind: kind, before: x, after: y, node: 0, slots: .none)
        guard kind == .changed, let number = nestedDifference(x, y, in: start) else { return ([change], []) }
        guard !nested.differences[number].isEmpty else { return ([], [change]) }
        change.nested = number
        return ([change], [])
    }

    /// Returns the kind of difference between roots that are not paired; nil if they are equal scalars.
    private mutating func kindOfReplacedRoot() -> Change.Kind? {
        let (x, y) = (sides.before.view.root, sides.after.view.root)
        if let a = before.number(of: x), let b = after.number(of: y) {
            return kindOfReplacement(before.containers[a], after.containers[b])
        }
        return kindOfReplacement(x, y, tolerance: patterns[start].tolerance)
    }

    /// Pairs two containers found at a pair of slots, postpones the decision, or records that one replaces the other.
    mutating func match(_ candidate: CandidatePair, areAlike: Bool) {
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        guard areComparable(a, b) else {
            let kind = kindOfReplacement(a, b)
            if kind == .storage { conflicts.append(candidate) }
            return replace(candidate.slots, kind)
        }
        guard !isSettled(candidate) else { return }
        guard !keys.areBroken(by: candidate) else { return conflicts.append(candidate) }
        let areEqual = hashes.before[a.id] == hashes.after[b.id]
        if areEqual {
            guard !areArchives || references(candidate) == 2 else { return postpone(candidate, score: 4000) }
            tree.countKept(of: candidate.node)
            return pair(candidate)
        }
        let areAlike = areAlike && (!hasOtherClass(a, b) || haveFieldsInCommon(candidate))
        if areArchives, mayBeAnother(candidate, areAlike) { return postpone(candidate, score: score(candidate)) }
        if areAlike { pair(candidate) } else { replace(candidate.slots, .changed) }
    }

    private mutating func postpone(_ candidate: CandidatePair, score: Int) {
        deferred.add(candidate, score: score, references: references(candidate))
    }

    /// Returns the number of slots that refer to the containers of a candidate.
    private func references(_ candidate: CandidatePair) -> Int {
        Int(before.referenceCounts[candidate.before]) + Int(after.referenceCounts[candidate.after])
    }

    /// Whether a candidate needs no decision, because one of its containers already has a partner or because pairing
    /// has ended. Records a conflict if the candidate's containers are not partners of each other.
    private mutating func isSettled(_ candidate: CandidatePair) -> Bool {
        let (x, y) = (tree.pairs.before[candidate.before], tree.pairs.after[candidate.after])
        guard x >= 0 || y >= 0 || tree.pairCount > 0 else { return false }
        let (a, b) = (before.containers[candidate.before], after.containers[candidate.after])
        // Without identity, a container that is stored once may be in several slots, and may have to be stored several
        // times. Its further slots are therefore conflicts.
        if x == y, x >= 0, haveIdentity(a, b) {
            tree.countKept(of: candidate.node)
        } else {
            conflicts.append(candidate)
        }
        return true
    }

    /// Whether two objects of different classes are treated as one object whose class changed.
    private mutating func haveFieldsInCommon(_ candidate: CandidatePair) -> Bool {
        before.containers[candidate.before].kind != .object || similarity(candidate.before, candidate.after) >= 500
    }

    /// Whether a slot may now refer either to another object or to the same object with changes. This is unclear if the
    /// objects have other references.
    private func mayBeAnother(_ candidate: CandidatePair, _ areAlike: Bool) -> Bool {
        let isSharedBefore = before.referenceCounts[candidate.before] > 1
        let isSharedAfter = after.referenceCounts[candidate.after] > 1
        return areAlike ? isSharedBefore || isSharedAfter : isSharedBefore && isSharedAfter
    }

    private mutating func score(_ candidate: CandidatePair) -> Int {
        if hashes.before.local[candidate.before] == hashes.after.local[candidate.after] { return 2000 }
        return similarity(candidate.before, candidate.after)
    }

    /// Returns the similarity of two containers, from 0 to 1000.
    mutating func similarity(_ a: Int, _ b: Int) -> Int {
        sketch(of: a, .before).similarity(to: sketch(of: b, .after))
    }

    /// Returns the sketch of a container. Sketches are cached.
    mutating func sketch(of number: Int, _ side: Side) -> SimilaritySketch {
        if let sketch = sketches[side][number] { return sketch }
        let sketch = SimilaritySketch(of: number, in: sides[side], &hashes[side])
        sketches[side][number] = sketch
        return sketch
    }

    /// Records that the slot has another value.
    mutating func replace(_ candidate: SlotCandidate, _ kind: Change.Kind) {
        note(candidate, kind)
        addEdit(
            .set(before: Int(candidate.positions.before), after: Int(candidate.positions.after)), to: candidate.node)
    }

    mutating func note(_ candidate: SlotCandidate, _ kind: Change.Kind, nested: Int? = nil) {
        records.append(
            Record(node: candidate.node, order: candidate.order, kind: kind, slots: candidate.positions, nested: nested)
        )
    }

    /// Adds an edit of a pair. Containers that are only compared have no edits.
    mutating func addEdit(_ edit: SlotEdit, to node: Int) {
        if tree.isMatched(node) { edits.append((node, edit)) }
    }

    // MARK: Comparability

    /// Whether two containers may be paired with each other.
    func areComparable(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        haveComparableKinds(a, b) && (!areArchives || areStoredAlike(a, b))
    }

    /// Whether two containers of archives are stored in the same way: in place, without a class, or as objects of a
    /// class.
    private func areStoredAlike(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        (sides.before.view.uid(a.id) == nil) == (sides.after.view.uid(b.id) == nil)
            && (a.classPosition == nil) == (b.classPosition == nil)
    }

    /// Whether two containers have comparable kinds. If only one view is an archive, a dictionary is comparable with an
    /// object, and an array with a set.
    private func haveComparableKinds(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        let isMixed = (sides.before.view.archive == nil) != (sides.after.view.archive == nil)
        return isMixed ? a.kind.isKeyed == b.kind.isKeyed : a.kind == b.kind
    }

    /// Returns the kind of change for two containers that cannot be paired with each other.
    private func kindOfReplacement(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Change.Kind {
        if haveComparableKinds(a, b) { return .storage }
        return a.kind.isKeyed != b.kind.isKeyed ? .type : .changed
    }

    /// Whether two containers have different classes. Containers stored in place have none.
    private func hasOtherClass(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        let (x, y) = (sides.before.classes.number(of: a), sides.after.classes.number(of: b))
        return x != y && (haveIdentity(a, b) || (x >= 0 && y >= 0))
    }

    /// Whether two containers are archived objects, so that it matters which of several equal ones a slot refers to.
    func haveIdentity(_ a: ContainerGraph.Container, _ b: ContainerGraph.Container) -> Bool {
        areArchives && sides.before.view.uid(a.id) != nil && sides.after.view.uid(b.id) != nil
    }
}
