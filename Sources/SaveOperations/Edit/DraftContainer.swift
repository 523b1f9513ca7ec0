import KeyedArchives
import SaveCodec

/// A container of a draft, taken out of the view to be looked through or edited, or new.
struct DraftContainer {
    /// One of its contents.
    struct Slot {
        static let none = UInt32.max

        /// The value that the key is; none for elements.
        var key = Slot.none
        var value: UInt32
        /// The objects that the document has for the key and the value; none where they are new.
        var storedKey = Slot.none
        var storedValue = Slot.none
        /// What the document had for the value before it was replaced.
        var replaced = Slot.none
        /// Whether the value stands in place, not as an object that is referred to.
        var isInPlace: Bool
    }

    var kind: ContainerKind
    /// The number of its class; nil for a plain value.
    var classNumber: Int?
    /// Whether it stands in `$objects` without a class.
    var isRaw = false
    /// Whether it differs from what the document has.
    var isEdited = false
    private(set) var slots: [Slot]
    /// The order of the slots, once it is another than that of their numbers.
    private var order: PositionList?
    /// The slots by the hash of their keys, once asked for.
    private var slotsByKey: [Int: [UInt32]]?

    init(_ kind: ContainerKind, classNumber: Int?, slots: [Slot] = []) {
        self.kind = kind
        self.classNumber = classNumber
        self.slots = slots
    }

    var count: Int { order?.count ?? slots.count }

    subscript(position: Int) -> Slot {
        get { slots[order?[position] ?? position] }
        set { slots[order?[position] ?? position] = newValue }
    }

    /// The slots in order.
    var contents: [Slot] { order.map { $0.numbers.map { slots[Int($0)] } } ?? slots }

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
        if let keyHash { slotsByKey?[keyHash]?.removeAll { $0 == UInt32(truncatingIfNeeded: slot) } }
    }

    mutating func move(from: Int, to position: Int) {
        arrange { $0.insert($0.remove(at: from), at: position) }
    }

    /// Changes the order of the slots, which most containers keep as it is.
    private mutating func arrange(_ change: (inout PositionList) -> Void) {
        var list = order ?? PositionList(count: slots.count)
        order = nil
        change(&list)
        order = list
    }

    /// The positions of the slots whose keys have this hash.
    func positions(withKeyHash hash: Int) -> [Int] {
        (slotsByKey?[hash] ?? []).compactMap { order == nil ? Int($0) : order?.position(of: Int($0)) }
    }

    var isIndexed: Bool { slotsByKey != nil }

    /// Makes the index of keys; `hash` gives nil for keys that are no strings.
    mutating func index(_ hash: (UInt32) -> Int?) {
        var index: [Int: [UInt32]] = [:]
        for number in order?.numbers ?? Array(0..<UInt32(truncatingIfNeeded: slots.count)) {
            guard let hash = hash(slots[Int(number)].key) else { continue }
            index[hash, default: []].append(number)
        }
        slotsByKey = index
    }
}
