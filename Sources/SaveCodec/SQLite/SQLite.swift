/// SQLite databases (see <doc:SQLiteFormat>), which are read and never written.
///
///     page 1     "SQLite format 3\0", page size, encoding …
///                sqlite_schema: "table", "monsters", root page 2, "CREATE TABLE monsters (id INTEGER PRIMARY KEY, …)"
///     page 2     b-tree of monsters, a leaf with one cell
///       02 1F    │ cell: 15 bytes of payload under rowid 3
///       0F 03    ▼
///       04 00 17 02   record: header of 4 bytes; NULL, a text of 5 bytes, an integer of 2
///       54 72 6F 6C 6C 00 FA   "Troll", 250
///
///     {"monsters": {"3": {"id": 3, "name": "Troll", "hitpoints": 250}}}
///
/// A document of a database is a dictionary of its tables, in the order in which they were created; a table is a dictionary
/// of its rows in the order of their keys, see ``RowKey``; a row is a dictionary of its columns. A value is
/// what SQLite would give out: a real where the column is one, though it may be stored as an integer; the rowid where the
/// column is that, though NULL is stored; and the default in rows that are older than their column.
///
/// ``DatabaseReader`` composes the document, table by table. It reads cells from a ``BTreeWalk``, which checks pages, and
/// values from a ``Record``. ``TableDefinition`` is what the SQL of a table says. The write-ahead log, which is a file of
/// its own, is worked into the bytes before they are read, as SQLite itself does in a checkpoint: ``WriteAheadLog``.
package enum SQLite {
    /// Whether a file is a database, told by its first bytes.
    package static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: "SQLite format 3\0".utf8)
    }

    /// Whether a file is a database that has a write-ahead log beside it while programs are at work, and after a crash.
    package static func keepsLog(_ bytes: [UInt8]) -> Bool {
        begins(bytes) && bytes.count > 19 && bytes[19] == 2
    }

    /// Reads a database.
    ///
    /// Indexes, views and triggers are not read, nor are free pages. Virtual tables and virtual columns, of which no value
    /// is stored, are left out, and named by warnings.
    ///
    /// - Throws: the first problem that makes the bytes no sound database, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try read(bytes, limits: limits, as: Reading())
    }

    /// Works a write-ahead log into a database that it belongs to: all that has been committed, as SQLite does it.
    ///
    /// A log that is none, or that another database has begun anew, holds nothing that counts.
    ///
    /// - Throws: a problem if the log has pages of another size than the database.
    package static func apply(log: [UInt8], to database: inout [UInt8]) throws(Problem) {
        try WriteAheadLog(log).apply(to: &database)
    }

    /// How a database is taken.
    package struct Reading: Sendable {
        /// Whether tables are arrays of rows, without their keys.
        var hasRowArrays: Bool
        /// Whether values of Core Data are taken as they are stored, and damaged pages and rows are left out and told of.
        var isRaw: Bool

        /// Creates a way of reading; what is not named is not done.
        package init(hasRowArrays: Bool = false, isRaw: Bool = false) {
            self.hasRowArrays = hasRowArrays
            self.isRaw = isRaw
        }
    }

    /// Reads a database in one of several ways.
    package static func read(
        _ bytes: [UInt8], limits: Limits, as reading: Reading
    ) throws(Problem) -> Document {
        try DatabaseReader(DatabaseFile(bytes, isWhole: !reading.isRaw), limits: limits, reading).read()
    }
}
