/// A field of a class, and what must stand there.
///
/// Only what every archive obeys is a rule, whoever wrote it: archivers store equal numbers of different kinds as one, so
/// that a boolean may stand for an integer.
struct FieldRule: Sendable {
    /// What a field holds.
    enum Kind: Sendable {
        /// A reference to an object, nil included.
        case reference
        /// A reference to a string, to the object of a class, or to nil.
        case string
        /// A reference to a number, to the object of a class, or to nil.
        case number
        /// A reference to data, to the object of a class, or to nil.
        case bytes
        /// An integer in place, or a boolean.
        case integer
        /// A real in place, or another number.
        case real
        /// A boolean in place, or an integer.
        case boolean
        /// Data in place.
        case data
        /// Data of 16 bytes in place.
        case uuid
    }

    let name: StaticString
    let kind: Kind
    /// Whether every object of the class has it.
    let isRequired: Bool

    init(_ name: StaticString, _ kind: Kind, isRequired: Bool = false) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
    }

    /// Rules for fields of one kind, none of which an object must have.
    static func all(_ kind: Kind, _ names: StaticString...) -> [FieldRule] {
        names.map { FieldRule($0, kind) }
    }

    /// A rule for a field that every object of the class has.
    static func required(_ name: StaticString, _ kind: Kind) -> [FieldRule] {
        [FieldRule(name, kind, isRequired: true)]
    }
}
