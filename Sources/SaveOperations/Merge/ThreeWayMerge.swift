package import KeyedArchives
package import SaveCodec

/// What two sides made of a base, brought together: all that only one of them changed, and what a rule settles.
///
///     base  {"gems": 5, "lives": 3}
///     ours  {"gems": 7, "lives": 3}      7 gems, 2 lives
///     theirs {"gems": 5, "lives": 2}
///
/// Two comparisons find which container of each side is which of the base (see ``Difference``). Slot by slot it is then
/// decided which side to follow; the result is ours with what is taken from theirs. Without a base everything is new on
/// both sides: what only one has is kept, dictionaries and objects of one class under the same key are merged in turn.
///
/// First everything is decided, then a draft of ours is changed, so that nothing is half merged. Linear in the size of
/// the views but for a logarithm, and never recursive.
package struct ThreeWayMerge {
    /// A container of both sides that is the same one.
    struct Pairing {
        /// Its number in the comparison of ours; nil for containers that are new on both sides.
        var oursPair: Int?
        var theirsPair: Int?
        let ours: ViewID
        let theirs: ViewID
        /// The state of the rules' patterns there.
        let state: Int
    }

    /// A container that is new on both sides, and where it is.
    struct AddedOnBothSides {
        let pairing: Pairing
        /// The one around it, and its position there in ours; nil for the root.
        let parent: (number: Int, isAdded: Bool, position: Int)?
    }

    /// What becomes of a container of ours.
    struct Plan {
        let pairing: Pairing
        var slots: MergedSlots
        var sets: [(position: Int, value: MergedValue)] = []
        /// The class that it gets, by position among those of theirs.
        var classPosition: Int?
    }

    /// What takes the place of the root of ours.
    enum NewRoot {
        /// That of theirs.
        case theirs
        /// Data that holds what the saves in the roots come to, by the number of their merge.
        case save(Int)
    }

    package let base: ObjectView?
    /// Ours, of which the result is a draft.
    package let ours: ObjectView
    package let theirs: ObjectView
    let options: MergeOptions
    /// The sides, unless there is no base.
    let sides: (ours: MergeSide, theirs: MergeSide)?
    /// What the sides could not both have, in the order of ours.
    package internal(set) var conflicts: [MergeConflict] = []
    /// What one side alone changed and a rule did not let it, in the order of ours.
    var overruled: [MergeConflict] = []
    /// How many conflicts no rule settles, those included that are answered.
    var unruledCount = 0
    var plans: [Plan] = []
    /// What takes the place of the root of ours; nil if that stays.
    var newRoot: NewRoot?
    var additions: [AddedOnBothSides] = []
    var joinedOurs: [ViewID: ViewID] = [:]
    var joinedTheirs: [ViewID: ViewID] = [:]
    var patterns: PointerPatternMatcher
    let limits: Limits
    /// Where the patterns stand at the roots.
    private let start: Int
    /// The states of the patterns at the pairs of ours; none without patterns.
    var states: [Int32] = []
    var newest = NewestSides()
    /// The merges of saves that are stored in values.
    var nested: [NestedMerge] = []
    /// Where the value is in ours that holds the saves; nil if they are files.
    var location: JSONPointer?
    private var tokens: ValueTokens?

    /// Merges views, all of which are archives or none.
    ///
    /// - Parameters:
    ///   - base: what both sides were; nil if that is not known.
    ///   - limits: bound the size of plain documents whose containers are shared, and which become trees.
    ///   - place: where patterns have come to, if the saves are stored in values of others.
    /// - Throws: a problem if archives and others are mixed, or a limit is exceeded.
    package init(
        base: ObjectView?, ours: ObjectView, theirs: ObjectView, _ options: MergeOptions = MergeOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try self.init(MergedVersions(base: base, ours: ours, theirs: theirs), options, limits: limits, at: nil)
    }

    init(
        _ versions: MergedVersions, _ options: MergeOptions, limits: Limits,
        at place: (patterns: PointerPatternMatcher, state: Int)?
    ) throws(Problem) {
        var (base, ours, theirs) = (versions.base, versions.ours, versions.theirs)
        for other in [base, theirs] { if let other { try Self.checkKinds(ours, other) } }
        base = try base?.unshared(limits)
        (ours, theirs) = (try ours.unshared(limits), try theirs.unshared(limits))
        (self.base, self.ours, self.theirs, self.options) = (base, ours, theirs, options)
        if let base {
            var (mine, other) = Self.sides(of: base, ours: ours, theirs: theirs, options)
            mine.findLost(other)
            other.findLost(mine)
            sides = (mine, other)
        } else {
            sides = nil
        }
        self.limits = limits
        start = place?.state ?? PointerPatternMatcher.start
        patterns = place?.patterns ?? options.patterns
        mergeRoots()
        var next = 0
        while next < additions.count {
            merge(additions[next].pairing, at: .added(next))
            next += 1
        }
    }

    /// What each side made of the base.
    private static func sides(
        of base: ObjectView, ours: ObjectView, theirs: ObjectView, _ options: MergeOptions
    ) -> (ours: MergeSide, theirs: MergeSide) {
        // Views keep their graphs, and that of the base is asked for by both comparisons: neither is to wait for it.
        let views = [base, ours, theirs]
        options.runner?(views.count) { _ = views[$0].graph }
        let sides = Sides(by: options.runner) { side in
            MergeSide(base, side == .before ? ours : theirs, options: options.differences)
        }
        return (sides.before, sides.after)
    }

    /// Throws if one of two views is an archive and the other one is not.
    package static func checkKinds(_ a: ObjectView, _ b: ObjectView) throws(Problem) {
        guard (a.archive == nil) == (b.archive == nil) else {
            throw Problem("merge.kinds", "keyed archives and other saves cannot be merged with each other")
        }
    }

    // MARK: The walk

    private mutating func mergeRoots() {
        let versions = SlotVersions(
            base: base?.root, ours: ours.root, theirs: theirs.root, state: start)
        guard let sides else {
            return decideRoot(versions.changed(true, true))
        }
        if !sides.ours.difference.pairs.isEmpty, !sides.theirs.difference.pairs.isEmpty { return mergePairs(sides) }
        let changed = (
            sides.ours.replacesRoot || sides.ours.hasLostRoot, sides.theirs.replacesRoot || sides.theirs.hasLostRoot
        )
        decideRoot(versions.changed(changed.0, changed.1))
    }

    private mutating func decideRoot(_ versions: SlotVersions) {
        switch decide(versions, at: .root) {
        case .theirs: newRoot = .theirs
        case .value(.save(let number)): newRoot = .save(number)
        case .ours, .both, .value: break
        }
    }

    private mutating func mergePairs(_ sides: (ours: MergeSide, theirs: MergeSide)) {
        findStates(sides.ours)
        let lost = Set(sides.theirs.lostSlots.map(\.pair))
        for (number, pair) in sides.ours.difference.pairs.enumerated() {
            guard let other = sides.theirs.pair(ofBase: pair.before),
                sides.theirs.hasEdits(other) || lost.contains(other) || hasRules && sides.ours.hasEdits(number)
            else { continue }
            let pairing = Pairing(
                oursPair: number, theirsPair: other, ours: pair.after,
                theirs: sides.theirs.difference.pairs[other].after, state: hasPatterns ? Int(states[number]) : 0)
            merge(pairing, at: .pair(number))
        }
    }

    // MARK: Rules

    var hasRules: Bool { !options.rules.isEmpty }

    var hasPatterns: Bool { !patterns.isEmpty }

    func rule(_ state: Int) -> MergeRule? {
        hasPatterns ? patterns[state].rule.map { options.rules[$0].rule } : nil
    }

    /// Whether the order of an array means nothing.
    func isUnordered(_ state: Int) -> Bool { hasPatterns && patterns[state].isUnordered }

    /// The state of the patterns one step down.
    mutating func state(after state: Int, by step: Outline.PathStep, in view: ObjectView) -> Int {
        guard hasPatterns, !patterns[state].isFinal else { return state }
        return patterns.next(state, by: step, in: view)
    }

    private mutating func findStates(_ side: MergeSide) {
        guard hasPatterns else { return }
        states.reserveCapacity(side.difference.pairs.count)
        for (number, pair) in side.difference.pairs.enumerated() {
            let parent = Int(pair.parent)
            guard number > 0 else {
                states.append(Int32(truncatingIfNeeded: start))
                continue
            }
            let position = Int(pair.positionAfter)
            let key = ours.item(position, of: side.difference.pairs[parent].after).key
            let step = Outline.PathStep(key: key, position: position)
            let next = state(after: Int(states[parent]), by: step, in: ours)
            states.append(Int32(truncatingIfNeeded: next))
        }
    }

    // MARK: Sameness

    /// The container of ours that one of theirs is; nil for one that ours does not have.
    func partner(ofTheirs id: ViewID) -> ViewID? {
        if let joined = joinedTheirs[id] { return joined }
        guard let sides, let base = sides.theirs.base(of: id), let pair = sides.ours.pair(ofBase: base) else {
            return nil
        }
        return sides.ours.difference.pairs[pair].after
    }

    /// Whether a container of ours is one of theirs, too.
    func hasPartner(ours id: ViewID) -> Bool {
        if joinedOurs[id] != nil { return true }
        guard let sides, let base = sides.ours.base(of: id) else { return false }
        return sides.theirs.pair(ofBase: base) != nil
    }

    /// Whether two values are the same container, or equal.
    mutating func areSame(_ x: ViewID, _ y: ViewID) -> Bool {
        partner(ofTheirs: y) == x || tokenOurs(x) == tokenTheirs(y)
    }

    mutating func tokenOurs(_ id: ViewID) -> UInt64 {
        makeTokens()
        return tokens?.token(of: id, .before) ?? 0
    }

    mutating func tokenTheirs(_ id: ViewID) -> UInt64 {
        makeTokens()
        return tokens?.token(of: id, .after) ?? 0
    }

    private mutating func makeTokens() {
        if tokens == nil { tokens = ValueTokens(ours, theirs) }
    }
}

extension ObjectView {
    /// The view of a plain document in which no container stands in two places, where a change of the one would be one of
    /// the other. Objects of an archive are shared on purpose.
    fileprivate func unshared(_ limits: Limits) throws(Problem) -> ObjectView {
        archive == nil ? ObjectView(try document.unshared(limits), nil, nesting: nesting?.anew) : self
    }
}

/// Numbers by which values of two views, ours and theirs for example, are known to be equal.
struct ValueTokens {
    private let equality: Equality
    private var hashes: Sides<ScalarHashes>

    init(_ ours: ObjectView, _ theirs: ObjectView) {
        let equality = Equality(ComparedSide.both(ours, theirs))
        self.equality = equality
        hashes = Sides { _ in equality.scalarHashes }
    }

    /// - Parameter side: ours is before, theirs after.
    mutating func token(of id: ViewID, _ side: Side) -> UInt64 {
        equality.token(of: id, side, hashes: &hashes[side])
    }
}
