import KeyedArchives
import SaveCodec

/// A value from which another value takes its storage (in place or as an object), width, kind and class.
struct StorageTemplate {
    let value: Draft.ID
    /// Whether the template is stored in place, not as a reference of an archive.
    let isInPlace: Bool
    /// Whether the new value replaces the template or a value that contains it. Otherwise the template is a similar
    /// value.
    let isPresent: Bool
    /// Whether all objects of a class store this field in the same way, if they have it.
    var isUniform = false
    /// The slot of a replaced template, for messages; nil for the whole value.
    var slot: EnclosingSlots.Slot?

    /// - Parameter isPresent: Whether the new value replaces this one.
    init(_ value: Draft.ID, isInPlace: Bool, isPresent: Bool) {
        self.value = value
        self.isInPlace = isInPlace
        self.isPresent = isPresent
    }
}

/// Rules for the types that a value takes from its template.
struct TypeRules: Sendable, Equatable {
    /// Whether to refuse a value whose kind differs from the kind of the replaced value.
    var refusesKinds = false
    /// Whether the plain JSON of a present value means that value: text for a date or data, null for NaN, an array for
    /// a set.
    var readsPlain = false
    /// Whether other text is also read as a date or data if the template is one.
    var readsText = false
    /// Whether an integer is converted to a real if the template is one. In OpenStep text, where all scalars are text,
    /// any number is then converted to its digits.
    var convertsNumbers = false
    /// Whether a real without a fraction is converted to an integer if the template is one.
    var readsWholeReals = false
    /// Whether an integer that another tool rounded means the present one, see ``StoredInteger/isRounding(of:)``.
    var readsRoundedIntegers = false
    /// Whether to accept the output of tools without types: a number for a date or for a key of another type, and keys
    /// in any order.
    var acceptsUntypedTools = false
    /// Whether the user gave the types of numbers, so that integers and reals are never converted into each other.
    var hasExplicitKinds = false
    /// Whether a real is stored in four bytes if the template is, unless the real is inside `$inline` or `$object`.
    var keepsWidths = false
    /// Whether arrays, dictionaries and objects without a given class take the class of the template, and names that
    /// begin with `$` are data if the template has them.
    var infersClasses = false
    /// Whether a container that replaces one of the same class is an edit of the same object.
    var keepsObjects = false
    /// Whether a reference by address is assumed to mean the present value of its slot, because the address belongs to
    /// an older version of the save.
    var trustsReferences = false
    /// The address of the save inside its file. Commands print addresses in the file, so references in given values use
    /// addresses in the file, too.
    var base = JSONPointer.root

    /// The rules of `set` and `insert`: a value of another kind is an error.
    static let strict = TypeRules(
        refusesKinds: true, readsPlain: true, readsText: true, convertsNumbers: true, readsWholeReals: true,
        readsRoundedIntegers: true, keepsWidths: true, infersClasses: true, keepsObjects: true)
    /// The rules of `edit` and of migrations: a value that does not fit is stored as given, and 5.0 stays a real.
    static let lenient = TypeRules(
        readsPlain: true, readsText: true, convertsNumbers: true, keepsWidths: true, infersClasses: true,
        keepsObjects: true)
    /// The rules for a text rewritten by other tools, which may print 5 as 5.0.
    static let like = TypeRules(
        readsPlain: true, readsText: true, convertsNumbers: true, readsWholeReals: true,
        readsRoundedIntegers: true, acceptsUntypedTools: true, keepsWidths: true, infersClasses: true,
        keepsObjects: true)
    /// The rules for a value of any type. Numbers and text that differ from the present value are stored as given.
    static let anyType = TypeRules(readsPlain: true, infersClasses: true, keepsObjects: true)
    /// The rules for a value in a patch (RFC 6902, RFC 7396): numbers and text are not converted to the stored types,
    /// and classes are not inferred.
    static let patch = TypeRules(keepsWidths: true)
    /// The rules for a scalar in a patch that replaces another scalar: the same as for `set`, see ``strict``.
    static let patchedScalar = TypeRules(
        refusesKinds: true, readsText: true, convertsNumbers: true, readsWholeReals: true, keepsWidths: true)

    /// Returns the address in the save for the address in a `$ref`, which may be an address in the file; nil if the
    /// string is not an address.
    func address(from reference: StoredString) -> JSONPointer? {
        guard let address = JSONPointer(units: reference) else { return nil }
        return address.within(saveAt: base) ?? address
    }

    /// Returns the rules for a nested save.
    ///
    /// - Parameter address: The address of the value that holds the save.
    func within(saveAt address: JSONPointer) -> TypeRules {
        var rules = self
        rules.base = address
        return rules
    }

    /// The rules for a value with a given type: text is not a date, 9.0 is not an integer, and null is null.
    var typed: TypeRules {
        var rules = self
        (rules.readsPlain, rules.readsText, rules.hasExplicitKinds) = (false, false, true)
        rules.readsRoundedIntegers = false
        return rules
    }
}

// MARK: - Fields

extension Draft {
    /// Whether the type of a value differs from the type of the value that it replaces. Null has no type.
    func changesType(from present: ViewValue.Variant, to new: ViewValue.Variant) -> Bool {
        let numbers = (present.storageNumber, new.storageNumber)
        return numbers.0 != numbers.1 && numbers.0 != 0 && numbers.1 != 0
    }
}

/// The fields of the records in a list, and how they are stored.
///
///     [{"name": "Ada", "since": a date}, {"name": "Bob", "since": a date, "clan": "Owls"}]
///     name    in all, a string     since    in all, a date     clan    in one of two, a string
struct RecordFields {
    fileprivate struct Storage: Hashable {
        let isInPlace: Bool
        let kind: Int
        let classNumber: Int?
    }

    struct Field {
        /// The first value other than null; nil if all are null.
        fileprivate(set) var template: StorageTemplate?
        /// The number of records that have the field.
        fileprivate(set) var count = 0
        /// Whether all values other than null are stored in the same way.
        fileprivate(set) var isUniform = true
        /// The number of fields found before this one.
        fileprivate let order: Int
        fileprivate var storage: Storage?
    }

    private(set) var fields: [[UInt16]: Field] = [:]
    private(set) var count = 0

    /// Finds the fields of the records of one class. Returns nil if the list has no such record, or if an element is
    /// not a record.
    init?(of list: Draft.ID, classNumber: Int?, in draft: inout Draft) {
        for position in 0..<draft.value(list).count {
            guard let record = draft.item(position, of: list)?.value else { continue }
            guard draft.isKeyed(record) else { return nil }
            guard draft.classNumber(of: record) == classNumber else { continue }
            count += 1
            for slot in 0..<draft.value(record).count { add(slot, of: record, in: &draft) }
        }
        if count == 0 { return nil }
    }

    private mutating func add(_ slot: Int, of record: Draft.ID, in draft: inout Draft) {
        guard let item = draft.item(slot, of: record), let name = item.key.flatMap({ draft.text($0) }) else { return }
        let key = Array(name)
        var field = fields[key] ?? Field(order: fields.count)
        field.count += 1
        let value = draft.value(item.value)
        let kind = value.variant.storageNumber
        if kind > 0 {
            let storage = Storage(
                isInPlace: item.isInPlace, kind: kind, classNumber: draft.classNumber(of: item.value))
            if field.template == nil {
                field.template = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
                field.storage = storage
            }
            if field.storage != storage { field.isUniform = false }
        }
        fields[key] = field
    }

    /// Returns the names of the fields that all records have and a container lacks, in the order in which they were
    /// found.
    func missing(in container: Draft.ID, of draft: inout Draft) -> [[UInt16]] {
        fields.filter { name, field in
            field.count >= count && draft.position(of: name, in: container) == nil
        }.sorted { $0.value.order < $1.value.order }.map(\.key)
    }
}

extension Draft {
    /// Returns the template of a new value: the present value at a position or, if that is missing or null, the same
    /// field of other objects of the class.
    mutating func template(at position: Int?, key: [UInt16]?, of container: ID) -> StorageTemplate? {
        var present: StorageTemplate?
        if let position, let item = item(position, of: container) {
            present = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
            guard isNull(item.value) else { return present }
        }
        guard let key, let number = classNumber(of: container) else { return present }
        return template(field: key, ofClass: number) ?? present
    }

    /// Returns the template of a field from the objects of a class; nil if no object of the document has the class or
    /// the field.
    mutating func template(field: [UInt16], ofClass number: Int) -> StorageTemplate? {
        fields(ofClass: number)?.storages[field].map { storage in
            var template = StorageTemplate(
                Draft.ID(index: storage.value.index), isInPlace: storage.isInPlace, isPresent: false)
            template.isUniform = storage.isUniform
            return template
        }
    }

    /// Returns the fields of the objects of a class; nil if the document does not have the class.
    mutating func fields(ofClass number: Int) -> FieldStorages.Fields? {
        guard let archive = view.archive, number < archive.classes.count else { return nil }
        var storages = fieldStorages ?? FieldStorages(archive)
        fieldStorages = nil
        defer { fieldStorages = storages }
        return storages.fields(ofClass: number, in: view)
    }

    /// Returns the template of a new element of an array or a set: the element before it, or the first one.
    mutating func neighbour(at position: Int, of container: ID) -> StorageTemplate? {
        guard let item = item(max(position - 1, 0), of: container) else { return nil }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }
}

/// The default storage of values in patches, which the reader and the writer of patches share.
extension Draft {
    /// Returns the container whose members are the templates for the members of a container in a patch: the replaced
    /// container of the archive, if it has the same kind and, for objects, the same class name. Otherwise returns nil.
    mutating func patchReplaced(by kind: ContainerKind, className: [UInt16]?, like template: StorageTemplate?) -> ID? {
        guard let template, !template.isInPlace, let number = open(template.value),
            values.containers[number].kind == kind,
            !values.containers[number].isRaw, kind != .object || classOf(template.value)?.name == className
        else { return nil }
        return template.value
    }

    /// Returns the template for a member of a replaced container: the value with the same key or position. Returns nil
    /// for a missing value, and for null, which has no type.
    mutating func patchTemplate(at position: Int?, of replaced: ID) -> StorageTemplate? {
        guard let position, let item = item(position, of: replaced), !isNull(item.value) else { return nil }
        guard case .object = value(replaced).variant else {
            // Collections contain references.
            return StorageTemplate(item.value, isInPlace: false, isPresent: false)
        }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }

    /// Returns the default storage of a scalar; nil for the default of its kind. Also returns whether the default
    /// changes the scalar itself: to a 32-bit real, or to an object of the template's class.
    ///
    /// - Parameter className: The class of the scalar.
    mutating func patchStorage(
        of node: Node, _ className: ArchiveClass?, like template: StorageTemplate?
    ) -> (isInPlace: Bool?, isOther: Bool) {
        guard let template, let present = scalar(template.value) else { return (nil, false) }
        let isAlike = ScalarGroup(present) == ScalarGroup(node)
        var isOther = false
        if case .real64 = node, case .real32(_, isRounded: false)? = GivenScalarConversion(node, nil, for: present) {
            isOther = true
        }
        if isAlike, let presentClass = classOf(template.value), presentClass != className { isOther = true }
        if isAlike, className != nil, isRawDate(template.value) { isOther = true }
        return (isAlike ? template.isInPlace : nil, isOther)
    }
}
