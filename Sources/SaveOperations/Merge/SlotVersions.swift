import KeyedArchives

/// A slot and what the sides made of it.
struct SlotVersions {
    /// What was there; nil if there was nothing.
    let base: ViewID?
    /// What is there now; nil if there is nothing.
    let ours: ViewID?
    let theirs: ViewID?
    /// The state of the rules' patterns there.
    let state: Int
    /// Whether the sides changed it.
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

/// What becomes of a slot.
enum MergeDecision: Equatable {
    /// What ours has, or does not have.
    case ours
    /// What theirs has, or does not have.
    case theirs
    /// What both have, one behind the other.
    case both
    /// Something else.
    case value(MergedValue)
}

/// The value that a slot of ours gets.
enum MergedValue: Equatable {
    /// That of a slot of theirs.
    case theirs(Int)
    /// A number that neither side has.
    case integer(Int128)
    case real(Double)
    /// A real in a width that only one side has, with the value of the other side.
    case stored(Double, width: Int)
    /// What the saves in the values come to, by the number of their merge.
    case save(Int)
}
