import KeyedArchives
package import SaveCodec

/// The rules that bring saves from one version of a game to the next, and the address of the version.
///
///     {"version": "/root/saveVersion", "from": 1, "to": 2,
///      "rules": [{"renameClass": "Player", "to": "Hero"},
///                {"renameField": "hp", "of": "Hero", "to": "health"}]}
///
/// Rules are applied in order, and each sees the results of the earlier ones. A rule that matches nothing in a save has
/// no effect.
package struct Migration: Sendable {
    /// The name in messages, which is the name of the file.
    package let name: String
    /// The version of the saves that the migration is for; nil for saves without a version.
    package let from: SaveVersion?
    /// The version of a migrated save.
    package let to: SaveVersion
    /// The address of the version in a save.
    let address: JSONPointer
    let rules: [MigrationRule]
    /// The document that holds the values of the rules, as typed JSON.
    let values: Document
    /// The value of ``to`` in ``values``.
    let version: ObjectID

    /// The versions before and after a migration.
    package struct Versions {
        let from: SaveVersion?
        let to: SaveVersion
        let address: JSONPointer

        /// - Parameters:
        ///   - from: The version of the saves; nil for saves without a version.
        ///   - address: The address of the version in a save.
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

/// A change that a migration makes. The objects of a class include the objects of its subclasses.
package enum MigrationRule: Sendable {
    /// Renames a class or a module, including in the chains and hints of other classes.
    case rename(ClassRenaming)
    /// Replaces the ancestors of a class and of its subclasses.
    case setAncestors([UInt16], to: [[UInt16]])
    /// Renames a field in the objects of a class.
    case renameField([UInt16], of: [UInt16], to: [UInt16])
    /// Removes a field from the objects of a class.
    case dropField([UInt16], of: [UInt16])
    /// Adds a field to the objects of a class that do not have it.
    case addField([UInt16], of: [UInt16], value: ObjectID)
    /// Converts the type, the storage or the unit of a field in the objects of a class.
    case convertField([UInt16], of: [UInt16], FieldConversion)
    /// Renames a key of the root, which is `$top` in an archive.
    case moveRoot([UInt16], to: [UInt16])
    /// Replaces the value at an address.
    case replace(JSONPointer, with: ObjectID)
}

/// The version in a save: a number of any type, or a text.
package enum SaveVersion: Sendable, Hashable, CustomStringConvertible {
    case integer(Int128)
    case real(Double)
    case text([UInt16])

    /// Creates a version from a value; nil if the value is neither a number nor a string.
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
        case .text(let units): "\"\(Phrase.name(units))\""
        }
    }
}

// MARK: Class names

/// A change of class names: of one class, or of all classes of a Swift module.
///
///     Player          ─▶  Hero                Player, in any class record
///     Game.Item       ─▶  Kit.Item            also _TtC4Game4Item, which becomes _TtC3Kit4Item
///     Game.*          ─▶  Kit.*               Game.Player, _TtCC4Game5Level4Item, _TtGC4Game3BoxCS_4Item_
package enum ClassRenaming: Sendable {
    case `class`([UInt16], to: [UInt16])
    case module([UInt16], to: [UInt16])

    /// Creates a renaming from two names of classes, or from two modules as `Game.*` and `Kit.*`.
    ///
    /// - Throws: A fault if only one of them is a module, or if the new module is not a name in Swift.
    package init(_ old: String, to new: String) throws(Fault) {
        guard old.utf8.contains(UInt8(ascii: "*")) || new.utf8.contains(UInt8(ascii: "*")) else {
            self = .class(Array(old.utf16), to: Array(new.utf16))
            return
        }
        guard old.hasSuffix(".*") else { throw .old }
        guard new.hasSuffix(".*") else { throw .new }
        try self.init(module: String(old.unicodeScalars.dropLast(2)), to: String(new.unicodeScalars.dropLast(2)))
    }

    /// Creates the renaming of a module.
    package init(module old: String, to new: String) throws(Fault) {
        guard SwiftTypeName.isIdentifier(old) else { throw .old }
        guard SwiftTypeName.isIdentifier(new) else { throw .new }
        self = .module(Array(old.utf16), to: Array(new.utf16))
    }

    /// The name that is wrong.
    package enum Fault: Error {
        case old, new

        /// The names that are expected instead.
        package static var expected: String { "the name of a class, or MODULE.* as both OLD and NEW" }
    }

    /// A renaming from the new name to a longer one, which finds the classes that already have the new name.
    package var ofRenamed: ClassRenaming {
        switch self {
        case .class(_, let new): .class(new, to: new + new)
        case .module(_, let new): .module(new, to: new + new)
        }
    }

    /// Returns the new name of a class, mangled like the old one; nil if the name stays.
    func renamed(_ name: [UInt16]) -> [UInt16]? {
        switch self {
        case .class(let old, let new):
            if name == old { return new }
            guard let type = SwiftTypeName(mangled: name) else { return nil }
            if type.text == old { return type.renamed(new)?.mangled ?? new }
            return type.renamingType(old, to: new)?.mangled
        case .module(let old, let new):
            if let type = SwiftTypeName(mangled: name) { return type.renamingModule(old, to: new)?.mangled }
            guard name.count > old.count + 1, name.starts(with: old), name[old.count] == 0x2E else {
                return nil
            }
            return new + name[old.count...]
        }
    }

    /// Returns the renamed class names of a list: a class chain or a list of hints. If a new name then occurs several
    /// times, only its first occurrence is kept.
    func renamed(list names: [[UInt16]]) -> [[UInt16]] {
        let changes = names.map { renamed($0) }
        let new = Set(changes.compactMap { $0 })
        guard !new.isEmpty else { return names }
        var present: Set<[UInt16]> = []
        return zip(names, changes).map { $1 ?? $0 }.filter { !new.contains($0) || present.insert($0).inserted }
    }
}
