/// The slots of a merged container: the slots from ours in order, with slots from theirs inserted.
///
///     ours    A x B        y of theirs is inserted after A and x        A x y B
///     theirs  A y B
///
/// The slots form a doubly linked list, so that an insertion or a move takes constant time.
struct MergedSlots {
    /// The side that a slot comes from, and its position there.
    enum Source: Equatable {
        case ours(Int)
        case theirs(Int)
    }

    private(set) var sources: [Source]
    private var next: [Int32]
    private var previous: [Int32]
    private(set) var isRemoved: [Bool]
    private(set) var isMoved: [Bool]

    /// The item before the first slot. An item is an index in ``sources``.
    static let head = 0

    /// Creates a list with the slots from ours as items 1 to `count`.
    init(count: Int) {
        sources = [.ours(-1)] + (0..<count).map { .ours($0) }
        next = (0..<count).map { Int32(truncatingIfNeeded: $0 + 1) } + [-1]
        previous = (0...count).map { Int32(truncatingIfNeeded: $0 - 1) }
        isRemoved = [Bool](repeating: false, count: count + 1)
        isMoved = isRemoved
    }

    static func item(ofOurs position: Int) -> Int { position + 1 }

    func item(after item: Int) -> Int? { next[item] < 0 ? nil : Int(next[item]) }

    mutating func remove(_ item: Int) {
        guard !isRemoved[item] else { return }
        isRemoved[item] = true
        unlink(item)
    }

    /// Inserts a slot from theirs after an item, and returns the new item.
    mutating func insert(theirs position: Int, after item: Int) -> Int {
        sources.append(.theirs(position))
        isRemoved.append(false)
        isMoved.append(false)
        next.append(-1)
        previous.append(-1)
        link(sources.count - 1, after: item)
        return sources.count - 1
    }

    mutating func move(_ item: Int, after other: Int) {
        guard item != other, Int(previous[item]) != other else { return }
        unlink(item)
        link(item, after: other)
        isMoved[item] = true
    }

    private mutating func unlink(_ item: Int) {
        let (before, after) = (previous[item], next[item])
        if before >= 0 { next[Int(before)] = after }
        if after >= 0 { previous[Int(after)] = before }
    }

    private mutating func link(_ item: Int, after other: Int) {
        let following = next[other]
        next[item] = following
        previous[item] = Int32(truncatingIfNeeded: other)
        next[other] = Int32(truncatingIfNeeded: item)
        if following >= 0 { previous[Int(following)] = Int32(truncatingIfNeeded: item) }
    }

    /// The edits that turn the slots in ours into the merged slots.
    var edits: [SlotEdit] {
        var edits: [SlotEdit] = []
        for (item, source) in sources.enumerated() where isRemoved[item] {
            if case .ours(let position) = source { edits.append(.remove(before: position)) }
        }
        var position = 0
        var item = Self.head
        while let following = self.item(after: item) {
            item = following
            switch sources[item] {
            case .ours(let before): if isMoved[item] { edits.append(.move(before: before, after: position)) }
            case .theirs: edits.append(.insert(after: position))
            }
            position += 1
        }
        return edits
    }

    /// The positions in theirs of the inserted slots, in merged order.
    var inserted: [Int] {
        var inserted: [Int] = []
        var item = Self.head
        while let following = self.item(after: item) {
            item = following
            if case .theirs(let position) = sources[item] { inserted.append(position) }
        }
        return inserted
    }
}
