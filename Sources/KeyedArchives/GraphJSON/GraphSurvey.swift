import SaveCodec

/// What a writer of an object graph must know before it begins: which objects are met more than once, which ones nothing
/// refers to, and how deep values in place are nested. Linear and iterative.
struct GraphSurvey {
    private let archive: KeyedArchive
    /// How often each object is met, up to 2.
    private var meetings: [UInt8]
    private var pending: [UID] = []
    /// The classes that objects have, by position.
    private(set) var usedClasses: Bitmap
    /// The objects that nothing refers to, and one of each circle that nothing leads to, in the order of their UIDs.
    private(set) var unreferenced: [UID] = []
    /// How many containers are nested in each other in place at most.
    private(set) var depth = 0
    /// How much is written beyond the property list as a tree: scalars and the names of classes, wherever an object
    /// refers to them. No `$id` keeps those from being repeated.
    private(set) var repeatedSize = 0
    /// A name that is a container or a UID, if there is one.
    private(set) var oddKey: ObjectID?

    init(_ archive: KeyedArchive) {
        self.archive = archive
        meetings = [UInt8](repeating: 0, count: archive.count)
        usedClasses = Bitmap(count: archive.classes.count)
        for entry in archive.entries where entry.isInstance { usedClasses.insert(Int(entry.classPosition)) }
        meetReferences(of: archive.top, omitting: nil)
        meetPending()
        meetUnreferenced()
    }

    /// Whether an object is met more than once.
    func isShared(_ uid: UID) -> Bool {
        meetings[uid.index] > 1
    }

    private mutating func meet(_ uid: UID) {
        let isFirst = meetings[uid.index] == 0
        if meetings[uid.index] < 2 { meetings[uid.index] += 1 }
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

    private mutating func meetPending() {
        while let uid = pending.popLast() {
            let stored = archive.stored(uid)
            guard let position = archive.classPosition(of: uid) else {
                if stored.kind.isContainer { measure(stored) }
                continue
            }
            addSize(1 + archive.classes[position].name.count)
            meetReferences(of: stored, omitting: archive.classMember(of: uid))
        }
    }

    private mutating func meetReferences(of container: StoredObject, omitting pair: Int?) {
        var contents = NestedContents(of: container, in: archive.document, omitting: pair)
        while let (id, object) = contents.next() {
            if contents.isKey {
                // A UID for a name refers to nothing, and may be beyond the objects.
                if object.kind == .uid || object.kind.isContainer { oddKey = id }
            } else if object.kind == .uid {
                meet(UID(Int(archive.document.uid(object))))
            }
            depth = max(depth, contents.depth)
        }
    }

    private mutating func measure(_ plain: StoredObject) {
        var contents = NestedContents(of: plain, in: archive.document)
        while contents.next() != nil { depth = max(depth, contents.depth) }
    }

    /// Objects that nothing refers to come first, then what is left of circles, and last the class records that no object
    /// has: that is how ``ArchiveOrder`` numbers them in the archive that is made of the JSON.
    private mutating func meetUnreferenced() {
        let isTarget = targetsOfUnmet()
        meetUnmet { role, index in role.isObject && !isTarget.contains(index) }
        meetUnmet { role, _ in role.isObject }
        meetUnmet { _, _ in true }
    }

    private mutating func meetUnmet(where isNext: (ObjectRole, _ index: Int) -> Bool) {
        for index in 1..<archive.count where meetings[index] == 0 {
            let role = archive.entries[index].role
            guard isKept(role), isNext(role, index) else { continue }
            unreferenced.append(UID(index))
            meet(UID(index))
            meetPending()
        }
    }

    private func isKept(_ role: ObjectRole) -> Bool {
        switch role {
        case .null: false
        case .value, .instance: true
        case .classRecord(let position): !usedClasses.contains(position)
        }
    }

    /// What objects that have not been met refer to.
    private func targetsOfUnmet() -> Bitmap {
        var targets = Bitmap(count: archive.count)
        for index in archive.entries.indices where meetings[index] == 0 {
            guard archive.entries[index].isInstance else { continue }
            let uid = UID(index)
            var contents = NestedContents(
                of: archive.stored(uid), in: archive.document, omitting: archive.classMember(of: uid))
            while let (_, object) = contents.next() {
                if object.kind == .uid, !contents.isKey { targets.insert(Int(archive.document.uid(object))) }
            }
        }
        return targets
    }
}
