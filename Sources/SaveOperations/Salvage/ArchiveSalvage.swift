import KeyedArchives
import SaveCodec

/// The repair of an archive whose property list has been repaired. Its objects can then be shown again.
///
///     {"$class": UID 7, "health": 100}     object 7 is lost        ─▶  of class LostClass, whose record is added last
///     "name": UID 900                      object 900 is missing   ─▶  nil
///     $objects 0, $version                 lost                    ─▶  "$null", 100000: they are always the same
///     {"$clasr": UID 7, "health": 100}     a key is damaged        ─▶  "$class"
///     {"$class": NSArray, "NS.objectt": …} a key is damaged        ─▶  "NS.objects", see ``RestoredKeys``
///
/// Objects keep their numbers. Only what makes an unarchiver refuse the archive is replaced.
struct ArchiveSalvage {
    private let document: Document
    private let limits: Limits
    private let objects: StoredObject
    private let objectsID: ObjectID
    /// The elements of `$objects`, including added ones.
    private var elements: [ObjectID]
    private var isRecord: [Bool] = []
    /// The new contents of containers: elements, or keys followed by values.
    private var contents: [ObjectID: [ObjectID]] = [:]
    private var losses: [SalvageLoss] = []
    private var repairs: [Problem] = []
    /// The objects that are the same in every archive, and were damaged.
    private var restored: Set<ObjectID> = []
    /// The containers whose references are repaired.
    private var visited: Set<ObjectID> = []
    /// The names of the class and its ancestors in an older copy, by the number of an object whose class is lost.
    private let known: [Int: [String]]
    /// The names of the class and its ancestors in an older copy, by the number of a damaged class record.
    private var knownRecords: [Int: [String]] = [:]
    /// The numbers of the added class records, by their names.
    private var records: [[String]: UInt32] = [:]
    private var added: [Added] = []

    /// A scalar or class record that is not in the document. Its object ID is the number of the document's objects plus
    /// its index in ``added``.
    private enum Added {
        case uid(UInt32)
        case string(String)
        case integer(Int128)
        case null
        case array([ObjectID])
        case dictionary([ObjectID])
    }

    /// The result of repairing an archive.
    struct Result {
        var document: Document
        /// The additional losses.
        var losses: [SalvageLoss] = []
        /// The repairs that keep every value.
        var repairs: [Problem] = []
        /// The objects in whose place the only possible value was restored. Their losses no longer count.
        var restored: Set<ObjectID> = []
    }

    /// Returns the repaired document; nil if the archive needs no repair or cannot be repaired.
    ///
    /// - Parameter classes: The names of the class and its ancestors in an older copy, by the number of an object.
    static func repaired(
        _ document: Document, limits: Limits, classes: [Int: [String]] = [:]
    ) -> Result? {
        if let archive = try? KeyedArchive(document, limits: limits) {
            return restoredFields(of: archive, limits)
        }
        guard (try? document.checkExpansion(limits)) != nil else { return nil }
        var unreadable: Set<Int> = []
        for _ in 0..<mostTries {
            guard var repair = ArchiveSalvage(document, limits, known: classes) else { return nil }
            repair.run(unreadable)
            guard let edited = try? repair.edited() else { return nil }
            guard let archive = try? KeyedArchive(edited, limits: limits) else {
                // An object that cannot be repaired is lost, so that the others can be read.
                let count = unreadable.count
                let faults = KeyedArchive.examine(edited, limits: limits, faultsOnly: true).problems
                unreadable.formUnion(faults.compactMap(\.archiveObject))
                guard unreadable.count > count else { return nil }
                continue
            }
            var result = restoredFields(of: archive, limits) ?? Result(document: edited)
            result.losses = repair.losses + result.losses
            result.repairs = repair.repairs + result.repairs
            result.restored.formUnion(repair.restored)
            return result
        }
        return nil
    }

    /// The number of times that unreadable objects are removed. Each may reveal others.
    private static let mostTries = 4

    /// Returns a readable archive with the fields of its objects repaired; nil if nothing was repaired.
    private static func restoredFields(of archive: KeyedArchive, _ limits: Limits) -> Result? {
        let keys = RestoredKeys(archive).result(limits)
        let named = keys.map { try? KeyedArchive($0.document, limits: limits) } ?? archive
        guard let named, var lists = RestoredLists.result(named, limits) else { return keys }
        (lists.repairs, lists.restored) = (keys?.repairs ?? [], keys?.restored ?? [])
        return lists
    }

    private init?(_ document: Document, _ limits: Limits, known: [Int: [String]]) {
        (self.document, self.limits, self.known) = (document, limits, known)
        let root = document.object(document.root)
        guard root.kind == .dictionary,
            let id = document.member("$objects", of: root) ?? Self.renamedMember(.array, of: root, in: document),
            document.object(id).kind == .array, document.object(id).count > 0
        else { return nil }
        (objectsID, objects) = (id, document.object(id))
        elements = (0..<objects.count).map { document.reference($0, of: document.object(id)) }
    }

    private func value(_ key: StaticString, of object: StoredObject) -> ObjectID? { document.member(key, of: object) }

    /// - Parameter unreadable: The numbers of objects that cannot be repaired.
    private mutating func run(_ unreadable: Set<Int>) {
        for (index, names) in known.sorted(by: { $0.key < $1.key }) where elements.indices.contains(index) {
            guard let number = value("$class", of: document.object(elements[index])).flatMap(document.uid) else {
                continue
            }
            if knownRecords[Int(number)] == nil { knownRecords[Int(number)] = names }
        }
        for index in unreadable.sorted() where elements.indices.dropFirst().contains(index) {
            elements[index] = add(.null)
            lose(.value, in: index, "object \(index) of the archive cannot be read")
        }
        isRecord = elements.map { $0.index < document.count && isClassRecord(document.object($0)) }
        // Records come first, because objects refer to them.
        for index in elements.indices
        where elements[index].index < document.count && isDamagedRecord(document.object(elements[index])) {
            makeRecord(index)
        }
        for index in elements.indices { repair(index) }
        repairRoot()
        if elements.count != objects.count || elements.indices.contains(where: { isReplaced($0) }) {
            contents[objectsID] = elements
        }
    }

    private func isReplaced(_ index: Int) -> Bool {
        index < objects.count && elements[index] != document.reference(index, of: objects)
    }

    // MARK: Objects

    private func isClassRecord(_ object: StoredObject) -> Bool {
        guard object.kind == .dictionary, value("$class", of: object) == nil,
            let name = value("$classname", of: object)
        else { return false }
        return document.object(name).kind.isString
    }

    private func isDamagedRecord(_ object: StoredObject) -> Bool {
        object.kind == .dictionary && !isClassRecord(object) && value("$class", of: object) == nil
            && (value("$classes", of: object) != nil || value("$classname", of: object) != nil)
    }

    private mutating func repair(_ index: Int) {
        let id = elements[index]
        guard id.index < document.count else { return }
        let object = document.object(id)
        if index == 0 {
            guard !document.text(object, equals: "$null") else { return }
            elements[0] = add(.string("$null"))
            restore(id, "$null")
            return
        }
        switch object.kind {
        case .uid:
            elements[index] = add(.null)
            lose(.value, in: index, "object \(index) of the archive is a reference, which no archiver stores")
        case .dictionary:
            repairClass(of: object, id, at: index)
            repairReferences(in: id, of: index)
        case .array, .set:
            repairReferences(in: id, of: index)
        default:
            break
        }
    }

    private mutating func repairClass(of object: StoredObject, _ id: ObjectID, at index: Int) {
        var keys = (0..<object.count).map { document.key($0, of: object) }
        var values = (0..<object.count).map { document.value($0, of: object) }
        let positions = keys.indices.filter { document.text(document.object(keys[$0]), equals: "$class") }
        if let position = positions.first {
            let isSound =
                positions.count == 1 && document.uid(values[position]).map { isRecordNumber(Int($0)) } ?? false
            guard !isSound else { return }
            values[position] = classReference(of: index)
            for extra in positions.dropFirst().reversed() {
                keys.remove(at: extra)
                values.remove(at: extra)
            }
            contents[id] = keys + values
            return loseClass(known[index], of: index, "the class of object \(index) cannot be read")
        }
        if isRecord[index] { return repairNames(of: object, id, at: index) }
        let damaged = damagedKey("$class", of: object) { document.uid($0).map { isRecordNumber(Int($0)) } ?? false }
        if let damaged { return restoreKey(damaged, of: id, to: "$class") }
        if values.contains(where: { document.uid($0) != nil }) || keys.contains(where: isLostKey) {
            contents[id] = keys + [add(.string("$class"))] + values + [classReference(of: index)]
            loseClass(known[index], of: index, "the class of object \(index) cannot be read")
        }
    }

    /// Returns the position of a key that was lost, or that differs from a name in one character, and whose value fits.
    private func damagedKey(_ name: StaticString, of object: StoredObject, fits: (ObjectID) -> Bool) -> Int? {
        (0..<object.count).first { position in
            let key = document.key(position, of: object)
            return (isLostKey(key) || document.differsInOneCharacter(key, from: name))
                && fits(document.value(position, of: object))
        }
    }

    private mutating func restoreKey(_ position: Int, of id: ObjectID, to name: StaticString) {
        let object = document.object(id)
        let key = document.key(position, of: object)
        var members = (0..<object.referenceCount).map { document.reference($0, of: object) }
        members[position] = add(.string(name.description))
        contents[id] = members
        // The loss of a lost key is known.
        guard !isLostKey(key), restored.insert(key).inserted else { return }
        repairs.append(
            Problem(
                "salvage.key", "the key \(document.shownKey(key)) was restored to \(name)", severity: .info,
                at: document.location(of: key)))
    }

    private func isLostKey(_ id: ObjectID) -> Bool {
        document.text(id)?.starts(with: SalvageLoss.keyPrefix.utf16) ?? false
    }

    private func isRecordNumber(_ number: Int) -> Bool { number < isRecord.count && isRecord[number] }

    /// Removes the chain or the hints of a class record if they are not lists of names.
    private mutating func repairNames(of object: StoredObject, _ id: ObjectID, at index: Int) {
        var members = contents[id] ?? (0..<object.referenceCount).map { document.reference($0, of: object) }
        let count = members.count / 2
        for position in (0..<count).reversed() {
            let value = members.count / 2 + position
            // A restored key is not in the document.
            guard members[position].index < document.count, members[value].index < document.count else { continue }
            let key = document.object(members[position])
            guard document.text(key, equals: "$classes") || document.text(key, equals: "$classhints") else { continue }
            let list = document.object(members[value])
            let isSound =
                list.kind == .array
                && (0..<list.count).allSatisfy { document.object(document.reference($0, of: list)).kind.isString }
            guard !isSound else { continue }
            members.remove(at: value)
            members.remove(at: position)
            lose(.value, in: index, "the ancestors of class \(index) cannot be read")
        }
        if members.count < 2 * count { contents[id] = members }
    }

    private mutating func makeRecord(_ index: Int) {
        let id = elements[index]
        let damaged = damagedKey("$classname", of: document.object(id)) { document.object($0).kind.isString }
        if let damaged {
            isRecord[index] = true
            return restoreKey(damaged, of: id, to: "$classname")
        }
        elements[index] = record(knownRecords[index] ?? Self.lostClass)
        isRecord[index] = true
        loseClass(knownRecords[index], of: index, "the name of class \(index) cannot be read")
    }

    private static let lostClass = [SalvageLoss.className, "NSObject"]

    /// Adds a class record.
    ///
    /// - Parameter names: The class and its ancestors.
    private mutating func record(_ names: [String]) -> ObjectID {
        let chain = names.map { add(.string($0)) }
        let list = add(.array(chain))
        return add(.dictionary([add(.string("$classname")), add(.string("$classes")), chain[0], list]))
    }

    /// Returns a reference to a record of the object's class in an older copy or, if that is unknown, of the
    /// placeholder class ``SalvageLoss/className``.
    private mutating func classReference(of index: Int) -> ObjectID {
        let names = known[index] ?? Self.lostClass
        let number = records[names] ?? UInt32(truncatingIfNeeded: elements.count)
        if records[names] == nil {
            records[names] = number
            elements.append(record(names))
        }
        return add(.uid(number))
    }

    private mutating func loseClass(_ names: [String]?, of index: Int, _ message: String) {
        lose(.className, in: index, message)
        losses[losses.count - 1].archiveObject = index
        losses[losses.count - 1].olderClass = names?.first
    }

    /// Replaces references to objects that do not exist in a container and in the containers that it holds in place.
    private mutating func repairReferences(in id: ObjectID, of index: Int?) {
        guard visited.insert(id).inserted else { return }
        var pending = [id]
        while let container = pending.popLast() {
            let stored = document.object(container)
            var members =
                contents[container] ?? (0..<stored.referenceCount).map { document.reference($0, of: stored) }
            var isChanged = false
            for position in members.indices where members[position].index < document.count {
                let value = document.object(members[position])
                if value.kind.isContainer, visited.insert(members[position]).inserted {
                    pending.append(members[position])
                }
                guard value.kind == .uid, document.uid(value) >= UInt32(objects.count) else { continue }
                members[position] = add(.uid(0))
                isChanged = true
                lose(.missing, in: index, "a reference to object \(document.uid(value)), which does not exist")
            }
            if isChanged { contents[container] = members }
        }
    }

    // MARK: The root

    private static let members: [StaticString] = ["$version", "$archiver", "$top", "$objects"]

    /// Returns the value of the pair of the root whose key is not one of ``members``; nil unless there is exactly one
    /// such pair and its value has the given kind.
    private static func renamedMember(
        _ kind: StoredObject.Kind, of root: StoredObject, in document: Document
    ) -> ObjectID? {
        let others = (0..<root.count).filter { position in
            !members.contains { document.text(document.object(document.key(position, of: root)), equals: $0) }
        }
        guard others.count == 1, let value = others.first.map({ document.value($0, of: root) }) else { return nil }
        return document.object(value).kind == kind ? value : nil
    }

    private mutating func repairRoot() {
        let root = document.object(document.root)
        var keys = (0..<root.count).map { document.key($0, of: root) }
        var values = (0..<root.count).map { document.value($0, of: root) }
        func position(_ name: StaticString) -> Int? {
            keys.indices.first { document.text(document.object(keys[$0]), equals: name) }
        }
        func set(_ name: StaticString, to value: ObjectID, key: ObjectID) {
            if let position = position(name) {
                values[position] = value
            } else {
                (keys, values) = (keys + [key], values + [value])
            }
        }
        if position("$objects") == nil, let position = values.firstIndex(of: objectsID) {
            keys[position] = add(.string("$objects"))
            losses.append(
                SalvageLoss(
                    .key, nil, at: .unknown, "the key of the objects is damaged; $objects is the only one missing"))
        }
        let version = value("$version", of: root).map { document[$0] }
        if case .integer(let number)? = version, number.value == 100_000 {
        } else {
            let value = add(.integer(100_000))
            self.value("$version", of: root).map { restore($0, "$version") }
            set("$version", to: value, key: add(.string("$version")))
        }
        if !(value("$archiver", of: root).map { document.object($0).kind.isString } ?? false) {
            let value = add(.string("NSKeyedArchiver"))
            set("$archiver", to: value, key: add(.string("$archiver")))
            losses.append(
                SalvageLoss(
                    .doubtful, nil, at: .unknown, "the name of the archiver is lost; NSKeyedArchiver is assumed"))
        }
        let renamed = value("$top", of: root) == nil ? Self.renamedMember(.dictionary, of: root, in: document) : nil
        if let renamed, let position = values.firstIndex(of: renamed) {
            keys[position] = add(.string("$top"))
            losses.append(
                SalvageLoss(
                    .key, nil, at: .unknown, "the key of the roots is damaged; $top is the only one missing", count: 0))
        }
        if let top = value("$top", of: root) ?? renamed, document.object(top).kind == .dictionary {
            repairReferences(in: top, of: nil)
        } else {
            set("$top", to: assumedRoots(), key: add(.string("$top")))
        }
        let old = (0..<root.referenceCount).map { document.reference($0, of: root) }
        if keys + values != old { contents[document.root] = keys + values }
    }

    /// Adds a dictionary of roots: the first object, and each other object to which nothing refers, under a placeholder
    /// for its name.
    private mutating func assumedRoots() -> ObjectID {
        var place = JSONPointer.root
        place.append(key: "$top".utf16)
        var loss = SalvageLoss(
            .doubtful, nil, at: .address(place), "the roots are lost; the first object is assumed to be one")
        loss.isOpen = true
        losses.append(loss)
        var names = [add(.string("root"))]
        var references = [add(.uid(elements.count > 1 ? 1 : 0))]
        for index in unreferencedObjects() where index > 1 {
            let name = SalvageLoss.keyPrefix + String(index)
            names.append(add(.string(name)))
            references.append(add(.uid(UInt32(index))))
            place.append(key: name.utf16)
            losses.append(SalvageLoss(.key, nil, at: .address(place), "the name of the root is lost", count: 0))
            place.removeLast()
        }
        return add(.dictionary(names + references))
    }

    /// Returns the objects, except class records and null, to which no object refers.
    private func unreferencedObjects() -> [Int] {
        var isReferenced = Bitmap(count: elements.count)
        var seen = Bitmap(count: document.count)
        var pending = elements
        while let id = pending.popLast() {
            guard id.index < document.count, !seen.contains(id.index) else { continue }
            seen.insert(id.index)
            let stored = document.object(id)
            if stored.kind == .uid, let number = document.uid(id), number < UInt32(elements.count) {
                isReferenced.insert(Int(number))
            }
            pending += contents[id] ?? (0..<stored.referenceCount).map { document.reference($0, of: stored) }
        }
        return elements.indices.filter { index in
            guard index < isRecord.count, !isRecord[index], !isReferenced.contains(index), !isReplaced(index) else {
                return false
            }
            return document.object(elements[index]).kind != .null
        }
    }

    // MARK: Result

    /// Records the repair of a value that is the same in every archive.
    private mutating func restore(_ id: ObjectID, _ name: String) {
        restored.insert(id)
        repairs.append(
            Problem(
                "salvage.constant", "\(name) was restored, because it is the same in every archive", severity: .info))
    }

    private mutating func lose(_ kind: SalvageLoss.Kind, in index: Int?, _ message: String) {
        let place = index.map { SalvageLoss.Place.address(.object(UID($0))) } ?? .unknown
        // The object itself is recovered, so it does not count as lost.
        losses.append(SalvageLoss(kind, nil, at: place, message, count: 0))
    }

    private mutating func add(_ object: Added) -> ObjectID {
        added.append(object)
        return ObjectID(document.count + added.count - 1)
    }

    private func edited() throws(Problem) -> Document {
        var editor = DocumentEditor(document)
        var ids: [ObjectID] = []
        func resolved(_ id: ObjectID) -> ObjectID { id.index < document.count ? id : ids[id.index - document.count] }
        // Added objects contain only earlier ones.
        for object in added {
            switch object {
            case .uid(let number): ids.append(editor.add { $0.add(StoredUID(number)) })
            case .string(let text): ids.append(editor.add { $0.add(string: text) })
            case .integer(let number): ids.append(editor.add { $0.add(integer: number) })
            case .null: ids.append(editor.add { $0.addNull() })
            case .array(let elements):
                let array = editor.addContainer(.array)
                editor.setContents(of: array, to: elements.map(resolved))
                ids.append(array)
            case .dictionary(let members):
                let dictionary = editor.addContainer(.dictionary)
                editor.setContents(of: dictionary, to: members.map(resolved))
                ids.append(dictionary)
            }
        }
        for (container, members) in contents.sorted(by: { $0.key < $1.key }) {
            editor.setContents(of: container, to: members.map(resolved))
        }
        return try editor.finish(limits: limits)
    }
}

extension Problem {
    /// The number of the object in an archive that the problem concerns, or nil.
    fileprivate var archiveObject: Int? {
        guard severity == .error, let tokens = address?.tokens, tokens.count > 1,
            tokens[0].elementsEqual("$objects".utf16)
        else { return nil }
        return Int(String(decoding: tokens[1], as: UTF16.self))
    }
}

extension Document {
    /// Returns the value of the first pair of a dictionary with a key, or nil.
    func member(_ key: StaticString, of dictionary: StoredObject) -> ObjectID? {
        guard dictionary.kind == .dictionary else { return nil }
        return (0..<dictionary.count).first { text(object(self.key($0, of: dictionary)), equals: key) }
            .map { value($0, of: dictionary) }
    }
}
