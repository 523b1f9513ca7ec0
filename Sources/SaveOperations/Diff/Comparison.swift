import KeyedArchives
import SaveCodec

/// Compares two graphs, slot by slot from the roots down, and finds which of their containers are the same.
///
/// A container is paired with the first that it is compared with. Only where an object is referred to from several
/// places, and the two are not equal, may the slot have been pointed at another object: then the pairing waits until
/// nothing else is left, and those that are most alike are paired first, of those the ones that most slots speak for:
/// where one object has become two equal ones, or two have become one, the partner is the one with most references. What has been paired otherwise in the end is a
/// *conflict*: the slot refers to another object than before.
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
    }

    /// A step of the patterns at a long key, which need not be gone through wherever it stands.
    private struct LongStep: Hashable {
        let state: Int
        let key: ViewID
        let isAfter: Bool
    }

    let options: DifferenceOptions
    let before: ComparedGraph
    let after: ComparedGraph
    /// Whether sharing and storage count.
    let areArchives: Bool
    var hashesBefore: ValueHashes
    var hashesAfter: ValueHashes
    var scalars: ScalarComparison
    var patterns: PointerPatternMatcher
    private var longSteps: [LongStep: Int] = [:]
    let seed = UInt64.random(in: 0...UInt64.max)
    /// Hashes of keys that no file can be made to collide with.
    var keyHashes: (before: ScalarHashes, after: ScalarHashes)

    /// The pairs, and behind them containers that were compared without being the same.
    private(set) var nodes: [MatchedPair] = []
    private(set) var pairCount = 0
    /// The position of each node among the steps of its parent.
    private(set) var orders: [Int32] = []
    /// How many slots of each node were found equal, and whether it has the same keys.
    var kept: [Int32] = []
    var hasSameKeys: [Bool] = []
    /// For each node the slots that are compared with each other, if they are kept.
    private(set) var alignments: [[SlotPair]]?
    private var states: [Int32] = []
    /// The pair of each container, by number; negative for none.
    private(set) var pairsBefore: [Int32]
    private(set) var pairsAfter: [Int32]

    var records: [Record] = []
    var edits: [(pair: Int, edit: SlotEdit)] = []
    var conflicts: [CandidatePair] = []
    private var deferred = MatchQueue()
    private var sketches = Sketches()
    private(set) var equality: Equality?

    init(_ before: ObjectView, _ after: ObjectView, _ options: DifferenceOptions, keepsAlignments: Bool) {
        self.options = options
        alignments = keepsAlignments ? [] : nil
        areArchives = before.archive != nil && after.archive != nil
        (self.before, self.after) = ComparedGraph.sides(before, after)
        let coarseness = ValueHashes.Coarseness(areArchives: areArchives, options)
        hashesBefore = ValueHashes(self.before, coarseness)
        hashesAfter = ValueHashes(self.after, coarseness)
        scalars = ScalarComparison(self.before, self.after, looseNumbers: options.looseNumbers)
        keyHashes = (ScalarHashes(seed: seed), ScalarHashes(seed: seed))
        patterns = PointerPatternMatcher(options)
        pairsBefore = [Int32](repeating: -1, count: self.before.containers.count)
        pairsAfter = [Int32](repeating: -1, count: self.after.containers.count)
    }

    /// Compares everything. False if the roots are not to be compared, but replaced.
    mutating func run() -> Bool {
        guard let a = before.number(of: before.view.root), let b = after.number(of: after.view.root),
            areComparable(before.containers[a], after.containers[b])
        else { return false }
        if before.hasContainerKeys || after.hasContainerKeys { equality = Equality(before, after) }
        pair(CandidatePair(node: 0, order: 0, slots: .none, state: PointerPatternMatcher.start, before: a, after: b))
        compareAll(from: 0)
        while let meeting = deferred.popBest() {
            let next = nodes.count
            if !isSettled(meeting) {
                if hashesBefore[before.containers[meeting.before].id] == hashesAfter[after.containers[meeting.after].id]
                {
                    kept[meeting.node] &+= 1
                }
                pair(meeting)
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

    private mutating func pair(_ meeting: CandidatePair) {
        pairsBefore[meeting.before] = Int32(truncatingIfNeeded: nodes.count)
        pairsAfter[meeting.after] = Int32(truncatingIfNeeded: nodes.count)
        addNode(meeting)
    }

    /// Adds a node whose slots are to be compared.
    mutating func addNode(_ meeting: CandidatePair) {
        let (a, b) = (before.containers[meeting.before], after.containers[meeting.after])
        let node = nodes.count
        nodes.append(
            MatchedPair(
                before: a.id, after: b.id, parent: Int32(truncatingIfNeeded: meeting.node),
                positionBefore: meeting.slots.before, positionAfter: meeting.slots.after))
        orders.append(Int32(truncatingIfNeeded: meeting.order))
        states.append(Int32(truncatingIfNeeded: meeting.state))
        kept.append(0)
        hasSameKeys.append(false)
        guard hasOtherClass(a, b), patterns.isEmpty || patterns[meeting.state].isWanted else { return }
        records.append(Record(node: node, order: -1, kind: .class, slots: .none))
        addEdit(.setClass, to: node)
    }

    mutating func compareSlots(of node: Int) {
        let (a, b) = (containerBefore(node), containerAfter(node))
        let state = Int(states[node])
        let steps = align(a, b, node: node, state: state)
        alignments?.append(steps.compactMap { $0.slots.before < 0 || $0.slots.after < 0 ? nil : $0.slots })
        for (order, step) in steps.enumerated() {
            var meeting = CandidatePair(
                node: node, order: order, slots: step.slots, state: state, before: a, after: b)
            if !patterns.isEmpty {
                meeting = CandidatePair(
                    node: node, order: order, slots: step.slots, state: nextState(meeting), before: a, after: b)
                let facts = patterns[meeting.state]
                if facts.isIgnored || !facts.mayHoldWanted {
                    kept[node] &+= 1
                    continue
                }
            }
            take(step, meeting)
        }
    }

    private mutating func take(_ step: SlotStep, _ meeting: CandidatePair) {
        let (x, y) = (Int(step.slots.before), Int(step.slots.after))
        switch step.kind {
        case .kept: compare(meeting)
        case .replaced: compare(meeting, areAlike: false)
        case .removed:
            note(meeting, .removed)
            addEdit(.remove(before: x), to: meeting.node)
        case .added:
            note(meeting, .added)
            addEdit(.insert(after: y), to: meeting.node)
        case .moved:
            if patterns.isEmpty || patterns[meeting.state].isWanted { note(meeting, .moved) }
            addEdit(.move(before: x, after: y), to: meeting.node)
            compare(meeting)
        }
    }

    func containerBefore(_ node: Int) -> Int { before.number(of: nodes[node].before) ?? 0 }

    func containerAfter(_ node: Int) -> Int { after.number(of: nodes[node].after) ?? 0 }

    /// The state of the patterns one step down from containers, at one of their slots.
    private mutating func nextState(_ meeting: CandidatePair) -> Int {
        let isAfter = meeting.slots.after >= 0
        let graph = isAfter ? after : before
        let container = isAfter ? after.containers[meeting.after] : before.containers[meeting.before]
        let position = Int(isAfter ? meeting.slots.after : meeting.slots.before)
        let key = container.kind.isKeyed ? graph.key(position, of: container) : nil
        guard let key, graph.scalarObject(key)?.count ?? 0 > ScalarHashes.longCount else {
            return nextState(meeting.state, graph, key, position)
        }
        let step = LongStep(state: meeting.state, key: key, isAfter: isAfter)
        if let state = longSteps[step] { return state }
        let state = nextState(meeting.state, graph, key, position)
        longSteps[step] = state
        return state
    }

    private mutating func nextState(_ state: Int, _ graph: ComparedGraph, _ key: ViewID?, _ position: Int) -> Int {
        var address = JSONPointer.root
        graph.view.append(Outline.PathStep(key: key, position: position), to: &address)
        return patterns.next(state, by: address.tokens.last ?? [])
    }

    // MARK: Slots

    /// Compares the values of two slots of containers. Those of elements that have little in common are one replaced by
    /// the other, unless they turn out to be the same object.
    private mutating func compare(_ meeting: CandidatePair, areAlike: Bool = true) {
        let x = before.value(Int(meeting.slots.before), of: before.containers[meeting.before])
        let y = after.value(Int(meeting.slots.after), of: after.containers[meeting.after])
        if let a = before.number(of: x), let b = after.number(of: y) {
            let meeting = CandidatePair(
                node: meeting.node, order: meeting.order, slots: meeting.slots, state: meeting.state, before: a,
                after: b)
            return meet(meeting, areAlike: areAlike)
        }
        let tolerance = patterns.isEmpty ? options.tolerance : patterns[meeting.state].tolerance
        if let kind = kindOfReplacement(x, y, tolerance) { replace(meeting, kind) } else { kept[meeting.node] &+= 1 }
    }

    /// How two values differ of which one at least is a scalar; nil if they are the same.
    private mutating func kindOfReplacement(
        _ x: ViewID, _ y: ViewID, _ tolerance: DifferenceOptions.Tolerance
    ) -> Change.Kind? {
        guard before.number(of: x) == nil else { return after.scalarObject(y)?.kind == .null ? .changed : .type }
        guard after.number(of: y) == nil else { return before.scalarObject(x)?.kind == .null ? .changed : .type }
        return switch scalars.compare(x, y, tolerance) {
        case .same: nil
        case .changed: .changed
        case .type: .type
        case .class: .class
        }
    }

    /// How roots differ that are not paired; nil if they are the same scalar.
    mutating func kindOfReplacedRoot() -> Change.Kind? {
        let (x, y) = (before.view.root, after.view.root)
        if let a = before.number(of: x), let b = after.number(of: y) {
            return kindOfReplacement(before.containers[a], after.containers[b])
        }
        return kindOfReplacement(x, y, patterns[PointerPatternMatcher.start].tolerance)
    }

    /// Two containers meet at a pair of slots.
    mutating func meet(_ meeting: CandidatePair, areAlike: Bool) {
        let (a, b) = (before.containers[meeting.before], after.containers[meeting.after])
        guard areComparable(a, b) else { return replace(meeting, kindOfReplacement(a, b)) }
        guard !isSettled(meeting) else { return }
        let areEqual = hashesBefore[a.id] == hashesAfter[b.id]
        if areEqual {
            guard !areArchives || references(meeting) == 2 else { return wait(meeting, score: 4000) }
            kept[meeting.node] &+= 1
            return pair(meeting)
        }
        let areAlike = areAlike && (!hasOtherClass(a, b) || haveFieldsInCommon(meeting))
        if areArchives, mayBeAnother(meeting, areAlike) { return wait(meeting, score: score(meeting)) }
        if areAlike { pair(meeting) } else { replace(meeting, .changed) }
    }

    private mutating func wait(_ meeting: CandidatePair, score: Int) {
        deferred.add(meeting, score: score, references: references(meeting))
    }

    /// How many slots refer to the containers of a meeting.
    private func references(_ meeting: CandidatePair) -> Int {
        Int(before.referenceCounts[meeting.before]) + Int(after.referenceCounts[meeting.after])
    }

    /// Whether nothing is to be decided any more: one of the containers has a partner, or all that can have one.
    private mutating func isSettled(_ meeting: CandidatePair) -> Bool {
        let (x, y) = (pairsBefore[meeting.before], pairsAfter[meeting.after])
        guard x >= 0 || y >= 0 || pairCount > 0 else { return false }
        let (a, b) = (before.containers[meeting.before], after.containers[meeting.after])
        // A value that is stored once and stands twice may have to be written twice.
        if x == y, x >= 0, haveIdentity(a, b) { kept[meeting.node] &+= 1 } else { conflicts.append(meeting) }
        return true
    }

    /// Whether objects of two classes are one whose class has changed.
    private mutating func haveFieldsInCommon(_ meeting: CandidatePair) -> Bool {
        before.containers[meeting.before].kind != .object || similarity(meeting.before, meeting.after) >= 500
    }

    /// Whether a slot may refer to another object than before, or to the same although it does not look so: they are
    /// referred to from elsewhere too.
    private func mayBeAnother(_ meeting: CandidatePair, _ areAlike: Bool) -> Bool {
        let isSharedBefore = before.referenceCounts[meeting.before] > 1
        let isSharedAfter = after.referenceCounts[meeting.after] > 1
        return areAlike ? isSharedBefore || isSharedAfter : isSharedBefore && isSharedAfter
    }

    private mutating func score(_ meeting: CandidatePair) -> Int {
        if hashesBefore.local[meeting.before] == hashesAfter.local[meeting.after] { return 2000 }
        return similarity(meeting.before, meeting.after)
    }

    mutating func similarity(_ a: Int, _ b: Int) -> Int {
        sketches.similarity(a, before, &hashesBefore, b, after, &hashesAfter)
    }

    mutating func featuresBefore(_ a: Int) -> [UInt64] { sketches.before(a, before, &hashesBefore).features }

    mutating func featuresAfter(_ b: Int) -> [UInt64] { sketches.after(b, after, &hashesAfter).features }

    /// The value of the slot is another.
    private mutating func replace(_ meeting: CandidatePair, _ kind: Change.Kind) {
        note(meeting, kind)
        addEdit(.set(before: Int(meeting.slots.before), after: Int(meeting.slots.after)), to: meeting.node)
    }

    mutating func note(_ meeting: CandidatePair, _ kind: Change.Kind) {
        records.append(Record(node: meeting.node, order: meeting.order, kind: kind, slots: meeting.slots))
    }

    /// Adds a step for a pair; what is only compared has none.
    mutating func addEdit(_ edit: SlotEdit, to node: Int) {
        if pairCount == 0 || node < pairCount { edits.append((node, edit)) }
    }

    // MARK: What may be compared

    /// Whether two containers may be the same one.
    func areComparable(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        areOneForm(a, b) && (!areArchives || before.isReferred(a.id) == after.isReferred(b.id))
    }

    /// Against a property list, a dictionary stands for an object too, and an array for a set.
    private func areOneForm(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        let isMixed = before.isArchive != after.isArchive
        return isMixed ? a.kind.isKeyed == b.kind.isKeyed : a.kind == b.kind
    }

    private func kindOfReplacement(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Change.Kind {
        areOneForm(a, b) || a.kind.isKeyed != b.kind.isKeyed ? .type : .changed
    }

    private func hasOtherClass(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        let (x, y) = (before.classNumber(of: a), after.classNumber(of: b))
        return x != y && (areArchives || (x >= 0 && y >= 0))
    }

    /// Whether it matters which object a slot refers to.
    func haveIdentity(_ a: ObjectGraph.Container, _ b: ObjectGraph.Container) -> Bool {
        areArchives && before.isReferred(a.id) && after.isReferred(b.id)
    }

    mutating func makeEquality() -> Equality {
        if let equality { return equality }
        let made = Equality(before, after)
        equality = made
        return made
    }
}
