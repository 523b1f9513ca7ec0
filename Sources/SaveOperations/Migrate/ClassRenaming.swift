import KeyedArchives

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
