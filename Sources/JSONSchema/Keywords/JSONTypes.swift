import SaveCodec

/// The types of the keyword `type`, as a set.
struct JSONTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = JSONTypes(rawValue: 1)
    static let boolean = JSONTypes(rawValue: 2)
    static let object = JSONTypes(rawValue: 4)
    static let array = JSONTypes(rawValue: 8)
    static let number = JSONTypes(rawValue: 16)
    static let string = JSONTypes(rawValue: 32)
    static let integer = JSONTypes(rawValue: 64)

    static let names: [(name: String, type: JSONTypes)] = [
        ("null", .null), ("boolean", .boolean), ("object", .object), ("array", .array), ("number", .number),
        ("string", .string), ("integer", .integer),
    ]

    /// Whether a value is of one of the types.
    func include(_ value: InstanceValue) -> Bool {
        switch value {
        case .null: contains(.null)
        case .boolean: contains(.boolean)
        case .object: contains(.object)
        case .array: contains(.array)
        case .string: contains(.string)
        case .number(let number): contains(.number) || (contains(.integer) && number.isWhole)
        }
    }
}
