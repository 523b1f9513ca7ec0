import KeyedArchives
import SaveCodec

/// The lists of keys and values of dictionaries in a readable archive, made equally long with placeholders:
///
///     NS.keys [#4, #5]   NS.objects null    ─▶  NS.objects [#9, #9]   #9 null
///     NS.keys null       NS.objects [#6]    ─▶  NS.keys [#9]          #9 "lost key 9"
///
/// Readers refuse a dictionary whose lists differ in length. One that lost both lists is left as it is.
struct RestoredLists {
    private let archive: KeyedArchive
    /// The elements that are added to `$objects`.
    private var added: [ObjectID] = []
    /// The number of the added null, or nil.
    private var null: Int?
    private var losses: [SalvageLoss] = []
    private var isChanged = false
    /// The number of placeholders that may still be added. Many dictionaries may share one long list.
    private var room: Int

    /// Returns the repaired archive; nil if nothing was repaired.
    static func result(_ archive: KeyedArchive, _ limits: Limits) -> ArchiveSalvage.Result? {
        let document = archive.document
        guard archive.findings.contains(where: { $0.severity == .error }),
            let objects = document.member("$objects", of: document.object(document.root))
        else { return nil }
        var editor = DocumentEditor(document)
        var lists = RestoredLists(archive)
        for index in 0..<archive.count where archive.isDictionary(UID(index)) { lists.repair(index, &editor) }
        guard lists.isChanged else { return nil }
        let elements = (0..<archive.count).map { document.reference($0, of: archive.objects) }
        editor.setContents(of: objects, to: elements + lists.added)
        guard let edited = try? editor.finish(limits: limits) else { return nil }
        return ArchiveSalvage.Result(document: edited, losses: lists.losses)
    }

    private init(_ archive: KeyedArchive) {
        self.archive = archive
        room = archive.document.count + 1024
    }

    private mutating func repair(_ index: Int, _ editor: inout DocumentEditor) {
        let document = archive.document
        let id = document.reference(index, of: archive.objects)
        let stored = document.object(id)
        var keys = (0..<stored.count).map { document.key($0, of: stored) }
        var values = (0..<stored.count).map { document.value($0, of: stored) }
        func list(_ field: StaticString) -> (position: Int?, elements: [ObjectID]?) {
            let position = keys.indices.first { document.text(document.object(keys[$0]), equals: field) }
            guard let position, case let list = document.object(values[position]), list.kind == .array else {
                return (position, nil)
            }
            return (position, (0..<list.count).map { document.reference($0, of: list) })
        }
        let fields: [StaticString] = ["NS.keys", "NS.objects"]
        let lists = fields.map(list)
        // A field of another name may be the one that is missing.
        let known = 1 + lists.count { $0.position != nil }
        guard lists.contains(where: { $0.position != nil && $0.elements != nil }), known == keys.count else { return }
        let counts = lists.map { $0.elements?.count ?? 0 }
        guard counts[0] != counts[1] || lists.contains(where: { $0.elements == nil }) else { return }
        let count = max(counts[0], counts[1])
        room -= 2 * count - counts[0] - counts[1]
        guard room >= 0 else { return }
        for (number, field) in fields.enumerated()
        where counts[number] < count || lists[number].elements == nil {
            let placeholders = (counts[number]..<count).map { position in
                number == 0 ? lostKey(&editor) : lostValue(position, in: index, &editor)
            }
            let list = editor.addContainer(.array)
            editor.setContents(of: list, to: (lists[number].elements ?? []) + placeholders)
            if let position = lists[number].position {
                values[position] = list
            } else {
                keys.append(editor.add { $0.add(string: field.description) })
                values.append(list)
            }
        }
        editor.setContents(of: id, to: keys + values)
        isChanged = true
        guard lists.allSatisfy({ $0.elements != nil }) else { return }
        let message = "its lists of keys and values differ in length, so a value may have the key of another one"
        losses.append(SalvageLoss(.doubtful, nil, at: .address(.object(UID(index))), message))
    }

    /// Returns a reference to a new string.
    private mutating func lostKey(_ editor: inout DocumentEditor) -> ObjectID {
        let number = archive.count + added.count
        added.append(editor.add { $0.add(string: SalvageLoss.keyPrefix + String(number)) })
        losses.append(
            SalvageLoss(.key, nil, at: .address(.object(UID(number))), "the key cannot be read", count: 0))
        return reference(to: number, &editor)
    }

    /// Returns a reference to a placeholder.
    private mutating func lostValue(_ position: Int, in index: Int, _ editor: inout DocumentEditor) -> ObjectID {
        let number = null ?? archive.count + added.count
        if null == nil {
            let hasNull = !archive.document.has(.text) || archive.document.has(.typedJSON)
            added.append(editor.add { if hasNull { $0.addNull() } else { $0.add(string: "") } })
            null = number
        }
        var address = JSONPointer.object(UID(index), "NS.objects")
        address.append(index: position)
        losses.append(
            SalvageLoss(.missing, nil, at: .address(address), "the reference to the value cannot be read", count: 0))
        return reference(to: number, &editor)
    }

    private func reference(to number: Int, _ editor: inout DocumentEditor) -> ObjectID {
        editor.add { $0.add(StoredUID(UInt32(truncatingIfNeeded: number))) }
    }
}
