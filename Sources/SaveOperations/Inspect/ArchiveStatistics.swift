import KeyedArchives
import SaveCodec

/// Counts the objects of an archive and their bytes, and notes their references, in one pass over `$objects`.
///
/// Every stored value is counted once, for the first object in the order of UIDs that holds it: what objects share in the
/// file is not counted twice, and the bytes of all rows together never exceed the file.
struct ArchiveStatistics {
    typealias Tally = ArchiveSummary.Tally

    /// The objects of each class, by its position.
    private(set) var instances: [Tally]
    /// Plain values.
    private(set) var values: [ValueKind: Tally] = [:]
    /// The names of fields, and other keys.
    private(set) var names = Tally()
    private(set) var classRecords = Tally()
    private(set) var payloads: [Payload: Int] = [:]
    private(set) var graph: ReferenceGraph

    private let archive: KeyedArchive
    private var counted: Bitmap

    init(_ archive: KeyedArchive) {
        self.archive = archive
        instances = [Tally](repeating: Tally(), count: archive.classes.count)
        graph = ReferenceGraph(expectedCount: archive.count)
        counted = Bitmap(count: archive.document.count)
        for index in 0..<archive.count { take(UID(index)) }
        let top = archive.document.object(archive.storedTop)
        var roots = NestedContents(of: top, in: archive.document)
        while let stored = roots.next() {
            if !roots.isKey, let target = target(of: stored.object) { graph.addRoot(target) }
        }
    }

    private mutating func take(_ uid: UID) {
        let id = archive.objectID(uid)
        switch archive.role(of: uid) {
        case .null: break
        case .value: values[archive.document[id].kind, default: Tally()].add(size(of: id))
        case .instance(let position): instances[position].add(size(of: id))
        case .classRecord: classRecords.add(size(of: id))
        }
        graph.endObject()
    }

    /// The bytes of an object that no other had before. Notes its references.
    private mutating func size(of id: ObjectID) -> Int {
        let object = archive.document.object(id)
        var size = size(of: id, object, isKey: false)
        var contents = NestedContents(of: object, in: archive.document)
        while let stored = contents.next() {
            size += self.size(of: stored.id, stored.object, isKey: contents.isKey)
        }
        return size
    }

    /// The bytes of a stored value without its contents; 0 for a key, which is counted by itself.
    private mutating func size(of id: ObjectID, _ object: StoredObject, isKey: Bool) -> Int {
        if !isKey, let target = target(of: object) { graph.addReference(to: target) }
        guard !counted.contains(id.index) else { return 0 }
        counted.insert(id.index)
        if object.kind == .data { notePayload(id) }
        let bytes = archive.document.storedSize(of: id)
        guard isKey else { return bytes }
        names.add(bytes)
        return 0
    }

    private func target(of object: StoredObject) -> UID? {
        guard object.kind == .uid else { return nil }
        let index = Int(archive.document.uid(object))
        guard index < archive.count, archive.role(of: UID(index)).isObject else { return nil }
        return UID(index)
    }

    private mutating func notePayload(_ id: ObjectID) {
        guard case .data(let bytes) = archive.document[id], let payload = Payload(bytes) else { return }
        payloads[payload, default: 0] += 1
    }
}

extension ArchiveStatistics {
    typealias Row = ArchiveSummary.Row

    /// What was counted, in the order in which it is shown.
    func rows(of archive: KeyedArchive) -> [Row] {
        let classes = classRows(of: archive)
        let values = values.map { Row(subject: .value($0), tally: $1) }
        let others = [Row(subject: .names, tally: names), Row(subject: .classRecords, tally: classRecords)]
        return classes.filter { $0.subject.isOfGame } + classes.filter { !$0.subject.isOfGame }
            + values.sorted(by: Row.isInOrder) + others.filter { $0.tally.objects > 0 }
    }

    /// The classes that have objects. Records of the same name are one class to those who read the table.
    private func classRows(of archive: KeyedArchive) -> [Row] {
        var positions: [[UInt16]: Int] = [:]
        var tallies: [(name: StoredString, tally: Tally)] = []
        for (record, tally) in zip(archive.classes, instances) where tally.objects > 0 {
            let name = Array(record.name)
            if let position = positions[name] {
                tallies[position].tally.add(tally)
            } else {
                positions[name] = tallies.count
                tallies.append((record.name, tally))
            }
        }
        return tallies.map { name, tally in
            Row(subject: SystemClass.isName(name) ? .systemClass(name) : .gameClass(name), tally: tally)
        }.sorted(by: Row.isInOrder)
    }
}

extension ArchiveSummary.Subject {
    fileprivate var isOfGame: Bool {
        if case .gameClass = self { return true }
        return false
    }

    fileprivate func isBefore(_ other: Self) -> Bool {
        switch (self, other) {
        case (.gameClass(let a), .gameClass(let b)), (.systemClass(let a), .systemClass(let b)),
            (.gameClass(let a), .systemClass(let b)), (.systemClass(let a), .gameClass(let b)):
            a.lexicographicallyPrecedes(b)
        case (.value(let a), .value(let b)): a.rawValue < b.rawValue
        default: false
        }
    }
}

extension ArchiveSummary.Row {
    /// The most bytes first, then the most objects, then by name.
    fileprivate static func isInOrder(_ a: Self, _ b: Self) -> Bool {
        if a.tally.bytes != b.tally.bytes { return a.tally.bytes > b.tally.bytes }
        if a.tally.objects != b.tally.objects { return a.tally.objects > b.tally.objects }
        return a.subject.isBefore(b.subject)
    }
}
