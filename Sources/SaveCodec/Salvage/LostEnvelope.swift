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
        in bytes: [UInt8], _ objects: [RecoveredObjects.Object], referenceSize: Int, orphans: [Int],
        isReferenced: (Int) -> Bool
    ) {
        let keys: [StaticString] = ["$version", "$archiver", "$top", "$objects"]
        func object(_ position: Int, of container: StoredObject) -> StoredObject? {
            let number = bytes.bigEndian(at: container.start + position * referenceSize, width: referenceSize)
            return number < UInt64(objects.count) ? objects[Int(number)].stored : nil
        }
        func isText(_ object: StoredObject?, _ text: StaticString) -> Bool {
            guard let object, object.kind == .oneByteString, object.count == text.utf8CodeUnitCount else {
                return false
            }
            return bytes[object.start..<object.start + object.count].elementsEqual(text.description.utf8)
        }
        func isTop(_ dictionary: StoredObject) -> Bool {
            (0..<dictionary.count).allSatisfy {
                object($0, of: dictionary)?.kind.isString == true
                    && object(dictionary.count + $0, of: dictionary)?.kind == .uid
            }
        }
        var (lists, tops): ([Int], [Int]) = ([], [])
        for number in orphans {
            guard let container = objects[number].stored, container.count > 0 else { continue }
            if container.kind == .array, isText(object(0, of: container), "$null") { lists.append(number) }
            if container.kind == .dictionary, isTop(container) { tops.append(number) }
        }
        guard lists.count == 1 else { return nil }
        var values: [Int?] = [nil, nil, tops.count == 1 ? tops[0] : nil, lists[0]]
        var numbers: [Int?] = [nil, nil, nil, nil]
        for number in objects.indices where !isReferenced(number) {
            guard let stored = objects[number].stored else { continue }
            if isText(stored, "NSKeyedArchiver") { values[1] = number }
            if stored.kind == .integer, stored.count == 4,
                bytes.bigEndian(at: stored.start, width: 4) == 100_000
            {
                values[0] = number
            }
            if let key = keys.firstIndex(where: { isText(stored, $0) }) { numbers[key] = number }
        }
        members = keys.indices.compactMap { index in
            values[index].map { Member(key: keys[index], keyNumber: numbers[index], value: $0) }
        }
    }
}
