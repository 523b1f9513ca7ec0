import KeyedArchives
package import SaveCodec

/// A walk that edits a draft of the earlier document until it equals the later document: pair by pair from the roots,
/// and each container step by step.
struct DifferenceReplay {
    enum Step {
        case remove(position: Int)
        case move(from: Int, to: Int)
        case insert(Value)
        case set(Value)
        /// Sets the class, given by its position among the classes of the later archive.
        case setClass(Int)
        case replaceRoot(Draft.ID)
    }

    /// A value of the later document, and the slot of the draft that receives it.
    struct Value {
        /// The position of the slot in the later document.
        let slot: Int
        /// The position of the slot in the draft.
        let position: Int
        let id: Draft.ID
        /// Whether the value is stored in place; nil for the default.
        let isInPlace: Bool?
    }

    /// A function that is called before each step.
    typealias StepObserver = (Step, DifferenceReplay, inout Draft) throws(Problem) -> Void

    let difference: Difference
    /// The number of the later view among the sources of the draft.
    let source: Int
    /// The number of the current pair.
    private(set) var pair = -1
    /// The number of insertions made so far in the current pair.
    private(set) var inserted = 0
    /// Whether the containers of the current pair are arrays.
    private(set) var isInArray = false
    /// The steps of the pairs that were edited, including the current one, by pair number.
    private var steps: [Int: ContainerSteps] = [:]
    private let areArchives: Bool
    private let keepsOrder: Bool

    /// - Parameter keepsOrder: Whether new keys of a dictionary are inserted at their final positions. Patch operations
    ///   can only insert them at the end.
    init(_ difference: Difference, _ draft: inout Draft, keepsOrder: Bool) {
        self.keepsOrder = keepsOrder
        self.difference = difference
        source = draft.addSource(difference.after)
        areArchives = difference.before.archive != nil && difference.after.archive != nil
    }

    /// - Parameter observer: Called before each step.
    mutating func run(on draft: inout Draft, observer: StepObserver) throws(Problem) {
        if difference.pairs.isEmpty, !difference.isEmpty {
            if difference.before.archive != nil {
                guard case .dictionary = difference.after[difference.after.root].variant else { throw .patchTop() }
            }
            let root = try image(difference.after.root, &draft)
            try observer(.replaceRoot(root), self, &draft)
            draft.replaceRoot(with: root)
        }
        for edit in difference.edits {
            pair = edit.pair
            inserted = 0
            let container = draft.id(of: difference.pairs[pair].before)
            let value = draft.value(container)
            isInArray = false
            if case .array = value.variant { isInArray = true }
            let steps = ContainerSteps(edit.edits, isArray: isInArray, count: value.count)
            self.steps[pair] = steps
            try walk(container, by: steps, in: &draft, observer: observer)
        }
    }

    private mutating func walk(
        _ container: Draft.ID, by steps: ContainerSteps, in draft: inout Draft, observer: StepObserver
    ) throws(Problem) {
        let after = difference.after
        let contents = after[difference.pairs[pair].after].contents
        if steps.setsClass, let position = after[difference.pairs[pair].after].classPosition,
            let archive = after.archive
        {
            try observer(.setClass(position), self, &draft)
            try draft.setClass(of: container, to: ArchiveClass(archive.classes[position]))
        }
        for position in steps.removals {
            try observer(.remove(position: position), self, &draft)
            draft.remove(at: position, of: container)
        }
        for (from, to) in steps.moves {
            try observer(.move(from: from, to: to), self, &draft)
            draft.move(from: from, to: to, of: container)
        }
        // Positions of set slots in an array are final ones, so insert first. Other containers insert at the end, which
        // shifts nothing.
        if isInArray { try insert(contents, into: container, by: steps, in: &draft, observer: observer) }
        for (before, slot) in steps.sets {
            let position = steps.position(ofBefore: before)
            let new = try value(slot, of: contents, at: position, in: &draft)
            try observer(.set(new), self, &draft)
            draft.replace(at: position, of: container, with: new.id, inPlace: new.isInPlace)
        }
        if !isInArray { try insert(contents, into: container, by: steps, in: &draft, observer: observer) }
    }

    /// Inserts slots at their final positions, or at the end.
    private mutating func insert(
        _ contents: ViewContents, into container: Draft.ID, by steps: ContainerSteps, in draft: inout Draft,
        observer: StepObserver
    ) throws(Problem) {
        let after = difference.after
        for slot in steps.insertions {
            let count = draft.value(container).count
            let position = isInArray || keepsOrder ? min(slot, count) : count
            let new = try value(slot, of: contents, at: position, in: &draft)
            var key: Draft.ID?
            if let id = after.item(slot, of: contents).key { key = try image(id, &draft) }
            try observer(.insert(new), self, &draft)
            draft.insert(new.id, key: key, at: position, of: container, inPlace: new.isInPlace)
            inserted += 1
        }
    }

    private func value(
        _ slot: Int, of contents: ViewContents, at position: Int, in draft: inout Draft
    ) throws(Problem) -> Value {
        let after = difference.after
        let stored = after.storedItem(slot, of: contents).value
        let id = try image(after.item(slot, of: contents).id, &draft)
        return Value(
            slot: slot, position: position, id: id,
            isInPlace: areArchives ? after.document.object(stored).kind != .uid : nil)
    }

    /// Returns the draft's value for a value of the later document. For a container with a partner, this is the
    /// partner.
    func image(_ id: ViewID, _ draft: inout Draft) throws(Problem) -> Draft.ID {
        let difference = difference
        return try draft.importValue(id, of: source) { other in
            difference.partner(ofAfter: other).map { Draft.ID(index: difference.pairs[$0].before.index) }
        }
    }

    // MARK: Places

    /// Returns the current position of a pair in its parent's container.
    func position(ofPair number: Int) -> Int {
        let child = difference.pairs[number]
        let parent = Int(child.parent)
        guard parent <= pair, let steps = steps[parent] else { return Int(child.positionBefore) }
        return steps.position(
            ofBefore: Int(child.positionBefore), inserted: parent == pair ? inserted : .max)
    }

    /// Returns the current position of the slot that has the final position `after` in a pair.
    func position(ofAfter after: Int, in number: Int) -> Int {
        guard number == pair, let steps = steps[number] else { return after }
        return steps.position(ofAfter: after, inserted: inserted)
    }
}

extension Draft {
    /// Edits this draft of the earlier document until it equals the later document, including sharing and cycles.
    ///
    /// - Throws: A problem if the document cannot hold a value. The draft is then unusable.
    package mutating func apply(_ difference: Difference) throws(Problem) {
        var walk = DifferenceReplay(difference, &self, keepsOrder: true)
        try walk.run(on: &self) { _, _, _ in }
    }
}

extension DifferenceOptions {
    /// Limits the differences to those that a patch can express. A nested text is compared as a string unless applying
    /// its differences to the earlier text produces the later one byte for byte.
    package mutating func requirePatchable() {
        comparesReadOnlySaves = false
        replacesDictionariesWithNewKeys = true
        acceptsTexts = { difference, before, after in (try? difference.edited(before)) == after.bytes }
    }
}

extension Difference {
    /// Applies the changes to a save of the earlier side, and returns its bytes.
    fileprivate func edited(_ save: NestedSave) throws(Problem) -> [UInt8] {
        var draft = Draft(before)
        var walk = DifferenceReplay(self, &draft, keepsOrder: false)
        try walk.run(on: &draft) { _, _, _ in }
        return try save.bytes(of: draft.editedView(limits: Limits()), limits: Limits())
    }
}
