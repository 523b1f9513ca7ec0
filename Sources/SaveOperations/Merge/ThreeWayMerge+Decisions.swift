import KeyedArchives
import SaveCodec

extension ThreeWayMerge {
    /// Returns the decision for a slot, and records a conflict if there is one.
    mutating func decide(_ versions: SlotVersions, at site: MergeSite) -> MergeDecision {
        guard versions.isOursChanged || versions.isTheirsChanged else { return .ours }
        if let rule = rules.rule(at: versions.state), let combined = combine(versions, rule, at: site) {
            noteOverruled(versions, by: rule, combined, at: site)
            return combined
        }
        guard versions.isTheirsChanged else { return .ours }
        guard versions.isOursChanged else { return .theirs }
        switch (versions.ours, versions.theirs) {
        case (nil, nil): return .ours
        case (let x?, let y?):
            if let decision = mergeWidths(x, y, of: versions) { return decision }
            if join(x, y, of: versions, at: site) || areSame(x, y) { return .ours }
            if let decision = mergeSaves(x, y, of: versions, at: site) { return decision }
            if let decision = base(of: versions, at: site) { return decision }
        default: break
        }
        return switch settle(versions, in: site.container) {
        case .ours: .ours
        case .theirs: .theirs
        case nil: leave(versions, at: site)
        }
    }

    /// Records a change of one side that a maximum or minimum rule overruled.
    private mutating func noteOverruled(
        _ versions: SlotVersions, by rule: MergeRule, _ decision: MergeDecision, at site: MergeSite
    ) {
        guard sides != nil, rule == .maximum || rule == .minimum, versions.isOursChanged != versions.isTheirsChanged,
            (decision == .ours) != versions.isOursChanged
        else { return }
        record.addOverruled(
            MergeConflict(
                subject: .value, site: site, base: versions.base, ours: versions.ours, theirs: versions.theirs))
    }

    /// Returns the decision to restore the value of the base, if the rule asks for it and the base has a single value.
    private func base(of versions: SlotVersions, at site: MergeSite) -> MergeDecision? {
        guard rules.rule(at: versions.state) == .base, site.container != nil, let value = versions.base,
            base?.scalar(value) != nil
        else { return nil }
        return .value(.base(value))
    }

    private mutating func leave(_ versions: SlotVersions, at site: MergeSite) -> MergeDecision {
        note(versions, .value, at: site)
        return .ours
    }

    mutating func note(
        _ versions: SlotVersions, _ subject: MergeConflict.Subject, at site: MergeSite, nested: Int? = nil
    ) {
        record.add(
            MergeConflict(
                subject: subject, site: site, base: versions.base, ours: versions.ours, theirs: versions.theirs,
                nested: nested, rule: rules.rule(at: versions.state).flatMap { $0 == .fail ? nil : $0 }))
    }

    /// Returns the merged real if at most one side changed its value and at most one its width; otherwise nil.
    ///
    ///     base  real 0.5     ours  real32 0.5     theirs  real 2.0     merged  real32 2.0
    ///
    /// A value that needs eight bytes keeps them.
    private func mergeWidths(_ x: ViewID, _ y: ViewID, of versions: SlotVersions) -> MergeDecision? {
        guard !options.comparesNumbersByValue, let base, let z = versions.base, let old = base.scalarObject(z),
            let mine = ours.scalarObject(x), let other = theirs.scalarObject(y),
            old.kind == .real, mine.kind == .real, other.kind == .real,
            mine.count != old.count || other.count != old.count,
            case let isInPlace = base.uid(z) == nil, isInPlace == (ours.uid(x) == nil),
            isInPlace == (theirs.uid(y) == nil)
        else { return nil }
        let isMine = !ours.document.sameValue(mine, as: old, in: base.document)
        guard
            !isMine || theirs.document.sameValue(other, as: old, in: base.document)
                || ours.document.sameValue(mine, as: other, in: theirs.document)
        else { return nil }
        let value = isMine ? ours.document.real(mine) : theirs.document.real(other)
        let width = mine.count == old.count ? other.count : mine.count
        let hasWidth = (isMine ? mine : other).count == width
        guard !hasWidth, width == 8 || Float(exactly: value) != nil else { return isMine ? .ours : .theirs }
        return .value(.stored(value, width: width))
    }

    // MARK: Joining

    /// Whether two new containers are merged with each other; if so, schedules their merge.
    private mutating func join(_ x: ViewID, _ y: ViewID, of versions: SlotVersions, at site: MergeSite) -> Bool {
        guard joined.partner(ofTheirs: y) != x else { return true }
        let isUnion = rules.rule(at: versions.state) == .union
        switch (ours.kind(of: x), theirs.kind(of: y)) {
        case (.dictionary, .dictionary), (.object, .object):
            guard isNew(x, y, of: versions) || isUnion else { return false }
        case (.array, .array), (.set, .set): guard isUnion else { return false }
        default: return false
        }
        guard (ours.uid(x) == nil) == (theirs.uid(y) == nil), className(x, in: ours) == className(y, in: theirs),
            !hasPartner(ours: x), partner(ofTheirs: y) == nil
        else { return false }
        joined.add(x, y, in: site.parent, state: versions.state)
        return true
    }

    /// Whether both containers are new. Two containers that replaced the same keyed container of the base do not count
    /// as new: a merge could restore fields that both sides removed.
    private func isNew(_ x: ViewID, _ y: ViewID, of versions: SlotVersions) -> Bool {
        guard let sides else { return true }
        if let was = versions.base, sides.ours.difference.before.kind(of: was)?.isKeyed ?? false { return false }
        return sides.ours.base(of: x) == nil && sides.theirs.base(of: y) == nil
    }

    // MARK: Rules

    /// Returns the decision of a rule that applies whenever the sides differ; nil if the rule does not apply.
    private mutating func combine(
        _ versions: SlotVersions, _ rule: MergeRule, at site: MergeSite
    ) -> MergeDecision? {
        switch (rule, versions.ours, versions.theirs) {
        case (.maximum, let x?, let y?): return order(x, y).map { $0 >= 0 ? .ours : .theirs }
        case (.minimum, let x?, let y?): return order(x, y).map { $0 <= 0 ? .ours : .theirs }
        case (.maximum, let x?, nil): return ours.isOrdered(x) && !site.isElement(in: self) ? .ours : nil
        case (.maximum, nil, let y?): return theirs.isOrdered(y) && !site.isElement(in: self) ? .theirs : nil
        case (.sumOfChanges, let x?, let y?):
            // The sum is needed only if both sides changed the number, and a sum of reals may be rounded.
            guard versions.isOursChanged, versions.isTheirsChanged, case .slot = site else { return nil }
            return sum(base: versions.base, ours: x, theirs: y)
        case (.union, .some, nil): return .ours
        case (.union, nil, .some): return .theirs
        case (.union, let x?, let y?):
            if join(x, y, of: versions, at: site) || areSame(x, y) { return .ours }
            return site.isElement(in: self) ? .both : nil
        case (.maximum, nil, nil), (.minimum, _, _), (.sumOfChanges, _, _), (.union, nil, nil): return nil
        case (.ours, _, _), (.theirs, _, _), (.base, _, _), (.newest, _, _), (.higher, _, _), (.lower, _, _),
            (.fail, _, _):
            return nil
        }
    }

    /// Returns a negative number, zero or a positive number if ours is less than, equal to or greater than theirs; nil
    /// if the values have no order.
    private func order(_ x: ViewID, _ y: ViewID) -> Int? {
        guard let a = ours.orderedScalar(x), let b = theirs.orderedScalar(y) else { return nil }
        return a.order(comparedTo: b)
    }

    private func order(_ versions: SlotVersions) -> Int? {
        guard let x = versions.ours, let y = versions.theirs else { return nil }
        return order(x, y)
    }

    /// Returns the number of the base plus the changes of both sides; nil if the type in ours cannot hold it.
    private func sum(base z: ViewID?, ours x: ViewID, theirs y: ViewID) -> MergeDecision? {
        let (mine, other) = (ours.orderedScalar(x), theirs.orderedScalar(y))
        guard let base, let z else { return sum(base: nil, ours: mine, theirs: other) }
        guard let was = base.orderedScalar(z), was.isNumber else { return nil }
        return sum(base: was, ours: mine, theirs: other)
    }

    private func sum(base z: Node?, ours x: Node?, theirs y: Node?) -> MergeDecision? {
        // In text, integers and reals are not distinguished.
        let isText = ours.hasTextScalars
        if case .integer(let x)? = x, !isText || (y?.integer != nil && (z == nil || z?.integer != nil)) {
            guard case .integer(let y)? = y, let was = z == nil ? 0 : z?.integer else { return nil }
            let gain = y.value.subtractingReportingOverflow(was)
            let sum = x.value.addingReportingOverflow(gain.partialValue)
            // Only the binary format can store integers of 16 bytes.
            guard !gain.overflow, !sum.overflow, case let sum = sum.partialValue, sum >= Int128(Int64.min),
                sum <= Int128(UInt64.max)
            else { return nil }
            return sum == x.value ? .ours : .value(.integer(sum))
        }
        guard let x = isText ? x?.number : x?.real,
            let y = options.comparesNumbersByValue || isText ? y?.number : y?.real,
            let was = z == nil ? 0 : z?.number
        else { return nil }
        let sum = x + (y - was)
        guard sum.isFinite else { return nil }
        return sum == x ? .ours : .value(.real(sum))
    }

    /// Returns the side for which a rule or an answer settles a conflict; nil if none does.
    mutating func settle(_ versions: SlotVersions, in container: MergeContainer?) -> MergeSide? {
        switch rules.rule(at: versions.state) {
        case .ours: return .ours
        case .theirs: return .theirs
        case .newest(let age): if let side = newestSide(versions, age, in: container) { return side }
        case .higher: if let order = order(versions) { return order >= 0 ? .ours : .theirs }
        case .lower: if let order = order(versions) { return order <= 0 ? .ours : .theirs }
        case .maximum, .minimum, .sumOfChanges, .union, .base, .fail, nil: break
        }
        return record.takeAnswer()
    }
}

extension MergeSite {
    /// The container of the slot; nil for the root and for classes.
    var container: MergeContainer? {
        if case .slot(let container, _, _) = self { container } else { nil }
    }

    /// Whether the slot is in an array or a set.
    fileprivate func isElement(in merge: ThreeWayMerge) -> Bool {
        guard let container, let pairing = merge.pairing(of: container) else { return false }
        return !(merge.ours.kind(of: pairing.ours)?.isKeyed ?? false)
    }

    /// The container of the slot, and the position in ours.
    fileprivate var parent: (container: MergeContainer, position: Int)? {
        guard case .slot(let container, let position, _) = self else { return nil }
        return (container, position ?? 0)
    }
}

/// The values of a slot in all versions.
struct SlotVersions {
    /// The value in the base; nil if the slot had no value.
    let base: ViewID?
    /// The value in ours; nil if the slot has no value.
    let ours: ViewID?
    let theirs: ViewID?
    /// The state of the pattern matcher at the slot.
    let state: Int
    var isOursChanged = true
    var isTheirsChanged = true

    init(base: ViewID?, ours: ViewID?, theirs: ViewID?, state: Int) {
        (self.base, self.ours, self.theirs, self.state) = (base, ours, theirs, state)
    }

    func changed(_ ours: Bool, _ theirs: Bool) -> SlotVersions {
        var versions = self
        (versions.isOursChanged, versions.isTheirsChanged) = (ours, theirs)
        return versions
    }
}

enum MergeDecision: Equatable {
    /// Keep ours, which may have no value.
    case ours
    /// Take theirs, which may have no value.
    case theirs
    /// Keep both values, theirs after ours.
    case both
    /// Set a new value.
    case value(MergedValue)
}

enum MergedValue: Equatable {
    /// The value at a position in theirs.
    case theirs(Int)
    /// A single value of the base.
    case base(ViewID)
    /// A number that neither side has.
    case integer(Int128)
    case real(Double)
    /// A real with the value of one side and the width of the other, in bytes.
    case stored(Double, width: Int)
    /// The merged nested save, by its index in ``ThreeWayMerge/nested``.
    case save(Int)
}
