import KeyedArchives
import SaveCodec
import SaveOperations

/// Where an edit is to take place.
enum EditTarget {
    case path(SlotPath)
    /// An address that may lead nowhere, or into a save in a value.
    case address(JSONPointer)
}

/// Edits of several places of a file, and of the saves that are stored in its values: each of those as a file of its own,
/// which is then written into the value that holds it.
///
/// Places are edited as they are found. A pattern may lead to very many of them, so that none is kept that need not be.
final class PlacesEditing {
    /// What is done at each place of a save, in a draft of it.
    typealias Edit = (SaveFile, EditPlace, inout Draft) throws -> ExitStatus
    /// What is said once a save has been edited: how many places there were, and those among them that have something to
    /// tell: the first one, the first that others may see, and those where nothing was.
    typealias Report = (SaveFile, (places: [EditPlace], count: Int), inout Draft) -> Void

    private let plan: EditPlan
    private let invocation: Invocation
    private let isSet: Bool
    private let edit: Edit
    private let report: Report
    /// Whether nothing was at one of the addresses, or an edited save cannot be written, which has been said.
    private(set) var status = ExitStatus.done
    /// How many places there were.
    private(set) var count = 0

    /// - Parameter isSet: whether the places get a value, see ``EditPlace``.
    init(
        _ plan: EditPlan, isSet: Bool = false, _ invocation: Invocation, edit: @escaping Edit,
        report: @escaping Report
    ) {
        self.plan = plan
        self.isSet = isSet
        self.invocation = invocation
        self.edit = edit
        self.report = report
    }

    /// A file that has been edited; nil if nothing has changed, or it could not be made, which has been
    /// said. Calls itself for saves in values, of which only so many are opened within each other.
    ///
    /// - Parameter next: gives one target after the other.
    func view(of file: SaveFile, at next: () throws(Problem) -> EditTarget?) throws -> ObjectView? {
        try file.whileBased {
            var draft = Draft(file.view)
            var edited = PlaceList(file.view, isSet: isSet)
            var saves = SavesToEdit()
            // What is in a place comes right behind it, and is the first thing to be said of both.
            var pending: EditPlace?
            while let target = try next() {
                let place = place(target, in: file, after: edited.last, &saves)
                if let save = saves.list.last, edited.holdsSave(at: save.place) {
                    throw Problem.nestedPlaces(save.entrance.address)
                }
                guard let place, try edited.add(place) else { continue }
                if isSet, saves.isHolder(place) { throw Problem.nestedPlaces(place.path.address) }
                if let pending { try edit(pending, in: file, &draft) }
                pending = place
            }
            if let pending { try edit(pending, in: file, &draft) }
            guard status == .done else { return nil }
            try edit(saves, in: file, &draft)
            guard status == .done else { return nil }
            count += edited.count
            report(file, (edited.kept, edited.count), &draft)
            reportWhatElseChanges(at: edited, of: draft, in: file)
            guard !draft.isUnchanged else { return nil }
            return try draft.editedView(limits: plan.reading.limits)
        }
    }

    /// The place of a target; nil if nothing is there, which is said, or if it is in a save in a value, which is noted.
    private func place(
        _ target: EditTarget, in file: SaveFile, after last: EditPlace?, _ saves: inout SavesToEdit
    ) -> EditPlace? {
        switch target {
        case .path(let path): return EditPlace(path, after: last, isSet: isSet, unsharing: plan.unshares)
        case .address(let address):
            if let entrance = file.view.entrance(on: address),
                let place = EditPlace(entrance.address, in: file.view, unsharing: plan.unshares)
            {
                saves.add(entrance, at: place)
                return nil
            }
            if let place = EditPlace(address, in: file.view, isSet: isSet, unsharing: plan.unshares) { return place }
            file.reportMissing(address, invocation)
            status = .negative
            return nil
        }
    }

    /// Edits a place, unless that is in vain already.
    private func edit(_ place: EditPlace, in file: SaveFile, _ draft: inout Draft) throws {
        guard status < .cannot else { return }
        status = max(status, try edit(file, place, &draft))
        try plan.reading.limits.check(expandedSize: Draft.bytesOfSlot * draft.splitSize, of: file.view.document)
    }

    /// Prints where else the edits are seen: of the first places where, and how many others may be.
    private func reportWhatElseChanges(at places: PlaceList, of draft: borrowing Draft, in file: SaveFile) {
        var (told, number) = (0, 0)
        while number < places.kept.count, told < EditPlan.mostReported {
            if places.kept[number].reportWhatElseChanges(of: draft, in: file, invocation) { told += 1 }
            number += 1
        }
        let rest = places.kept[number...].count { $0.mayBeShared } + places.unlistedCount
        guard rest > 0, !plan.unshares, file.view.archive != nil else { return }
        let more = Counted.of(rest, "more place")
        invocation.printError("\(Invocation.shownName(file.name)): … and \(more) that other objects may refer to")
    }

    private func edit(_ saves: SavesToEdit, in file: SaveFile, _ draft: inout Draft) throws {
        // A value that is stored once at many places is written at each.
        var size = 0
        for save in saves.list {
            let inner = SaveFile(Save(save.entrance, in: file.save), name: file.name)
            try inner.whileBased { try inner.save.checkIsWritable() }
            var rests = save.rests.makeIterator()
            guard let edited = try view(of: inner, at: { rests.next().map { .address($0) } }), status == .done
            else { continue }
            let result = try inner.save.edited(to: edited, keepsComments: plan.keepsComments)
            guard plan.accepts(result, edited, of: inner, invocation) else {
                status = .cannot
                return
            }
            let bytes = try result.bytes()
            size += bytes.count
            try plan.reading.limits.check(expandedSize: size, of: file.view.document)
            draft.replace(save.entrance.save, at: save.place, with: bytes)
            _ = save.place.reportWhatElseChanges(of: draft, in: file, invocation)
        }
    }
}

/// The saves in values of a file that addresses lead into, each once.
private struct SavesToEdit {
    private(set) var list: [(entrance: ObjectView.Entrance, place: EditPlace, rests: [JSONPointer])] = []
    private var numbers: [EditPlace.Identity: Int] = [:]
    /// The addresses in each save, as several ways may lead to it.
    private var known: [Set<JSONPointer>] = []

    mutating func add(_ entrance: ObjectView.Entrance, at place: EditPlace) {
        guard let number = numbers[place.identity] else {
            numbers[place.identity] = list.count
            list.append((entrance, place, [entrance.rest]))
            known.append([entrance.rest])
            return
        }
        if known[number].insert(entrance.rest).inserted { list[number].rests.append(entrance.rest) }
    }

    /// Whether the value at a place holds one of the saves.
    func isHolder(_ place: EditPlace) -> Bool { numbers[place.identity] != nil }
}

/// What is known of the places of a save that are edited.
private struct PlaceList {
    private let view: ObjectView
    private let isSet: Bool
    private(set) var count = 0
    /// The place that was added last.
    private(set) var last: EditPlace?
    /// Those of which something may be told, and how many more may be shared.
    private(set) var kept: [EditPlace] = []
    private(set) var unlistedCount = 0
    /// The places in objects that others may refer to: addresses may lead to them more than once.
    private var shared: Set<EditPlace.Identity> = []
    /// The containers on the ways to places, and those that are replaced. Of a property list the same container may be
    /// replaced on one way and stay on another.
    private var passed: Bitmap
    private var replaced: Bitmap
    /// The last of the places of a property list at which a container is replaced.
    private var lastReplaced: SlotPath?
    /// The places of text and data, which may hold saves.
    private var mayHoldSaves: Set<EditPlace.Identity> = []

    init(_ view: ObjectView, isSet: Bool) {
        self.view = view
        self.isSet = isSet
        passed = Bitmap(count: isSet ? view.count : 0)
        replaced = Bitmap(count: isSet ? view.count : 0)
    }

    /// Adds a place. False if it was there already: an object is one place, at however many addresses it is.
    ///
    /// - Throws: a problem if one of the places is in the value of another.
    mutating func add(_ place: EditPlace) throws(Problem) -> Bool {
        if place.mayBeShared, !shared.insert(place.identity).inserted { return false }
        if isSet { try note(place) }
        count += 1
        last = place
        let isListed = place.mayBeShared && shared.count <= Self.mostLookedAt
        if place.mayBeShared, !isListed { unlistedCount += 1 }
        if count == 1 || isListed || place.path.isNewKey { kept.append(place) }
        return true
    }

    /// Whether a place is shared is found out by a walk through the view, so that not all can be looked at.
    private static let mostLookedAt = 64

    private mutating func note(_ place: EditPlace) throws(Problem) {
        let value = place.path.value
        let isContainer = value.flatMap(view.container) != nil
        if view.archive == nil {
            // What is in a value comes right behind it.
            if let lastReplaced, place.path.leads(through: lastReplaced) { throw .nestedPlaces(place.path.address) }
            if isContainer { lastReplaced = place.path }
        } else {
            let isInside = place.path.containers.contains { replaced.contains($0.index) }
            let isAround = isContainer && value.map { passed.contains($0.index) } ?? false
            if isInside || isAround { throw .nestedPlaces(place.path.address) }
            for container in place.path.containers { passed.insert(container.index) }
            if isContainer, let value { replaced.insert(value.index) }
        }
        if !isContainer, view.nesting != nil, let kind = value.flatMap(view.scalarObject)?.kind,
            kind == .data || kind.isString
        {
            mayHoldSaves.insert(place.identity)
        }
    }

    /// Whether the value that holds a save is one of the places.
    func holdsSave(at place: EditPlace) -> Bool { mayHoldSaves.contains(place.identity) }
}

extension Problem {
    /// A pattern leads to two values of which one is in the other.
    static func nestedPlaces(_ address: JSONPointer) -> Problem {
        Problem(
            "set.nested", "the pattern leads to this place and to one around it, and only one of them can be set",
            address: address)
    }
}
