import KeyedArchives
import SaveCodec

/// Objects of graph JSON.
extension ValueReader {
    /// Reads a JSON object that stands for a value of an archive.
    mutating func object(
        _ id: ObjectID, like example: Example?, isInPlace: Bool?, at place: Place?, in draft: inout Draft
    ) throws(Problem) -> Value {
        var isPresent: ([UInt16]) -> Bool = { _ in false }
        if rules.takesClasses, let example, draft.isKeyed(example.value) {
            let names = presentNames(of: id, in: example.value, &draft)
            isPresent = names.contains
        }
        let members = try GivenMembers(of: id, in: document, isPresent: isPresent)
        if let reference = members.sole(.ref) { return try referred(to: reference, of: id, like: example, in: &draft) }
        for name in [GraphName.ref, .object, .inline] where members[name] != nil {
            throw document.graphMixed(name, at: id)
        }
        if let number = try number(of: members, at: id), let known = numbered[number] {
            guard numberedValue(number) == id else {
                throw document.graphProblem(
                    "graph.number-twice", "another object has the $id \(number) as well", at: id)
            }
            return (known, false)
        }
        if let raw = members[.raw] {
            return try rawValue(raw, members, at: id, like: example, place, in: &draft)
        }
        guard let label = members[.className] else {
            try members.check(only: [], allowsData: true)
            let pairs = members.data.map { (key: Optional(key($0.key, isPlain: false)), value: $0.value) }
            var given = GivenContainer(id: id, kind: .dictionary, members: pairs)
            given.number = sharedNumbers[id]
            return try open(given, like: example, isInPlace: isInPlace, at: place, in: &draft)
        }
        let className = try className(label, of: id, like: example, in: &draft)
        if members.forms.count == 1, members.data.isEmpty, className.name.elementsEqual("NSNull".utf16) {
            return nullObject(className, like: example, in: &draft)
        }
        if let scalar = scalar(in: members, of: className) {
            let value = try classed(scalar, className, like: example, at: place, in: &draft)
            if let number = try number(of: members, at: id) { numbered[number] = value.id }
            return value
        }
        var given = try instance(of: className, members, at: id, like: example, in: &draft)
        given.isClassNamed = document.text(label) != nil
        given.number = try number(of: members, at: id)
        return try open(given, like: example, isInPlace: false, at: place, in: &draft)
    }

    /// The names of an object that begin with one `$` and that a container which is there has as keys.
    private func presentNames(of id: ObjectID, in present: Draft.ID, _ draft: inout Draft) -> Set<[UInt16]> {
        let stored = document.object(id)
        var names: Set<[UInt16]> = []
        var printed: [[UInt16]: [Int]]?
        for position in 0..<stored.count {
            guard let name = document.text(document.key(position, of: stored)), GraphMembers.isForm(name) else {
                continue
            }
            if draft.position(of: name, in: present) != nil {
                names.insert(Array(name))
            } else if !GraphName.ofValues.contains(where: { name.elementsEqual($0.rawValue.utf16) }) {
                let keys = printed ?? draft.printedKeys(of: present)
                printed = keys
                if keys[Array(name)] != nil { names.insert(Array(name)) }
            }
        }
        return names
    }

    // MARK: Instances

    /// The class that a value of `$class` tells: of two classes of one name that of the example.
    private func className(
        _ label: ObjectID, of id: ObjectID, like example: Example?, in draft: inout Draft
    ) throws(Problem) -> ArchiveClass {
        if rules.takesClasses, let example, let present = draft.classOf(example.value), let name = document.text(label),
            name.elementsEqual(present.name)
        {
            return present
        }
        return try draft.readClass(label, of: document)
    }

    /// An object that names its class: a collection, or fields.
    private func instance(
        of className: ArchiveClass, _ members: GivenMembers, at id: ObjectID, like example: Example?,
        in draft: inout Draft
    ) throws(Problem) -> GivenContainer {
        if let given = numberedCollection(of: className, members, at: id, like: example, in: &draft) { return given }
        var given = GivenContainer(id: id, kind: .object, className: className, members: [])
        let kind = Draft.kind(of: className.name)
        if let list = members[.elements] {
            try members.check(only: [.className, .id, .elements], allowsData: false)
            guard case .array(let elements) = document[list] else {
                throw document.graphMember(.elements, list, expected: "an array", at: id)
            }
            guard let kind, !kind.isKeyed else {
                throw document.graphCollection(.elements, of: className.shownName, at: id)
            }
            given.kind = kind
            given.members = elements.map { (nil, $0) }
        } else if let list = members[.entries] {
            try members.check(only: [.className, .id, .entries], allowsData: false)
            guard kind == .dictionary else {
                throw document.graphCollection(.entries, of: className.shownName, at: id)
            }
            given.kind = .dictionary
            given.hasPairs = document.object(list).kind == .array
            given.members = try entries(list, of: .entries, at: id)
        } else if let list = members[.fields] {
            try members.check(only: [.className, .id, .fields], allowsData: false)
            given.hasPairs = true
            given.members = try entries(list, of: .fields, at: id)
        } else {
            try members.check(only: [.className, .id], allowsData: true)
            given.members = members.data.map { (key($0.key, isPlain: false), $0.value) }
        }
        if given.kind == .object { try refuseClassField(given, at: id) }
        return given
    }

    /// A collection of an archiver that numbers elements, as the fields that these are.
    private func numberedCollection(
        of className: ArchiveClass, _ members: GivenMembers, at id: ObjectID, like example: Example?,
        in draft: inout Draft
    ) -> GivenContainer? {
        guard members.forms.allSatisfy({ $0.name == .className || $0.name == .id }), let example,
            let kind = Draft.kind(of: className.name), draft.classOf(example.value)?.name == className.name,
            ContainerKind(draft.value(example.value).form) == kind
        else { return nil }
        var values: [Int: ObjectID] = [:]
        var keys: [Int: ObjectID] = [:]
        for (key, value) in members.data {
            guard let name = document.text(key)?.string else { return nil }
            if name.hasPrefix("NS.object."), let number = Int(name.dropFirst(10)) {
                values[number] = value
            } else if name.hasPrefix("NS.key."), let number = Int(name.dropFirst(7)) {
                keys[number] = value
            } else {
                return nil
            }
        }
        guard values.count == members.data.count - keys.count, keys.count == (kind == .dictionary ? values.count : 0)
        else { return nil }
        var given = GivenContainer(id: id, kind: kind, className: className, members: [])
        given.hasPairs = true
        for number in values.keys.sorted() {
            guard let value = values[number] else { continue }
            guard kind == .dictionary else {
                given.members.append((nil, value))
                continue
            }
            guard let key = keys[number] else { return nil }
            given.members.append((self.key(key, isPlain: true), value))
        }
        return given
    }

    /// The object that stands for nil in collections.
    private func nullObject(
        _ className: ArchiveClass, like example: Example?, in draft: inout Draft
    ) -> Value {
        if let example, example.isPresent || rules.takesClasses, draft.isNull(example.value),
            draft.classOf(example.value) == className
        {
            return (example.value, false)
        }
        return (draft.add(draft.add { $0.addNull() }, as: className), false)
    }

    /// Refuses a field that is named `$class`: no unarchiver could tell it from the class.
    private func refuseClassField(_ given: GivenContainer, at id: ObjectID) throws(Problem) {
        for case (.name(let name, _)?, _) in given.members where name.elementsEqual("$$class".utf16) {
            throw document.graphProblem(
                "graph.class-field", "a field is named $class, as the class of the object is stored", at: id)
        }
    }

    /// The members of an object, or pairs in an array.
    private func entries(
        _ list: ObjectID, of name: GraphName, at id: ObjectID
    ) throws(Problem) -> [(key: GivenContainer.Key?, value: ObjectID)] {
        if document.object(list).kind == .dictionary, name == .entries { return pairs(of: list, isPlain: false) }
        guard case .array(let elements) = document[list] else {
            throw document.graphMember(name, list, expected: "an object or an array of pairs", at: id)
        }
        var entries: [(key: GivenContainer.Key?, value: ObjectID)] = []
        for element in elements {
            guard case .array(let pair) = document[element], pair.count == 2 else {
                throw document.graphProblem(
                    "graph.member",
                    "\(name.rawValue) holds other things than pairs; expected arrays of a key and a value", at: id)
            }
            // Entries are values, and their strings are not escaped; the names of fields are.
            let key = key(pair[0], isPlain: name == .entries)
            entries.append((key, pair[1]))
        }
        return entries
    }

    // MARK: Values without a class of their own

    /// Reads a plain value that stands in `$objects` where an object of a class is usual.
    private mutating func rawValue(
        _ raw: ObjectID, _ members: GivenMembers, at id: ObjectID, like example: Example?, _ place: Place?,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        try members.check(only: [.id, .raw], allowsData: false)
        guard document.object(raw).kind.isContainer else {
            if document.object(raw).kind == .uid { throw document.graphUID(at: raw) }
            return try scalar(raw, like: example, isInPlace: false, at: place, in: &draft, isRaw: true)
        }
        var given = GivenContainer(id: raw, kind: .array, isRaw: true, members: [])
        given.number = try number(of: members, at: id)
        switch document.object(raw).kind {
        case .dictionary:
            given.kind = .dictionary
            given.members = pairs(of: raw, isPlain: true)
        case let kind:
            given.kind = kind == .set ? .set : .array
            let stored = document.object(raw)
            given.members = (0..<stored.count).map { (nil, document.reference($0, of: stored)) }
        }
        return try open(given, like: example, isInPlace: false, at: place, in: &draft)
    }

    /// The value in place that an object of a class such as NSMutableString stands for; nil for any other object. Of null
    /// that is the member with the class.
    private func scalar(in members: GivenMembers, of className: ArchiveClass) -> ObjectID? {
        guard case .scalar? = KeyedArchive.layout(ofClass: className.name),
            members.forms.allSatisfy({ $0.name == .className || $0.name == .id }),
            members.data.count == 1, let (key, value) = members.data.first, let name = document.text(key)
        else { return nil }
        let bare = document.soleMember(.inline, of: value) ?? value
        let isExplicit = bare != value
        let expected: String? =
            switch document.object(bare).kind {
            case .oneByteString, .utf16String: isExplicit ? "NS.string" : nil
            case .data: isExplicit ? Self.fieldOfData(name) : nil
            case .real: "NS.time"
            case .integer where rules.convertsNumbers: "NS.time"
            default: nil
            }
        guard let expected, name.elementsEqual(expected.utf16) else { return nil }
        return bare
    }

    /// The field that holds the bytes of data: NSKeyedArchiver stores NSMutableData under `NS.bytes`, too.
    private static func fieldOfData(_ name: StoredString) -> String {
        name.elementsEqual("NS.bytes".utf16) ? "NS.bytes" : "NS.data"
    }

    /// Reads the value of an object that stands for a scalar.
    private mutating func classed(
        _ id: ObjectID, _ className: ArchiveClass, like example: Example?, at place: Place?, in draft: inout Draft
    ) throws(Problem) -> Value {
        var node = document[id]
        if case .integer(let seconds) = node { node = .real64(Double(seconds.value)) }
        let isDate = node.kind == .real
        if isDate, case .real64(let seconds) = node { node = .date(seconds) }
        if let example, example.isPresent, draft.classOf(example.value) == className,
            let present = draft.scalar(example.value), node.isIdentical(to: present)
        {
            return (example.value, false)
        }
        if rules.refusesKinds, let example, example.isPresent, !isKind(node, of: example.value, in: &draft) {
            throw kindProblem(TypePhrase.of(.scalar(node), className.name), example, at: place, in: &draft)
        }
        let number = draft.number(of: className)
        if document.object(id).kind == .integer, case .date(let seconds) = node {
            // 1 for 1.0
            let date = draft.add { $0.add(date: seconds, shared: false) }
            return (example.map { draft.keepingClass(of: $0.value, date) } ?? date, false)
        }
        return (draft.add(DraftScalar(document: source, object: id, isDate: isDate, classNumber: number)), false)
    }

    private func isKind(_ node: Node, of present: Draft.ID, in draft: inout Draft) -> Bool {
        guard let present = draft.scalar(present) else { return false }
        return ScalarGroup(present) == ScalarGroup(node) || ScalarGroup(present) == .null
    }
}
