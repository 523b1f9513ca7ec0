/// Tables of programs that store objects in another order than their numbers:
///
///     objects at   8  12  15  20  27
///     entries      8  15  12  FF  27     objects 1 and 2 were written in the opposite order; 20 was lost
///     entries      8  FF  FF  20  27     12 and 15 were lost
///     entries      8  12   8  12  27     copies of other entries replaced 15 and 20
extension DamagedLayout {
    /// Returns the layout of objects that are not numbered in file order, or nil if the entries do not show that.
    /// Entries that lead to no object are filled if their neighbours leave room for just as many, or if only one is
    /// left.
    ///
    /// - Parameter starts: The offsets of all objects, in file order.
    /// - Returns: Also the numbers of doubtful entries: those that were filled, those that others repeat, and all that
    ///   lead to another place if that may be damage.
    func permuted(_ starts: [Int]) -> (layout: DamagedLayout, doubtful: [Int])? {
        let stated: [Int?] = entries.map { entry in
            let place = starts.partitioningIndex { $0 >= entry }
            return place < starts.count && starts[place] == entry ? place : nil
        }
        // If two entries are equal, the one in file order is probably right.
        var copied: [Int] = []
        var places = stated.enumerated().map { number, place in
            guard let place, place != number, stated[place] == place else { return place }
            copied.append(place)
            return nil
        }
        let moved = places.indices.filter { places[$0] != nil && places[$0] != $0 }
        let isAscending = zip(moved, moved.dropFirst()).allSatisfy { (places[$0] ?? 0) < (places[$1] ?? 0) }
        let isCertain = Self.hasCycle(places)
        // Copies of entries that stay in order replaced others.
        guard !moved.isEmpty, isCertain || places == stated || !isAscending else { return nil }
        let lost = places.indices.filter { places[$0] == nil }
        Self.fill(&places)
        var layout = self
        layout.entries = places.map { $0.map { starts[$0] } ?? -1 }
        (layout.isPermuted, layout.isAmbiguous) = (true, false)
        return (layout, lost + copied + (isCertain || moved.count > lost.count ? [] : moved))
    }

    private static func fill(_ places: inout [Int?]) {
        var free = Set(places.indices)
        for case let place? in places { free.remove(place) }
        var end = 0
        while let start = places[end...].firstIndex(of: nil) {
            end = places[start...].firstIndex { $0 != nil } ?? places.count
            let before = start > 0 ? places[start - 1] ?? -1 : -1
            let after = end < places.count ? places[end] ?? -1 : places.count
            guard after - before == end - start + 1, (before + 1..<after).allSatisfy(free.contains) else { continue }
            for number in start..<end { places[number] = before + 1 + number - start }
            free.subtract(before + 1..<after)
        }
        let lost = places.indices.filter { places[$0] == nil }
        if lost.count == 1, free.count == 1 { places[lost[0]] = free.first }
    }

    /// Whether entries that are not in their own places lead to each other's: 1 to 2, 2 to 5, and 5 to 1.
    private static func hasCycle(_ places: [Int?]) -> Bool {
        // The first number from which a walk reached each number.
        var origins = [Int](repeating: -1, count: places.count)
        for first in places.indices where origins[first] < 0 {
            var number = first
            while origins[number] < 0, let next = places[number], next != number {
                origins[number] = first
                number = next
            }
            if origins[number] == first { return true }
        }
        return false
    }

    /// Returns the numbers of the entries that contradict the objects but may be right, because each stretch of them
    /// ascends from the entry before it to the one after it. The objects may be damaged instead.
    ///
    /// - Parameter starts: The offsets of all objects, in file order.
    func plausible(beside starts: [Int]) -> [Int] {
        var plausible: [Int] = []
        var end = 1
        while let start = starts.indices.dropFirst(end).first(where: { entries[$0] != starts[$0] }) {
            end = starts.indices.dropFirst(start).first { entries[$0] == starts[$0] } ?? starts.count
            let offsets = [starts[start - 1]] + entries[start..<end] + [end < count ? starts[end] : objectsEnd]
            if zip(offsets, offsets.dropFirst()).allSatisfy({ $0 < $1 }) { plausible += start..<end }
        }
        return plausible
    }

    /// Returns the numbers of the entries that contradict the objects, if two or more of these may have been stored in
    /// another order; an empty list otherwise.
    ///
    /// - Parameter starts: The offsets of all objects, in file order.
    func exchangeable(_ starts: [Int], in bytes: [UInt8]) -> [Int] {
        let wrong = starts.indices.filter { entries[$0] != starts[$0] }
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 256), count: offsetSize)
        for number in wrong {
            for byte in 0..<offsetSize { counts[byte][starts[number] >> (8 * byte) & 0xFF] += 1 }
        }
        // A byte of an entry may be intact. It proves the entry if no other of the offsets has it.
        let movable = wrong.filter { number in
            number != root ?? 0
                && !(0..<offsetSize).contains { byte in
                    let found = Int(bytes[objectsEnd + (number + 1) * offsetSize - 1 - byte])
                    return found == starts[number] >> (8 * byte) & 0xFF && counts[byte][found] == 1
                }
        }
        guard movable.count == 2 else { return movable.count > 2 ? movable : [] }
        var (ordered, exchanged) = (self, self)
        ordered.entries = starts
        exchanged.entries = starts
        exchanged.entries.swapAt(movable[0], movable[1])
        return exchanged.keyFaults(in: bytes) > ordered.keyFaults(in: bytes) ? [] : movable
    }
}
