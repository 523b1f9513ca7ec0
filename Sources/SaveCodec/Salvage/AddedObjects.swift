/// The objects that are added after the recovered ones: nulls in place of impossible references, and strings in place
/// of lost keys.
struct AddedObjects {
    enum Object {
        case null
        case key(number: Int)
        case text(StaticString)
    }

    /// The number of the first added object.
    private let start: Int
    private var objects: [Object] = []
    /// The number of the added key for each lost object that is used as a key.
    private var keys: [Int: Int] = [:]
    /// The numbers after ``SalvageLoss/keyPrefix`` in the keys of the repaired file.
    private var keyNumbers: Set<Int> = []
    /// A number greater than all of ``keyNumbers``.
    private var nextKey = 0

    var count: Int { objects.count }

    /// - Parameter recovered: The objects before the added ones. Their strings that look like placeholders for keys are
    ///   not used again. The file may have been repaired before.
    init(after recovered: [RecoveredObject], in bytes: [UInt8]) {
        start = recovered.count
        let prefix = Array(SalvageLoss.keyPrefix.utf8)
        for object in recovered {
            guard let stored = object.stored, stored.kind == .oneByteString, stored.count > prefix.count,
                stored.count < prefix.count + 19
            else { continue }
            let text = bytes[stored.start..<stored.start + stored.count]
            guard text.starts(with: prefix),
                let number = Int(String(decoding: text.dropFirst(prefix.count), as: UTF8.self))
            else { continue }
            take(number)
        }
    }

    /// Adds an object. Returns its number.
    mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return start + objects.count - 1
    }

    // MARK: Keys

    /// Adds a key that does not occur in the file. It has the number of the object itself if that is free.
    mutating func addKey() -> Int { add(newKey(start + objects.count)) }

    /// Returns the number of the key in place of a lost object; nil if the object is not used as a key.
    func key(of lost: Int) -> Int? { keys[lost] }

    /// Returns the number of the key in place of a lost object, which is added if it does not exist.
    mutating func addKey(of lost: Int) -> Int {
        let key = keys[lost] ?? add(newKey(lost))
        keys[lost] = key
        return key
    }

    private mutating func newKey(_ number: Int) -> Object {
        let free = keyNumbers.contains(number) ? nextKey : number
        take(free)
        return .key(number: free)
    }

    private mutating func take(_ number: Int) {
        keyNumbers.insert(number)
        nextKey = max(nextKey, number + 1)
    }

    // MARK: The file

    /// Writes the objects, and appends their offsets to a list.
    func write(to output: inout ByteWriter, _ offsets: inout [Int]) {
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .null: output.write(ObjectMarker.null)
            case .key(let number):
                let text = Array((SalvageLoss.keyPrefix + String(number)).utf8)
                BinaryPlistWriter.writeMarker(ObjectMarker.oneByteString, count: text.count, &output)
                output.write(text)
            case .text(let text):
                BinaryPlistWriter.writeMarker(ObjectMarker.oneByteString, count: text.utf8CodeUnitCount, &output)
                output.write(text)
            }
        }
    }
}
