import KeyedArchives
import SaveCodec
import SaveOperations

/// The role of a container in a database.
enum DatabasePart {
    case database, table, row

    /// The noun for its contents.
    var noun: String {
        switch self {
        case .database: "table"
        case .table: "row"
        case .row: "column"
        }
    }
}

// MARK: - Types

extension ObjectView {
    /// Returns the type of a value: `integer`, `real32`, `array`, `object`.
    func typeName(of id: ViewID) -> String {
        scalar(id)?.typeName ?? self[id].variant.typeName
    }

    /// Returns the storage of a value in an archive: `in place`, `as an object`.
    func storageName(of id: ViewID) -> String {
        uid(id) == nil ? "in place" : "as an object"
    }

    /// Returns the storage of a value in an archive: `inline`, or its object number and class. Returns nil for the root
    /// and outside an archive.
    func storage(of id: ViewID) -> String? {
        guard let archive, id != root else { return nil }
        guard let uid = uid(id) else { return "inline" }
        return "object \(uid.index)" + (archive.classPosition(of: uid).map { ": " + classChain($0) } ?? "")
    }
}

// MARK: - Classes

extension KeyedArchive {
    var kindName: String { isTypedStream ? "archive" : "keyed archive" }
}

extension ObjectView {
    /// Returns the name of the class at a position of the archive, shortened for a line; empty outside an archive.
    func className(_ position: Int) -> String {
        archive.map { TruncatedText.className($0.classes[position].shownName) } ?? ""
    }

    /// Returns the stored names of a class and its ancestors, with the versions other than 0 in a typedstream. For a
    /// renamed class, which has no chain, returns only its name.
    private func classChain(_ position: Int) -> String {
        guard let record = archive?.classes[position] else { return "" }
        guard let chain = record.chain else { return TruncatedText.key(record.name) }
        let versions = document.versions(ofClass: record.uid.index)
        let names = chain.prefix(10).enumerated().map { depth, name in
            let version = depth < versions.count && versions[depth] != 0 ? " version \(versions[depth])" : ""
            return TruncatedText.key(name) + version
        }
        return names.joined(separator: ", ") + (chain.count > names.count ? ", …" : "")
    }

    /// Returns the class of a value, or its type if it has no class. In a plain document, the class of a dictionary is
    /// the string at `$class`.
    func classOrType(of id: ViewID) -> String {
        if archive != nil, let position = classPosition(of: id) { return className(position) }
        return storedClassOrType(of: id)
    }

    /// Returns the stored name of a value's class, or its type if it has no class.
    func storedClassOrType(of id: ViewID) -> String {
        classText(of: id).map { TruncatedText.key($0) } ?? typeName(of: id)
    }

    /// Returns the class of a value, or its kind if it has no class.
    func classOrKind(of value: ViewValue) -> String {
        if archive != nil, let position = value.classPosition { return className(position) }
        return value.variant.kind.rawValue
    }

    /// Returns the noun for a container: its class or kind, its role in a database, or the entity of a Core Data
    /// object.
    func word(of value: ViewValue, _ id: ViewID) -> String {
        switch databasePart(value, id) {
        case .database?: "SQLite database"
        case .table?: "table"
        case .row?: document.entity(ofRow: document.object(stored(id))).map { TruncatedText.key($0) } ?? "row"
        case nil: word(for: value.variant.kind, value.classPosition)
        }
    }

    /// Returns the noun for the contents of a container: `field`, `key`, `row`.
    func noun(of value: ViewValue, _ id: ViewID) -> String {
        databasePart(value, id)?.noun ?? value.variant.kind.contentNoun
    }

    /// Returns the role of a value in a database; nil for other values.
    func databasePart(_ value: ViewValue, _ id: ViewID) -> DatabasePart? {
        guard archive == nil, let schema = document.databaseSchema else { return nil }
        if id == root { return .database }
        if schema.tableObjects.contains(stored(id)) { return .table }
        if case .dictionary = value.variant { return .row }
        return nil
    }

    /// Returns the noun before the count of a collection or the size of data: the class if it says more than the kind.
    func word(for kind: ValueKind, _ position: Int?) -> String {
        guard let position, let name = archive?.classes[position].name else { return kind.rawValue }
        let isPlain = Self.plainClasses[kind].map { name.elementsEqual($0.utf16) } ?? false
        return isPlain ? kind.rawValue : className(position)
    }

    private static let plainClasses: [ValueKind: String] = [
        .array: "NSArray", .dictionary: "NSDictionary", .set: "NSSet", .data: "NSData",
    ]

    /// Returns the class name of a value; nil if it has none.
    func classText(of id: ViewID) -> StoredString? {
        if let archive { return classPosition(of: id).map { archive.classes[$0].name } }
        return position(of: .classToken, in: id).flatMap { text(item($0, of: id).id) }
    }

    /// Returns a caption: `Player, 5 fields`, `NSArray, 3 elements`, `dictionary, 2 keys`; `integer, 5`,
    /// `NSDate, 2009-09-06T12:34:56Z`.
    func caption(_ value: ViewValue) -> String {
        let text = classOrKind(of: value)
        switch value.variant {
        case .scalar(.null) where value.classPosition == nil: return text
        case .scalar(.data(let bytes)): return text + ", " + Phrase.count(bytes.count, "byte")
        case .scalar(let node): return text + ", " + ValueText.line(node).text
        default: return text + ", " + Phrase.count(value.contents.count, value.variant.kind.contentNoun)
        }
    }
}
