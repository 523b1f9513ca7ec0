package import SaveCodec

/// One operation of a JSON Patch.
package struct PatchOperation: Sendable {
    /// What an operation does (RFC 6902 §4).
    package enum Kind: String, Sendable, CaseIterable {
        case add, remove, replace, move, copy, test

        var takesValue: Bool { self == .add || self == .replace || self == .test }
        var takesSource: Bool { self == .move || self == .copy }
    }

    /// What it does.
    package let kind: Kind
    /// Where it stands in the patch, from one.
    package let number: Int
    /// The address of what is changed.
    package let path: JSONPointer
    /// The address of what is moved or copied.
    let source: JSONPointer?
    /// The value, by its number among those of the patch.
    let value: Int?
}
