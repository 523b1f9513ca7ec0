import KeyedArchives
import SaveCodec

/// The present containers that a JSON text shows, and what each of its places shows of them.
///
/// Plain JSON shows an object in several places if others refer to it, too:
///
///     there   scores: [A, B], last: A          given   scores: [A changed, B], last: A as it was
///
/// All places have to show the same change. Otherwise the object stays what it is, and the changed ones become new objects.
struct VisitedContainers {
    /// A container that is there and has been visited.
    struct Container {
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

    private(set) var containers: [Draft.ID: Container] = [:]
    /// The containers that hold other visited ones, as the text shows them; nil if none are to be split.
    private var holders: [Draft.ID: Set<Draft.ID>]?
    /// The copies of those that have been split from what others see of them.
    private(set) var splits: [Draft.ID: Draft.ID] = [:]
    private var fingerprints: Fingerprints

    init(in text: Document) {
        fingerprints = Fingerprints(text)
    }

    subscript(id: Draft.ID) -> Container? {
        get { containers[id] }
        set { containers[id] = newValue }
    }

    /// Whether a place shows other contents than what is there.
    var hasChanges: Bool { containers.values.contains(where: \.isChanged) }

    /// Forgets the value before.
    ///
    /// - Parameter splits: whether containers are to be split from what others see of them, see ``split(from:in:)``.
    mutating func begin(splits: Bool) {
        (containers, self.splits) = ([:], [:])
        holders = splits ? [:] : nil
    }

    /// Notes that a container is being read in a frame.
    mutating func open(_ id: Draft.ID, in frame: Int) {
        containers[id, default: Container()].frames.append(frame)
    }

    /// Notes what a place shows of a container that has been read; `contents` is nil where it shows what is there.
    mutating func note(_ frame: OpenContainer, contents: Int?) {
        let whole = version(frame.given.id, isShared: frame.isShared)
        if holders != nil {
            for value in frame.values where containers[value.id] != nil {
                holders?[value.id, default: []].insert(frame.target)
            }
        }
        containers[frame.target]?.note(contents: contents, whole: whole)
    }

    /// A number for what a place shows of a container and all that is in it; 0 for one that the text shows in one place only.
    mutating func version(_ given: ObjectID, isShared: Bool) -> Int {
        isShared ? fingerprints.fingerprint(of: given) : 0
    }

    /// Splits the containers that are about to change from what others see of them: those that are reached without the
    /// slot of the value, and of those that hold them the same, as they are to hold the copies.
    ///
    ///     slot ─▶ V ─▶ X ◀─ elsewhere          slot ─▶ V ─▶ X'     X ◀─ elsewhere
    mutating func split(from slot: ValueReader.Slot, in draft: inout Draft) {
        let outside = draft.containers(reachedWithout: slot.position, of: slot.container)
        var reached: Set<Draft.ID> = []
        var pending = containers.filter { $0.value.isChanged }.map(\.key)
        while let id = pending.popLast() {
            guard reached.insert(id).inserted else { continue }
            // What is edited where it is stays the same object to what holds it.
            guard outside.contains(id.index) || containers[id]?.isContradicted ?? false || !draft.isEditable(id) else {
                continue
            }
            pending += holders?[id] ?? []
        }
        // An object of which places show different things stays what it is, and those that differ become new ones.
        let split = reached.filter { outside.contains($0.index) && !(containers[$0]?.isContradicted ?? false) }
        for (index, copy) in draft.copies(of: split.sorted { $0.index < $1.index }) {
            let original = Draft.ID(index: index)
            splits[original] = copy
            containers[copy] = containers.removeValue(forKey: original)
        }
    }
}
