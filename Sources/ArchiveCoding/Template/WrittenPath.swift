import KeyedArchives
import SaveCodec

/// The path to the encoded value that is written: the containers around it, each with its slots so far.
struct WrittenPath {
    struct Frame {
        let source: UID?
        /// The counterpart in the template.
        let template: Int?
        /// The number of an instance, which may be referred to before it is complete.
        var number: Int?
        let kind: FrameKind
        var slots: [Slot] = []
        var next = 0
    }

    enum FrameKind {
        case top
        /// The fields of an object, and the number of its class record.
        case fields(Int)
        case dictionary(Int)
        case list(Int)
    }

    struct Slot {
        /// The name of a field, or the key of a pair.
        var key: Key
        let source: Source
        let token: AddressToken
        var result: EditedObjects.Reference?

        enum Key {
            case none
            case name(ObjectID)
            case object(EditedObjects.Reference)
            /// The previous slot is the key.
            case slotBefore
            /// This slot is a key.
            case isKey
        }
    }

    enum Source {
        /// The template's value, unchanged.
        case kept
        /// An encoded value, and the model of its storage.
        case encoded(ObjectID, TemplateWriter.StorageModel)
    }

    /// The address of the value that is written, for warnings.
    let base: JSONPointer
    /// Whether a single value of the template is replaced, rather than its roots.
    private let isPart: Bool
    private var frames: [Frame] = []

    /// - Parameter address: The address of the value that is replaced; nil for the roots.
    init(replacing address: JSONPointer?) {
        base = address ?? .root
        isPart = address != nil
    }

    var isEmpty: Bool { frames.isEmpty }

    mutating func append(_ frame: Frame) {
        frames.append(frame)
    }

    /// Ends the innermost container.
    mutating func removeLast() -> Frame { frames.removeLast() }

    /// Moves on to the next slot of the innermost container, and returns its source; nil after the last slot.
    mutating func nextSource() -> Source? {
        let last = frames.count - 1
        let position = frames[last].next
        guard position < frames[last].slots.count else { return nil }
        frames[last].next += 1
        return frames[last].slots[position].source
    }

    /// Sets the result of the current slot of the innermost container.
    mutating func setResult(_ reference: EditedObjects.Reference) {
        let last = frames.count - 1
        frames[last].slots[frames[last].next - 1].result = reference
    }

    /// The address of the current slot.
    var address: JSONPointer {
        var address = base
        for (depth, frame) in frames.enumerated() where frame.next > 0 && !(isPart && depth == 0) {
            address.append(frame.slots[frame.next - 1].token)
        }
        return address
    }
}
