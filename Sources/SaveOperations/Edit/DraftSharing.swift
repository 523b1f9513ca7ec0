import SaveCodec

/// The containers whose sharing a draft changes, and the shared objects that it edits.
struct DraftSharing {
    /// The copies of split containers, by the index of the original.
    private var copies: [Int: Draft.ID] = [:]
    /// The slots of an archive whose objects were replaced by copies. An object is copied once for each slot.
    private(set) var splitSlots: Set<Draft.Slot> = []
    /// The containers of a property list that became shared when a container that refers to them was copied.
    private var sharedByCopies: Set<Draft.ID> = []
    /// The addresses of the first shared objects that were edited inside a given value.
    private(set) var editedObjects: [JSONPointer] = []

    /// The maximum number of edited shared objects that are reported.
    private static let maxEdited = 20

    /// Returns the last copy of a split container; nil for any other value.
    func copy(of original: Draft.ID) -> Draft.ID? { copies[original.index] }

    /// Notes that the object in a slot is copied. Returns false if it already was.
    mutating func beginSplit(at slot: Draft.Slot) -> Bool { splitSlots.insert(slot).inserted }

    /// Records the copy of an object.
    ///
    /// - Parameter copies: The copies of the object and of the containers in it, by the index of the original.
    mutating func noteSplit(of original: Draft.ID, into copy: Draft.ID, _ copies: [Int: Draft.ID]) {
        self.copies.merge(copies) { $1 }
        self.copies[original.index] = copy
    }

    func isSharedByCopy(_ id: Draft.ID) -> Bool { sharedByCopies.contains(id) }

    mutating func noteShared(_ id: Draft.ID) { sharedByCopies.insert(id) }

    /// Whether the list of edited shared objects is full.
    var isFull: Bool { editedObjects.count >= Self.maxEdited }

    mutating func noteEdit(at address: JSONPointer) { editedObjects.append(address) }
}
