/// The SQLite database format (see <doc:SQLiteFormat>), which is only read.
///
///     page 1     "SQLite format 3\0", page size, encoding …
///                sqlite_schema: "table", "monsters", root page 2, "CREATE TABLE monsters (id INTEGER PRIMARY KEY, …)"
///     page 2     b-tree of monsters, a leaf with one cell
///       0F F3    │ cell: 11 bytes of payload under rowid 3
///       0B 03    ▼
///       04 00 17 02   record: header of 4 bytes; NULL, a text of 5 bytes, an integer of 2
///       54 72 6F 6C 6C 00 FA   "Troll", 250
///
///     {"monsters": {"3": {"id": 3, "name": "Troll", "hitpoints": 250}}}
///
/// The document of a database is a dictionary of its tables in creation order. A table is a dictionary of its rows in
/// key order (see ``RowKey``). A row is a dictionary of its columns. Values are what SQLite returns: a real in a real
/// column, even if it is stored as an integer; the rowid in a rowid column, which is stored as NULL; and the default
/// value in rows older than their column.
///
/// ``DatabaseReader`` builds the document table by table. It reads cells from a ``BTreeWalk``, which checks the pages,
/// and values from a ``Record``. A ``TableDefinition`` is read from a table's SQL. ``WriteAheadLog`` applies the
/// write-ahead log, a separate file, to the bytes before they are read, like a checkpoint of SQLite.
package enum SQLite {
    /// The first 16 bytes of each database.
    static let magic = Array("SQLite format 3\0".utf8)

    /// Whether a file begins like a database.
    package static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: magic)
    }

    /// Whether a database has as many pages as its header states, and no other bytes.
    package static func hasStatedSize(_ bytes: [UInt8]) -> Bool {
        guard let file = try? DatabaseFile(bytes, isWhole: true) else { return false }
        return bytes.count == file.pageSize * Int(bytes.bigEndian(at: 28, width: 4))
            && bytes.bigEndian(at: 24, width: 4) == bytes.bigEndian(at: 92, width: 4)
    }

    /// Whether a file is a database in write-ahead mode. A separate log file exists while programs use the database,
    /// and after a crash.
    package static func keepsWriteAheadLog(_ bytes: [UInt8]) -> Bool {
        begins(bytes) && bytes.count > 19 && bytes[19] == 2
    }

    /// Reads a database.
    ///
    /// Indexes, views, triggers and free pages are ignored. Virtual tables and virtual columns have no stored values;
    /// they are left out with a notice.
    ///
    /// - Throws: The first problem that makes the database invalid, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, as: ReadOptions())
    }

    /// Applies all committed transactions of a write-ahead log to its database, as SQLite does.
    ///
    /// An invalid log, or one without committed frames, changes nothing.
    ///
    /// - Throws: A problem if the page sizes of the log and the database differ.
    package static func apply(log: [UInt8], to database: inout [UInt8]) throws(Problem) {
        try WriteAheadLog(log).apply(to: &database)
    }

    /// Options for reading a database.
    package struct ReadOptions: Sendable {
        /// Whether tables are arrays of rows, without keys.
        var hasRowArrays: Bool
        /// Whether Core Data values are read as stored, and damaged pages and rows are left out with a warning.
        var isRaw: Bool
        /// Whether damaged pages and rows are left out, and reported with the address of their table.
        var isSalvage = false

        /// Creates options, which are off by default.
        package init(hasRowArrays: Bool = false, isRaw: Bool = false) {
            self.hasRowArrays = hasRowArrays
            self.isRaw = isRaw
        }

        /// Creates options for reading what is intact.
        init(isSalvage: Bool) {
            self.init()
            self.isSalvage = isSalvage
        }
    }

    /// Reads a database with options.
    package static func read(
        _ bytes: [UInt8], limits: Limits, as options: ReadOptions
    ) throws(Problem) -> Document {
        try DatabaseReader(DatabaseFile(bytes, isWhole: !options.isRaw), limits: limits, options).read()
    }
}
