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
    package var databaseSchema: DatabaseSchema? { facts.databaseSchema }
}

extension TableDefinition {
    /// The columns that Core Data itself needs in the table of an entity.
    package static let coreDataColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

    /// Whether the table is one of those in which Core Data keeps the objects of an entity.
    var isOfEntity: Bool {
        Self.coreDataColumns.allSatisfy { name in columns.contains { $0.name.utf8.elementsEqual(name.utf8) } }
    }
}
