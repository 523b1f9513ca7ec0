import KeyedArchives
import SaveCodec

/// The damaged keys of a readable archive that its classes prove:
///
///     {"$class": NSArray, "NS.objectt": [UID 2]}     NSArray has no NS.objects, and one key differs in one character
///     {"$class": NSArray, "lost key 5": [UID 2]}     NSArray has no NS.objects, and one key was lost
///
/// All objects that use the key have to lack the same field. Archivers store each key once, so that a changed byte
/// concerns all of them.
struct RestoredKeys {
    private let archive: KeyedArchive
    /// The field for each damaged key, and the name of the first class that lacks it.
    private var fields: [ObjectID: (field: StaticString, classPosition: Int)] = [:]
    /// The objects that have one of the keys.
    private var objects: [ObjectID] = []

    init(_ archive: KeyedArchive) {
        self.archive = archive
        guard archive.findings.contains(where: { $0.severity == .error }) else { return }
        find()
    }

    private func object(_ index: Int) -> ObjectID { archive.document.reference(index, of: archive.objects) }

    private mutating func find() {
        let document = archive.document
        var refuted: Set<ObjectID> = []
        for index in 0..<archive.count {
            let stored = document.object(object(index))
            guard stored.kind == .dictionary else { continue }
            let missing = archive.missingFields(of: UID(index))
            let keys = (0..<stored.count).map { document.key($0, of: stored) }
            let damaged = keys.indices.filter { position in
                missing.first.map { mayBe(position, of: stored, $0) } ?? false
            }.map { keys[$0] }
            for key in keys where key != damaged.first || missing.count != 1 || damaged.count != 1 {
                // Another object uses the key as it is.
                refuted.insert(key)
            }
            guard missing.count == 1, damaged.count == 1, let position = archive.classPosition(of: UID(index)) else {
                continue
            }
            if let known = fields[damaged[0]], known.field.description != missing[0].description {
                refuted.insert(damaged[0])
            }
            if fields[damaged[0]] == nil { fields[damaged[0]] = (missing[0], position) }
            objects.append(object(index))
        }
        for key in refuted { fields[key] = nil }
    }

    /// Whether the key of a pair may be a damaged field: it differs in one character, or it was lost and the value is a
    /// list, as in `NS.keys` and `NS.objects`.
    private func mayBe(_ position: Int, of object: StoredObject, _ field: StaticString) -> Bool {
        let document = archive.document
        guard let text = document.text(document.key(position, of: object)) else { return false }
        if text.starts(with: SalvageLoss.keyPrefix.utf16) {
            return ["NS.keys", "NS.objects"].contains(field.description)
                && document.object(document.value(position, of: object)).kind == .array
        }
        return document.differsInOneCharacter(document.key(position, of: object), from: field)
    }

    /// Returns the archive with its keys restored; nil if no key can be restored.
    func result(_ limits: Limits) -> ArchiveSalvage.Result? {
        guard !fields.isEmpty else { return nil }
        let document = archive.document
        var editor = DocumentEditor(document)
        var restored: [ObjectID: ObjectID] = [:]
        var repairs: [Problem] = []
        for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
            let (field, name) = (value.field, archive.classes[value.classPosition].name)
            restored[key] = editor.add { $0.add(string: field.description) }
            let old = document.shownKey(key)
            let isLost = old.hasPrefix(SalvageLoss.keyPrefix)
            repairs.append(
                Problem(
                    "salvage.key",
                    "\(isLost ? "a lost key" : "the key \(old)") was restored to \(field), the only field that \(name.shownAsClass) lacks",
                    severity: .info, at: isLost ? nil : document.location(of: key)))
        }
        for id in Set(objects).sorted() {
            let stored = document.object(id)
            let members = (0..<stored.referenceCount).map { document.reference($0, of: stored) }
            let keys = members.prefix(stored.count).map { restored[$0] ?? $0 }
            editor.setContents(of: id, to: keys + members.dropFirst(stored.count))
        }
        guard let edited = try? editor.finish(limits: limits), let after = try? KeyedArchive(edited, limits: limits),
            after.errorCount < archive.errorCount
        else { return nil }
        return ArchiveSalvage.Result(document: edited, repairs: repairs, restored: Set(restored.keys))
    }
}

extension Document {
    /// Whether a key is a name with another character in place of one.
    func differsInOneCharacter(_ key: ObjectID, from name: StaticString) -> Bool {
        guard let text = text(key), text.count == name.utf8CodeUnitCount else { return false }
        return zip(text, name.description.utf16).count { $0 != $1 } == 1
    }

    func shownKey(_ key: ObjectID) -> String {
        text(key).map { SafeText.escaping(String(decoding: $0, as: UTF16.self)) } ?? ""
    }
}

extension KeyedArchive {
    fileprivate var errorCount: Int { findings.count { $0.severity == .error } }
}
