import SaveCodec

/// The usual storage of each field of a class, computed per class on first use.
///
/// The storage that most objects use wins; the first one found wins a tie.
package struct FieldStorages {
    /// The storage that most objects of a class use for a field, with an example.
    package struct FieldStorage {
        /// The first value with the usual storage.
        package let value: ViewID
        /// Whether the value is stored in the object itself rather than referenced.
        package let isInPlace: Bool
        /// Whether every non-null value of the field has the usual storage.
        package let isUniform: Bool
    }

    /// The storage of a value: in place or as an object, its kind, and its class.
    private struct Storage: Hashable {
        let isInPlace: Bool
        let kind: Int
        let classPosition: Int?
    }

    /// The first of several values with the same storage, and the number of these values.
    private struct Candidate {
        let value: ViewID
        let isInPlace: Bool
        /// The number of other storages that were found before this one.
        let order: Int
        var count = 0
    }

    /// The names of the fields that a class's objects have, and the usual storage of each field.
    package struct Fields {
        package let names: Set<[UInt16]>
        /// The usual storage of each field. A field that is null in all objects is left out.
        package let storages: [[UInt16]: FieldStorage]
    }

    /// The objects of each class in the order of their UIDs, by class position.
    private let objects: [[UID]]
    private var known: [Int: Fields] = [:]

    /// Collects the objects of each class in an archive.
    package init(_ archive: KeyedArchive) {
        var objects = [[UID]](repeating: [], count: archive.classes.count)
        for index in 0..<archive.count {
            if let position = archive.classPosition(of: UID(index)) { objects[position].append(UID(index)) }
        }
        self.objects = objects
    }

    /// Returns the fields that the objects of a class have; empty if the class has no objects.
    package mutating func fields(ofClass position: Int, in view: ObjectView) -> Fields {
        if let fields = known[position] { return fields }
        let fields = find(ofClass: position, in: view)
        known[position] = fields
        return fields
    }

    private func find(ofClass position: Int, in view: ObjectView) -> Fields {
        // Objects of one class usually share their key objects, so each name is read once.
        var names: [ViewID: Int] = [:]
        var numbers: [[UInt16]: Int] = [:]
        var candidates: [[Storage: Candidate]] = []
        for uid in objects[position] {
            let value = view[view.id(of: uid)]
            guard case .object = value.variant else { continue }
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

    /// Returns the storage of the value in a slot, or nil for null, which is always stored the same way.
    private static func storage(of slot: Int, in contents: ViewContents, _ view: ObjectView) -> Storage? {
        let stored = view.storedItem(slot, of: contents).value
        let id = view.identity(of: stored)
        let isInPlace = view.document.object(stored).kind != .uid
        let value = view[id]
        let kind = value.variant.storageNumber
        guard kind > 0 else { return nil }
        return Storage(isInPlace: isInPlace, kind: kind, classPosition: value.classPosition)
    }
}

extension ViewValue.Variant {
    /// A number that two values share if they have the same kind and, for reals, the same width; 0 for null.
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
    /// See ``ViewValue/Variant/storageNumber``; 0 for null and containers.
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
