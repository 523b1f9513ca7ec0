import KeyedArchives
import SaveCodec

extension ValueReader {
    /// Parses a JSON object that represents a value of an archive. A name that is a key of the present container is
    /// data, because plain JSON stores names unchanged.
    func graphObject(
        _ id: ObjectID, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> GraphJSONObject {
        var object = GraphJSONObject(id, in: document)
        if object.dataCount < object.count, rules.infersClasses, let template, draft.isKeyed(template.value) {
            var printed: [[UInt16]: [Int]]?
            object.treatAsData { name, known in
                if draft.position(of: name, in: template.value) != nil { return true }
                if known?.role == .value { return false }
                let keys = printed ?? draft.printedKeys(of: template.value)
                printed = keys
                return keys[Array(name)] != nil
            }
        }
        try object.checkNames()
        try object.checkReservedDuplicates()
        return object
    }

    mutating func read(
        _ object: GraphJSONObject, like template: StorageTemplate?, isInPlace: Bool?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let id = object.id
        switch object.valueKind {
        case .ref(let reference): return try referred(to: reference, of: object, like: template, in: &draft)
        // The caller has already unwrapped one `$object` or `$inline`, and these cannot be nested.
        case .object: throw document.graphMixed(.object, at: id)
        case .inline: throw document.graphMixed(.inline, at: id)
        case .raw, .instance, .plain: try object.checkAlone()
        }
        let number = try object.checkedNumber() ?? objects.shared[id]
        if let number, let known = objects.read[number] {
            guard objects.object(number) == id else { throw document.graphNumberTwice(number, at: id) }
            return (known, false)
        }
        switch object.valueKind {
        case .raw(let raw):
            try object.checkRaw()
            return try rawValue(raw, number, like: template, in: &draft)
        case .instance(let label):
            return try instance(object, class: label, number: number, like: template, in: &draft)
        case .ref, .object, .inline, .plain:
            try object.checkPlain()
            var given = GivenContainer(id: id, kind: .dictionary, members: slots(of: object.contents))
            given.number = number
            return try open(given, like: template, isInPlace: isInPlace, in: &draft)
        }
    }

    /// Returns the slots of a container with keys to match.
    private func slots(of contents: GraphJSONContents) -> [(key: GivenContainer.Key?, value: ObjectID)] {
        contents.slots(in: document).map { slot in
            (slot.key.map { key($0, keepsDollarNames: contents.hasPlainNames) }, slot.value)
        }
    }

    // MARK: Instances

    /// Returns the class that a `$class` names. If several classes have the name, the class of the template is
    /// preferred.
    private func className(
        _ label: ObjectID, of id: ObjectID, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> ArchiveClass {
        if rules.infersClasses, let template, let present = draft.classOf(template.value),
            let name = document.text(label),
            name.elementsEqual(present.name)
        {
            return present
        }
        return try draft.readClass(label, of: document)
    }

    private mutating func instance(
        _ object: GraphJSONObject, class label: ObjectID, number: Int128?, like template: StorageTemplate?,
        in draft: inout Draft
    ) throws(Problem) -> Value {
        let className = try className(label, of: object.id, like: template, in: &draft)
        if object.count == 1, className.name.elementsEqual("NSNull".utf16) {
            return nullObject(className, like: template, in: &draft)
        }
        if let scalar = scalar(in: object, of: className) {
            let value = try classed(scalar, className, like: template, in: &draft)
            if let number { objects.read[number] = value.id }
            return value
        }
        var given = try container(object, className, like: template, in: &draft)
        given.isClassNamed = document.text(label) != nil
        given.number = number
        return try open(given, like: template, isInPlace: false, in: &draft)
    }

    /// Returns the container that an object represents: a collection, or fields.
    private func container(
        _ object: GraphJSONObject, _ className: ArchiveClass, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> GivenContainer {
        if let given = numberedCollection(object, className, like: template, in: &draft) { return given }
        var given = GivenContainer(id: object.id, kind: .object, className: className, members: [])
        let kind = Draft.kind(of: className.name)
        let contents = try object.checkedContents(of: kind, className.shownName)
        given.members = slots(of: contents)
        switch contents {
        case .elements, .entries: given.kind = kind ?? .object
        case .entryPairs: (given.kind, given.hasPairs) = (.dictionary, true)
        case .fieldPairs: given.hasPairs = true
        case .fields, .rawMembers: break
        }
        if given.kind == .object {
            for case (.name(let name, _)?, _) in given.members { try document.checkFieldName(name, at: object.id) }
        }
        return given
    }

    /// Returns a collection whose elements are given as numbered fields; nil for any other object.
    private func numberedCollection(
        _ object: GraphJSONObject, _ className: ArchiveClass, like template: StorageTemplate?, in draft: inout Draft
    ) -> GivenContainer? {
        guard object.hasOnly([.className, .id]), let template,
            let kind = Draft.kind(of: className.name), draft.classOf(template.value)?.name == className.name,
            ContainerKind(draft.value(template.value).variant) == kind
        else { return nil }
        var values: [Int: ObjectID] = [:]
        var keys: [Int: ObjectID] = [:]
        for (key, value) in object.data {
            guard let name = document.text(key)?.string else { return nil }
            if name.hasPrefix("NS.object."), let number = Int(name.dropFirst(10)) {
                values[number] = value
            } else if name.hasPrefix("NS.key."), let number = Int(name.dropFirst(7)) {
                keys[number] = value
            } else {
                return nil
            }
        }
        guard values.count == object.dataCount - keys.count, keys.count == (kind == .dictionary ? values.count : 0)
        else { return nil }
        var given = GivenContainer(id: object.id, kind: kind, className: className, members: [])
        given.hasPairs = true
        for number in values.keys.sorted() {
            guard let value = values[number] else { continue }
            guard kind == .dictionary else {
                given.members.append((nil, value))
                continue
            }
            guard let key = keys[number] else { return nil }
            given.members.append((self.key(key, keepsDollarNames: true), value))
        }
        return given
    }

    /// Returns the NSNull object that represents nil in collections.
    private func nullObject(
        _ className: ArchiveClass, like template: StorageTemplate?, in draft: inout Draft
    ) -> Value {
        if let template, template.isPresent || rules.infersClasses, draft.isNull(template.value),
            draft.classOf(template.value) == className
        {
            return (template.value, false)
        }
        return (draft.add(draft.add(.null), as: className), false)
    }

    // MARK: Values without a class

    /// Reads a plain value that is in `$objects`, where objects usually have a class.
    private mutating func rawValue(
        _ raw: ObjectID, _ number: Int128?, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        let kind = document.object(raw).kind
        guard let contents = GraphJSONContents(of: raw, in: document, isRaw: true) else {
            if kind == .uid { throw document.graphUID(at: raw) }
            return try scalar(raw, like: template, isInPlace: false, in: &draft, isRaw: true)
        }
        var given = GivenContainer(
            id: raw, kind: kind == .dictionary ? .dictionary : kind == .set ? .set : .array, isRaw: true,
            members: slots(of: contents))
        given.number = number
        return try open(given, like: template, isInPlace: false, in: &draft)
    }

    /// Returns the scalar inside a JSON object that represents one with its class, such as an NSMutableString; nil for
    /// any other object.
    ///
    ///     {"$class": "NSMutableString", "NS.string": {"$inline": "Ada"}}     "Ada"
    private func scalar(in object: GraphJSONObject, of className: ArchiveClass) -> ObjectID? {
        guard case .scalar? = KeyedArchive.layout(ofClass: className.name), object.hasOnly([.className, .id]),
            object.dataCount == 1, let (key, value) = Array(object.data).first,
            let name = document.text(key)
        else { return nil }
        var bare = value
        if case .inline(let inner) = document.soleValueKind(of: value) { bare = inner }
        let isExplicit = bare != value
        let expected: String? =
            switch document.object(bare).kind {
            case .oneByteString, .utf16String: isExplicit ? "NS.string" : nil
            case .data: isExplicit ? Self.fieldOfData(className, name) : nil
            case .real: "NS.time"
            case .integer where rules.convertsNumbers: "NS.time"
            default: nil
            }
        guard let expected, name.elementsEqual(expected.utf16) else { return nil }
        return bare
    }

    /// Returns the field with the bytes of a data object. NSKeyedArchiver also stores NSMutableData under `NS.bytes`.
    private static func fieldOfData(_ className: ArchiveClass, _ name: StoredString) -> String {
        let isData = className.name.elementsEqual("NSMutableData".utf16) || className.name.elementsEqual("NSData".utf16)
        return isData && name.elementsEqual("NS.bytes".utf16) ? "NS.bytes" : "NS.data"
    }

    /// Reads a scalar that the archive stores as an object of a class.
    private mutating func classed(
        _ id: ObjectID, _ className: ArchiveClass, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        var node = document[id]
        if case .integer(let seconds) = node { node = .real64(Double(seconds.value)) }
        if case .real64(let seconds) = node { node = .date(seconds) }
        if let template, template.isPresent, draft.classOf(template.value) == className,
            let present = draft.scalar(template.value), node.isIdentical(to: present)
        {
            return (template.value, false)
        }
        if let template, template.isPresent, !isKind(node, of: template.value, in: &draft) {
            try refuse(TypePhrase.of(.scalar(node), className.name), node.kind, template, in: &draft)
        }
        let number = draft.classes.number(adding: className)
        return (draft.add(DraftScalar(node: node, classNumber: number)), false)
    }

    private func isKind(_ node: Node, of present: Draft.ID, in draft: inout Draft) -> Bool {
        guard let present = draft.scalar(present) else { return false }
        return ScalarGroup(present) == ScalarGroup(node) || ScalarGroup(present) == .null
    }

    // MARK: References

    /// Returns the object that a `$ref` refers to: by its `$id`, or by its address before any edit.
    mutating func referred(
        to reference: ObjectID, of given: GraphJSONObject, like template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) -> Value {
        if let pointer = document.text(reference) {
            if rules.trustsReferences {
                if let template, template.isPresent { return (template.value, nil) }
                return (draft.add(.null), nil)
            }
            guard let address = rules.address(from: pointer) else {
                let suggestion = Suggestion.address(withSlashBefore: pointer.string)
                throw .patchReference(pointer, nearest: suggestion.flatMap(draft.view.nearest))
            }
            guard let object = rules.keepsObjects ? draft.presentValue(at: address) : draft.find(address) else {
                throw .patchNoObject(address, draft.advice(for: address))
            }
            if let copy = visited.splits[object] { return (copy, nil) }
            if template?.value == object { return (object, nil) }
            return (draft.sharing.copy(of: object) ?? object, nil)
        }
        let number = try given.checkedReference(reference)
        if let known = objects.read[number] { return (known, false) }
        guard let object = objects.object(number) else { throw document.graphReference(number, at: given.id) }
        var other = template
        other?.slot = nil
        return try value(object, like: other, isRaw: false, in: &draft)
    }

    /// Whether a value is the reference that plain JSON prints in place of a container that would make it too large:
    /// `{"$ref": "/b"}`, with an address of the present container. In a property list, any other such value is an
    /// ordinary dictionary.
    func refers(_ id: ObjectID, to template: StorageTemplate, _ draft: borrowing Draft) -> Bool {
        guard template.isPresent, draft.scalar(template.value) == nil,
            case .ref(let pointer) = document.soleValueKind(of: id),
            let text = document.text(pointer), let address = rules.address(from: text)
        else { return false }
        return rules.trustsReferences || draft.presentValue(at: address) == template.value
    }
}

/// The objects of a JSON text that have a number: an `$id`, or a name among the shared objects of graph JSON.
struct NumberedObjects {
    let text: Document
    /// The numbers of the objects in `$shared` of graph JSON.
    var shared: [ObjectID: Int128] = [:]
    /// The values of the draft for the numbered objects read so far.
    var read: [Int128: Draft.ID] = [:]
    /// The value to search for numbered objects. A number refers only to an object inside the same value.
    var root: ObjectID { didSet { found = nil } }
    /// The object of each number; nil until needed.
    private var found: [Int128: ObjectID]?

    init(in text: Document) {
        self.text = text
        root = text.root
    }

    /// Returns the object with a number, in ``root`` or among the shared objects.
    mutating func object(_ number: Int128) -> ObjectID? {
        if let found { return found[number] }
        var found: [Int128: ObjectID] = [:]
        var seen: Set<ObjectID> = []
        var pending = [root] + shared.keys.sorted(by: >)
        while let id = pending.popLast() {
            let stored = text.object(id)
            guard stored.kind.isContainer, seen.insert(id).inserted else { continue }
            if stored.kind == .dictionary {
                let object = GraphJSONObject(id, in: text)
                if let number = object.number, found[number] == nil { found[number] = id }
                if case .raw = object.valueKind { continue }
            }
            pending += (0..<stored.referenceCount).map { text.reference($0, of: stored) }
        }
        for (id, number) in shared { found[number] = id }
        self.found = found
        return found[number]
    }
}
