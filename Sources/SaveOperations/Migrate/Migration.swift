package import SaveCodec

/// What brings saves of one version of a game to the next: rules, and where the version stands.
///
///     {"version": "/root/saveVersion", "from": 1, "to": 2,
///      "rules": [{"renameClass": "Player", "to": "Hero"},
///                {"renameField": "hp", "of": "Hero", "to": "health"}]}
///
/// Rules are applied in their order, and each sees what those before it have made. A rule for what a save does not have
/// changes nothing.
package struct Migration: Sendable {
    /// What messages call it: the name of its file.
    package let name: String
    /// The version of the saves that it is for; nil for those that tell none.
    package let from: SaveVersion?
    /// The version that it makes.
    package let to: SaveVersion
    /// Where in a save the version stands.
    let address: JSONPointer
    let rules: [MigrationRule]
    /// Holds the values that rules speak of, as typed JSON.
    let values: Document
    /// The version that it makes, as a value.
    let version: ObjectID

    /// The versions that a migration leads from and to.
    package struct Versions {
        let from: SaveVersion?
        let to: SaveVersion
        let address: JSONPointer

        /// - Parameters:
        ///   - from: the version of the saves; nil for those that tell none.
        ///   - address: the address of the version in a save.
        package init(from: SaveVersion?, to: SaveVersion, at address: JSONPointer) {
            (self.from, self.to, self.address) = (from, to, address)
        }
    }

    package init(
        name: String, _ versions: Versions, rules: [MigrationRule], values: Document, version: ObjectID
    ) {
        (from, to, address) = (versions.from, versions.to, versions.address)
        (self.name, self.rules, self.values, self.version) = (name, rules, values, version)
    }
}

/// One change that a migration makes. Objects of a class are those of the classes that are derived from it, too.
package enum MigrationRule: Sendable {
    /// Gives a class another name, in the chains and hints of other classes as well.
    case renameClass([UInt16], to: [UInt16])
    /// Gives a class other ancestors, and so those that are derived from it.
    case setAncestors([UInt16], to: [[UInt16]])
    /// Gives a field of the objects of a class another name.
    case renameField([UInt16], of: [UInt16], to: [UInt16])
    /// Takes a field from the objects of a class.
    case dropField([UInt16], of: [UInt16])
    /// Gives a field to those objects of a class that do not have it.
    case addField([UInt16], of: [UInt16], value: ObjectID)
    /// Changes the type of a field of the objects of a class, how it is stored, or its unit.
    case convertField([UInt16], of: [UInt16], FieldConversion)
    /// Gives a key of the root, of an archive one of `$top`, another name.
    case moveRoot([UInt16], to: [UInt16])
    /// Replaces what is at an address.
    case replace(JSONPointer, with: ObjectID)
}

/// The version that a save tells: a number, of whatever type, or a text.
package enum SaveVersion: Sendable, Hashable, CustomStringConvertible {
    case integer(Int128)
    case real(Double)
    case text([UInt16])

    /// The version that a value tells; nil for what tells none.
    package init?(_ value: Node) {
        switch value {
        case .integer(let integer): self = .integer(integer.value)
        case .real32(let real): self.init(Double(real))
        case .real64(let real): self.init(real)
        case .string(let text): self = .text(Array(text))
        default: return nil
        }
    }

    private init?(_ real: Double) {
        if real.isNaN { return nil }
        self = Int128(exactly: real).map { .integer($0) } ?? .real(real)
    }

    package var description: String {
        switch self {
        case .integer(let value): "\(value)"
        case .real(let value): ScalarText.real(value)
        case .text(let units): "\"\(SafeText.escaping(units.prefix(80)))\""
        }
    }
}
