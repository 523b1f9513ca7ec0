import SaveCodec

/// The way from the value that is being read to the slots in it, from which messages get their addresses.
struct SlotTrail {
    /// A slot of a present container, and the slot that the container is in; `parent` is negative for the root.
    struct Slot {
        let parent: Int
        let container: Draft.ID
        let position: Int
    }

    /// The location of the value as a whole. Its address is found once a message needs it; most values need none.
    private enum Root {
        case address(JSONPointer)
        case path(ResolvedAddress)
    }

    private var root: Root
    private var slots: [Slot] = []

    init(at address: JSONPointer) {
        root = .address(address)
    }

    init(at path: ResolvedAddress) {
        root = .path(path)
    }

    /// The address of the value as a whole.
    var address: JSONPointer {
        switch root {
        case .address(let address): address
        case .path(let path): path.address
        }
    }

    subscript(number: Int) -> Slot { slots[number] }

    /// Appends a slot.
    ///
    /// - Returns: Its number, which slots in it have as their parent.
    mutating func append(_ slot: Slot) -> Int {
        slots.append(slot)
        return slots.count - 1
    }

    mutating func removeAll() {
        slots = []
    }

    /// The address of a slot; of nil that of the value as a whole.
    func address(of slot: Slot?, in draft: inout Draft) -> JSONPointer {
        var way: [Slot] = []
        var next = slot
        while let slot = next {
            way.append(slot)
            next = slot.parent < 0 ? nil : slots[slot.parent]
        }
        var address = address
        for slot in way.reversed() { draft.append(slot: slot.position, of: slot.container, to: &address) }
        return address
    }
}
