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

    /// Returns the file as it was before the conversion; nil if the table does not decide for every CRLF.
    static func restored(_ converted: [UInt8]) -> [UInt8]? {
        let lines = LineFeeds(of: converted)
        return GenuineLineEnds(bytes: lines.bytes, feeds: lines.feeds).restored()
    }

    private func restored() -> [UInt8]? {
        guard bytes.count >= Trailer.size + 10 else { return nil }
        let trailer = Trailer(of: bytes)
        let end = bytes.count - Trailer.size
        guard (1...8).contains(trailer.offsetSize), (1...8).contains(trailer.referenceSize),
            trailer.objectCount > 0, trailer.objectCount <= UInt64(end / trailer.offsetSize),
            trailer.tableStart < UInt64(end + feeds.count)
        else { return nil }
        let tableStart = end - Int(trailer.objectCount) * trailer.offsetSize
        let missing = Int(trailer.tableStart) - tableStart
        guard missing > 0, missing <= feeds.count else { return nil }
        for inTable in 0...min(missing, Self.maxInTable) {
            guard let table = table(from: tableStart + inTable, trailer, inTable: inTable) else { continue }
            let layout = DamagedLayout(
                objectsEnd: tableStart + inTable, shift: inTable - missing, offsetSize: trailer.offsetSize,
                referenceSize: trailer.referenceSize, entries: table.entries)
            if let genuine = genuineFeeds(layout), genuine.count == missing - inTable {
                return inserting(genuine + table.genuine)
            }
        }
        return nil
    }

    /// The maximum number of genuine CRLFs in an offset table. The neighbouring offsets 0x0A0D and 0x0A0F have one.
    private static let maxInTable = 8

    /// Returns the entries of the offset table, and the offsets of the LF bytes in it that were CRLF in the original
    /// file. Nil unless `inTable` such bytes make the entries ascend. Without such bytes, they may be in any order.
    ///
    /// At each LF, the search first assumes that it was LF. When an entry does not ascend, the last LF before it that
    /// may have been CRLF is taken for one.
    private func table(
        from start: Int, _ trailer: Trailer, inTable: Int
    ) -> (entries: [Int], genuine: [Int])? {
        let (count, size, end) = (Int(trailer.objectCount), trailer.offsetSize, bytes.count - Trailer.size)
        var stored: [UInt8] = []
        stored.reserveCapacity(count * size)
        var genuine: [Int] = []
        var assumed: [(position: Int, storedCount: Int, genuineCount: Int)] = []
        var isFeed = Bitmap(count: bytes.count)
        for feed in feeds where feed >= start { isFeed.insert(feed) }
        func entry(_ number: Int) -> UInt64 { stored.bigEndian(at: number * size, width: size) }
        // Some programs store the root, object 0, last.
        func isPlausible() -> Bool {
            guard stored.count % size == 0, case let last = stored.count / size - 1, last >= 0 else { return true }
            guard entry(last) >= 8, entry(last) < trailer.tableStart else { return false }
            return inTable == 0 || last < 2 || entry(last) > entry(last - 1)
        }
        var (position, stepsLeft) = (start, 8 * count * size + 1024)
        var taken = -1
        while position < end || stored.count != count * size || genuine.count != inTable {
            stepsLeft -= 1
            guard stepsLeft > 0 else { return nil }
            if position < end {
                if isFeed.contains(position), position != taken, genuine.count < inTable {
                    assumed.append((position, stored.count, genuine.count))
                }
                stored.append(bytes[position])
                position += 1
                if isPlausible() { continue }
            }
            repeat {
                guard let last = assumed.popLast() else { return nil }
                stored.removeLast(stored.count - last.storedCount)
                genuine.removeLast(genuine.count - last.genuineCount)
                genuine.append(last.position)
                (position, taken) = (last.position, last.position)
                stored.append(0x0D)
            } while !isPlausible()
        }
        return ((0..<count).map { Int(entry($0)) }, genuine)
    }

    /// Returns the offsets of the LF bytes that were CRLF in the original file; nil if the table does not decide for
    /// every object.
    private func genuineFeeds(_ layout: DamagedLayout) -> [Int]? {
        let order = layout.offsetOrder
        let ends = layout.expectedEnds(order)
        var genuine: [Int] = []
        var feed = 0
        for position in order.indices {
            let start = layout.entries[order[position]]
            // An entry that shares its object with the next one takes no bytes.
            if position + 1 < order.count, layout.entries[order[position + 1]] == start { continue }
            let offset = start - genuine.count
            while feed < feeds.count, feeds[feed] < offset { feed += 1 }
            let size = ends[position] - start
            let next = position + 1 < order.count ? ends[position + 1] - ends[position] : nil
            guard size > 0, let found = count(at: offset, size: size, from: feed, next: next, layout) else {
                return nil
            }
            genuine += feeds[feed..<feed + found]
        }
        return genuine
    }

    /// Returns the number of genuine CRLFs in an object, which is all or none of them; nil if neither fits.
    private func count(at offset: Int, size: Int, from feed: Int, next: Int?, _ layout: DamagedLayout) -> Int? {
        // An object that lacks bytes may extend beyond the end of the objects.
        var whole = layout
        whole.objectsEnd = bytes.count
        var inside = 0
        while feed + inside < feeds.count, feeds[feed + inside] < offset + size - inside { inside += 1 }
        for count in inside == 0 ? [0] : [0, inside] {
            let end = offset + size - count
            guard let next else {
                if end == layout.objectsEnd { return count }
                continue
            }
            // The size of an object is in its first bytes.
            if let nextEnd = whole.end(of: bytes, at: end), nextEnd - end == next { return count }
        }
        return nil
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
