/// The order of numbers that may be inserted, removed and moved anywhere: in blocks, so that a change of a list of n
/// moves about √n of them, and that the position of a number is found without a search of them all.
///
///     blocks   [4, 9, 2] [7, 0] [1, 3, 8]        starts   0 3 5        8 is at position 5 + 2
struct PositionList {
    private static let blockSize = 1024

    private var blocks: [[UInt32]] = []
    private var starts: [Int] = []
    /// The lasting number of each block, and where in ``blocks`` the block with a lasting number is.
    private var names: [UInt32] = []
    private var places: [Int] = []
    /// The block that each number is in, by its lasting number.
    private var homes: [UInt32]
    private(set) var count: Int

    /// The numbers below `count` in their order.
    init(count: Int) {
        self.count = count
        homes = []
        homes.reserveCapacity(count)
        var start = 0
        repeat {
            let end = min(start + Self.blockSize, count)
            insert(block: (start..<end).map { UInt32(truncatingIfNeeded: $0) }, at: blocks.count)
            homes += repeatElement(UInt32(truncatingIfNeeded: blocks.count - 1), count: end - start)
            start = end
        } while start < count
        renumber(from: 0)
    }

    /// The number at a position.
    subscript(position: Int) -> Int {
        let block = block(of: position)
        return Int(blocks[block][position - starts[block]])
    }

    /// The position of a number that is in the list.
    func position(of number: Int) -> Int? {
        let block = places[Int(homes[number])]
        return blocks[block].firstIndex(of: UInt32(truncatingIfNeeded: number)).map { starts[block] + $0 }
    }

    /// All numbers in order.
    var numbers: [UInt32] { Array(blocks.joined()) }

    /// Inserts a number: that of a removed one, or the next that has not been used.
    mutating func insert(_ number: Int, at position: Int) {
        let block = block(of: position)
        blocks[block].insert(UInt32(truncatingIfNeeded: number), at: position - starts[block])
        if number == homes.count { homes.append(names[block]) } else { homes[number] = names[block] }
        count += 1
        if blocks[block].count > 2 * Self.blockSize { split(block) }
        renumber(from: block)
    }

    /// Removes the number at a position.
    mutating func remove(at position: Int) -> Int {
        let block = block(of: position)
        let number = blocks[block].remove(at: position - starts[block])
        count -= 1
        renumber(from: block)
        return Int(number)
    }

    /// The block that holds a position, or could take it.
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
        for number in half { homes[Int(number)] = names[block + 1] }
        for later in block + 1..<names.count { places[Int(names[later])] = later }
    }

    private mutating func insert(block: [UInt32], at place: Int) {
        blocks.insert(block, at: place)
        starts.insert(0, at: place)
        names.insert(UInt32(truncatingIfNeeded: places.count), at: place)
        places.append(place)
    }

    private mutating func renumber(from block: Int) {
        var start = starts[block]
        for later in block..<blocks.count {
            starts[later] = start
            start += blocks[later].count
        }
    }
}
