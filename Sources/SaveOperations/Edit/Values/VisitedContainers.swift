import KeyedArchives
import SaveCodec

/// A record of the present containers that a JSON text shows, and of the contents that the text gives them at each
/// occurrence. Present containers are those in the draft before the text is read.
///
/// Plain JSON shows a shared object once per reference, so a text may change only some of the occurrences:
///
///     draft   scores: [A, B], last: A          text   scores: [changed A, B], last: A
///
/// If all occurrences show the same change, the object itself is edited. Otherwise the object is kept, and the changed
/// occurrences become new objects.
struct VisitedContainers {
    /// A present container that was visited.
    struct Container {
        /// The frames that are reading the container.
        var frames: [Int] = []
        /// The hashes of the contents at the first occurrence. `contents` covers the slots of the container, `whole`
        /// everything inside it.
        private var contents: Int?
        private var whole: Int?
        /// Whether the text shows changed contents at any occurrence.
        private(set) var isChanged = false
        /// Whether two occurrences in the text show different contents.
        private(set) var isContradicted = false
        /// Whether two occurrences in the text differ anywhere inside the container.
        private(set) var differs = false
        /// The container that results from each change. The key is the number of the contents that the text shows, see
        /// ``version(_:isShared:)``.
        var changes: [Int: Draft.ID] = [:]
        /// A copy of the container before its contents were edited.
        var original: Draft.ID?

        /// Records an occurrence; `contents` is nil if it shows the present contents.
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
    /// The visited containers that hold each visited container; nil if none are to be split.
    private var holders: [Draft.ID: Set<Draft.ID>]?
    /// The copies of containers that were split from their other references.
    private(set) var splits: [Draft.ID: Draft.ID] = [:]
    private let text: Document
    /// The hash of each object of the text with its contents; empty before the first use.
    private var hashes: [UInt64] = []

    init(in text: Document) {
        self.text = text
    }

    subscript(id: Draft.ID) -> Container? {
        get { containers[id] }
        set { containers[id] = newValue }
    }

    /// Whether an occurrence differs from the present contents of its container.
    var hasChanges: Bool { containers.values.contains(where: \.isChanged) }

    /// Prepares for another value.
    ///
    /// - Parameter splits: Whether containers are to be split from their other references, see ``split(from:in:)``.
    mutating func begin(splits: Bool) {
        (containers, self.splits) = ([:], [:])
        holders = splits ? [:] : nil
    }

    /// Records that a frame reads a container.
    mutating func open(_ id: Draft.ID, in frame: Int) {
        containers[id, default: Container()].frames.append(frame)
    }

    /// Records an occurrence of a container after it was read; `contents` is nil if it shows the present contents.
    mutating func note(_ frame: OpenContainer, contents: Int?) {
        let whole = version(frame.given.id, isShared: frame.isShared)
        if holders != nil {
            for value in frame.values where containers[value.id] != nil {
                holders?[value.id, default: []].insert(frame.target)
            }
        }
        containers[frame.target]?.note(contents: contents, whole: whole)
    }

    /// Returns a number that identifies the contents of a given container, including everything inside it.
    ///
    /// - Returns: Zero for a container that the text shows only once, which has nothing to compare with.
    mutating func version(_ given: ObjectID, isShared: Bool) -> Int {
        guard isShared else { return 0 }
        if hashes.isEmpty { hashes = text.contentHashes }
        return Int(truncatingIfNeeded: hashes[given.index])
    }

    /// Splits the containers that are about to change, so that references from outside the value keep the originals. A
    /// container that holds a split one is also split if it is reachable without the slot, because it must refer to the
    /// copy.
    ///
    ///     slot ─▶ V ─▶ X ◀─ elsewhere          slot ─▶ V ─▶ X'     X ◀─ elsewhere
    mutating func split(from slot: Draft.Slot, in draft: inout Draft) {
        let outside = draft.containers(reachedWithout: slot)
        var reached: Set<Draft.ID> = []
        var pending = containers.filter { $0.value.isChanged }.map(\.key)
        while let id = pending.popLast() {
            guard reached.insert(id).inserted else { continue }
            // A container that is edited and not copied stays the same object, so the containers that hold it need not
            // change.
            guard outside.contains(id.index) || containers[id]?.isContradicted ?? false || !draft.isEditable(id) else {
                continue
            }
            pending += holders?[id] ?? []
        }
        // A contradicted object stays, and its changed occurrences become new objects.
        let split = reached.filter { outside.contains($0.index) && !(containers[$0]?.isContradicted ?? false) }
        for (index, copy) in draft.copies(of: split.sorted { $0.index < $1.index }) {
            let original = Draft.ID(index: index)
            splits[original] = copy
            containers[copy] = containers.removeValue(forKey: original)
        }
    }
}

extension Document {
    /// The hash of each object that the root reaches, with its contents. Equal values have equal hashes; different
    /// values have equal hashes with a probability of 2⁻⁶⁴.
    fileprivate var contentHashes: [UInt64] {
        let seed = UInt64.random(in: 0...UInt64.max)
        var hashes = [UInt64](repeating: 0, count: count)
        for id in contentsFirst { hashes[id.index] = hash(of: object(id), seed: seed) { hashes[$0.index] } }
        return hashes
    }
}
