/// The references of a binary property list that no writer makes:
///
///     #0 {#1: #2}     #1 200           a key is not a string
///     #0 {#1 #1: #2 #3}                a key occurs twice
///     #0 [#1]         #2 "me"          nothing refers to #2
///
/// If there are several, parts of the file were overwritten, or belong to another version. A program may write one kind
/// of fault: keys alone, or scalars to which nothing refers, are no evidence.
struct ReferenceFaults {
    private var hasWrongKey = false
    private var hasOrphanedContainer = false
    /// The objects to which nothing refers. Excludes the root, empty containers, and copies of nulls, Booleans and UIDs:
    /// Core Foundation writes a copy at every visit, but always refers to the first one.
    private(set) var orphans: [Int] = []

    /// Whether the faults are evidence of damage.
    var areEvidence: Bool { hasOrphanedContainer || hasWrongKey && !orphans.isEmpty }

    /// Finds the faults. The contents of objects must not overlap
    /// (``RecoveredObjects/areOverlapping(_:referenceSize:in:)``).
    ///
    /// - Parameters:
    ///   - objects: The objects by number; nil for lost ones.
    ///   - corrected: The objects to which other references have been corrected.
    init(
        in bytes: [UInt8], _ objects: [StoredObject?], referenceSize: Int, root: Int, corrected: [Int] = []
    ) {
        var isReferenced = Bitmap(count: objects.count)
        for number in corrected where number < objects.count { isReferenced.insert(number) }
        for object in objects {
            guard let object else { continue }
            var keys: Set<Int> = []
            for position in 0..<object.referenceCount {
                let reference = bytes.bigEndian(at: object.start + position * referenceSize, width: referenceSize)
                guard reference < UInt64(objects.count), case let number = Int(reference) else { continue }
                isReferenced.insert(number)
                guard !hasWrongKey, object.kind == .dictionary, position < object.count else { continue }
                hasWrongKey = !keys.insert(number).inserted || objects[number]?.kind.isString == false
            }
        }
        // A scalar may be beside others.
        guard objects[root]?.kind.isContainer ?? true else { return }
        func contents(_ object: StoredObject) -> [UInt8] {
            [object.kind.rank] + bytes[object.start..<object.start + object.count]
        }
        var repeated: Set<[UInt8]> = []
        for (index, object) in objects.enumerated() where isReferenced.contains(index) {
            if let object, Self.mayRepeat(object) { repeated.insert(contents(object)) }
        }
        orphans = objects.indices.filter { index in
            guard index != root, !isReferenced.contains(index), let object = objects[index],
                !object.kind.isContainer || object.count > 0
            else { return false }
            return !Self.mayRepeat(object) || !repeated.contains(contents(object))
        }
        hasOrphanedContainer = orphans.contains { objects[$0]?.kind.isContainer == true }
    }

    private static func mayRepeat(_ object: StoredObject) -> Bool {
        [.null, .false, .true, .uid].contains(object.kind)
    }
}
