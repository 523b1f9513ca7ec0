import KeyedArchives
import SaveCodec

/// A check for fields that objects of one class store in different ways, and for fields that no unarchiver reads.
///
///     HighScoreRecord {TotalScore: UID 7}     as an object, as encodeObject: stores it
///     HighScoreRecord {TotalScore: 95300}     in place, as encodeInt: stores it
///
/// A program reads a field in one of these two ways, and finds nothing if it is stored in the other. A container in
/// place is read as a list of references; its other contents are not read.
///
/// There is one finding for each class and field. Time is linear in the number of fields.
struct StoredFieldCheck {
    /// The objects that store a field in one way.
    struct Uses {
        var count = 0
        /// The first of these objects, and its value.
        var first: (object: UID, value: ObjectID)?

        mutating func add(_ object: UID, _ value: ObjectID) {
            count += 1
            if first == nil { first = (object, value) }
        }
    }

    struct Field {
        let className: StoredString
        let name: StoredString
        var inPlace = Uses()
        var asObject = Uses()
        /// The objects that store a container in place with values other than references.
        var unread = Uses()
    }

    private let archive: KeyedArchive
    private let document: Document
    /// The fields, in order of their first objects.
    private(set) var fields: [Field] = []
    /// The positions in `$top` of roots that are containers in place with values other than references.
    private var unreadRoots: [Int] = []
    /// For each class record, a number that is the same for classes of one name; nil for Foundation classes, which the
    /// archive checks itself.
    private let classNumbers: [Int?]
    /// The numbers of the fields by name, and by stored key. Objects share keys, so a long name is read only once.
    private var names: [FieldName: Int] = [:]
    private var keys: [FieldKey: Int?] = [:]
    /// The numbers of the fields in each slot of ``keySets``, for objects of one class.
    private var known = [KnownFields?](repeating: nil, count: RecentKeySets.slotCount)
    private var keySets: RecentKeySets

    /// The numbers of the fields of an object, by position; nil for `$class` and keys that are not strings.
    private struct KnownFields {
        let classNumber: Int
        let numbers: [Int?]
    }

    private struct FieldName: Hashable {
        let classNumber: Int
        let name: [UInt16]
    }

    private struct FieldKey: Hashable {
        let classNumber: Int
        let key: ObjectID
    }

    init(_ archive: KeyedArchive) {
        self.archive = archive
        document = archive.document
        keySets = RecentKeySets(document)
        var numbers: [[UInt16]: Int] = [:]
        classNumbers = archive.classes.map { record in
            let name = Array(record.name)
            guard KeyedArchive.layout(ofClass: name) == nil else { return nil }
            let number = numbers[name] ?? numbers.count
            numbers[name] = number
            return number
        }
        for index in 0..<archive.count { add(UID(index)) }
        (names, keys, known) = ([:], [:], [])
        for pair in 0..<archive.top.count {
            let value = document.object(document.value(pair, of: archive.top))
            if value.kind.isContainer, !holdsReferences(value) { unreadRoots.append(pair) }
        }
    }

    private mutating func add(_ uid: UID) {
        guard let position = archive.classPosition(of: uid), let classNumber = classNumbers[position],
            case .fields(let stored, let member) = archive.encoding(of: uid)
        else { return }
        let numbers = numbers(of: stored, class: position, classNumber, omitting: member)
        for (pair, number) in numbers.enumerated() {
            guard let number else { continue }
            let value = document.value(pair, of: stored)
            let object = document.object(value)
            if object.kind != .uid {
                fields[number].inPlace.add(uid, value)
                if object.kind.isContainer, !holdsReferences(object) { fields[number].unread.add(uid, value) }
            } else if archive.role(of: UID(Int(document.uid(object)))) != .null {
                // Nil is stored in the same way in both cases.
                fields[number].asObject.add(uid, value)
            }
        }
    }

    /// Returns the numbers of the fields of an object.
    private mutating func numbers(
        of stored: StoredObject, class position: Int, _ classNumber: Int, omitting member: Int
    ) -> [Int?] {
        let slot = keySets.slot(of: stored)
        if slot.isKnown, let known = known[slot.number], known.classNumber == classNumber { return known.numbers }
        var numbers: [Int?] = []
        for pair in 0..<stored.count {
            let key = FieldKey(classNumber: classNumber, key: document.key(pair, of: stored))
            numbers.append(pair == member ? nil : number(of: key, class: position))
        }
        known[slot.number] = KnownFields(classNumber: classNumber, numbers: numbers)
        return numbers
    }

    private func holdsReferences(_ container: StoredObject) -> Bool {
        (0..<container.count).allSatisfy { position in
            let isKeyed = container.kind == .dictionary
            let value =
                isKeyed ? document.value(position, of: container) : document.reference(position, of: container)
            return document.object(value).kind == .uid
        }
    }

    /// Returns the number of a field; nil if the key is not a string.
    private mutating func number(of key: FieldKey, class position: Int) -> Int? {
        if let number = keys[key] { return number }
        let number = document.text(key.key).map { name in
            let field = FieldName(classNumber: key.classNumber, name: Array(name))
            if let number = names[field] { return number }
            names[field] = fields.count
            fields.append(Field(className: archive.classes[position].name, name: name))
            return fields.count - 1
        }
        keys[key] = .some(number)
        return number
    }
}

// MARK: - Faults

extension StoredFieldCheck {
    /// Returns the problems of the fields. The list is limited, and a last problem counts the rest.
    ///
    /// - Parameter paths: The addresses of objects in the value graph.
    func problems(_ paths: FindingPaths) -> [Problem] {
        let mixed = fields.filter { $0.inPlace.count > 0 && $0.asObject.count > 0 }
        let addresses = paths.addresses(of: mixed.prefix(ProblemList.limit).compactMap { $0.common.first?.object })
        var problems = ProblemList()
        for field in mixed where problems.countProblem(severity: .warning) {
            problems.append(storedTwoWays(field, addresses))
        }
        for field in fields where field.unread.count > 0 && problems.countProblem(severity: .warning) {
            problems.append(unread(field))
        }
        for pair in unreadRoots where problems.countProblem(severity: .warning) { problems.append(unreadRoot(pair)) }
        return problems.problems
    }

    /// Returns a problem at the first object with the rarer storage. Its message names the first object with the other
    /// storage.
    private func storedTwoWays(_ field: Field, _ addresses: [UID: JSONPointer]) -> Problem {
        let isRareInPlace = field.inPlace.count <= field.asObject.count
        let (rare, common) = isRareInPlace ? ("in place", "as an object") : ("as an object", "in place")
        let example = field.common.first.flatMap { addresses[$0.object] }.map { ", the first at \($0)" } ?? ""
        return problem(
            "archive.field-storage",
            "\(field.phrase) is stored \(rare) in \(Self.objects(field.rare)) and \(common) in \(field.common.count)"
                + "\(example); a program reads only one of the two", about: field, in: field.rare)
    }

    private func unread(_ field: Field) -> Problem {
        problem(
            "archive.in-place-values",
            "\(field.phrase) stores values other than references in place in \(Self.objects(field.unread)); unarchivers cannot read them",
            about: field, in: field.unread)
    }

    private func unreadRoot(_ pair: Int) -> Problem {
        var address = JSONPointer.root
        address.append(key: "$top".utf16)
        document.append(step: archive.top.count + pair, of: archive.top, to: &address)
        return Problem(
            "archive.in-place-values",
            "the root \(address.tokens.last.map { "\"\(SafeText.escaping($0))\"" } ?? "") stores values other than references in place; unarchivers cannot read them",
            severity: .warning, at: document.location(of: document.value(pair, of: archive.top)), address: address)
    }

    private func problem(_ kind: String, _ sentence: String, about field: Field, in uses: Uses) -> Problem {
        var address = JSONPointer.object(uses.first?.object ?? .null)
        address.append(key: field.name)
        let location = uses.first.flatMap { document.location(of: $0.value) }
        return Problem(kind, sentence, severity: .warning, at: location, address: address)
    }

    private static func objects(_ uses: Uses) -> String { Phrase.count(uses.count, "object") }
}

extension StoredFieldCheck.Field {
    fileprivate var rare: StoredFieldCheck.Uses { inPlace.count <= asObject.count ? inPlace : asObject }

    fileprivate var common: StoredFieldCheck.Uses { inPlace.count <= asObject.count ? asObject : inPlace }

    fileprivate var phrase: String { "\(name.shownAsClass) of \(className.shownAsClass)" }
}
