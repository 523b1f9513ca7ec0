/// An object of a damaged binary property list.
struct RecoveredObject {
    /// The state of an object: intact, readable but possibly wrong, unreadable, or not in the file.
    enum State: UInt8 {
        case kept, doubtful, lost, missing
    }

    /// The reason why an object is doubtful or lost.
    enum Reason: UInt8 {
        case none, extent, ambiguous, inserted, characters, zeros, border, version, cut, neverNull, reference, sequence,
            references, width, table, root, envelope, restored, leftOut, lineEnds, member,
            versions

        var message: String {
            switch self {
            case .none: "it cannot be read"
            case .extent: "its size contradicts the offset table"
            case .ambiguous: "the offset table and the objects contradict each other here"
            case .inserted: "bytes were inserted or removed here"
            case .characters: "it contains bytes that no writer stores in such a string"
            case .zeros: "it borders on bytes that were overwritten with zeros"
            case .border: "it borders on bytes that were overwritten"
            case .version: "the bytes after it belong to another version of the file, so it may belong to that, too"
            case .versions: "parts of the file belong to another version of it, so any value may be wrong"
            case .cut: "it is cut off"
            case .reference: "one of its references contradicts the order of the objects"
            case .sequence: "the offset table is missing, and there is other damage"
            case .table: "another offset table fits the objects, too"
            case .width: "references of another size fit the bytes, too"
            case .references: "several of its references are wrong, so others may be, too"
            case .root: "another object may be the root"
            case .envelope: "it was lost, and rebuilt from the parts of the archive"
            case .restored: "one of its references was restored, so others may be wrong"
            case .leftOut: "it leaves out a container with twice as many objects, so a reference is probably wrong"
            case .lineEnds: "it contains a line end, which may have been another one before the conversion"
            case .neverNull: "it reads as null, which no program writes"
            case .member: "the references of its container are damaged, so another object may belong here"
            }
        }
    }

    var state = State.lost
    /// The bytes of the object or, if it is lost, those in which it must have been; nil if they are unknown.
    var range: Range<Int>?
    /// The contents; nil unless the object is kept or doubtful.
    var stored: StoredObject?
    /// The reason for the state.
    var reason = Reason.none
    /// Whether the marker or the count of this scalar, or of the one before it, was repaired. Elsewhere, such an object
    /// is as much a sign of damage as a lost one.
    var isRepaired = false

    /// Whether the object is lost, or would be without a repair.
    var isDamaged: Bool { state == .lost || isRepaired }
}
