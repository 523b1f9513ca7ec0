/// The tables of the database that a document was read from.
package struct DatabaseSchema: Sendable {
    package struct Table: Sendable {
        package let name: String
        package let definition: TableDefinition
        /// The encoding of the database.
        package let encoding: DatabaseEncoding
        /// The columns in which Core Data stores either values or names of external files.
        package internal(set) var externalColumns: Set<Int> = []
    }

    /// An entity of Core Data. `parent` is the number of the entity that it inherits from.
    struct Entity {
        let name: StoredString
        let parent: Int128
    }

    /// The tables in document order.
    var tables: [Table] = []
    /// The dictionaries or arrays that represent the tables.
    package internal(set) var tableObjects: Set<ObjectID> = []
    /// The entities of Core Data by `Z_ENT`.
    var entities: [Int128: Entity] = [:]
    /// The virtual tables, which have no stored values, and the modules that implement them.
    var virtualTables: [(name: String, module: String)] = []

    /// The tables that every Core Data store has and that have not been found yet.
    private var missingOfCoreData = ["Z_PRIMARYKEY", "Z_METADATA"]

    /// Whether the database is a Core Data store.
    package var isCoreData: Bool { missingOfCoreData.isEmpty }

    mutating func add(_ table: Table) {
        tables.append(table)
        missingOfCoreData.removeAll { $0.utf8.elementsEqual(table.name.utf8) }
    }

    /// Returns the table with a name, compared by code units.
    package func table(named name: [UInt16]) -> Table? {
        tables.first { $0.name.utf16.elementsEqual(name) }
    }
}

extension Document {
    /// The tables of the database that the document was read from; nil for other formats.
    package var databaseSchema: DatabaseSchema? { facts.formatFacts.databaseSchema }
}

extension TableDefinition {
    /// The columns that Core Data adds to every entity table.
    package static let coreDataColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// Whether the table stores objects of a Core Data entity.
    var isOfEntity: Bool {
        Self.coreDataColumns.allSatisfy { name in columns.contains { $0.name.utf8.elementsEqual(name.utf8) } }
    }
}

// MARK: Entities of Core Data

/// The entities of a Core Data store.
///
/// Objects of an entity and of its descendants are rows of one table, with different `Z_ENT`. The table `Z_PRIMARYKEY`
/// contains the names of the entities:
///
///     Z_PRIMARYKEY  {Z_ENT: 1, Z_NAME: "Monster", Z_SUPER: 0, Z_MAX: 3}
///                   {Z_ENT: 2, Z_NAME: "Dragon", Z_SUPER: 1, Z_MAX: 0}
///     ZMONSTER      {Z_PK: 1, Z_ENT: 2, Z_OPT: 1, ZNAME: "Smaug"}            a Dragon
extension DatabaseSchema {
    /// Records the tables and entities of the document that was read from the database.
    mutating func note(_ document: Document) {
        guard case .dictionary(let tables) = document[document.root] else { return }
        for (key, table) in tables {
            tableObjects.insert(table)
            guard isCoreData, document.text(key)?.elementsEqual("Z_PRIMARYKEY".utf16) ?? false else { continue }
            let object = document.object(table)
            for position in 0..<object.count { noteEntity(document.member(position, of: object), of: document) }
        }
    }

    private mutating func noteEntity(_ row: ObjectID, of document: Document) {
        guard case .dictionary(let columns) = document[row] else { return }
        func number(_ column: String) -> Int128? {
            guard let value = columns.value(for: Array(column.utf16)), case .integer(let number) = document[value]
            else {
                return nil
            }
            return number.value
        }
        guard let entity = number("Z_ENT"), let name = columns.value(for: "Z_NAME".utf16).flatMap(document.text) else {
            return
        }
        entities[entity] = Entity(name: name, parent: number("Z_SUPER") ?? 0)
    }

    /// The names of the entities, in no particular order.
    package var entityNames: [StoredString] { entities.values.map(\.name) }

    /// Returns the numbers of the entities with matching names and of their descendants.
    package func entities(where isNamed: (StoredString) -> Bool) -> Set<Int128> {
        let children = Dictionary(grouping: entities.keys) { entities[$0]?.parent ?? 0 }
        var waiting = entities.filter { isNamed($0.value.name) }.map(\.key)
        var found = Set(waiting)
        while let entity = waiting.popLast() {
            for child in children[entity] ?? [] where found.insert(child).inserted { waiting.append(child) }
        }
        return found
    }
}

extension Document {
    /// Returns the name of the Core Data entity of a row; nil for other rows.
    package func entity(ofRow row: StoredObject) -> StoredString? {
        entityNumber(ofRow: row).flatMap { databaseSchema?.entities[$0]?.name }
    }

    /// Returns the number of the Core Data entity of a row; nil for other rows.
    package func entityNumber(ofRow row: StoredObject) -> Int128? {
        guard let entities = databaseSchema?.entities, !entities.isEmpty, row.kind == .dictionary else { return nil }
        // The columns that Core Data adds come first. Its internal tables have no `Z_PK`.
        guard row.count > 0, text(object(key(0, of: row)), equals: "Z_PK") else { return nil }
        for position in 1..<max(min(row.count, 3), 1) where text(object(key(position, of: row)), equals: "Z_ENT") {
            let number = object(value(position, of: row))
            return number.kind == .integer ? integer(number) : nil
        }
        return nil
    }
}
