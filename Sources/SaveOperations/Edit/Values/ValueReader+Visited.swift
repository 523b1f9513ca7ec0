import KeyedArchives
import SaveCodec

/// Objects that plain JSON shows in several places, as others refer to them, too.
///
///     there   scores: [A, B], last: A          given   scores: [A changed, B], last: A as it was
///
/// All places have to show the same change, else the object stays what it is, and what is changed becomes a new one.
extension ValueReader {
    /// A container that is there and has been visited.
    struct VisitedContainer {
        /// The frames in which it is being read.
        var frames: [Int] = []
        /// What the first place shows of its own contents, and what of all that is in it.
        private var contents: Int?
        private var whole: Int?
        /// Whether a place shows other contents than what is there.
        private(set) var isChanged = false
        /// Whether places show different contents.
        private(set) var isContradicted = false
        /// Whether places show different things anywhere within.
        private(set) var differs = false
        /// What it has become, by what it was changed by.
        var changes: [Int: Draft.ID] = [:]
        /// What it held before it was edited.
        var original: Draft.ID?

        /// Takes a place into account; `contents` is nil where it shows what is there.
        mutating func note(contents: Int?, whole: Int) {
            isChanged = isChanged || contents != nil
            if let first = self.whole {
                isContradicted = isContradicted || contents != self.contents
                differs = differs || whole != first
            } else {
                (self.contents, self.whole) = (contents, whole)
            }
        }
    }

    /// Notes what a place shows of a container.
    mutating func note(_ frame: Frame, _ isUnchanged: Bool, in draft: inout Draft) {
        let whole = version(frame.given.id, isShared: frame.isShared)
        let contents = isUnchanged ? nil : contentsNumber(frame, in: &draft)
        if holders != nil {
            for value in frame.values where visited[value.id] != nil {
                holders?[value.id, default: []].insert(frame.target)
            }
        }
        visited[frame.target]?.note(contents: contents, whole: whole)
    }

    /// A number for what a place shows of a container and all that is in it. What the text can show in one place only has
    /// one number.
    mutating func version(_ given: ObjectID, isShared: Bool) -> Int {
        isShared ? fingerprints.fingerprint(of: given) : 0
    }

    /// Whether the text may show a container in several places, as others refer to it or to what it is part of.
    func isShared(_ container: Draft.ID, in draft: borrowing Draft) -> Bool {
        switch owner {
        case .key: return true
        case .container(let holder) where frames[holder].isShared: return true
        case .container, .value:
            if !inArchive { return draft.isStoredOnce(container) }
            return draft.viewID(of: container).map(draft.view.graph.isShared) ?? true
        }
    }

    /// A number for the contents that have been read: objects that are there count by what they are, whatever becomes of
    /// them.
    private mutating func contentsNumber(_ frame: Frame, in draft: inout Draft) -> Int {
        let isKeyed = frame.given.kind.isKeyed
        var sum = 0
        for (index, member) in frame.members.enumerated() {
            var hasher = Hasher()
            if !isKeyed { hasher.combine(index) }
            hasher.combine(member.position)
            hasher.combine(member.name)
            if isThere(frame.values[index].id, in: draft) {
                hasher.combine(frame.values[index].id)
            } else {
                hasher.combine(hashes.hash(of: member.value, in: document, isRaw: frame.isRaw))
            }
            hasher.combine(frame.values[index].isInPlace)
            sum &+= hasher.finalize()
        }
        return sum
    }

    /// Splits the containers that are about to change from what others see of them: those that are reached without the
    /// slot of the value, and of those that hold them the same, as they are to hold the copies.
    ///
    ///     slot ─▶ V ─▶ X ◀─ elsewhere          slot ─▶ V ─▶ X'     X ◀─ elsewhere
    mutating func split(from slot: Slot, in draft: inout Draft) {
        let outside = draft.containers(reachedWithout: slot.position, of: slot.container)
        var reached: Set<Draft.ID> = []
        var pending = visited.filter { $0.value.isChanged }.map(\.key)
        while let id = pending.popLast() {
            guard reached.insert(id).inserted else { continue }
            // What is edited where it is stays the same object to what holds it.
            guard outside.contains(id.index) || visited[id]?.isContradicted ?? false || !draft.isEditable(id) else {
                continue
            }
            pending += holders?[id] ?? []
        }
        // An object of which places show different things stays what it is, and those that differ become new ones.
        let split = reached.filter { outside.contains($0.index) && !(visited[$0]?.isContradicted ?? false) }
        for (index, copy) in draft.copies(of: split.sorted { $0.index < $1.index }) {
            let original = Draft.ID(index: index)
            splits[original] = copy
            visited[copy] = visited.removeValue(forKey: original)
        }
    }

    /// As many objects are told of that others refer to.
    private static let mostShared = 20

    /// Notes that an object within the value is about to be edited which others refer to.
    func noteShared(_ frame: Frame, in draft: inout Draft) {
        guard frame.trail >= 0, draft.sharedEdits.count < Self.mostShared,
            let present = draft.viewID(of: frame.target), draft.view.graph.isShared(present)
        else { return }
        draft.sharedEdits.append(address(of: trails[frame.trail], in: &draft))
    }

    private func isThere(_ id: Draft.ID, in draft: borrowing Draft) -> Bool {
        draft.viewID(of: id) != nil && draft.scalar(id) == nil
    }
}
