/// The objects of a binary property list read one after another from the first, without an offset table.
///
///     62 70 6C 69 73 74 30 30   header
///     A1 01  51 61              object 0 at 8, object 1 at 10
///     08 0A …                   bytes that read as the table of these objects end the sequence
///
/// Nearly all programs write the objects in the order of their numbers, the root first. WebKit writes the root last,
/// and its containers refer only to objects before them.
struct ObjectSequence {
    private(set) var starts: [Int] = []
    private(set) var referenceSize: Int
    /// Whether the root is the first object rather than the last.
    let isRootFirst: Bool
    /// The offset after the last object.
    private(set) var objectsEnd = 8
    /// The size of an entry of the table after the objects; nil if no table was found.
    private(set) var offsetSize: Int?

    private let bytes: [UInt8]
    /// The maximum offset at which the last object may end.
    private let limit: Int
    /// The number of entries of the table that are in the file.
    private var presentEntries = 0
    /// The largest object number to which a container refers.
    private var highest = 0
    private var referenceCount = 0
    private var comparisonsLeft: Int
    private var stop = Stop.end
    /// The position of the last container in ``starts``.
    private var lastContainer = 0
    /// Whether another reference size makes sense of the bytes, too.
    private var isAmbiguous = false

    /// The reason why no more objects were read.
    private enum Stop {
        /// The table was found, or the last object ends at the limit.
        case end
        /// The last object is cut off.
        case cut
        /// The bytes are not an object, or are one that no program writes.
        case unreadable
        /// There are more values than a check allows.
        case tooMany
    }

    private init(_ bytes: [UInt8], limit: Int, referenceSize: Int, isRootFirst: Bool) {
        (self.bytes, self.limit, self.referenceSize, self.isRootFirst) = (bytes, limit, referenceSize, isRootFirst)
        comparisonsLeft = bytes.count
    }

    /// Throws if any of the sequences has more values than the limits allow.
    static func checkCount(in bytes: [UInt8], _ limits: Limits) throws(Problem) {
        let allowed = limits.maxValueCount(of: bytes.count)
        for isRootFirst in [true, false] {
            for size in 1...8 {
                var sequence = ObjectSequence(
                    bytes, limit: bytes.count, referenceSize: size, isRootFirst: isRootFirst)
                sequence.read(searchesTable: true, most: allowed)
                if sequence.stop == .tooMany { throw .tooManyValues(allowed) }
            }
        }
    }

    /// Returns the objects if the rest of the file proves that there are no others: their table, or a trailer that
    /// gives their number and end.
    static func proved(in bytes: [UInt8]) -> ObjectSequence? {
        if bytes.count > 8 + Trailer.size {
            let trailer = Trailer(of: bytes)
            if trailer.tableStart >= 9, trailer.tableStart <= UInt64(bytes.count - Trailer.size),
                trailer.root < trailer.objectCount, trailer.unused.allSatisfy({ $0 == 0 }),
                (1...8).contains(trailer.referenceSize)
            {
                var sequence = ObjectSequence(
                    bytes, limit: Int(trailer.tableStart), referenceSize: trailer.referenceSize,
                    isRootFirst: trailer.root == 0)
                sequence.read(searchesTable: false)
                if sequence.stop == .end, sequence.objectsEnd == Int(trailer.tableStart),
                    UInt64(sequence.starts.count) == trailer.objectCount, sequence.highest < sequence.starts.count,
                    sequence.isFollowed(byTableOf: trailer)
                {
                    return sequence
                }
            }
        }
        return all(in: bytes, limit: bytes.count).first {
            $0.offsetSize != nil && ($0.presentEntries >= 2 || $0.isOnlyObject)
        }
    }

    /// Returns the sequences that result from each reference size and from both positions of the root.
    ///
    /// - Parameter most: The number of values at which a sequence ends.
    private static func all(in bytes: [UInt8], limit: Int, most: Int = .max) -> some Sequence<ObjectSequence> {
        [true, false].lazy.flatMap { isRootFirst in
            [1, 2, 3, 4, 8].lazy.map { size in
                var sequence = ObjectSequence(bytes, limit: limit, referenceSize: size, isRootFirst: isRootFirst)
                sequence.read(searchesTable: true, most: most)
                return sequence
            }
        }
    }

    /// Whether the table has the size that the trailer gives, or begins with the offsets of the first two objects.
    /// Otherwise bytes may have been inserted into the last object.
    private func isFollowed(byTableOf trailer: Trailer) -> Bool {
        let size = trailer.offsetSize
        guard (1...8).contains(size) else { return false }
        if objectsEnd + starts.count * size + Trailer.size == bytes.count { return true }
        let entries = starts.prefix(2)
        return objectsEnd + entries.count * size <= bytes.count
            && entries.enumerated().allSatisfy {
                bytes.bigEndian(at: objectsEnd + $0.offset * size, width: size) == UInt64($0.element)
            }
    }

    /// Whether the file has a single object, and the trailer agrees. A single entry that matches may be chance if the
    /// trailer does not agree.
    private var isOnlyObject: Bool {
        guard starts.count == 1, let offsetSize, presentEntries == 1,
            bytes.count >= objectsEnd + offsetSize + Trailer.size
        else { return false }
        let trailer = Trailer(of: bytes)
        return trailer.objectCount == 1 && trailer.offsetSize == offsetSize && trailer.tableStart == objectsEnd
    }

    /// The size of the missing end of a file.
    enum Missing {
        /// The byte count.
        case exactly(Int)
        /// The smallest possible byte count. The table and the trailer are missing, and perhaps some objects.
        case atLeast(Int)
    }

    /// Returns the size of the missing end of a file that begins with a header, or nil if it is unknown.
    static func missing(in bytes: [UInt8]) -> Missing? {
        // If the reference size is too small, some references read as zero. Where the root is the first object, nothing
        // refers to zero, so the sequence is rejected.
        for sequence in all(in: bytes, limit: bytes.count, most: mostToDiagnose) {
            if let missing = sequence.missing { return missing }
        }
        return nil
    }

    /// The number of values up to which the size of the missing end is found.
    private static let mostToDiagnose = 1 << 22

    private var missing: Missing? {
        if let offsetSize {
            let end = objectsEnd + starts.count * offsetSize + Trailer.size
            return end > bytes.count ? .exactly(end - bytes.count) : nil
        }
        guard stop != .unreadable, stop != .tooMany, let last = starts.last else { return nil }
        // A byte for each missing object, the table, and the trailer.
        let count = max(highest + 1, starts.count)
        let size = (1...8).first { last >> (8 * $0) == 0 } ?? 8
        return .atLeast(count - starts.count + count * size + Trailer.size)
    }

    /// The size of a complete file with these objects. The size of a table entry comes from the table or, if that was
    /// not found, from the trailer.
    var sizeOfFile: Int {
        let size = offsetSize ?? Trailer(of: bytes).offsetSize
        return objectsEnd + starts.count * size + Trailer.size
    }

    /// Returns the longest sequence that any reference size gives, or nil if not even the first object can be read.
    static func longest(in bytes: [UInt8]) -> ObjectSequence? {
        // Zeros at the end are in place of bytes that never reached the disk.
        let end = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        let isBlank = bytes.count - end > Trailer.size
        var best: ObjectSequence?
        var sound: [ObjectSequence] = []
        for sequence in all(in: bytes, limit: isBlank ? end : bytes.count) where !sequence.starts.isEmpty {
            if !sequence.hasOtherDamage(sequence.objects.map(\.stored)) { sound.append(sequence) }
            if sequence.starts.count > best?.starts.count ?? 0 { best = sequence }
        }
        // The longest reading may be one with a wrong size that meets no contradiction.
        if sound.contains(where: { $0.referenceSize != best?.referenceSize && $0.referenceCount > 0 }) {
            best?.isAmbiguous = true
        }
        if let found = best, found.stop == .unreadable {
            // The last container may have a wrong size, so it and the objects after it are removed.
            best?.starts.removeLast(found.starts.count - found.lastContainer)
            if best?.starts.isEmpty ?? true { return nil }
        }
        return best
    }

    /// The objects by number.
    var storedObjects: [StoredObject?] {
        let table = self.table
        return starts.map { ObjectMarker.object(in: bytes, at: $0, table: table) }
    }

    /// The objects, followed by the missing ones that references lead to.
    private var objects: [RecoveredObject] {
        let table = self.table
        var objects = starts.map { start in
            let stored = ObjectMarker.object(in: bytes, at: start, table: table)
            return RecoveredObject(
                state: stored == nil ? .lost : .kept, range: stored.map { start..<$0.end(in: table) }, stored: stored)
        }
        if stop == .cut, objectsEnd < bytes.count {
            objects.append(RecoveredObject(range: objectsEnd..<bytes.count, reason: .cut))
        }
        // A damaged reference may be a huge number, so the number of missing objects is limited.
        let count = min(highest + 1, 16 * (starts.count + referenceCount) + 4096, max(bytes.count, 1 << 14))
        while objects.count < count {
            objects.append(RecoveredObject(state: .missing, reason: .cut))
        }
        return objects
    }

    /// The objects, followed by the missing ones, each doubtful if it may have been read from a wrong offset.
    var judgedObjects: [RecoveredObject] {
        var objects = self.objects
        guard isAmbiguous || hasOtherDamage(objects.map(\.stored)) else { return objects }
        for index in objects.indices where objects[index].state == .kept {
            (objects[index].state, objects[index].reason) = (.doubtful, isAmbiguous ? .width : .sequence)
        }
        return objects
    }

    /// Whether the objects show damage besides a missing end. Then some may have been read from wrong offsets.
    private func hasOtherDamage(_ objects: [StoredObject?]) -> Bool {
        stop == .unreadable || RecoveredObjects.hasOddStrings(bytes, objects.lazy.compactMap(\.self), areHigh: true)
            || !ReferenceOrder.contradictions(in: bytes, objects, referenceSize: referenceSize, root: 0).isEmpty
    }

    private var table: OffsetTable {
        OffsetTable(start: limit, count: .max, offsetSize: 1, referenceSize: referenceSize)
    }

    private mutating func read(searchesTable: Bool, most: Int = .max) {
        let table = table
        while objectsEnd < limit {
            guard starts.count + referenceCount <= most else {
                stop = .tooMany
                return
            }
            if searchesTable, let size = sizeOfEntries(inTableAt: objectsEnd) {
                offsetSize = size
                presentEntries = min(starts.count, (bytes.count - objectsEnd) / size)
                return
            }
            guard let object = ObjectMarker.object(in: bytes, at: objectsEnd, table: table) else {
                stop = isContinued(at: objectsEnd) ? .cut : .unreadable
                return
            }
            // No program writes null, but a block of zeros would read as null.
            guard object.kind != .null, note(object) else {
                stop = .unreadable
                return
            }
            objectsEnd = object.end(in: table)
        }
    }

    /// Records an object. Returns false if one of its references is impossible.
    private mutating func note(_ object: StoredObject) -> Bool {
        if object.kind.isContainer {
            for position in 0..<object.referenceCount {
                let number = bytes.bigEndian(at: object.start + position * referenceSize, width: referenceSize)
                // Nothing refers to the root. Most of the file may be missing, but a number far beyond its size is
                // damage.
                guard isRootFirst ? number > 0 && number < 64 * UInt64(bytes.count) : number < UInt64(starts.count)
                else { return false }
                highest = max(highest, Int(number))
            }
            referenceCount += object.referenceCount
            lastContainer = starts.count
        }
        starts.append(objectsEnd)
        return true
    }

    /// Whether an object that cannot be read begins with a valid marker, so that the limit cut it off.
    private func isContinued(at offset: Int) -> Bool {
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0x1: return marker & 0x0F <= 4
        case 0x2: return marker & 0x0F == 2 || marker & 0x0F == 3
        case 0x3: return marker == ObjectMarker.date
        case 0x4, 0x5, 0x6, 0xA, 0xC, 0xD:
            return marker & 0x0F != ObjectMarker.countFollows || offset + 1 >= limit
                || bytes[offset + 1] & 0xFC == ObjectMarker.integer
        case 0x8: return true
        default: return false
        }
    }

    private mutating func sizeOfEntries(inTableAt offset: Int) -> Int? {
        guard !starts.isEmpty, highest < starts.count else { return nil }
        return [1, 2, 3, 4, 8].first { size in
            (size == 8 || offset < 1 << (8 * size)) && isTable(at: offset, size)
        }
    }

    private mutating func isTable(at offset: Int, _ size: Int) -> Bool {
        for (index, start) in starts.enumerated() {
            let entry = offset + index * size
            // The last entry may be cut off as well.
            let present = min(size, bytes.count - entry)
            guard present > 0 else { return true }
            let expected = UInt64(start) >> UInt64(8 * (size - present))
            guard comparisonsLeft > 0, bytes.bigEndian(at: entry, width: present) == expected else { return false }
            comparisonsLeft -= 1
        }
        return true
    }
}
