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
            var edited = EditedPlaces(file.view, isSet: isSet)
            var saves = SavesToEdit()
            // What is in a place comes right behind it, and is the first thing to be said of both.
            var pending: EditPlace?
            while let target = try next() {
                let place = place(target, in: file, after: edited.last, &saves)
                if let save = saves.list.last, edited.holdsSave(at: save.place) {
                    throw Problem.nestedPlaces(save.entrance.address)
                }
                guard let place, try edited.add(place) else { continue }
                if let pending, status < .cannot { status = max(status, try edit(file, pending, &draft)) }
                pending = place
            }
            if let pending, status < .cannot { status = max(status, try edit(file, pending, &draft)) }
            guard status == .done else { return nil }
            try edit(saves, in: file, &draft)
            guard status == .done else { return nil }
            draft.removeNoted()
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

    /// Prints where else the edits are seen: of the first places where, and of the others how many there are.
    private func reportWhatElseChanges(at places: EditedPlaces, of draft: borrowing Draft, in file: SaveFile) {
        var areSeen = false
        for place in places.kept where place.reportWhatElseChanges(of: draft, in: file, invocation) { areSeen = true }
        guard areSeen, places.unlistedCount > 0 else { return }
        let rest = Counted.of(places.unlistedCount, "more place")
        invocation.printError("\(Invocation.shownName(file.name)): … and \(rest) in shared objects")
    }

    private func edit(_ saves: SavesToEdit, in file: SaveFile, _ draft: inout Draft) throws {
        // A value that is stored once at many places is written at each.
        var size = 0
        for save in saves.list {
            let inner = try SaveFile(save.entrance, in: file)
            try inner.whileBased { try inner.checkIsWritten() }
            var rests = save.rests.makeIterator()
            guard let edited = try view(of: inner, at: { rests.next().map { .address($0) } }), status == .done
            else { continue }
            let result = try EditedSave(edited, of: inner, keepsComments: plan.keepsComments)
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

    mutating func add(_ entrance: ObjectView.Entrance, at place: EditPlace) {
        if let number = numbers[place.identity] { return list[number].rests.append(entrance.rest) }
        numbers[place.identity] = list.count
        list.append((entrance, place, [entrance.rest]))
    }
}

/// What is known of the places of a save that have been edited.
private struct EditedPlaces {
    private let view: ObjectView
    private let isSet: Bool
    private(set) var count = 0
    /// The place that was added last.
    private(set) var last: EditPlace?
    /// Those of which something is to be told, and how many more may be shared.
    private(set) var kept: [EditPlace] = []
    private(set) var unlistedCount = 0
    /// The places in objects that others may refer to: addresses may lead to them more than once.
    private var shared: Set<EditPlace.Identity> = []
    /// The containers on the ways to places, and those that are replaced.
    private var passed: Bitmap
    private var replaced: Bitmap
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
        let isListed = place.mayBeShared && shared.count <= EditPlan.mostReported
        if place.mayBeShared, !isListed { unlistedCount += 1 }
        if count == 1 || isListed || place.path.isNewKey { kept.append(place) }
        return true
    }

    private mutating func note(_ place: EditPlace) throws(Problem) {
        for container in place.path.containers {
            if replaced.contains(container.index) { throw .nestedPlaces(place.path.address) }
            passed.insert(container.index)
        }
        guard let value = place.path.value else { return }
        if view.container(value) != nil {
            if passed.contains(value.index) { throw .nestedPlaces(place.path.address) }
            replaced.insert(value.index)
        } else if view.nesting != nil, let kind = view.scalarObject(value)?.kind, kind == .data || kind.isString {
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
