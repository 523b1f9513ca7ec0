/// Restores line ends in a binary property list whose LF bytes were converted to CRLF by a program that leaves CRLF
/// bytes as they are, such as git. The offset table shows which objects had CRLF bytes before:
///
///     stored            89 0A 31   0D 0A 1A      sizes 3 and 3
///     converted         89 0D 0A 31   0D 0A 1A
///     all undone        89 0A 31   0A 1A         the second object is one byte short
///     result            89 0A 31   0D 0A 1A
struct GenuineLineEnds {
    /// The file with LF in place of every CRLF.
    private let bytes: [UInt8]
    /// The offsets in ``bytes`` of the LF bytes that were CRLF.
    private let feeds: [Int]

    /// The file before the conversion.
    struct Restored {
        let bytes: [UInt8]
        /// The objects in which other line ends may have been CRLF instead.
        let doubtful: [Int]
    }

    /// Returns the file as it was before the conversion; nil if the table does not show where CRLFs were.
    static func restored(_ converted: [UInt8]) -> Restored? {
        let lines = LineFeeds(of: converted)
        return GenuineLineEnds(bytes: lines.bytes, feeds: lines.feeds).restored()
    }

    /// The maximum number of CRLFs in the table.
    private static let mostInTable = 16

    private func restored() -> Restored? {
        guard bytes.count >= Trailer.size + 10 else { return nil }
        let trailer = Trailer(of: bytes)
        let end = bytes.count - Trailer.size
        guard (1...8).contains(trailer.offsetSize), (1...8).contains(trailer.referenceSize),
            trailer.objectCount > 0, trailer.objectCount <= UInt64((end + feeds.count) / trailer.offsetSize),
            trailer.tableStart < UInt64(end + feeds.count)
        else { return nil }
        let missing = Int(trailer.tableStart) + Int(trailer.objectCount) * trailer.offsetSize - end
        guard missing > 0, missing <= feeds.count else { return nil }
        for count in 0...min(missing, Self.mostInTable) {
            let start = Int(trailer.tableStart) - missing + count
            guard start >= 8, let table = table(at: start, trailer, isWhole: count == 0), table.feeds.count == count
            else { continue }
            let layout = DamagedLayout(
                objectsEnd: start, shift: count - missing, offsetSize: trailer.offsetSize,
                referenceSize: trailer.referenceSize, entries: table.entries)
            guard let (genuine, doubtful) = genuineFeeds(layout, most: missing - count),
                genuine.count == missing - count
            else { continue }
            return Restored(bytes: inserting(genuine + table.feeds), doubtful: doubtful)
        }
        return nil
    }

    /// Reads the offset table. An entry that does not ascend lacks a CR.
    ///
    /// - Returns: The entries, and the offsets of the LF bytes that were CRLF; nil if the bytes are not a table.
    private func table(at start: Int, _ trailer: Trailer, isWhole: Bool) -> (entries: [Int], feeds: [Int])? {
        let size = trailer.offsetSize
        let end = bytes.count - Trailer.size
        var (entries, genuine, offset) = ([Int](), [Int](), start)
        func isOffset(_ entry: Int, after previous: Int) -> Bool {
            entry > (isWhole ? 7 : previous) && entry < Int(trailer.tableStart)
        }
        func entry(at offset: Int, insertingAt feed: Int? = nil) -> Int? {
            guard offset + size - (feed == nil ? 0 : 1) <= end else { return nil }
            var value: UInt64 = 0
            for position in offset..<offset + size - (feed == nil ? 0 : 1) {
                if position == feed { value = value << 8 | 0x0D }
                value = value << 8 | UInt64(bytes[position])
            }
            return Int(clamping: value)
        }
        for number in 0..<Int(trailer.objectCount) {
            let previous = entries.last ?? 7
            let inside = isWhole ? [] : (offset..<min(offset + size, end)).filter { bytes[$0] == 0x0A }
            let found = ([nil] + inside.reversed()).first { feed in
                guard let value = entry(at: offset, insertingAt: feed), isOffset(value, after: previous) else {
                    return false
                }
                let next = offset + size - (feed == nil ? 0 : 1)
                let isFollowed = number + 1 < Int(trailer.objectCount) && next + size <= end
                guard isFollowed, !bytes[next..<next + size].contains(0x0A) else { return true }
                return entry(at: next).map { isOffset($0, after: value) } ?? false
            }
            guard let feed = found, let value = entry(at: offset, insertingAt: feed) else { return nil }
            entries.append(value)
            offset += size
            if let feed {
                genuine.append(feed)
                offset -= 1
            }
        }
        return (entries, genuine)
    }

    /// Returns the offsets of the LF bytes that were CRLF in the original file, and the objects in which others may
    /// have been; nil if the table shows that for no object.
    private func genuineFeeds(_ layout: DamagedLayout, most: Int) -> (feeds: [Int], doubtful: [Int])? {
        let order = layout.fileOrder
        let ends = layout.expectedEnds(order)
        // An object that lacks bytes may extend beyond the end of the objects.
        var whole = layout
        whole.objectsEnd = bytes.count
        var (genuine, doubtful) = ([Int](), [Int]())
        var feed = 0
        for position in order.indices {
            let start = layout.entries[order[position]]
            // An entry that shares its object with the next one takes no bytes.
            if position + 1 < order.count, layout.entries[order[position + 1]] == start { continue }
            let offset = start - genuine.count
            while feed < feeds.count, feeds[feed] < offset { feed += 1 }
            let size = ends[position] - start
            let next = position + 1 < order.count ? ends[position + 1] - ends[position] : nil
            guard size > 0, genuine.count <= most,
                let (inside, found) = count(
                    at: offset, size: size, from: feed, next: next ?? (offset + size - layout.objectsEnd),
                    isLast: next == nil,
                    whole)
            else { return nil }
            let candidates = Array(feeds[feed..<feed + inside])
            guard found > 0, found < inside else {
                genuine += candidates.prefix(found)
                continue
            }
            guard let (chosen, isCertain) = choose(found, of: candidates, offset..<offset + size - found, whole) else {
                return nil
            }
            genuine += chosen
            if !isCertain { doubtful.append(order[position]) }
        }
        return (genuine, doubtful)
    }

    /// Returns the number of LF bytes in an object, and how many of them were CRLF; nil if no number fits. All or none
    /// of them are more likely than some.
    ///
    /// - Parameter next: The size of the next object or, after the last one, the number of genuine CRLFs in it.
    private func count(
        at offset: Int, size: Int, from feed: Int, next: Int, isLast: Bool, _ layout: DamagedLayout
    ) -> (inside: Int, genuine: Int)? {
        func inside(_ count: Int) -> Int {
            var inside = 0
            while feed + inside < feeds.count, feeds[feed + inside] < offset + size - count { inside += 1 }
            return inside
        }
        let most = inside(0)
        let least = inside(most)
        if isLast { return next >= 0 && next <= inside(next) ? (inside(next), next) : nil }
        for count in [0, least] + Array(1..<max(least, 1)) where count == 0 || count <= least {
            let end = offset + size - count
            // The size of an object is in its first bytes.
            if let nextEnd = layout.end(of: bytes, at: end), nextEnd - end == next { return (inside(count), count) }
        }
        return nil
    }

    /// The maximum number of bytes that are read to choose line ends.
    private static let mostRead = 1 << 22

    /// Chooses the LF bytes in an object that were CRLF.
    ///
    /// - Returns: Also whether only they make sense; nil if none do.
    private func choose(
        _ count: Int, of candidates: [Int], _ range: Range<Int>, _ layout: DamagedLayout
    ) -> (feeds: [Int], isCertain: Bool)? {
        guard count == 1, candidates.count * range.count <= Self.mostRead else {
            return (Array(candidates.prefix(count)), false)
        }
        var best: (feed: Int, score: Int, isOnly: Bool)?
        for feed in candidates {
            let object = Array(bytes[range.lowerBound..<feed]) + [0x0D] + bytes[feed..<range.upperBound]
            guard let score = score(of: object, layout) else { continue }
            if score == best?.score { best?.isOnly = false }
            if score > best?.score ?? -1 { best = (feed, score, true) }
        }
        return best.map { ([$0.feed], $0.isOnly) }
    }

    /// Returns the number of references in an object that ascend; nil if one is impossible.
    private func score(of object: [UInt8], _ layout: DamagedLayout) -> Int? {
        var table = layout.table
        table.start = object.count
        guard let stored = ObjectMarker.object(in: object, at: 0, table: table) else { return 0 }
        let references = (0..<stored.referenceCount).map { position in
            object.bigEndian(at: stored.start + position * layout.referenceSize, width: layout.referenceSize)
        }
        guard references.allSatisfy({ $0 < UInt64(layout.count) }) else { return nil }
        return zip(references, references.dropFirst()).count { $0 < $1 }
    }

    private func inserting(_ genuine: [Int]) -> [UInt8] {
        var restored: [UInt8] = []
        restored.reserveCapacity(bytes.count + genuine.count)
        var rest = genuine[...]
        for (offset, byte) in bytes.enumerated() {
            if rest.first == offset {
                restored.append(0x0D)
                rest.removeFirst()
            }
            restored.append(byte)
        }
        return restored
    }
}
