/// A conversion of CR bytes to LF, or of LF bytes to CR, in a damaged binary property list. It cannot be undone, because
/// each byte of the remaining kind may have been either:
///
///     entry  … 0A 12   the object before ends at 0D 12     and no byte of the file is 0D
struct ReplacedLineEnds {
    /// The byte that the conversion wrote, 0x0A or 0x0D.
    let remaining: UInt8
    /// The offsets of the objects, with those corrected that the conversion changed.
    let entries: [Int]
    /// The number of offsets in the table that were corrected.
    private let correctedCount: Int
    /// Whether numbers in the trailer were converted, too.
    private let isTrailerChanged: Bool
    private let first: Int?

    /// Returns nil unless the file lacks one of the two bytes although an offset, or a reference, must contain it.
    init?(in bytes: [UInt8]) {
        let (hasReturn, hasFeed) = (bytes.contains(0x0D), bytes.contains(0x0A))
        guard hasReturn != hasFeed, let layout = DamagedLayout.find(in: bytes) else { return nil }
        let (missing, remaining): (UInt8, UInt8) = hasFeed ? (0x0D, 0x0A) : (0x0A, 0x0D)
        var (entries, count) = (layout.entries, 0)
        var previousEnd: Int? = 8
        for number in layout.fileOrder(in: bytes) {
            if let end = previousEnd, end != entries[number],
                Self.converted(end, from: missing, to: remaining) == entries[number]
            {
                entries[number] = end
                count += 1
            }
            previousEnd = layout.end(of: bytes, at: entries[number])
        }
        var corrected = layout
        corrected.entries = entries
        // The trailer states other numbers if they were converted, too.
        let trailer = Trailer(of: bytes)
        let numbers = [(trailer.objectCount, layout.count), (trailer.tableStart, layout.objectsEnd)]
        let isTrailerChanged = numbers.contains { stated, found in
            stated != UInt64(found) && stated == UInt64(Self.converted(found, from: missing, to: remaining))
        }
        guard
            count > 0 || isTrailerChanged
                || Self.hasReplacedReference(in: bytes, corrected, from: Int(missing), to: Int(remaining))
        else { return nil }
        (self.remaining, self.entries, correctedCount, self.isTrailerChanged) = (
            remaining, entries, count, isTrailerChanged
        )
        first = bytes.firstIndex(of: remaining)
    }

    /// Returns nil unless a repair replaced nothing but bytes of one kind that the file lacks otherwise.
    init?(in bytes: [UInt8], restoredAs restored: [UInt8]) {
        guard restored.count == bytes.count, let first = bytes.indices.first(where: { bytes[$0] != restored[$0] }),
            let layout = DamagedLayout(trailerOf: restored)
        else { return nil }
        let (missing, remaining) = (restored[first], bytes[first])
        guard [[0x0A, 0x0D], [0x0D, 0x0A]].contains([missing, remaining]), !bytes.contains(missing) else { return nil }
        let differences = bytes.indices.filter { bytes[$0] != restored[$0] }
        guard differences.allSatisfy({ restored[$0] == missing && bytes[$0] == remaining }) else { return nil }
        (self.remaining, entries) = (remaining, layout.entries)
        let table = layout.objectsEnd..<bytes.count - Trailer.size
        correctedCount =
            Set(differences.filter(table.contains).map { ($0 - table.lowerBound) / layout.offsetSize }).count
        isTrailerChanged = differences.contains { $0 >= table.upperBound }
        self.first = first
    }

    /// Whether a reference in a file without other damage leads to one object, but must have led to another.
    private static func hasReplacedReference(
        in bytes: [UInt8], _ layout: DamagedLayout, from missing: Int, to remaining: Int
    ) -> Bool {
        guard max(missing, remaining) < layout.count, let root = layout.root, layout.isGapless(bytes) else {
            return false
        }
        let (objects, size) = (layout.entries.map { layout.object(of: bytes, at: $0) }, layout.referenceSize)
        func reference(_ position: Int, of container: StoredObject) -> UInt64 {
            bytes.bigEndian(at: container.start + position * size, width: size)
        }
        let search = RootSearch(in: bytes, objects, referenceSize: size, stated: root)
        guard missing != root, !search.isReferenced(missing) else { return false }
        let envelope = EnvelopeReferences(in: bytes, objects, referenceSize: size, root: root, orphans: [missing])
        if let object = objects[root], let damaged = envelope.damaged.first {
            return reference(damaged.position, of: object) == UInt64(remaining)
        }
        /// The first container with a reference to the remaining number.
        var first: Int?
        let counts = objects.enumerated().map { index, object in
            let count = (0..<(object?.referenceCount ?? 0)).count { position in
                object.map { reference(position, of: $0) == UInt64(remaining) } ?? false
            }
            if count > 0, first == nil { first = index }
            return count
        }
        return ReferenceOrder.contradictions(in: bytes, objects, referenceSize: size, root: root).contains {
            if let position = $0.position, let object = objects[$0.container] {
                return $0.target == missing && reference(position, of: object) == UInt64(remaining)
            }
            // The first reference in the file may be the right one.
            return counts[$0.container] > ($0.container == first ? 1 : 0)
        }
    }

    /// Returns an offset with each byte of one value replaced.
    private static func converted(_ offset: Int, from missing: UInt8, to remaining: UInt8) -> Int {
        var result = offset
        for shift in stride(from: 0, to: Int.bitWidth - 8, by: 8)
        where UInt8(truncatingIfNeeded: offset >> shift) == missing {
            result += (Int(remaining) - Int(missing)) << shift
        }
        return result
    }

    /// The diagnosis.
    var problem: Problem {
        let (from, to) = remaining == 0x0A ? ("CR", "LF") : ("LF", "CR")
        let byte = remaining == 0x0A ? "0x0D" : "0x0A"
        let needs =
            switch correctedCount {
            case 0: isTrailerChanged ? "the trailer needs one" : "a reference needs one"
            case 1: "an offset needs one"
            default: "\(CountText.of(correctedCount)) offsets need one"
            }
        return Problem(
            "damage.line-ends",
            "\(from) was converted to \(to), as if the file were text: no byte is \(byte), but \(needs); copy it again as binary",
            at: first.map { .byte($0) })
    }

    /// Doubts each object that contains the remaining byte.
    func doubt(_ objects: inout [RecoveredObject], in bytes: [UInt8]) {
        for index in objects.indices where objects[index].state == .kept {
            guard let range = objects[index].range, bytes[range].contains(remaining) else { continue }
            (objects[index].state, objects[index].reason) = (.doubtful, .lineEnds)
        }
    }
}
