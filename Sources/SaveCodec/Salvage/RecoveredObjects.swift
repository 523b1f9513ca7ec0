/// The objects of a damaged binary property list, each judged by its neighbours:
///
///     ends where the next one begins, and begins where the previous one ends      kept
///     its entry contradicts both neighbours, but an object fills the gap          kept, its entry is repaired
///     its marker or count contradicts the entries, which fit otherwise            kept, doubtful
///     all others                                                                  lost
struct RecoveredObjects {
    /// The objects by number.
    var objects: [RecoveredObject]

    private let bytes: [UInt8]
    private let layout: DamagedLayout
    private let order: [Int]
    /// Whether ``order`` consists of the ascending numbers.
    private let isNumbered: Bool
    private let ends: [Int]
    private let sharesObjects: Bool
    /// The number of steps left for searches beyond the next object. The limit keeps the time linear.
    private var stepsLeft: Int
    /// The number of steps left for ``containsChain(at:_:shift:)``, which reads from every byte of an object.
    private var chainStepsLeft: Int
    /// The number of bytes left for ``scalar(filling:)``, which reads whole strings.
    private var contentBytesLeft: Int

    init(_ bytes: [UInt8], _ layout: DamagedLayout) {
        (self.bytes, self.layout) = (bytes, layout)
        order = layout.fileOrder(in: bytes)
        isNumbered = order.elementsEqual(0..<layout.count)
        ends = layout.expectedEnds(order)
        sharesObjects = layout.sharesObjects(order)
        objects = [RecoveredObject](repeating: RecoveredObject(), count: layout.count)
        stepsLeft = 8 * layout.count + 1024
        chainStepsLeft = stepsLeft + 4 * bytes.count
        contentBytesLeft = 4 * bytes.count
    }

    mutating func run() {
        let unshifted = layout.isConfirmed(bytes, order, shift: 0)
        if layout.shift == 0 {
            judge(0..<order.count, unshifted, shift: 0)
        } else {
            let shifted = layout.isConfirmed(bytes, order, shift: layout.shift)
            let (first, last, _) = layout.split(unshifted, shifted)
            // The bytes were inserted at one of these objects, or directly before the first that is shifted.
            var start = max(first - 1, 0)
            // An object after the change may fit by chance, so the change may be at one of the objects before it.
            while start > 0, unshifted[max(start - DamagedLayout.chanceCount, 0)..<start].contains(false) { start -= 1 }
            if start < first - 1 { start = max(start - 1, 0) }
            var end = min(last + 1, order.count)
            // Nothing is left of removed objects. Objects before the removed bytes may have the same sizes.
            let boundary = first > 0 ? ends[first - 1] : 8
            func isRemoved(_ position: Int) -> Bool {
                layout.shift < 0 && layout.entries[order[position]] + layout.shift < boundary
            }
            while end < order.count, isRemoved(end) { end += 1 }
            start = min(start, firstAmbiguous(before: first, shifted))
            judge(0..<start, unshifted, shift: 0)
            judge(end..<order.count, shifted, shift: layout.shift)
            for position in start..<end {
                let entry = layout.entries[order[position]]
                let isShifted = shifted[position] && !isRemoved(position)
                if isShifted || unshifted[position] {
                    keep(order[position], entry + (isShifted ? layout.shift : 0))
                }
                doubt(position, shift: layout.shift, .inserted)
            }
        }
        if !isOverlapping { checkScalars() }
        if !sharesObjects { doubtMovedEntries() }
        guard layout.isAmbiguous else { return }
        for index in objects.indices where objects[index].state == .kept { weaken(index, .table) }
    }

    /// Returns the position of the first object that the change may have hit, if the bytes before it also read as
    /// removed objects: `[2, 2, 2 │ 2, 2, 3]` has the same sizes, whichever two objects of two bytes were removed.
    private func firstAmbiguous(before first: Int, _ shifted: [Bool]) -> Int {
        func shiftedStart(_ position: Int) -> Int { layout.entries[order[position]] + layout.shift }
        var position = first
        var other = first
        while position > 0, other < order.count, shiftedStart(other) < layout.entries[order[position - 1]] {
            other += 1
        }
        while position > 0, other >= position, other < order.count, shifted[other],
            shiftedStart(other) == layout.entries[order[position - 1]]
        {
            (position, other) = (position - 1, other - 1)
        }
        return max(position - 1, 0)
    }

    /// Whether the objects overlap so much that they cannot be repaired.
    var isOverlapping: Bool {
        Self.areOverlapping(objects.lazy.compactMap(\.stored), referenceSize: layout.referenceSize, in: bytes)
    }

    // MARK: Extents

    /// A judgement of the objects at some positions in file order.
    private struct Judgement {
        let positions: Range<Int>
        /// Whether the object at each position ends where the next one begins.
        let isConfirmed: [Bool]
        /// A number added to the offsets of the table.
        let shift: Int
        var position: Int
        /// The end of the previous object if its beginning was confirmed.
        var previousEnd: Int?
        /// Whether only the table shows where the object at `position` begins, in a file with damage in several places.
        var isBeginningUnconfirmed = false
        /// Whether the previous object may end elsewhere, with other objects after it.
        var isEndAmbiguous = false
        /// Whether one damage does not explain all contradictions.
        let hasSeveralDamages: Bool

        init(_ positions: Range<Int>, _ isConfirmed: [Bool], shift: Int) {
            (self.positions, self.isConfirmed, self.shift) = (positions, isConfirmed, shift)
            hasSeveralDamages = positions.count { !isConfirmed[$0] } > 2
            position = positions.lowerBound
            previousEnd = positions.lowerBound == 0 ? 8 : nil
        }

        var hasNext: Bool { position + 1 < positions.upperBound }
    }

    /// Judges the objects at some positions in file order.
    private mutating func judge(_ positions: Range<Int>, _ isConfirmed: [Bool], shift: Int) {
        var judgement = Judgement(positions, isConfirmed, shift: shift)
        while judgement.position < positions.upperBound {
            let position = judgement.position
            let entry = layout.entries[order[position]]
            if sharesObjects, position > 0, entry >= 0, entry == layout.entries[order[position - 1]],
                positions.contains(position - 1)
            {
                // Both entries refer to the same object.
                objects[order[position]] = objects[order[position - 1]]
                judgement.position += 1
                continue
            }
            let start = entry < 0 ? -1 : entry + shift
            let end = ends[position] + shift
            if isConfirmed[position] {
                judgeConfirmed(&judgement, start..<max(start, end))
                continue
            }
            if judgeChain(&judgement, from: start) || judgePair(&judgement, from: start) { continue }
            let isEndConfirmed = position + 1 == order.count || judgement.hasNext && isConfirmed[position + 1]
            reinterpret(
                position, start..<max(start, end), isBordered: judgement.previousEnd == start && isEndConfirmed)
            judgement.isBeginningUnconfirmed = judgement.hasSeveralDamages
            judgement.previousEnd = end > 8 && judgement.hasNext && isConfirmed[position + 1] ? end : nil
            judgement.position += 1
        }
    }

    /// Keeps an object that ends where the next one begins, unless the previous object contradicts its beginning.
    private mutating func judgeConfirmed(_ judgement: inout Judgement, _ extent: Range<Int>) {
        let position = judgement.position
        let (start, end) = (extent.lowerBound, extent.upperBound)
        if let previousEnd = judgement.previousEnd, previousEnd != start, previousEnd < end,
            layout.end(of: bytes, at: previousEnd) == end
        {
            loseAmbiguous(judgement)
        } else {
            keep(order[position], start)
            if judgement.isBeginningUnconfirmed { weaken(order[position], .ambiguous) }
        }
        judgement.isBeginningUnconfirmed = false
        judgement.previousEnd = end
        judgement.position += 1
    }

    /// Judges an object whose entry contradicts the end of the previous object. If objects read from that end on lead
    /// exactly to a confirmed one, the entries in between are wrong.
    ///
    /// - Returns: Whether the object was judged.
    private mutating func judgeChain(_ judgement: inout Judgement, from start: Int) -> Bool {
        let (position, isConfirmed, shift) = (judgement.position, judgement.isConfirmed, judgement.shift)
        let isBeginningAmbiguous = judgement.isEndAmbiguous
        judgement.isEndAmbiguous = false
        guard let first = judgement.previousEnd, first != start,
            let last = landing(from: first, at: position, isConfirmed, shift)
        else { return false }
        if start >= 0, landing(from: start, at: position, isConfirmed, shift) != nil {
            loseAmbiguous(judgement)
            (judgement.previousEnd, judgement.isBeginningUnconfirmed) = (nil, true)
            judgement.position += 1
            return true
        }
        // The entries from here to the confirmed object are wrong.
        keepChain(from: first, position...last)
        if isBeginningAmbiguous { for number in order[(position - 1)...last] { weaken(number, .ambiguous) } }
        // If the objects are ordered by their offsets, wrong offsets do not show which object is which.
        if !isNumbered, last > position { for number in order[position...last] { weaken(number, .ambiguous) } }
        judgement.previousEnd = ends[last] + shift
        judgement.position = last + 1
        return true
    }

    /// Judges an object that can be read, but does not end where the next one begins: either its size or the next entry
    /// is wrong.
    ///
    /// - Returns: Whether the object was judged. If not, neither explanation fits.
    private mutating func judgePair(_ judgement: inout Judgement, from start: Int) -> Bool {
        let (position, isConfirmed, shift) = (judgement.position, judgement.isConfirmed, judgement.shift)
        guard let read = layout.end(of: bytes, at: start), judgement.previousEnd ?? start == start, judgement.hasNext
        else { return false }
        if judgement.previousEnd == start, !isConfirmed[position + 1],
            landing(from: read, at: position + 1, isConfirmed, shift) != nil
        {
            // The objects read from the end of this one on prove that the next entry is wrong.
            keep(order[position], start)
            judgement.isEndAmbiguous =
                judgement.hasSeveralDamages && containsChain(at: position, isConfirmed, shift: shift)
            judgement.previousEnd = read
            judgement.position += 1
            return true
        }
        let nextEnd = ends[position + 1] + shift
        // Nothing shows whether the size of this object or the next entry is wrong.
        guard read == nextEnd || isConfirmed[position + 1] && layout.end(of: bytes, at: read) == nextEnd else {
            return false
        }
        let next = layout.entries[order[position + 1]] + shift
        if judgement.previousEnd == start, isConfirmed[position + 1], next > start,
            let scalar = scalar(filling: start..<next)
        {
            repair(order[position], start..<next, as: scalar, .ambiguous)
            keep(order[position + 1], next)
            weaken(order[position + 1], .ambiguous)
            objects[order[position + 1]].isRepaired = true
        } else {
            keep(order[position], start)
            doubt(position, shift: shift, .ambiguous)
            lose(position + 1, shift: shift, .ambiguous)
        }
        judgement.previousEnd = nextEnd
        judgement.position += 2
        return true
    }

    /// Marks an object as lost because either its entry or the size of the previous object is wrong. The previous
    /// object is doubted, too.
    private mutating func loseAmbiguous(_ judgement: Judgement) {
        lose(judgement.position, shift: judgement.shift, .ambiguous)
        guard judgement.position > judgement.positions.lowerBound else { return }
        doubt(judgement.position - 1, shift: judgement.shift, .ambiguous)
    }

    /// Reads objects one after another from `start` until one ends where a confirmed object begins.
    ///
    /// - Returns: The position of that last object; nil if the objects do not lead to the next confirmed one.
    private mutating func landing(from start: Int, at position: Int, _ isConfirmed: [Bool], _ shift: Int) -> Int? {
        var (current, position) = (start, position)
        while position < order.count, stepsLeft > 0, !isConfirmed[position] {
            stepsLeft -= 1
            guard let end = layout.end(of: bytes, at: current), bytes[current] != ObjectMarker.null else { return nil }
            if end == ends[position] + shift, position + 1 == order.count || isConfirmed[position + 1] {
                return position
            }
            current = end
            position += 1
        }
        return nil
    }

    /// Whether the bytes of an object end with the first of other objects that lead to the next confirmed one. The size
    /// of the object may be wrong: its references are, or it is data or UTF-16 text, which may have any bytes. True if
    /// the search would take too long.
    private mutating func containsChain(at position: Int, _ isConfirmed: [Bool], shift: Int) -> Bool {
        let object = objects[order[position]]
        guard let stored = object.stored, let range = object.range else { return false }
        swap(&stepsLeft, &chainStepsLeft)
        defer { swap(&stepsLeft, &chainStepsLeft) }
        let mayContainOthers =
            stored.kind.isContainer
            ? !refersToObjects(stored) : [.data, .utf16String].contains(stored.kind)
        guard mayContainOthers else { return false }
        return range.dropFirst().contains { start in
            landing(from: start, at: position + 1, isConfirmed, shift) != nil || stepsLeft <= 0
        }
    }

    private mutating func keepChain(from start: Int, _ positions: ClosedRange<Int>) {
        var start = start
        for position in positions {
            keep(order[position], start)
            start = objects[order[position]].range?.upperBound ?? start
            // Wrong entries beside inserted bytes are more than one damage.
            if layout.shift != 0 { weaken(order[position], .inserted) }
        }
    }

    private mutating func keep(_ index: Int, _ start: Int) {
        let table = layout.table
        guard let stored = ObjectMarker.object(in: bytes, at: start, table: table) else { return }
        objects[index] = RecoveredObject(state: .kept, range: start..<stored.end(in: table), stored: stored)
    }

    private mutating func lose(_ position: Int, shift: Int, _ reason: RecoveredObject.Reason) {
        let entry = layout.entries[order[position]]
        let (start, end) = (entry + shift, ends[position] + shift)
        let isPlausible = entry >= 0 && start >= 8 && end > start && end <= layout.objectsEnd
        objects[order[position]] = RecoveredObject(state: .lost, range: isPlausible ? start..<end : nil, reason: reason)
    }

    /// Marks an object as doubtful if it is a container, and as lost otherwise.
    private mutating func doubt(_ position: Int, shift: Int, _ reason: RecoveredObject.Reason) {
        if objects[order[position]].stored?.kind.isContainer == true {
            weaken(order[position], reason)
        } else {
            lose(position, shift: shift, reason)
        }
    }

    /// Doubts objects that may begin or end elsewhere, because the offset table contradicts them.
    mutating func doubt(_ numbers: [Int]) {
        for number in numbers where objects[number].state == .kept { weaken(number, .ambiguous) }
    }

    private mutating func weaken(_ index: Int, _ reason: RecoveredObject.Reason) {
        (objects[index].state, objects[index].reason) = (.doubtful, reason)
    }

    // MARK: Markers and counts

    /// Reads an object whose marker or count contradicts its size. A container is kept as doubtful if exactly one kind
    /// and count fits the size and all references, and a scalar if its neighbours prove its size and
    /// ``DamagedLayout/scalar(filling:in:)`` finds it. Anything else is lost.
    ///
    /// - Parameter isBordered: Whether the neighbours prove the size.
    private mutating func reinterpret(_ position: Int, _ range: Range<Int>, isBordered: Bool) {
        let isPlausible = range.lowerBound >= 8 && range.upperBound <= layout.objectsEnd && !range.isEmpty
        objects[order[position]] = RecoveredObject(state: .lost, range: isPlausible ? range : nil, reason: .extent)
        guard isPlausible else { return }
        let scalar = isBordered ? scalar(filling: range) : nil
        guard scalar != nil || range.count > layout.referenceSize else { return }
        var fitting: [StoredObject] = []
        for kind in [StoredObject.Kind.array, .dictionary, .set] {
            for header in [1, 3, 4, 6] {
                guard let object = layout.object(kind, filling: range, header: header), refersToObjects(object) else {
                    continue
                }
                fitting.append(object)
            }
        }
        if let scalar, fitting.allSatisfy({ isNearer(scalar, than: $0, at: range.lowerBound) }) {
            return repair(order[position], range, as: scalar, .extent)
        }
        let named = fitting.filter { ObjectMarker.kindBits(of: $0.kind) == bytes[range.lowerBound] & 0xF0 }
        if !named.isEmpty { fitting = named }
        if fitting.isEmpty, let array = layout.arrayOfOtherVersion(in: bytes, at: range.lowerBound, &stepsLeft) {
            let range = range.lowerBound..<array.end(in: layout.table)
            objects[order[position]] = RecoveredObject(state: .doubtful, range: range, stored: array, reason: .extent)
        }
        guard fitting.count == 1, stepsLeft > 0 else { return }
        objects[order[position]] = RecoveredObject(state: .doubtful, range: range, stored: fitting[0], reason: .extent)
    }

    /// Whether fewer bits of the bytes at an offset have to be changed for one object than for the other.
    private func isNearer(_ one: StoredObject, than other: StoredObject, at offset: Int) -> Bool {
        layout.changedBits(offset, one, in: bytes) < layout.changedBits(offset, other, in: bytes)
    }

    /// Returns the scalar that fills a range, unless too many ranges were searched.
    private mutating func scalar(filling range: Range<Int>) -> StoredObject? {
        // Ranges may overlap.
        contentBytesLeft -= range.count
        return contentBytesLeft > 0 ? layout.scalar(filling: range, in: bytes) : nil
    }

    private mutating func repair(
        _ index: Int, _ range: Range<Int>, as scalar: StoredObject, _ reason: RecoveredObject.Reason
    ) {
        objects[index] = RecoveredObject(
            state: .doubtful, range: range, stored: scalar, reason: reason, isRepaired: true)
    }

    private mutating func refersToObjects(_ object: StoredObject) -> Bool {
        stepsLeft -= object.referenceCount
        guard stepsLeft > 0 else { return false }
        for position in 0..<object.referenceCount {
            let number = bytes.bigEndian(
                at: object.start + position * layout.referenceSize, width: layout.referenceSize)
            guard number < UInt64(layout.count), layout.root.map({ number != UInt64($0) }) ?? true else { return false }
            guard object.kind == .dictionary, position < object.count else { continue }
            let entry = layout.entries[Int(number)]
            guard entry >= 8, entry < bytes.count, ObjectMarker.isString(bytes[entry]) else { return false }
        }
        return true
    }

    /// Doubts objects that begin at one offset or too early, unless the program shares objects. A part of the offset
    /// table may have replaced another part.
    private mutating func doubtMovedEntries() {
        if isNumbered, layout.shift == 0 {
            doubt(layout.movedNumbers(in: bytes) { objects[$0].stored == nil || objects[$0].isRepaired })
        }
        var first: [Int: Int] = [:]
        for index in order where objects[index].stored != nil {
            guard let start = objects[index].range?.lowerBound else { continue }
            if let other = first.updateValue(index, forKey: start) { doubt([other, index]) }
        }
        // If objects are ordered by their offsets, one of two equal entries gave its object the place of another.
        let pairs = isNumbered ? [] : zip(order, order.dropFirst()).filter { layout.entries[$0] == layout.entries[$1] }
        for (one, other) in pairs { doubt([one, other]) }
        if !isNumbered, objects.contains(where: \.isDamaged) { doubt(layout.misplaced(order)) }
    }

    // MARK: Scalars

    /// Marks strings with bytes that no writer stores as doubtful. Null, which no writer stores either, and objects
    /// next to overwritten ones are marked as lost.
    private mutating func checkScalars() {
        let hasOddStrings = Self.hasOddStrings(bytes, objects.lazy.compactMap(\.stored))
        for index in objects.indices where objects[index].state == .kept {
            guard let stored = objects[index].stored, let range = objects[index].range else { continue }
            if stored.kind == .null {
                objects[index] = RecoveredObject(state: .lost, range: range, reason: .neverNull)
            } else if hasOddStrings, Self.isOddString(bytes, stored) {
                weaken(index, .characters)
            }
        }
        for position in order.indices.dropLast() {
            guard let range = objects[order[position]].range, let last = bytes[range].last, last == 0,
                range.upperBound < layout.objectsEnd, bytes[range.upperBound] == 0,
                objects[order[position + 1]].state == .lost, objects[order[position]].stored != nil
            else { continue }
            objects[order[position]] = RecoveredObject(state: .lost, range: range, reason: .zeros)
        }
        for (index, reason) in OverwrittenStretches(in: bytes, layout, order: order, objects).doubts
        where objects[index].state == .kept {
            weaken(index, reason)
        }
    }

    /// The maximum number of strings with odd bytes that may come from damage. More of them are the style of a program.
    private static let maxOddStrings = 12

    /// Whether a few strings contain bytes that no writer stores in them.
    ///
    /// - Parameter areHigh: Whether only bytes above 0x7F count. Some programs do store control characters.
    static func hasOddStrings(
        _ bytes: [UInt8], _ objects: some Sequence<StoredObject>, areHigh: Bool = false
    ) -> Bool {
        let odd = objects.lazy.filter { isOddString(bytes, $0, areHigh: areHigh) }
        return (1...maxOddStrings).contains(odd.prefix(maxOddStrings + 1).reduce(0) { count, _ in count + 1 })
    }

    /// The number of objects and references.
    static func valueCount(_ objects: [RecoveredObject]) -> Int {
        objects.reduce(0) { $0.addingSaturated(1 + ($1.stored?.referenceCount ?? 0)) }
    }

    /// Whether the contents of objects overlap so much that visiting all of them would take too long.
    static func areOverlapping(
        _ objects: some Sequence<StoredObject>, referenceSize: Int, in bytes: [UInt8]
    ) -> Bool {
        var size = 0
        for object in objects {
            size = size.addingSaturated(object.ownSize + object.referenceCount * referenceSize)
        }
        return size > 2 * bytes.count + 4096
    }

    /// Whether an object is an ASCII string with bytes that no writer stores in one.
    static func isOddString(_ bytes: [UInt8], _ object: StoredObject, areHigh: Bool = false) -> Bool {
        object.kind == .oneByteString
            && bytes[object.start..<object.start + object.count].contains {
                $0 >= 0x7F || !areHigh && $0 < 0x20 && !(0x09...0x0D).contains($0)
            }
    }
}
