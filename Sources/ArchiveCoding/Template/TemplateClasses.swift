import KeyedArchives
import SaveCodec

/// The classes of a template, by name, with the class records for encoded objects.
struct TemplateClasses {
    private let archive: KeyedArchive
    private var byName: [[UInt16]: Int] = [:]
    /// The classes whose names have a module, by the rest of the name; nil for several classes.
    private var byBareName: [Substring: Int?] = [:]
    private var byRecord: [Int: Int] = [:]
    /// The number of the record for each encoded class, by the UID of the encoded record.
    private var records: [UID: Int] = [:]

    init(_ archive: KeyedArchive) {
        self.archive = archive
        for (position, record) in archive.classes.enumerated() {
            byRecord[record.uid.index] = position
            if byName[record.name.units] == nil { byName[record.name.units] = position }
            let bare = ClassRecordNames.withoutModule(record.name.string)
            guard bare.utf8.count < record.name.string.utf8.count else { continue }
            if let known = byBareName[bare] {
                let isSame = known.map { archive.classes[$0].name.units == record.name.units } ?? false
                if !isSame { byBareName[bare] = .some(nil) }
            } else {
                byBareName[bare] = position
            }
        }
    }

    func position(ofName name: [UInt16]) -> Int? { byName[name] }

    /// Returns the only class whose name differs in that just one of the two names has a module.
    func position(ofNameLike name: String) -> Int? {
        let bare = ClassRecordNames.withoutModule(name)
        guard bare.utf8.count < name.utf8.count else { return byBareName[bare] ?? nil }
        return byName[Array(bare.utf16)]
    }

    func position(ofRecord number: Int) -> Int? { byRecord[number] }

    /// Returns the number of the record for an encoded class: the template's record of that name, or a new one.
    mutating func record(of encoded: ClassRecord, in objects: inout EditedObjects) -> Int {
        if let known = records[encoded.uid] { return known }
        let known =
            position(ofName: encoded.name.units)
            ?? (encoded.foundation == nil ? position(ofNameLike: encoded.name.string) : nil)
        let number: Int
        if let known {
            number = archive.classes[known].uid.index
        } else {
            number = objects.add(
                .members(
                    keys: [objects.string("$classname"), objects.string("$classes")],
                    Self.members(of: encoded, in: &objects)))
        }
        records[encoded.uid] = number
        return number
    }

    private static func members(
        of record: ClassRecord, in objects: inout EditedObjects
    ) -> [EditedObjects.Member] {
        let names = objects.editor.addContainer(.array)
        objects.editor.setContents(of: names, to: record.names.map { objects.string($0) })
        return [.reference(.inPlace(objects.string(record.name.string))), .reference(.inPlace(names))]
    }
}
