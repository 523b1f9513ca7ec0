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
        let count = Int(trailer.objectCount)
        let tableStart = end - count * trailer.offsetSize
        let missing = Int(trailer.tableStart) - tableStart
        guard missing > 0, missing <= feeds.count else { return nil }
        var layout = DamagedLayout(
            objectsEnd: tableStart, shift: -missing, offsetSize: trailer.offsetSize,
            referenceSize: trailer.referenceSize, entries: [])
        for index in 0..<count {
            let entry = bytes.bigEndian(at: tableStart + index * trailer.offsetSize, width: trailer.offsetSize)
            guard entry >= 8, entry < trailer.tableStart else { return nil }
            layout.entries.append(Int(entry))
        }
        guard let genuine = genuineFeeds(layout), genuine.count == missing else { return nil }
        return inserting(genuine)
    }

    /// Returns the offsets of the LF bytes that were CRLF in the original file; nil if the table does not decide for
    /// every object.
    private func genuineFeeds(_ layout: DamagedLayout) -> [Int]? {
        let order = layout.offsetOrder
        let ends = layout.expectedEnds(order)
        // An object that lacks bytes may extend beyond the end of the objects.
        var whole = layout
        whole.objectsEnd = bytes.count
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
            guard size > 0, let found = count(at: offset, size: size, from: feed, next: next, whole) else {
                return nil
            }
            genuine += feeds[feed..<feed + found]
        }
        return genuine
    }

    /// Returns the number of genuine CRLFs in an object, which is all or none of them; nil if neither fits.
    private func count(at offset: Int, size: Int, from feed: Int, next: Int?, _ layout: DamagedLayout) -> Int? {
        var inside = 0
        while feed + inside < feeds.count, feeds[feed + inside] < offset + size - inside { inside += 1 }
        for count in inside == 0 ? [0] : [0, inside] {
            let end = offset + size - count
            guard let next else {
                if end == bytes.count - Trailer.size - layout.count * layout.offsetSize { return count }
                continue
            }
            // The size of an object is in its first bytes.
            if let nextEnd = layout.end(of: bytes, at: end), nextEnd - end == next { return count }
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
