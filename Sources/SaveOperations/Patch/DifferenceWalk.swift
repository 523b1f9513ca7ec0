import KeyedArchives
package import SaveCodec

/// Leads a draft of the document before to the one after, pair by pair from the roots down, each container step by step.
struct DifferenceWalk {
    /// One step, in a container of the draft.
    enum Step {
        case remove(position: Int)
        case move(from: Int, to: Int)
        /// A slot with this value is inserted.
        case insert(Value)
        /// The slot at a position gets this value.
        case set(Value)
        /// The container becomes one of the class at a position of the archive after.
        case setClass(Int)
        /// The root is another.
        case replaceRoot(Draft.ID)
    }

    /// A value of the document after that goes into a slot of a container of the draft.
    struct Value {
        /// The slot that holds it in the document after.
        let slot: Int
        /// The position of its slot in the draft.
        let position: Int
        /// The value in the draft.
        let id: Draft.ID
        /// Whether it is stored in place; nil if that is not to be said.
        let isInPlace: Bool?
    }

    /// Is told of a step before it is taken.
    typealias Tell = (Step, DifferenceWalk, inout Draft) throws(Problem) -> Void

    let difference: Difference
    /// The number by which the draft knows the view after.
    let source: Int
    /// The number of the pair at which the walk is, and how many insertions have been made there.
    private(set) var pair = -1
    private(set) var inserted = 0
    /// Whether the containers of that pair are arrays.
    private(set) var isInArray = false
    /// The steps of the pairs that have any, up to where the walk is.
    private var steps: [Int: ContainerSteps] = [:]
    private let areArchives: Bool
    private let keepsOrder: Bool

    /// - Parameter keepsOrder: whether what comes into a dictionary stands there as it does after. Operations of a patch
    ///   can put it at the end only.
    init(_ difference: Difference, _ draft: inout Draft, keepsOrder: Bool) {
        self.keepsOrder = keepsOrder
        self.difference = difference
        source = draft.addSource(difference.after)
        areArchives = difference.before.archive != nil && difference.after.archive != nil
    }

    /// Walks the whole way.
    ///
    /// - Parameter tell: is told of each step before it is taken.
    mutating func run(on draft: inout Draft, _ tell: Tell) throws(Problem) {
        if difference.pairs.isEmpty, !difference.isEmpty {
            if difference.before.archive != nil {
                guard case .dictionary = difference.after[difference.after.root].form else { throw .patchTop() }
            }
            let root = try image(difference.after.root, &draft)
            try tell(.replaceRoot(root), self, &draft)
            draft.replaceRoot(with: root)
        }
        for edit in difference.edits {
            pair = edit.pair
            inserted = 0
            let container = draft.id(of: difference.pairs[pair].before)
            let value = draft.value(container)
            isInArray = false
            if case .array = value.form { isInArray = true }
            let steps = ContainerSteps(edit.edits, isArray: isInArray, count: value.count)
            self.steps[pair] = steps
            try walk(container, by: steps, in: &draft, tell)
        }
    }

    private mutating func walk(
        _ container: Draft.ID, by steps: ContainerSteps, in draft: inout Draft, _ tell: Tell
    ) throws(Problem) {
        let after = difference.after
        let contents = after[difference.pairs[pair].after].contents
        if steps.setsClass, let position = after[difference.pairs[pair].after].classPosition,
            let archive = after.archive
        {
            try tell(.setClass(position), self, &draft)
            try draft.setClass(of: container, to: ArchiveClass(archive.classes[position]))
        }
        for position in steps.removals {
            try tell(.remove(position: position), self, &draft)
            draft.remove(at: position, of: container)
        }
        for (from, to) in steps.moves {
            try tell(.move(from: from, to: to), self, &draft)
            draft.move(from: from, to: to, of: container)
        }
        // In an array the places of what is set are those in the end; elsewhere what comes last shifts nothing.
        if isInArray { try insert(contents, into: container, by: steps, in: &draft, tell) }
        for (before, slot) in steps.sets {
            let position = steps.position(ofBefore: before)
            let new = try value(slot, of: contents, at: position, in: &draft)
            try tell(.set(new), self, &draft)
            draft.replace(at: position, of: container, with: new.id, inPlace: new.isInPlace)
        }
        if !isInArray { try insert(contents, into: container, by: steps, in: &draft, tell) }
    }

    /// Inserts slots at their places, or at the end.
    private mutating func insert(
        _ contents: ViewContents, into container: Draft.ID, by steps: ContainerSteps, in draft: inout Draft,
        _ tell: Tell
    ) throws(Problem) {
        let after = difference.after
        for slot in steps.insertions {
            let count = draft.value(container).count
            let position = isInArray || keepsOrder ? min(slot, count) : count
            let new = try value(slot, of: contents, at: position, in: &draft)
            var key: Draft.ID?
            if let id = after.item(slot, of: contents).key { key = try image(id, &draft) }
            try tell(.insert(new), self, &draft)
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

    /// What a value of the document after is in the draft: of a container that has a partner, that.
    func image(_ id: ViewID, _ draft: inout Draft) throws(Problem) -> Draft.ID {
        let difference = difference
        return try draft.importValue(id, of: source) { other in
            difference.partner(ofAfter: other).map { Draft.ID(index: difference.pairs[$0].before.index) }
        }
    }

    // MARK: Places

    /// Where a pair stands in the container of its parent now.
    func position(ofPair number: Int) -> Int {
        let child = difference.pairs[number]
        let parent = Int(child.parent)
        guard parent <= pair, let steps = steps[parent] else { return Int(child.positionBefore) }
        return steps.position(
            ofBefore: Int(child.positionBefore), inserted: parent == pair ? inserted : .max)
    }

    /// Where a slot of a pair stands now that stands at a position in the end.
    func position(ofAfter after: Int, in number: Int) -> Int {
        guard number == pair, let steps = steps[number] else { return after }
        return steps.position(ofAfter: after, inserted: inserted)
    }
}

extension Draft {
    /// Makes the document before of a comparison, whose draft this is, the document after: with the same sharing, and
    /// with cycles as they are there.
    ///
    /// - Throws: a problem for what the document cannot hold; the draft is of no use then.
    package mutating func apply(_ difference: Difference) throws(Problem) {
        var walk = DifferenceWalk(difference, &self, keepsOrder: true)
        try walk.run(on: &self) { _, _, _ in }
    }
}
