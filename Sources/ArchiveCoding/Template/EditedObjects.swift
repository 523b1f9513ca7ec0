import KeyedArchives
import SaveCodec

/// The objects of a template under edit: the stored ones, some with new contents, and the new ones.
///
/// An object that is the counterpart of a value keeps its number. The numbers of new objects follow the numbers of the
/// template's objects, until ``finish(top:)`` assigns the numbers that have become free.
struct EditedObjects: ~Copyable {
    /// The contents of a slot: a value in place, or a reference to an object by number.
    enum Reference: Hashable {
        case inPlace(ObjectID)
        case object(Int)
    }

    /// The value of a member of a stored dictionary.
    enum Member: Hashable {
        case reference(Reference)
        /// The elements, keys or values of a collection.
        case list([Reference])
    }

    /// The contents of an object in `$objects`.
    enum Contents: Hashable {
        case value(ObjectID)
        case members(keys: [ObjectID], [Member])
    }

    /// The template.
    let archive: KeyedArchive
    var editor: DocumentEditor
    /// The contents of new and changed objects, by number.
    private var contents: [Int: Contents] = [:]
    private var nextNumber: Int
    /// For each new object, the template object that it replaces. The new object takes over that number if nothing
    /// refers to the template object any more.
    private var replaced: [Int: Int] = [:]
    /// For each object of the template, the numbers of the objects written for it, by contents.
    private var variants: [Int: [Contents: Int]] = [:]
    /// The objects of the template that are already the counterpart of a value.
    private var taken: Set<Int> = []
    private var scalarObjects: [ObjectID: Int] = [:]
    /// The number of an NSNull, once it is needed.
    private var nullObject: Int?

    init(_ template: KeyedArchive) {
        archive = template
        editor = DocumentEditor(template.document)
        nextNumber = template.count
    }

    private var document: Document { archive.document }

    // MARK: Numbers

    mutating func add(_ contents: Contents? = nil, replacing old: Int? = nil) -> Int {
        let number = nextNumber
        nextNumber += 1
        self.contents[number] = contents
        replaced[number] = old
        return number
    }

    /// Returns a number for an object before its contents are known: the number of its counterpart, unless another
    /// object has taken it.
    mutating func reserve(for template: Int?) -> Int {
        guard let template, taken.insert(template).inserted else { return add() }
        return template
    }

    /// Sets the contents of an object. The template's own contents are not a change.
    mutating func setContents(of number: Int, to new: Contents) {
        if number >= archive.count || new != original(number) { contents[number] = new }
    }

    /// Stores the contents of an object whose counterpart is an object of the template.
    ///
    /// If several objects have the same counterpart, equal ones remain one object.
    ///
    /// - Returns: The number of the object, and whether it is a new one because the counterpart has other contents.
    mutating func store(_ new: Contents, for template: Int) -> (number: Int, isSplit: Bool) {
        if let known = variants[template]?[new] { return (known, false) }
        let isFirst = taken.insert(template).inserted
        let number = isFirst ? template : add(new)
        if isFirst { setContents(of: template, to: new) }
        variants[template, default: [:]][new] = number
        return (number, !isFirst)
    }

    // MARK: Strings, scalars and null

    mutating func string(_ text: String) -> ObjectID { editor.add { $0.add(string: text) } }

    /// Returns the number of a plain object. Equal scalars become one object.
    mutating func object(of scalar: ObjectID, replacing old: Int? = nil) -> Int {
        if let known = scalarObjects[scalar] { return known }
        let number = add(.value(scalar), replacing: old)
        scalarObjects[scalar] = number
        return number
    }

    mutating func object(ofText units: [UInt16]) -> Int {
        object(of: editor.add { $0.add(utf16: units.span) })
    }

    /// Returns the object number of the NSNull, adding it if necessary.
    mutating func findNullObject(in classes: TemplateClasses) -> Int {
        let number = nullObject ?? makeNullObject(in: classes)
        nullObject = number
        return number
    }

    private mutating func makeNullObject(in classes: TemplateClasses) -> Int {
        for index in 0..<archive.count {
            if case .nullObject = archive.encoding(of: UID(index)) { return index }
        }
        let position = classes.position(ofName: Array("NSNull".utf16))
        let record: Int
        if let position {
            record = archive.classes[position].uid.index
        } else {
            let names = editor.addContainer(.array)
            editor.setContents(of: names, to: ["NSNull", "NSObject"].map { string($0) })
            record = add(
                .members(
                    keys: [string("$classname"), string("$classes")],
                    [.reference(.inPlace(string("NSNull"))), .reference(.inPlace(names))]))
        }
        return add(.members(keys: [string("$class")], [.reference(.object(record))]))
    }

    // MARK: Stored contents

    /// Returns the reference for a stored value of the template.
    func reference(_ stored: ObjectID) -> Reference {
        document.uid(stored).map { .object(Int($0)) } ?? .inPlace(stored)
    }

    /// Returns the contents of an object of the template, without edits.
    func original(_ number: Int) -> Contents {
        let uid = UID(number)
        let stored = archive.stored(uid)
        guard stored.kind == .dictionary else { return .value(archive.objectID(uid)) }
        let hasLists =
            switch archive.encoding(of: uid) {
            case .elements, .pairs: true
            default: false
            }
        var keys: [ObjectID] = []
        var members: [Member] = []
        for position in 0..<stored.count {
            keys.append(document.key(position, of: stored))
            members.append(member(document.value(position, of: stored), isList: hasLists))
        }
        return .members(keys: keys, members)
    }

    private func member(_ value: ObjectID, isList: Bool) -> Member {
        let object = document.object(value)
        guard isList, object.kind == .array else { return .reference(reference(value)) }
        return .list((0..<object.count).map { reference(document.reference($0, of: object)) })
    }

    /// The roots of the template, without edits.
    var originalTop: (keys: [ObjectID], members: [Member]) {
        let top = archive.top
        return (
            (0..<top.count).map { document.key($0, of: top) },
            (0..<top.count).map { .reference(reference(document.value($0, of: top))) }
        )
    }

    /// Replaces the value at a position of an object's view.
    mutating func replace(_ position: Int, of uid: UID, with new: Reference) {
        let present = contents[uid.index] ?? original(uid.index)
        guard case .members(let keys, var members) = present else {
            contents[uid.index] = present
            return
        }
        switch archive.encoding(of: uid) {
        case .fields(_, let classMember):
            members[position < classMember ? position : position + 1] = .reference(new)
        case .elements, .pairs:
            let member = keys.firstIndex { document.text($0)?.elementsEqual("NS.objects".utf16) ?? false }
            if let member, case .list(var list) = members[member] {
                list[position] = new
                members[member] = .list(list)
            }
        case .numbered, .numberedPairs:
            let name = "NS.object.\(position)".utf16
            let member = keys.firstIndex { document.text($0)?.elementsEqual(name) ?? false }
            if let member { members[member] = .reference(new) }
        default: break
        }
        contents[uid.index] = .members(keys: keys, members)
    }

    // MARK: The document

    /// Returns the document with the changed objects. A new object takes over the number of an object that nothing
    /// refers to any more, preferably of the one that it replaces.
    consuming func finish(top: (keys: [ObjectID], members: [Member])) throws(Problem) -> Document {
        let before = originalTop
        guard !contents.isEmpty || top.members != before.members || top.keys != before.keys else { return document }
        let originals = reached(from: before.members, isEdited: false)
        let kept = reached(from: top.members, isEdited: true)
        var free = (1..<max(archive.count, 1)).filter { originals.contains($0) && !kept.contains($0) }
        var numbers: [Int: Int] = [:]
        var taken: Set<Int> = []
        let freed = Set(free)
        let added = (archive.count..<nextNumber).filter(kept.contains)
        for number in added {
            guard let old = replaced[number], freed.contains(old), taken.insert(old).inserted else { continue }
            numbers[number] = old
        }
        free = free.filter { !taken.contains($0) }.reversed()
        var count = archive.count
        for number in added where numbers[number] == nil {
            if let old = free.popLast() {
                numbers[number] = old
            } else {
                numbers[number] = count
                count += 1
            }
        }
        var list: [ObjectID?] = (0..<count).map { index in
            guard index < archive.count, !freed.contains(index) else { return nil }
            return archive.objectID(UID(index))
        }
        for (number, contents) in contents where kept.contains(number) {
            list[numbers[number] ?? number] = object(of: contents, numbers)
        }
        while list.last == .some(nil) { list.removeLast() }
        let topID = top.members == before.members ? nil : object(of: .members(keys: top.keys, top.members), numbers)
        let null = archive.objectID(.null)
        editor.setObjects(list.map { $0 ?? null }, top: topID, of: archive)
        let edited = try editor.finish()
        // Verifies the invariants of archives instead of assuming them.
        _ = try KeyedArchive(edited)
        return edited
    }

    private mutating func object(of contents: Contents, _ numbers: [Int: Int]) -> ObjectID {
        guard case .members(let keys, let members) = contents else {
            if case .value(let id) = contents { return id }
            return archive.objectID(.null)
        }
        var values: [ObjectID] = []
        for member in members {
            switch member {
            case .reference(let reference): values.append(stored(reference, numbers))
            case .list(let references):
                let list = editor.addContainer(.array)
                editor.setContents(of: list, to: references.map { stored($0, numbers) })
                values.append(list)
            }
        }
        let object = editor.addContainer(.dictionary)
        editor.setContents(of: object, to: keys + values)
        return object
    }

    private mutating func stored(_ reference: Reference, _ numbers: [Int: Int]) -> ObjectID {
        switch reference {
        case .inPlace(let id): id
        case .object(let number):
            editor.add { $0.add(StoredUID(UInt32(truncatingIfNeeded: numbers[number] ?? number))) }
        }
    }

    /// Returns the objects that the roots reach, in the template or in the edited archive.
    private func reached(from roots: [Member], isEdited: Bool) -> Bitmap {
        var reached = Bitmap(count: nextNumber)
        var containers = Bitmap(count: document.count)
        var pending = roots.flatMap(Self.references)
        while let reference = pending.popLast() {
            switch reference {
            case .object(let number):
                guard !reached.contains(number) else { continue }
                reached.insert(number)
                if isEdited, let contents = contents[number] {
                    if case .members(_, let members) = contents { pending += members.flatMap(Self.references) }
                } else if number < archive.count {
                    pending.append(.inPlace(archive.objectID(UID(number))))
                }
            case .inPlace(let id):
                guard id.index < document.count, !containers.contains(id.index),
                    let container = document.container(id)
                else { continue }
                containers.insert(id.index)
                for position in 0..<container.referenceCount {
                    pending.append(self.reference(document.reference(position, of: container)))
                }
            }
        }
        return reached
    }

    private static func references(of member: Member) -> [Reference] {
        switch member {
        case .reference(let reference): [reference]
        case .list(let references): references
        }
    }
}

extension EditedObjects.Reference {
    var inPlace: ObjectID? {
        guard case .inPlace(let id) = self else { return nil }
        return id
    }
}
