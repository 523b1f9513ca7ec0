/// The stretches of a damaged binary property list that other bytes have replaced, and the objects that may have lost
/// bytes to them although they still read:
///
///     #4 kept  #5 lost  #6 lost  #7 kept        #4 and #7 border on the stretch
///     #4 kept  #5 lost  #6 kept  #7 lost        #6 is among the bytes, and fits by chance
///     #0 to #4 kept, and the bytes after them are other objects than #5 to #9       #0 to #4 may be other objects, too:
///                                                                                   another version replaced the first ones
///
/// A single changed byte can lose an object, but reaches no other.
struct OverwrittenStretches {
    /// The objects that may be wrong, with the reasons.
    private(set) var doubts: [(object: Int, reason: RecoveredObject.Reason)] = []

    private let bytes: [UInt8]
    private let layout: DamagedLayout
    private let order: [Int]
    private let objects: [RecoveredObject]
    /// The number of bytes that may still be read to recognize other versions. Stretches may overlap, so the limit
    /// keeps the time linear.
    private var bytesLeft: Int

    /// - Parameter order: The numbers of the objects in file order.
    init(in bytes: [UInt8], _ layout: DamagedLayout, order: [Int], _ objects: [RecoveredObject]) {
        (self.bytes, self.layout, self.order, self.objects) = (bytes, layout, order, objects)
        bytesLeft = 4 * bytes.count
        var versionEnd = 0
        var (lastBlock, replacedCount) = (0, 0)
        for stretch in stretches() {
            let neighbors = max(stretch.lowerBound - 1, 0)..<min(stretch.upperBound + 1, order.count)
            doubts += neighbors.lazy.map { (order[$0], .border) }
            if isOfOtherVersion(stretch) {
                versionEnd = stretch.lowerBound
            } else if isBlockOfObjects(stretch) {
                lastBlock = stretch.lowerBound
            }
            replacedCount += stretch.count
        }
        // If two versions were mixed, an object that fits may be of either. The other version may be the larger part.
        if replacedCount * 4 >= order.count { versionEnd = max(versionEnd, lastBlock) }
        doubts += order[..<versionEnd].lazy.map { ($0, .version) }
        doubtSectors()
    }

    // MARK: Sectors

    /// The size in bytes of the blocks in which disks and programs overwrite files.
    private static let sectorSize = 512
    /// The number of replaced objects in a sector from which on the whole sector was probably overwritten.
    private static let fewestReplaced = 8

    /// Doubts all objects in a sector in which many objects were replaced, because some may fit by chance.
    private mutating func doubtSectors() {
        var counts: [Int: Int] = [:]
        for position in order.indices where isReplaced(position) {
            let entry = layout.entries[order[position]]
            if entry >= 0 { counts[entry / Self.sectorSize, default: 0] += 1 }
        }
        let overwritten = counts.filter { $0.value >= Self.fewestReplaced }
        guard !overwritten.isEmpty else { return }
        for index in order {
            guard let range = objects[index].range, !range.isEmpty, objects[index].state == .kept else { continue }
            let (first, last) = (range.lowerBound / Self.sectorSize, (range.upperBound - 1) / Self.sectorSize)
            if overwritten[first] != nil || overwritten[last] != nil { doubts.append((index, .border)) }
        }
    }

    // MARK: Stretches

    /// Returns the positions, in file order, of the objects in each stretch.
    ///
    /// A few objects may fit by chance, one after another. In a long stretch there are more of them.
    private func stretches() -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for position in order.indices where isReplaced(position) {
            if let last = stretches.last, position <= last.upperBound + max(2, last.count / 8) {
                stretches[stretches.count - 1] = last.lowerBound..<position + 1
            } else {
                stretches.append(position..<position + 1)
            }
        }
        return stretches.filter { !isSingleChange($0) }
    }

    /// Whether the bytes of an object contradict the offset table.
    private func isReplaced(_ position: Int) -> Bool {
        let object = objects[order[position]]
        switch object.state {
        case .lost: return [.none, .extent, .ambiguous, .neverNull].contains(object.reason)
        case .doubtful: return object.reason == .extent || object.isRepaired
        case .kept, .missing: return false
        }
    }

    /// Whether one changed byte explains all contradictions.
    private func isSingleChange(_ positions: Range<Int>) -> Bool {
        switch positions.count {
        case 1:
            let object = objects[order[positions.lowerBound]]
            return object.reason == .ambiguous || object.range.map(mayBeginObject) ?? true
        // Either the size of the first object or the offset of the second is wrong.
        case 2: return positions.allSatisfy { objects[order[$0]].reason == .ambiguous }
        default: return false
        }
    }

    /// Whether an object of the range's size begins like the bytes there, except for one byte.
    private func mayBeginObject(_ range: Range<Int>) -> Bool {
        if range.count < 16 { return true }
        let units = [
            (ObjectMarker.data, 1), (ObjectMarker.oneByteString, 1), (ObjectMarker.utf16String, 2),
            (ObjectMarker.array, layout.referenceSize), (ObjectMarker.set, layout.referenceSize),
            (ObjectMarker.dictionary, 2 * layout.referenceSize),
        ]
        return units.contains { marker, unit in
            [1, 2, 4].contains { width in
                let size = range.count - 2 - width
                guard size > 0, size % unit == 0 else { return false }
                let integer = ObjectMarker.integer | UInt8(width.trailingZeroBitCount)
                var changes = bytes[range.lowerBound] == marker | ObjectMarker.countFollows ? 0 : 1
                if bytes[range.lowerBound + 1] != integer { changes += 1 }
                for offset in 0..<width {
                    let byte = UInt8(truncatingIfNeeded: (size / unit) >> (8 * (width - 1 - offset)))
                    if bytes[range.lowerBound + 2 + offset] != byte { changes += 1 }
                }
                return changes < 2
            }
        }
    }

    // MARK: Other versions

    /// The maximum number of bytes before the first whole object of a block.
    private static let longestRest = 48

    /// Whether the bytes of a stretch are objects that continue those before it, but not the ones of the offset table.
    private mutating func isOfOtherVersion(_ positions: Range<Int>) -> Bool {
        bytes(of: positions).map { areObjects(from: $0.lowerBound, to: $0.upperBound, atLeast: 2) } ?? false
    }

    /// Whether a stretch begins inside an object, and many whole objects follow.
    private mutating func isBlockOfObjects(_ positions: Range<Int>) -> Bool {
        bytes(of: positions).map { range in
            range.dropFirst().prefix(Self.longestRest).contains {
                areObjects(from: $0, to: range.upperBound, atLeast: 12)
            }
        } ?? false
    }

    /// Returns the bytes of a stretch; nil if its beginning or its end is not known.
    private func bytes(of positions: Range<Int>) -> Range<Int>? {
        let previous = positions.lowerBound - 1
        let start = previous < 0 ? 8 : objects[order[previous]].range?.upperBound
        let last = positions.compactMap { objects[order[$0]].range?.upperBound }.max()
        guard let start, let last, start < last else { return nil }
        return start..<last
    }

    /// Whether at least a number of objects adjoin from one offset on, and take most of the bytes up to another one.
    private mutating func areObjects(from start: Int, to last: Int, atLeast fewest: Int) -> Bool {
        var (offset, count) = (start, 0)
        while offset < last, bytesLeft > 0, bytes[offset] != ObjectMarker.null,
            let object = layout.object(of: bytes, at: offset)
        {
            let end = object.end(in: layout.table)
            bytesLeft -= end - offset
            // The last object is the one in which the other version ends.
            guard end <= last else {
                offset = last
                break
            }
            guard refersToObjects(object) else { break }
            offset = end
            // Valid references are evidence, too.
            count += 1 + object.referenceCount / 8
        }
        return count >= fewest && 4 * (offset - start) >= 3 * (last - start)
    }

    private func refersToObjects(_ container: StoredObject) -> Bool {
        guard container.kind.isContainer else { return true }
        let size = layout.referenceSize
        return (0..<container.referenceCount).allSatisfy {
            bytes.bigEndian(at: container.start + $0 * size, width: size) < UInt64(layout.count)
        }
    }
}
