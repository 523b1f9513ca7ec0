/// The root dictionary of a keyed archive, rebuilt from its parts after it was lost. Each part has a form
/// of its own:
///
///     #5 {#6: UID 1}      a dictionary of UIDs, to which nothing refers             $top
///     #7 ["$null", …]     an array that begins with this string                     $objects
///     #8 "NSKeyedArchiver"   #9 100000   a string and an integer without references $archiver, $version
struct LostEnvelope {
    /// A pair of the dictionary.
    struct Member {
        let key: StaticString
        /// The number of the object that is the key; nil if that is lost, too.
        let keyNumber: Int?
        let value: Int
    }

    let members: [Member]

    /// Finds the parts; nil without exactly one array of objects.
    ///
    /// - Parameters:
    ///   - orphans: The containers to which nothing refers.
    ///   - isReferenced: Whether something refers to an object.
    init?(
        in bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, orphans: [Int],
        isReferenced: (Int) -> Bool
    ) {
        let reader = EnvelopeReader(bytes: bytes, objects: objects, referenceSize: referenceSize)
        let (list, top) = reader.parts(among: orphans)
        guard let list else { return nil }
        let keys = EnvelopeReader.keys
        var values: [Int?] = [nil, nil, top, list]
        var numbers: [Int?] = [nil, nil, nil, nil]
        for number in objects.indices where !isReferenced(number) {
            guard let stored = objects[number] else { continue }
            if reader.isText(stored, "NSKeyedArchiver") { values[1] = number }
            if stored.kind == .integer, stored.count == 4,
                bytes.bigEndian(at: stored.start, width: 4) == 100_000
            {
                values[0] = number
            }
            if let key = keys.firstIndex(where: { reader.isText(stored, $0) }) { numbers[key] = number }
        }
        members = keys.indices.compactMap { index in
            values[index].map { Member(key: keys[index], keyNumber: numbers[index], value: $0) }
        }
    }
}

/// The damaged references in the root dictionary of a keyed archive that can have led to only one object:
///
///     #0 {"$objects": #2, …}   #2 "NSKeyedArchiver"   #7 ["$null", …]   nothing refers to #7, so #2 should be #7
struct EnvelopeReferences {
    /// A reference of the root.
    struct Reference {
        let key: StaticString
        /// The index of the reference in the root.
        let position: Int
        /// The number of the object to which it should refer.
        let target: Int
    }

    let damaged: [Reference]

    /// - Parameter orphans: The containers other than the root to which nothing refers.
    init(in bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, root: Int, orphans: [Int]) {
        let reader = EnvelopeReader(bytes: bytes, objects: objects, referenceSize: referenceSize)
        guard !orphans.isEmpty, let object = objects[root], reader.isEnvelope(object) else {
            damaged = []
            return
        }
        let (list, top) = reader.parts(among: orphans)
        let expected: [(key: StaticString, kind: StoredObject.Kind, target: Int?)] = [
            ("$objects", .array, list), ("$top", .dictionary, top),
        ]
        damaged = expected.compactMap { key, kind, target in
            guard let target,
                let index = (0..<object.count).first(where: { reader.isText(reader.object($0, of: object), key) }),
                case let position = object.count + index, reader.object(position, of: object)?.kind != kind
            else { return nil }
            return Reference(key: key, position: position, target: target)
        }
    }
}

/// A reader of the parts of a keyed archive among the objects of a damaged file.
struct EnvelopeReader {
    let bytes: [UInt8]
    /// The objects by number; nil for lost ones.
    let objects: [StoredObject?]
    let referenceSize: Int

    static let keys: [StaticString] = ["$version", "$archiver", "$top", "$objects"]

    /// Returns the object to which a container refers; nil if it is lost or does not exist.
    func object(_ position: Int, of container: StoredObject) -> StoredObject? {
        let number = bytes.bigEndian(at: container.start + position * referenceSize, width: referenceSize)
        return number < UInt64(objects.count) ? objects[Int(number)] : nil
    }

    func isText(_ object: StoredObject?, _ text: StaticString) -> Bool {
        guard let object, object.kind == .oneByteString, object.count == text.utf8CodeUnitCount else { return false }
        return bytes[object.start..<object.start + object.count].elementsEqual(text.description.utf8)
    }

    /// Whether an object is a dictionary with at least three of the four keys of an archive, and few others.
    func isEnvelope(_ object: StoredObject) -> Bool {
        guard object.kind == .dictionary, (3...8).contains(object.count) else { return false }
        let found = Self.keys.count { key in
            (0..<object.count).contains { isText(self.object($0, of: object), key) }
        }
        return found >= 3
    }

    /// Returns the array of objects and the dictionary of roots among containers to which nothing refers, each nil
    /// unless exactly one container has its form.
    func parts(among orphans: [Int]) -> (list: Int?, top: Int?) {
        var (lists, tops): ([Int], [Int]) = ([], [])
        for number in orphans {
            guard let container = objects[number], container.count > 0 else { continue }
            if container.kind == .array, isText(object(0, of: container), "$null") { lists.append(number) }
            if container.kind == .dictionary, isTop(container) { tops.append(number) }
        }
        return (lists.count == 1 ? lists[0] : nil, tops.count == 1 ? tops[0] : nil)
    }

    private func isTop(_ dictionary: StoredObject) -> Bool {
        (0..<dictionary.count).allSatisfy {
            object($0, of: dictionary)?.kind.isString == true
                && object(dictionary.count + $0, of: dictionary)?.kind == .uid
        }
    }
}
