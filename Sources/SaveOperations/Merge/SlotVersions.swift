import KeyedArchives

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
