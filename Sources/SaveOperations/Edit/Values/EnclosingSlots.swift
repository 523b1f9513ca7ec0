import SaveCodec

/// The slots between the whole value and the current one, for the addresses in messages.
struct EnclosingSlots {
    /// A slot of a present container. `parent` is the number of the slot that contains the container; negative for the
    /// root.
    struct Slot {
        let parent: Int
        let container: Draft.ID
        let position: Int
    }

    /// The location of the whole value. Its address is only computed for a message; most values need none.
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

    /// The address of the whole value.
    var address: JSONPointer {
        switch root {
        case .address(let address): address
        case .path(let path): path.address
        }
    }

    subscript(number: Int) -> Slot { slots[number] }

    /// Appends a slot.
    ///
    /// - Returns: The number of the slot, which is the `parent` of the slots inside it.
    mutating func append(_ slot: Slot) -> Int {
        slots.append(slot)
        return slots.count - 1
    }

    mutating func removeAll() {
        slots = []
    }

    /// Returns the address of a slot, or the address of the whole value for nil.
    func address(of slot: Slot?, in draft: inout Draft) -> JSONPointer {
        var enclosing: [Slot] = []
        var next = slot
        while let slot = next {
            enclosing.append(slot)
            next = slot.parent < 0 ? nil : slots[slot.parent]
        }
        var address = address
        for slot in enclosing.reversed() { draft.append(slot: slot.position, of: slot.container, to: &address) }
        return address
    }
}
