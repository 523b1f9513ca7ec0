/// What is known of the tables that a document was read from, beyond their rows.
package struct DatabaseSchema: Sendable {
    /// A table.
    package struct Table: Sendable {
        package let name: String
        package let definition: TableDefinition
        /// The columns in which Core Data keeps values, or the names of files that it keeps them in.
        package internal(set) var externalColumns: Set<Int> = []
    }

    /// An entity of Core Data, and the number of the one that it inherits from.
    struct Entity {
        let name: StoredString
        let parent: Int128
    }

    /// The tables, in the order of the document.
    var tables: [Table] = []
    /// The dictionaries, or arrays, that the tables are.
    package internal(set) var tableObjects: Set<ObjectID> = []
    /// Core Data's entities, by `Z_ENT`.
    var entities: [Int128: Entity] = [:]
    /// The names of the virtual tables and what keeps them, of which no value is stored.
    var virtualTables: [(name: String, module: String)] = []

    /// Those of the tables of every store of Core Data that are not there.
    private var missingOfCoreData = ["Z_PRIMARYKEY", "Z_METADATA"]

    /// Whether Core Data keeps its objects in the database.
    package var isCoreData: Bool { missingOfCoreData.isEmpty }

    /// Adds a table that comes behind the others.
    mutating func add(_ table: Table) {
        tables.append(table)
        missingOfCoreData.removeAll { $0.utf8.elementsEqual(table.name.utf8) }
    }

    /// The table of a name.
    package func table(named name: [UInt16]) -> Table? {
        tables.first { $0.name.utf16.elementsEqual(name) }
    }
}

extension Document {
    /// What is known of the tables of a database; nil for what was read from no database.
    package var databaseSchema: DatabaseSchema? { facts.formatFacts.databaseSchema }
}

extension TableDefinition {
    /// The columns that Core Data itself needs in the table of an entity.
    package static let coreDataColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// Whether the table is one of those in which Core Data keeps the objects of an entity.
    var isOfEntity: Bool {
        Self.coreDataColumns.allSatisfy { name in columns.contains { $0.name.utf8.elementsEqual(name.utf8) } }
    }
}

// MARK: Entities of Core Data

/// The entities of a Core Data store: objects of an entity and of those that inherit from it are rows of one table, told
/// apart by their `Z_ENT`, whose names stand in a table of their own.
///
///     Z_PRIMARYKEY  {Z_ENT: 1, Z_NAME: "Monster", Z_SUPER: 0, Z_MAX: 3}
///                   {Z_ENT: 2, Z_NAME: "Dragon", Z_SUPER: 1, Z_MAX: 0}
///     ZMONSTER      {Z_PK: 1, Z_ENT: 2, Z_OPT: 1, ZNAME: "Smaug"}            a Dragon
extension DatabaseSchema {
    /// Notes what the document of the database tells of its tables and entities.
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

    /// The names of the entities, in no order.
    package var entityNames: [StoredString] { entities.values.map(\.name) }

    /// The numbers of the entities whose name matches, and of their descendants.
    package func entities(where isNamed: (StoredString) -> Bool) -> Set<Int128> {
        let heirs = Dictionary(grouping: entities.keys) { entities[$0]?.parent ?? 0 }
        var waiting = entities.filter { isNamed($0.value.name) }.map(\.key)
        var found = Set(waiting)
        while let entity = waiting.popLast() {
            for heir in heirs[entity] ?? [] where found.insert(heir).inserted { waiting.append(heir) }
        }
        return found
    }
}

extension Document {
    /// The name of the entity that a row of a Core Data store is an object of; nil for any other row.
    package func entity(ofRow row: StoredObject) -> StoredString? {
        entityNumber(ofRow: row).flatMap { databaseSchema?.entities[$0]?.name }
    }

    /// The number of that entity.
    package func entityNumber(ofRow row: StoredObject) -> Int128? {
        guard let entities = databaseSchema?.entities, !entities.isEmpty, row.kind == .dictionary else { return nil }
        // The columns of Core Data itself come first; its own tables have no Z_PK.
        guard row.count > 0, text(object(key(0, of: row)), equals: "Z_PK") else { return nil }
        for position in 1..<max(min(row.count, 3), 1) where text(object(key(position, of: row)), equals: "Z_ENT") {
            let number = object(value(position, of: row))
            return number.kind == .integer ? integer(number) : nil
        }
        return nil
    }
}
