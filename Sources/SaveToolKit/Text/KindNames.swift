import KeyedArchives
import SaveCodec
import SaveOperations

/// What a container is to a database.
enum DatabasePart {
    case database, table, row

    /// What it consists of.
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
    /// The type of a value: `integer`, `real32`, `array`, `object`.
    func typeName(of id: ViewID) -> String {
        scalar(id)?.typeName ?? self[id].form.typeName
    }

    /// How a value of an archive is stored: `in place`, `as an object`.
    func storageName(of id: ViewID) -> String {
        uid(id) == nil ? "in place" : "as an object"
    }

    /// Where a value of an archive is stored: in place, or as an object with a class perhaps; nil for other values.
    func storage(of id: ViewID) -> String? {
        guard let archive, id != root else { return nil }
        guard let uid = uid(id) else { return "inline" }
        return "object \(uid.index)" + (archive.classPosition(of: uid).map { ": " + classChain($0) } ?? "")
    }
}

// MARK: - Classes

extension KeyedArchive {
    /// What an archive is called.
    var kindName: String { isTypedStream ? "archive" : "keyed archive" }
}

extension ObjectView {
    /// The name of a class, as it is shown.
    func className(_ position: Int) -> String {
        archive.map { Shortened.key($0.classes[position].name) } ?? ""
    }

    /// A class and its ancestors, with their versions where a typedstream tells any but 0; of a renamed class, which has
    /// none, its name.
    private func classChain(_ position: Int) -> String {
        guard let record = archive?.classes[position], let chain = record.chain else { return className(position) }
        let versions = document.versions(ofClass: record.uid.index)
        let names = chain.prefix(10).enumerated().map { depth, name in
            let version = depth < versions.count && versions[depth] != 0 ? " version \(versions[depth])" : ""
            return Shortened.key(name) + version
        }
        return names.joined(separator: ", ") + (chain.count > names.count ? ", …" : "")
    }

    /// The class of a value; of a plain dictionary that is compared with an object the one that it names, of other plain
    /// values what they are.
    func classOrType(of id: ViewID) -> String {
        classText(of: id).map { Shortened.key($0) } ?? typeName(of: id)
    }

    /// The class of a value; of one without class its kind.
    func classOrKind(of value: ViewValue) -> String {
        if archive != nil, let position = value.classPosition { return className(position) }
        return value.form.kind.rawValue
    }

    /// What a container is called: its class or kind; in a database what it is there, and of an object of Core Data its
    /// entity.
    func word(of value: ViewValue, _ id: ViewID) -> String {
        switch databasePart(value, id) {
        case .database?: "SQLite database"
        case .table?: "table"
        case .row?: document.entity(ofRow: document.object(stored(id))).map { Shortened.key($0) } ?? "row"
        case nil: word(for: value.form.kind, value.classPosition)
        }
    }

    /// What a container consists of: `field`, `key`, `row`.
    func noun(of value: ViewValue, _ id: ViewID) -> String {
        databasePart(value, id)?.noun ?? value.form.kind.contentNoun
    }

    /// What a value is to a database; nil where there is none.
    func databasePart(_ value: ViewValue, _ id: ViewID) -> DatabasePart? {
        guard archive == nil, let schema = document.databaseSchema else { return nil }
        if id == root { return .database }
        if schema.tableObjects.contains(stored(id)) { return .table }
        if case .dictionary = value.form { return .row }
        return nil
    }

    /// What stands before the count of a collection, or the size of data: the class if it says more than the kind.
    func word(for kind: ValueKind, _ position: Int?) -> String {
        guard let position, let name = archive?.classes[position].name else { return kind.rawValue }
        let isPlain = Self.plainClasses[kind].map { name.elementsEqual($0.utf16) } ?? false
        return isPlain ? kind.rawValue : Shortened.key(name)
    }

    private static let plainClasses: [ValueKind: String] = [
        .array: "NSArray", .dictionary: "NSDictionary", .set: "NSSet", .data: "NSData",
    ]

    /// The name of the class of a value; nil if it has none.
    func classText(of id: ViewID) -> StoredString? {
        if let archive { return classPosition(of: id).map { archive.classes[$0].name } }
        let contents = self[id].contents
        for position in 0..<contents.count {
            let item = item(position, of: contents)
            guard let key = item.key else { return nil }
            if text(key)?.elementsEqual("$class".utf16) ?? false { return text(item.id) }
        }
        return nil
    }

    /// `Player, 5 fields`, `NSArray, 3 elements`, `dictionary, 2 keys`; `integer, 5`, `NSDate, 2009-09-06T12:34:56Z`.
    func caption(_ value: ViewValue) -> String {
        let text = classOrKind(of: value)
        switch value.form {
        case .scalar(.null) where value.classPosition == nil: return text
        case .scalar(.data(let bytes)): return text + ", " + Grouped.of(bytes.count, "byte")
        case .scalar(let node): return text + ", " + ValueText.line(node).text
        default: return text + ", " + Grouped.of(value.contents.count, value.form.kind.contentNoun)
        }
    }
}
