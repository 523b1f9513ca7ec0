import KeyedArchives
import SaveCodec

/// The numbers, sizes and references of the objects in an archive, counted in one pass over `$objects`.
///
/// A stored value counts once, for the first object that contains it in UID order. So shared values do not count twice,
/// and the bytes of all rows never exceed the file.
struct ArchiveStatistics {
    typealias Tally = ArchiveSummary.Tally

    /// The objects of each class, by position.
    private(set) var instances: [Tally]
    private(set) var values: [ValueKind: Tally] = [:]
    /// The field names and other keys.
    private(set) var names = Tally()
    private(set) var classRecords = Tally()
    private(set) var payloads: [EmbeddedFileType: Int] = [:]
    private(set) var graph: ReferenceGraph

    private let archive: KeyedArchive
    private var counted: Bitmap

    init(_ archive: KeyedArchive) {
        self.archive = archive
        instances = [Tally](repeating: Tally(), count: archive.classes.count)
        graph = ReferenceGraph(expectedCount: archive.count)
        counted = Bitmap(count: archive.document.count)
        for index in 0..<archive.count { take(UID(index)) }
        graph.addRoots(of: archive)
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

    /// Adds the references of an object, and returns the number of its bytes that have not been counted for an earlier
    /// object.
    private mutating func size(of id: ObjectID) -> Int {
        let object = archive.document.object(id)
        var size = size(of: id, object, isKey: false)
        var contents = InPlaceWalk(of: object, in: archive.document)
        while let stored = contents.next() {
            size += self.size(of: stored.id, stored.object, isKey: contents.isKey)
        }
        return size
    }

    /// Returns the bytes of a stored value without its contents; 0 for a key, which is counted separately.
    private mutating func size(of id: ObjectID, _ object: StoredObject, isKey: Bool) -> Int {
        if !isKey, let target = ReferenceGraph.target(of: object, in: archive) { graph.addReference(to: target) }
        guard !counted.contains(id.index) else { return 0 }
        counted.insert(id.index)
        if object.kind == .data { notePayload(id) }
        let bytes = archive.document.storedSize(of: id)
        guard isKey else { return bytes }
        names.add(bytes)
        return 0
    }

    private mutating func notePayload(_ id: ObjectID) {
        guard case .data(let bytes) = archive.document[id], let payload = EmbeddedFileType(bytes) else { return }
        payloads[payload, default: 0] += 1
    }

    typealias Row = ArchiveSummary.Row

    /// Returns the results in display order.
    func rows(of archive: KeyedArchive) -> [Row] {
        let classes = classRows(of: archive)
        let values = values.map { Row(subject: .value($0), tally: $1) }
        let others = [Row(subject: .names, tally: names), Row(subject: .classRecords, tally: classRecords)]
        return classes.filter { $0.subject.isOfGame } + classes.filter { !$0.subject.isOfGame }
            + values.sorted(by: Row.isInOrder) + others.filter { $0.tally.objects > 0 }
    }

    /// Returns a row for each class with objects. Class records with the same name share a row.
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
            Row(subject: SystemClass.isName(name.shownClassName) ? .systemClass(name) : .gameClass(name), tally: tally)
        }.sorted(by: Row.isInOrder)
    }
}

extension ArchiveSummary.Subject {
    fileprivate var isOfGame: Bool {
        if case .gameClass = self { true } else { false }
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
    /// Whether two rows are in display order: most bytes first, then most objects, then by name.
    fileprivate static func isInOrder(_ a: Self, _ b: Self) -> Bool {
        if a.tally.bytes != b.tally.bytes { return a.tally.bytes > b.tally.bytes }
        if a.tally.objects != b.tally.objects { return a.tally.objects > b.tally.objects }
        return a.subject.isBefore(b.subject)
    }
}

/// A test that distinguishes system classes from a game's own by the prefixes that Apple reserves and by framework
/// names.
enum SystemClass {
    private static let prefixes = [
        "NS", "UI", "CF", "CG", "CA", "CI", "CL", "CM", "CK", "CN", "AV", "GK", "GC", "MK", "MP", "MDL", "MTL", "PK",
        "SCN", "SK", "WK",
    ].map { Array($0.utf16) }

    /// The module prefixes of Swift class names.
    private static let modules = ["Foundation.", "GameplayKit.", "RealityKit.", "SceneKit.", "SpriteKit.", "Swift."]
        .map { Array($0.utf16) }

    /// Whether a class name is like `NSArray`, a prefix followed by a capital letter, or like `GameplayKit.Component`.
    static func isName(_ name: ShownClassName) -> Bool {
        prefixes.contains { prefix in
            name.count > prefix.count && name.starts(with: prefix) && (0x41...0x5A).contains(name[prefix.count])
        } || modules.contains { name.starts(with: $0) }
    }
}
