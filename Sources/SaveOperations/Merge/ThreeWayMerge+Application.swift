import KeyedArchives
package import SaveCodec

extension Draft {
    /// Applies a merge to this draft, which was made from ours. Unsettled conflicts keep the values in ours.
    ///
    /// - Throws: A problem if ours cannot hold a value. The draft is then unusable.
    package mutating func apply(_ merge: ThreeWayMerge) throws(Problem) {
        let application = MergeApplication(merge, source: addSource(merge.theirs))
        try application.run(on: &self)
    }
}

private struct MergeApplication {
    let merge: ThreeWayMerge
    /// The number of the view of theirs among the sources of the draft.
    let source: Int
    private let areArchives: Bool

    init(_ merge: ThreeWayMerge, source: Int) {
        self.merge = merge
        self.source = source
        areArchives = merge.ours.archive != nil
    }

    func run(on draft: inout Draft) throws(Problem) {
        switch merge.newRoot {
        case nil: break
        case .theirs: draft.replaceRoot(with: try image(merge.theirs.root, &draft))
        case .save(let number): if let data = try merged(number, &draft) { draft.replaceRoot(with: data) }
        }
        for plan in merge.plans { try apply(plan, to: &draft) }
    }

    private func apply(_ plan: ThreeWayMerge.ContainerPlan, to draft: inout Draft) throws(Problem) {
        let container = draft.id(of: plan.pairing.ours)
        if let position = plan.classPosition, let archive = merge.theirs.archive {
            try draft.setClass(of: container, to: ArchiveClass(archive.classes[position]))
        }
        let contents = merge.theirs[plan.pairing.theirs].contents
        for (position, value) in plan.sets { try set(value, at: position, of: container, from: contents, in: &draft) }
        var isArray = false
        if case .array = draft.value(container).variant { isArray = true }
        let steps = ContainerSteps(plan.slots.edits, isArray: isArray, count: draft.value(container).count)
        for position in steps.removals { draft.remove(at: position, of: container) }
        for (from, to) in steps.moves { draft.move(from: from, to: to, of: container) }
        for (position, slot) in zip(steps.insertions, plan.slots.inserted) {
            try insert(slot, at: position, of: container, from: contents, in: &draft)
        }
    }

    private func set(
        _ value: MergedValue, at position: Int, of container: Draft.ID, from contents: ViewContents,
        in draft: inout Draft
    ) throws(Problem) {
        guard let present = draft.item(position, of: container)?.value else { return }
        switch value {
        case .save(let number):
            guard let data = try merged(number, &draft) else { return }
            draft.replace(at: position, of: container, with: data)
        case .theirs(let slot):
            let new = merge.theirs.item(slot, of: contents).id
            if let fitted = fitted(new, to: present, in: &draft) {
                return draft.replace(at: position, of: container, with: fitted)
            }
            draft.replace(
                at: position, of: container, with: try image(new, &draft), inPlace: isInPlace(slot, of: contents))
        case .base(let value):
            guard let scalar = merge.base?.scalar(value) else { return }
            draft.replace(at: position, of: container, with: draft.add(scalar))
        case .integer(let integer) where merge.ours.hasTextScalars:
            draft.replace(at: position, of: container, with: draft.add(string: integer.description.utf16))
        case .real(let real) where merge.ours.hasTextScalars:
            draft.replace(at: position, of: container, with: draft.add(string: ScalarText.real(real).utf16))
        case .integer(let integer):
            let number = Node.integer(StoredInteger(integer))
            draft.replace(at: position, of: container, with: draft.add(number, for: draft.scalar(present)))
        case .real(let real):
            draft.replace(at: position, of: container, with: draft.addSum(real, for: draft.scalar(present)))
        case .stored(let real, let width):
            let number: Node = width == 4 ? .real32(Float(real)) : .real64(real)
            draft.replace(at: position, of: container, with: draft.add(number))
        }
    }

    /// Adds the data of a merged nested save; nil if it equals the save in ours.
    private func merged(_ number: Int, _ draft: inout Draft) throws(Problem) -> Draft.ID? {
        let nested = merge.nested[number]
        guard let edited = try nested.edited() else { return nil }
        return try draft.add(nested.save, editedTo: edited, limits: nested.merge.limits)
    }

    /// Adds a number from theirs in the type of the number that it replaces. Returns nil if the formats are the same,
    /// or if one of the values is not a number.
    private func fitted(_ new: ViewID, to present: Draft.ID, in draft: inout Draft) -> Draft.ID? {
        guard merge.options.comparesNumbersByValue, let number = merge.theirs.orderedScalar(new), number.isNumber,
            let old = draft.scalar(present), old.isNumber
        else { return nil }
        return draft.add(number, for: old)
    }

    private func insert(
        _ slot: Int, at position: Int, of container: Draft.ID, from contents: ViewContents, in draft: inout Draft
    ) throws(Problem) {
        let item = merge.theirs.item(slot, of: contents)
        let value = try image(item.id, &draft)
        var key: Draft.ID?
        if let id = item.key { key = try image(id, &draft) }
        draft.insert(
            value, key: key, at: min(position, draft.value(container).count), of: container,
            inPlace: isInPlace(slot, of: contents))
    }

    private func isInPlace(_ slot: Int, of contents: ViewContents) -> Bool? {
        guard areArchives else { return nil }
        return merge.theirs.document.object(merge.theirs.storedItem(slot, of: contents).value).kind != .uid
    }

    /// Imports a value from theirs. For a container that both sides have, returns the container in ours.
    private func image(_ id: ViewID, _ draft: inout Draft) throws(Problem) -> Draft.ID {
        let merge = merge
        return try draft.importValue(id, of: source) { other in
            merge.partner(ofTheirs: other).map { Draft.ID(index: $0.index) }
        }
    }
}

extension Draft {
    /// Adds a sum of reals with the width of the real that it replaces.
    fileprivate mutating func addSum(_ sum: Double, for present: Node?) -> ID {
        guard case .real32(let value, isRounded: true)? = GivenScalarConversion(.real64(sum), nil, for: present) else {
            return add(.real64(sum), for: present)
        }
        return add(.real32(value))
    }

    /// Adds a number in the type of the present one if that type can hold it.
    fileprivate mutating func add(_ number: Node, for present: Node?) -> ID {
        switch GivenScalarConversion(number, nil, for: present) {
        case .integer(let integer)?: add(.integer(integer))
        case .real64(let value)?: add(.real64(value))
        case .real32(let value, isRounded: false)?: add(.real32(value))
        default: add(number)
        }
    }
}
