import SaveCodec

/// A scan of an object graph before it is written: shared objects, unreferenced objects, and the nesting of values in
/// place.
///
/// The scan is linear and iterative.
struct GraphScan {
    private let archive: KeyedArchive
    /// Whether attributed strings are written as text and runs.
    private let showsRuns: Bool
    /// If attributed strings are written as text and runs, the objects to which their stored fields refer. They are
    /// only written if something else refers to them.
    private var packed: Set<Int> = []
    /// The number of times that each object is reached, up to 2.
    private var reachCounts: [UInt8]
    private var pending: [UID] = []
    /// The positions of the classes that have objects.
    private(set) var usedClasses: Bitmap
    /// The objects that nothing refers to, one object of each unreachable cycle, and unused class records, in the order
    /// in which they are written.
    private(set) var unreferenced: [UID] = []
    /// The greatest nesting depth of containers in place.
    private(set) var depth = 0
    /// The size of plain values and class names, counted once per reference, because they have no `$id` and are written
    /// again at each reference.
    private(set) var repeatedSize = 0
    /// A name that is a container or a UID; nil if all names are valid.
    private(set) var invalidKey: ObjectID?
    /// The names of recent dictionaries, and for each slot whether all of them are valid.
    private var keySets: RecentKeySets
    private var hasValidKeys = [Bool](repeating: false, count: RecentKeySets.slotCount)

    init(_ archive: KeyedArchive, showsRuns: Bool) {
        self.archive = archive
        self.showsRuns = showsRuns
        keySets = RecentKeySets(archive.document)
        reachCounts = [UInt8](repeating: 0, count: archive.count)
        usedClasses = Bitmap(count: archive.classes.count)
        for entry in archive.entries where entry.isInstance { usedClasses.insert(Int(entry.classPosition)) }
        reachReferences(of: archive.top, omitting: nil)
        reachPending()
        reachUnreferenced()
    }

    func isShared(_ uid: UID) -> Bool {
        reachCounts[uid.index] > 1
    }

    private mutating func reach(_ uid: UID) {
        let isFirst = reachCounts[uid.index] == 0
        if reachCounts[uid.index] < 2 { reachCounts[uid.index] += 1 }
        guard archive.entries[uid.index].kind == .value else {
            if isFirst { pending.append(uid) }
            return
        }
        let value = archive.stored(uid)
        addSize(1 + value.ownSize)
        if isFirst, value.kind.isContainer { measure(value) }
    }

    private mutating func addSize(_ size: Int) {
        let (sum, overflow) = repeatedSize.addingReportingOverflow(size)
        repeatedSize = overflow ? .max : sum
    }

    private mutating func reachPending() {
        while let uid = pending.popLast() {
            let stored = archive.stored(uid)
            guard let position = archive.classPosition(of: uid) else {
                if stored.kind.isContainer { measure(stored) }
                continue
            }
            addSize(1 + archive.classes[position].name.count)
            let (fields, member) = archive.fields(of: uid, showingRuns: showsRuns)
            reachReferences(of: fields, omitting: member)
            if fields.start != stored.start { addPacked(stored) }
        }
    }

    /// Adds to ``packed`` the objects that the stored fields of an attributed string refer to. An object that the shown
    /// text or runs also refer to is still reached through them.
    private mutating func addPacked(_ stored: StoredObject) {
        for position in 0..<stored.count {
            let value = archive.document.object(archive.document.value(position, of: stored))
            if value.kind == .uid { packed.insert(Int(archive.document.uid(value))) }
        }
    }

    private mutating func reachReferences(of container: StoredObject, omitting pair: Int?) {
        guard container.kind != .dictionary || hasValidKeys(container) else {
            return reachContents(of: container, omitting: pair)
        }
        let document = archive.document
        for position in 0..<container.count where position != pair {
            let object = document.object(document.member(position, of: container))
            if object.kind == .uid {
                reach(UID(Int(document.uid(object))))
            } else if object.kind.isContainer {
                reachContents(of: object, level: 1)
            }
        }
    }

    private mutating func hasValidKeys(_ dictionary: StoredObject) -> Bool {
        let (slot, isKnown) = keySets.slot(of: dictionary)
        if !isKnown {
            hasValidKeys[slot] = (0..<dictionary.count).allSatisfy { position in
                let key = archive.document.object(archive.document.key(position, of: dictionary))
                return key.kind != .uid && !key.kind.isContainer
            }
        }
        return hasValidKeys[slot]
    }

    /// - Parameter level: The nesting depth of the container.
    private mutating func reachContents(of container: StoredObject, omitting pair: Int? = nil, level: Int = 0) {
        depth = max(depth, level)
        var contents = InPlaceWalk(of: container, in: archive.document, omitting: pair)
        while let (id, object) = contents.next() {
            if contents.isKey {
                // A UID as a name is not a reference, and may be out of range.
                if object.kind == .uid || object.kind.isContainer { invalidKey = id }
            } else if object.kind == .uid {
                reach(UID(Int(archive.document.uid(object))))
            }
            depth = max(depth, level + contents.depth)
        }
    }

    private mutating func measure(_ plain: StoredObject) {
        var contents = InPlaceWalk(of: plain, in: archive.document)
        while contents.next() != nil { depth = max(depth, contents.depth) }
    }

    /// Adds the unreachable objects: first the objects that nothing refers to, then one per remaining cycle, then
    /// unused class records.
    ///
    /// ``ArchiveOrder`` numbers them in this order in the archive that is built from the JSON.
    private mutating func reachUnreferenced() {
        let isTarget = targetsOfUnreached()
        reachUnreached { role, index in role.isObject && !isTarget.contains(index) }
        reachUnreached { role, _ in role.isObject }
        reachUnreached { _, _ in true }
    }

    private mutating func reachUnreached(where isNext: (ObjectRole, _ index: Int) -> Bool) {
        for index in 1..<archive.count where reachCounts[index] == 0 {
            let role = archive.entries[index].role
            guard isKept(role), isNext(role, index), !packed.contains(index) else { continue }
            unreferenced.append(UID(index))
            reach(UID(index))
            reachPending()
        }
    }

    private func isKept(_ role: ObjectRole) -> Bool {
        switch role {
        case .null: false
        case .value, .instance: true
        case .classRecord(let position): !usedClasses.contains(position)
        }
    }

    /// Returns the objects that unreached objects refer to.
    private func targetsOfUnreached() -> Bitmap {
        var targets = Bitmap(count: archive.count)
        for index in archive.entries.indices where reachCounts[index] == 0 {
            guard archive.entries[index].isInstance else { continue }
            let uid = UID(index)
            var contents = InPlaceWalk(
                of: archive.stored(uid), in: archive.document, omitting: archive.classMember(of: uid))
            while let (_, object) = contents.next() {
                if object.kind == .uid, !contents.isKey { targets.insert(Int(archive.document.uid(object))) }
            }
        }
        return targets
    }
}
