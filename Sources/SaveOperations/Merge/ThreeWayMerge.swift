package import KeyedArchives
package import SaveCodec

/// A merge of two versions of a base, called *ours* and *theirs* as in git. It takes every change that only one side
/// made, and settles conflicts by rules.
///
///     base   {"gems": 5, "lives": 3}
///     ours   {"gems": 7, "lives": 3}      merged {"gems": 7, "lives": 2}
///     theirs {"gems": 5, "lives": 2}
///
/// Two comparisons match the containers of each side with the containers of the base (see ``Difference``). Then each
/// slot is decided in turn. The result is a copy of ours with slots taken from theirs.
///
/// Without a base everything is new on both sides. Slots that only one side has are kept; dictionaries and objects of
/// the same class under the same key are merged with each other.
///
/// All decisions are made before the draft is changed, so that no save is half merged. Time is O(n log n) in the size
/// of the views, and containers are not visited recursively.
package struct ThreeWayMerge: Sendable {
    /// A container that both sides have.
    struct Pairing {
        /// The number of the pair in the comparison from base to ours; nil for containers that are new on both sides.
        var oursPair: Int?
        var theirsPair: Int?
        let ours: ViewID
        let theirs: ViewID
        /// The state of the pattern matcher at the container.
        let state: Int
    }

    /// The edits of a container in ours.
    struct ContainerPlan {
        let pairing: Pairing
        var slots: MergedSlots
        var sets: [(position: Int, value: MergedValue)] = []
        /// The new class, by its position among the classes in theirs; nil to keep the class.
        var classPosition: Int?
    }

    enum NewRoot {
        case theirs
        /// The merged nested save of the roots, by its index in ``ThreeWayMerge/nested``.
        case save(Int)
    }

    package let base: ObjectView?
    /// The version that receives the changes; the result is a draft of it.
    package let ours: ObjectView
    package let theirs: ObjectView
    let options: MergeOptions
    /// The changes of both sides; nil without a base.
    let sides: BothSideChanges?
    /// The conflicts that are not settled, in the order of ours.
    package var conflicts: [MergeConflict] { record.conflicts }
    var record: ConflictRecord
    var plans: [ContainerPlan] = []
    /// The replacement of the root in ours; nil to keep it.
    var newRoot: NewRoot?
    var joined = JoinedContainers()
    var rules: MergeRuleMatcher
    let limits: Limits
    var newest = NewestSides()
    var nested: [NestedMerge] = []
    /// The address, in the enclosing save of ours, of the value that holds the merged save; nil for files.
    var location: JSONPointer?
    private var tokens: ValueTokens?

    /// Merges views. Either all of them are archives, or none is.
    ///
    /// - Parameters:
    ///   - base: The common ancestor of both sides; nil if it is unknown.
    ///   - limits: The limits on the size of plain documents, which are expanded into trees if they share containers.
    /// - Throws: A problem if archives are mixed with other saves, or if a limit is exceeded.
    package init(
        base: ObjectView?, ours: ObjectView, theirs: ObjectView, _ options: MergeOptions = MergeOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try self.init(MergeInputs(base: base, ours: ours, theirs: theirs), options, limits: limits, at: nil)
    }

    init(
        _ versions: MergeInputs, _ options: MergeOptions, limits: Limits,
        at start: (patterns: PointerPatternMatcher, state: Int)?
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
            sides = BothSideChanges(ours: mine, theirs: other)
        } else {
            sides = nil
        }
        self.limits = limits
        rules = MergeRuleMatcher(options, at: start)
        record = ConflictRecord(answers: options.answers)
        mergeRoots()
        var next = 0
        while next < joined.count {
            merge(joined[next].pairing, at: .added(next))
            next += 1
        }
    }

    private static func sides(
        of base: ObjectView, ours: ObjectView, theirs: ObjectView, _ options: MergeOptions
    ) -> (ours: SideChanges, theirs: SideChanges) {
        // A view computes its graph once. Both comparisons need the base's graph, so compute all graphs first:
        // otherwise one comparison would wait for the other.
        let views = [base, ours, theirs]
        options.runner?(views.count) { _ = views[$0].graph }
        let sides = Sides(by: options.runner) { side in
            SideChanges(base, side == .before ? ours : theirs, options: options.differences)
        }
        return (sides.before, sides.after)
    }

    /// Throws if only one of two views is an archive.
    package static func checkKinds(_ a: ObjectView, _ b: ObjectView) throws(Problem) {
        guard (a.archive == nil) == (b.archive == nil) else {
            throw Problem("merge.kinds", "a keyed archive can only be merged with keyed archives")
        }
    }

    // MARK: The walk

    private mutating func mergeRoots() {
        let versions = SlotVersions(
            base: base?.root, ours: ours.root, theirs: theirs.root, state: rules.start)
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

    private mutating func mergePairs(_ sides: BothSideChanges) {
        rules.findStates(of: sides.ours.difference)
        let lost = Set(sides.theirs.lostSlots.map(\.pair))
        for (number, pair) in sides.ours.difference.pairs.enumerated() {
            guard let other = sides.theirs.pair(ofBase: pair.before),
                sides.theirs.hasEdits(other) || lost.contains(other) || !rules.isEmpty && sides.ours.hasEdits(number)
            else { continue }
            let pairing = Pairing(
                oursPair: number, theirsPair: other, ours: pair.after,
                theirs: sides.theirs.difference.pairs[other].after, state: rules.state(ofPair: number))
            merge(pairing, at: .pair(number))
        }
    }

    // MARK: Sameness

    /// Returns the container in ours that matches a container in theirs; nil if ours does not have it.
    func partner(ofTheirs id: ViewID) -> ViewID? {
        if let partner = joined.partner(ofTheirs: id) { return partner }
        guard let sides, let base = sides.theirs.base(of: id), let pair = sides.ours.pair(ofBase: base) else {
            return nil
        }
        return sides.ours.difference.pairs[pair].after
    }

    /// Whether a container in ours matches one in theirs.
    func hasPartner(ours id: ViewID) -> Bool {
        if joined.partner(ofOurs: id) != nil { return true }
        guard let sides, let base = sides.ours.base(of: id) else { return false }
        return sides.theirs.pair(ofBase: base) != nil
    }

    /// Whether two values are the same container or equal.
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
    /// Returns the view with shared containers of a plain document copied, so that a change at one address does not
    /// affect another. Objects of an archive are shared on purpose.
    fileprivate func unshared(_ limits: Limits) throws(Problem) -> ObjectView {
        archive == nil ? ObjectView(try document.unshared(limits), nil, nesting: nesting?.withoutBudget) : self
    }
}

/// The tokens of the values of two views. Equal values, and no others except by chance, have equal tokens.
struct ValueTokens {
    private let equality: ContainerEquality
    private var hashes: Sides<ScalarHashes>

    init(_ ours: ObjectView, _ theirs: ObjectView) {
        let equality = ContainerEquality(ComparedSide.both(ours, theirs))
        self.equality = equality
        hashes = Sides { _ in equality.scalarHashes }
    }

    /// Returns the token of a value.
    ///
    /// - Parameter side: The view that contains the value: `before` for ours, `after` for theirs.
    mutating func token(of id: ViewID, _ side: Side) -> UInt64 {
        equality.token(of: id, side, hashes: &hashes[side])
    }
}
