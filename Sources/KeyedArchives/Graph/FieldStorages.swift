import SaveCodec

/// The storage of the fields of each class: the one that most of its objects have, or, if two are as frequent, the one that
/// comes first. Computed per class, on first use.
package struct FieldStorages {
    /// The storage of a field.
    package struct FieldStorage {
        /// A value that is stored in this way.
        package let value: ViewID
        /// Whether it is stored in the object itself.
        package let isInPlace: Bool
        /// Whether all objects of the class that have the field store it in this way.
        package let isUniform: Bool
    }

    /// The key that is equal for values that are stored alike.
    private struct Storage: Hashable {
        let isInPlace: Bool
        let kind: Int
        let classPosition: Int?
    }

    /// The first of the values that are stored alike, and how many there are.
    private struct Candidate {
        let value: ViewID
        let isInPlace: Bool
        /// The number of other storages that were met before.
        let order: Int
        var count = 0
    }

    /// The fields of a class: all names, and the storage of each field that is not always null.
    package struct Fields {
        /// All names.
        package let names: Set<[UInt16]>
        /// The storage of the fields that hold more than null in some object.
        package let storages: [[UInt16]: FieldStorage]
    }

    /// The objects of each class, by position, in their order.
    private let objects: [[UID]]
    private var known: [Int: Fields] = [:]

    /// The storage of the fields in an archive.
    package init(_ archive: KeyedArchive) {
        var objects = [[UID]](repeating: [], count: archive.classes.count)
        for index in 0..<archive.count {
            if let position = archive.classPosition(of: UID(index)) { objects[position].append(UID(index)) }
        }
        self.objects = objects
    }

    /// The fields that the objects of a class have; none if there are no objects.
    package mutating func fields(ofClass position: Int, in view: ObjectView) -> Fields {
        if let fields = known[position] { return fields }
        let fields = find(ofClass: position, in: view)
        known[position] = fields
        return fields
    }

    private func find(ofClass position: Int, in view: ObjectView) -> Fields {
        // Objects of one class have the very same keys, so that each name is looked at once as a rule.
        var names: [ViewID: Int] = [:]
        var numbers: [[UInt16]: Int] = [:]
        var candidates: [[Storage: Candidate]] = []
        for uid in objects[position] {
            let value = view[view.id(of: uid)]
            guard case .object = value.form else { continue }
            for slot in 0..<value.contents.count {
                let item = view.item(slot, of: value.contents)
                guard let key = item.key else { continue }
                var number = names[key]
                if number == nil, let text = view.text(key) {
                    number = numbers[Array(text)] ?? candidates.count
                    numbers[Array(text)] = number
                    names[key] = number
                    if number == candidates.count { candidates.append([:]) }
                }
                guard let number, let storage = Self.storage(of: slot, in: value.contents, view) else { continue }
                let new = Candidate(
                    value: item.id, isInPlace: storage.isInPlace, order: candidates[number].count)
                candidates[number][storage, default: new].count += 1
            }
        }
        let storages = numbers.compactMapValues { number in
            let first = candidates[number].values.max { a, b in
                a.count != b.count ? a.count < b.count : a.order > b.order
            }
            return first.map {
                FieldStorage(value: $0.value, isInPlace: $0.isInPlace, isUniform: candidates[number].count == 1)
            }
        }
        return Fields(names: Set(numbers.keys), storages: storages)
    }

    /// Returns the storage of the value in a slot; nil for null, which has only one.
    private static func storage(of slot: Int, in contents: ViewContents, _ view: ObjectView) -> Storage? {
        let stored = view.storedItem(slot, of: contents).value
        let id = view.identity(of: stored)
        let isInPlace = view.document.object(stored).kind != .uid
        let value = view[id]
        let kind = value.form.storageNumber
        guard kind > 0 else { return nil }
        return Storage(isInPlace: isInPlace, kind: kind, classPosition: value.classPosition)
    }
}

extension ViewValue.Form {
    /// A number for each kind of value, and for each width of a real; 0 for null.
    package var storageNumber: Int {
        switch self {
        case .scalar(let node): node.storageNumber
        case .array: 10
        case .set: 11
        case .dictionary: 12
        case .object: 13
        }
    }
}

extension Node {
    /// A number for each kind of scalar, and for each width of a real.
    fileprivate var storageNumber: Int {
        switch self {
        case .null, .array, .set, .dictionary: 0
        case .boolean: 1
        case .integer: 2
        case .real32: 3
        case .real64: 4
        case .date: 5
        case .data: 6
        case .string: 7
        case .uid: 8
        }
    }
}
