import SaveCodec

/// The types of the keyword `x-type`, as a set: what a value is in the view, where JSON has one kind for several.
struct ViewTypes: OptionSet, Sendable {
    let rawValue: UInt16

    static let names: [(name: String, type: ViewTypes)] = [
        "null", "boolean", "integer", "real", "real32", "string", "date", "data", "uid", "array", "set", "dictionary",
        "object",
    ].enumerated().map { ($1, ViewTypes(rawValue: 1 << UInt16($0))) }

    /// The type of a value.
    init(_ form: InstanceForm) {
        let name =
            switch form {
            case .array: "array"
            case .set: "set"
            case .dictionary: "dictionary"
            case .object: "object"
            case .scalar(.null): "null"
            case .scalar(.boolean): "boolean"
            case .scalar(.integer): "integer"
            case .scalar(.real64): "real"
            case .scalar(.real32): "real32"
            case .scalar(.string): "string"
            case .scalar(.date): "date"
            case .scalar(.data): "data"
            case .scalar(.uid): "uid"
            case .scalar: "dictionary"
            }
        self = Self.names.first { $0.name == name }?.type ?? []
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The names of the types.
    var names: [String] { Self.names.filter { contains($0.type) }.map(\.name) }
}
