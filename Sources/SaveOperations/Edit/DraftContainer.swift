import KeyedArchives
import SaveCodec

/// A container of a draft: opened from the view to be read or edited, or new.
struct DraftContainer {
    struct Slot {
        static let none = UInt32.max

        /// The index of the key, or `none` for an element.
        var key = Slot.none
        var value: UInt32
        /// The objects of the document for the key and the value; `none` for new ones.
        var storedKey = Slot.none
        var storedValue = Slot.none
        /// The object of the document for the original value, once that was replaced.
        var replaced = Slot.none
        /// Whether the value is stored in place, not as a reference.
        var isInPlace: Bool
    }

    var kind: ContainerKind
    /// The number of the container's class; nil for a plain value.
    var classNumber: Int?
    /// Whether the container is in `$objects` without a class, or inside another container that is.
    var isRaw = false
    /// Whether the container differs from the one in the document.
    var isEdited = false
    private(set) var slots: [Slot]
    /// The number of slots before any edit.
    private let originalCount: Int
    /// The order of the slots; nil while they are in the order of their indices.
    private var order: PositionList?
    /// The indices in ``slots`` by the hash of the slot's key; nil until needed.
    private var slotsByKey: [Int: [UInt32]]?

    init(_ kind: ContainerKind, classNumber: Int?, slots: [Slot] = []) {
        self.kind = kind
        self.classNumber = classNumber
        self.slots = slots
        originalCount = slots.count
    }

    var count: Int { order?.count ?? slots.count }

    subscript(position: Int) -> Slot {
        get { slots[order?[position] ?? position] }
        set { slots[order?[position] ?? position] = newValue }
    }

    var contents: [Slot] { order.map { $0.numbers.map { slots[Int($0)] } } ?? slots }

    /// For each slot, in order, its original position; nil for a new slot.
    var origins: MemberOrigins {
        if let order { return MemberOrigins(order.numbers.lazy.map { $0 < originalCount ? Int($0) : nil }) }
        let isUnmoved =
            slots.count == originalCount && (!kind.isKeyed || slots.allSatisfy { $0.storedKey != Slot.none })
        guard !isUnmoved else { return MemberOrigins(unmoved: originalCount) }
        return MemberOrigins(slots.indices.lazy.map { $0 < originalCount ? $0 : nil })
    }

    /// The original positions of the slots that were removed, and the positions of new slots. A slot that was removed
    /// and inserted again is neither.
    var namedElements: Sides<Set<Int>> {
        let origins = origins
        let kept = Set(origins.compactMap(\.self))
        var removed: [UInt32: [Int]] = [:]
        for origin in 0..<originalCount where !kept.contains(origin) {
            removed[slots[origin].value, default: []].append(origin)
        }
        var inserted: Set<Int> = []
        for (position, origin) in origins.enumerated() where origin == nil {
            if removed[self[position].value]?.popLast() == nil { inserted.insert(position) }
        }
        return Sides { $0 == .before ? Set(removed.values.joined()) : inserted }
    }

    mutating func insert(_ slot: Slot, at position: Int, keyHash: Int?) {
        if let keyHash { slotsByKey?[keyHash, default: []].append(UInt32(truncatingIfNeeded: slots.count)) }
        if order != nil || position < slots.count {
            arrange { [count = slots.count] in $0.insert(count, at: position) }
        }
        slots.append(slot)
    }

    mutating func remove(at position: Int, keyHash: Int?) {
        var slot = position
        arrange { slot = $0.remove(at: position) }
        guard let keyHash, let index = slotsByKey?[keyHash]?.lastIndex(of: UInt32(truncatingIfNeeded: slot)) else {
            return
        }
        slotsByKey?[keyHash]?.remove(at: index)
    }

    /// Discards the index of the keys, before many of them change.
    mutating func dropIndex() { slotsByKey = nil }

    mutating func move(from: Int, to position: Int) {
        arrange { $0.insert($0.remove(at: from), at: position) }
    }

    private mutating func arrange(_ change: (inout PositionList) -> Void) {
        var list = order ?? PositionList(count: slots.count)
        order = nil
        change(&list)
        order = list
    }

    func positions(withKeyHash hash: Int) -> [Int] {
        (slotsByKey?[hash] ?? []).compactMap { order == nil ? Int($0) : order?.position(of: Int($0)) }
    }

    func slots(withKeyHash hash: Int) -> some Sequence<Slot> {
        (slotsByKey?[hash] ?? []).lazy.map { slots[Int($0)] }
    }

    var isIndexed: Bool { slotsByKey != nil }

    /// Indexes the keys.
    ///
    /// - Parameter hash: Returns the hash of a key, or nil for a key that addresses cannot name.
    mutating func index(_ hash: (UInt32) -> Int?) {
        var index: [Int: [UInt32]] = [:]
        for number in order?.numbers ?? Array(0..<UInt32(truncatingIfNeeded: slots.count)) {
            guard let hash = hash(slots[Int(number)].key) else { continue }
            index[hash, default: []].append(number)
        }
        slotsByKey = index
    }
}

/// A list of distinct numbers from 0 on. The list is divided into blocks of up to 2,048 numbers, so that an insertion
/// or removal moves only numbers of one block, and the position of a number is found by searching only its block.
///
///     blocks   [4, 9, 2] [7, 0] [1, 3, 8]        starts   0 3 5        8 is at position 5 + 2
private struct PositionList {
    private static let blockSize = 1024

    private var blocks: [[UInt32]] = []
    private var starts: [Int] = []
    /// For each block in ``blocks``, its permanent number.
    private var names: [UInt32] = []
    /// For each permanent number, the index of its block in ``blocks``.
    private var indices: [Int] = []
    /// The permanent number of the block that contains each number.
    private var blockNumbers: [UInt32]
    private(set) var count: Int

    /// Creates the list of the numbers below `count` in ascending order.
    init(count: Int) {
        self.count = count
        blockNumbers = []
        blockNumbers.reserveCapacity(count)
        var start = 0
        repeat {
            let end = min(start + Self.blockSize, count)
            insert(block: (start..<end).map { UInt32(truncatingIfNeeded: $0) }, at: blocks.count)
            blockNumbers += repeatElement(UInt32(truncatingIfNeeded: blocks.count - 1), count: end - start)
            start = end
        } while start < count
        renumber(from: 0)
    }

    subscript(position: Int) -> Int {
        let block = block(of: position)
        return Int(blocks[block][position - starts[block]])
    }

    func position(of number: Int) -> Int? {
        let block = indices[Int(blockNumbers[number])]
        return blocks[block].firstIndex(of: UInt32(truncatingIfNeeded: number)).map { starts[block] + $0 }
    }

    var numbers: [UInt32] { Array(blocks.joined()) }

    /// Inserts a number: a removed one, or the next unused one.
    mutating func insert(_ number: Int, at position: Int) {
        let block = block(of: position)
        blocks[block].insert(UInt32(truncatingIfNeeded: number), at: position - starts[block])
        if number == blockNumbers.count {
            blockNumbers.append(names[block])
        } else {
            blockNumbers[number] = names[block]
        }
        count += 1
        if blocks[block].count > 2 * Self.blockSize { split(block) }
        renumber(from: block)
    }

    mutating func remove(at position: Int) -> Int {
        let block = block(of: position)
        let number = blocks[block].remove(at: position - starts[block])
        count -= 1
        renumber(from: block)
        return Int(number)
    }

    /// Returns the block that contains a position, or that a number at the position would be inserted into.
    private func block(of position: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= position { low = middle } else { high = middle }
        }
        return low
    }

    private mutating func split(_ block: Int) {
        let half = Array(blocks[block][Self.blockSize...])
        blocks[block].removeSubrange(Self.blockSize...)
        insert(block: half, at: block + 1)
        for number in half { blockNumbers[Int(number)] = names[block + 1] }
        for later in block + 1..<names.count { indices[Int(names[later])] = later }
    }

    private mutating func insert(block: [UInt32], at position: Int) {
        blocks.insert(block, at: position)
        starts.insert(0, at: position)
        names.insert(UInt32(truncatingIfNeeded: indices.count), at: position)
        indices.append(position)
    }

    private mutating func renumber(from block: Int) {
        var start = starts[block]
        for later in block..<blocks.count {
            starts[later] = start
            start += blocks[later].count
        }
    }
}
