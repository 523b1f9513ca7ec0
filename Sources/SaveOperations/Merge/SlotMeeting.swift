import KeyedArchives

/// A slot and what the sides made of it.
struct SlotMeeting {
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

    func changed(_ ours: Bool, _ theirs: Bool) -> SlotMeeting {
        var meeting = self
        (meeting.isOursChanged, meeting.isTheirsChanged) = (ours, theirs)
        return meeting
    }
}

/// Where something is decided.
enum MergePlace {
    /// The root.
    case root
    /// Of the class of a container.
    case container(MergeContainer)
    /// In a pair of ours: at a position in ours, or if there is none in theirs.
    case slot(MergeContainer, ours: Int?, theirs: Int?)
}

/// A container that is merged.
enum MergeContainer {
    /// One that the base has, by its pair in the comparison of ours.
    case pair(Int)
    /// One that is new on both sides.
    case joining(Int)
}
