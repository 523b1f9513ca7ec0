package import SaveCodec

/// What a value is, by name.
package enum NodeKind: String, Sendable, CaseIterable {
    /// A container of pairs.
    case dictionary
    /// An ordered container.
    case array
    /// A container without order.
    case set
    /// Text.
    case string
    /// A whole number.
    case integer
    /// A number with a fraction.
    case real
    /// True or false.
    case boolean
    /// A point in time.
    case date
    /// Bytes.
    case data
    /// A reference of a keyed archive.
    case uid = "UID"
    /// The null object.
    case null
}

extension Node {
    /// What the value is.
    package var kind: NodeKind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer: .integer
        case .real32, .real64: .real
        case .date: .date
        case .data: .data
        case .string: .string
        case .uid: .uid
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        }
    }

    /// The size of a scalar's stored contents in bytes; 0 for containers.
    package var contentSize: Int {
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
}

extension Node {
    /// How many elements or pairs a container has; nil for all other values.
    package var contentCount: Int? {
        switch self {
        case .array(let elements), .set(let elements): elements.count
        case .dictionary(let pairs): pairs.count
        default: nil
        }
    }
}
