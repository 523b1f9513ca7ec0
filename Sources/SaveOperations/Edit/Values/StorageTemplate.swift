import KeyedArchives
import SaveCodec

/// A value after whose example another one is stored: in place or as an object, in so many bytes, as a date, of a class.
struct StorageTemplate {
    /// The value.
    let value: Draft.ID
    /// Whether it stands in place; false for one that an archive refers to.
    let isInPlace: Bool
    /// Whether it is what the other value replaces, or part of that; else it stands in a like place.
    let isPresent: Bool
    /// Whether it is a field that all objects of a class store alike, if they have it.
    var isUniform = false
    /// Of what the other value replaces the slot, for messages; nil for the value as a whole.
    var slot: SlotTrail.Slot?

    /// - Parameter isPresent: whether the value is the one to be replaced.
    package init(_ value: Draft.ID, isInPlace: Bool, isPresent: Bool) {
        self.value = value
        self.isInPlace = isInPlace
        self.isPresent = isPresent
    }
}

/// What of an example a value has to take, and what it may differ in.
package struct TypeRules: Sendable, Equatable {
    /// Whether a value of another kind than the one that it replaces is an error.
    var refusesKinds = false
    /// Whether what plain JSON has for a value that is there is that value: text for a date or data, null for NaN, an
    /// array for a set.
    var readsPlain = false
    /// Whether other text is read as a date or as data, too, where one stands.
    var readsText = false
    /// Whether an integer becomes a real where one stands, and in OpenStep, where all scalars are text, a number its digits.
    var convertsNumbers = false
    /// Whether a real that is a whole number becomes an integer where one stands.
    var readsWholeReals = false
    /// Whether a number may also be a date or a key of another type, and keys may come in any order: tools that know no
    /// types write so.
    var readsRewritten = false
    /// Whether it is said which numbers are integers, so that none becomes a real, nor a real an integer.
    var saysKinds = false
    /// Whether a real becomes one of four bytes where one stands, unless `$inline` or `$object` is around it.
    var keepsWidths = false
    /// Whether arrays, dictionaries and objects of which no class is told have that of the example, and names that begin
    /// with `$` are just that where such a one stands.
    var takesClasses = false
    /// Whether a container that is replaced by one like it is edited and stays the same object.
    var keepsObjects = false
    /// Whether a value that is told by an address is what stands in its place: the address is one of another save.
    var trustsReferences = false
    /// Whether nil is refused where it comes into a collection of an archive.
    var refusesNil = false
    /// Where the save is whose values are told: what commands print, and so what they are given back, has addresses in the
    /// file.
    var base = JSONPointer.root

    /// A value that somebody gives for a place: another kind is an error.
    static let strict = TypeRules(
        refusesKinds: true, readsPlain: true, readsText: true, convertsNumbers: true, readsWholeReals: true,
        keepsWidths: true, takesClasses: true, keepsObjects: true, refusesNil: true)
    /// The same, but what does not fit is stored as it is given.
    static let lenient = TypeRules(
        readsPlain: true, readsText: true, convertsNumbers: true, keepsWidths: true, takesClasses: true,
        keepsObjects: true, refusesNil: true)
    /// A text that other tools have written anew, which may have 5 as 5.0.
    static let like = TypeRules(
        readsPlain: true, readsText: true, convertsNumbers: true, readsWholeReals: true, readsRewritten: true,
        keepsWidths: true, takesClasses: true, keepsObjects: true, refusesNil: true)
    /// A value that may be of any type: numbers and text that differ from what is there are stored as they are given.
    static let anyType = TypeRules(readsPlain: true, takesClasses: true, keepsObjects: true, refusesNil: true)
    /// The value of a patch, which tells numbers, text and classes by itself (RFC 6902, RFC 7396).
    static let patch = TypeRules(keepsWidths: true)
    /// A scalar of a patch that replaces another one: as if it were set, see ``strict``.
    static let patchedScalar = TypeRules(
        refusesKinds: true, readsText: true, convertsNumbers: true, readsWholeReals: true, keepsWidths: true)

    /// The address in the save that a `$ref` names, which may be one in the file that the save is stored in; nil for a
    /// string that is no address.
    func address(from reference: StoredString) -> JSONPointer? {
        guard let address = JSONPointer(units: reference) else { return nil }
        return address.within(saveAt: base) ?? address
    }

    /// The same for a value in a save that is stored in a value of a file.
    func within(saveAt address: JSONPointer) -> TypeRules {
        var rules = self
        rules.base = address
        return rules
    }

    /// The same for a value of which it is said what it is: text is no date, 9.0 is no integer, and null is null.
    var typed: TypeRules {
        var rules = self
        (rules.readsPlain, rules.readsText, rules.saysKinds) = (false, false, true)
        return rules
    }
}

// MARK: - Fields

extension Draft {
    /// Whether a value that replaces another one is of another type than that: null is of none.
    func changesType(from present: ViewValue.Form, to new: ViewValue.Form) -> Bool {
        let numbers = (present.storageNumber, new.storageNumber)
        return numbers.0 != numbers.1 && numbers.0 != 0 && numbers.1 != 0
    }
}

/// The fields that the records of a list have: of each the way in which they store it.
///
///     [{"name": "Ada", "since": a date}, {"name": "Bob", "since": a date, "clan": "Owls"}]
///     name    in all, a string     since    in all, a date     clan    in one of two, a string
struct RecordFields {
    fileprivate struct Storage: Hashable {
        let isInPlace: Bool
        let kind: Int
        let classNumber: Int?
    }

    /// A field of the records.
    struct Field {
        /// The first value other than null, or nil.
        fileprivate(set) var example: StorageTemplate?
        /// The number of records that have the field.
        fileprivate(set) var count = 0
        /// Whether all of its values are stored alike.
        fileprivate(set) var isUniform = true
        /// The place of the field in the order in which fields were met.
        fileprivate let order: Int
        fileprivate var storage: Storage?
    }

    private(set) var fields: [[UInt16]: Field] = [:]
    /// The number of records.
    private(set) var count = 0

    /// The fields of the containers in a list that have keys and this class.
    ///
    /// Nil if the list has no such container, or anything without keys.
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
        let kind = value.form.storageNumber
        if kind > 0 {
            let storage = Storage(
                isInPlace: item.isInPlace, kind: kind, classNumber: draft.classNumber(of: item.value))
            if field.example == nil {
                field.example = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
                field.storage = storage
            }
            if field.storage != storage { field.isUniform = false }
        }
        fields[key] = field
    }

    /// The names of the fields that all records have and a container lacks, in their order.
    func missing(in container: Draft.ID, of draft: inout Draft) -> [[UInt16]] {
        fields.filter { name, field in
            field.count >= count && draft.position(of: name, in: container) == nil
        }.sorted { $0.value.order < $1.value.order }.map(\.key)
    }
}

extension Draft {
    /// The example for a value that comes into a container: what stands at a position there, or else, also where null
    /// stands, what the same field holds in other objects of the class.
    mutating func example(at position: Int?, key: [UInt16]?, of container: ID) -> StorageTemplate? {
        var present: StorageTemplate?
        if let position, let item = item(position, of: container) {
            present = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
            guard isNull(item.value) else { return present }
        }
        guard let key, let number = classNumber(of: container) else { return present }
        return example(field: key, ofClass: number) ?? present
    }

    /// What a field holds in the objects of a class; nil for a class that no object of the document has.
    mutating func example(field: [UInt16], ofClass number: Int) -> StorageTemplate? {
        fields(ofClass: number)?.storages[field].map { storage in
            var example = StorageTemplate(
                Draft.ID(index: storage.value.index), isInPlace: storage.isInPlace, isPresent: false)
            example.isUniform = storage.isUniform
            return example
        }
    }

    /// The fields that the objects of a class have; nil for a class that the document does not have.
    mutating func fields(ofClass number: Int) -> FieldStorages.Fields? {
        guard let archive = view.archive, number < archive.classes.count else { return nil }
        var storages = fieldStorages ?? FieldStorages(archive)
        fieldStorages = nil
        defer { fieldStorages = storages }
        return storages.fields(ofClass: number, in: view)
    }

    /// What stands beside an element that comes into an array or a set, by its position: the one before, or the first.
    mutating func neighbour(at position: Int, of container: ID) -> StorageTemplate? {
        guard let item = item(max(position - 1, 0), of: container) else { return nil }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: false)
    }
}
