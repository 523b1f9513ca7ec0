import SaveCodec

extension Node {
    /// The size of a scalar's stored contents in bytes; 0 for containers.
    var contentSize: Int {
        switch self {
        case .null, .boolean, .array, .set, .dictionary: 0
        case .integer(let integer): integer.width
        case .real32: 4
        case .real64, .date: 8
        case .data(let bytes): bytes.count
        case .string(let text): text.isOneByte ? text.count : 2 * text.count
        case .uid(let uid): uid.width
        }
    }

    /// How many elements or pairs a container has; nil for all other values.
    var contentCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let pairs): pairs.count
        default: nil
        }
    }
}
