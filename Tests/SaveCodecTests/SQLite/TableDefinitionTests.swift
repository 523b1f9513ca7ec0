import Testing

@testable import SaveCodec

/// The SQL of tables is parsed as SQLite 3.40 parses it.
@Suite struct TableDefinitionTests {
    /// The columns as name and type, with `*` for the rowid and a digit for the position in the primary key.
    @Test(arguments: [
        ("CREATE TABLE t(a, b INT, c DECIMAL(10, 2))", "a , b INT, c DECIMAL(10, 2)"),
        ("create temp table if not exists main.[t t]('a' text)", "a text"),
        ("CREATE TABLE t(id INTEGER PRIMARY KEY, x)", "id INTEGER 0*, x "),
        ("CREATE TABLE t(id INTEGER PRIMARY KEY DESC, x)", "id INTEGER 0, x "),
        ("CREATE TABLE t(id INTEGER, x, PRIMARY KEY(id DESC))", "id INTEGER 0*, x "),
        ("CREATE TABLE t(id INT PRIMARY KEY)", "id INT 0"),
        ("CREATE TABLE t(id INTEGER(4) PRIMARY KEY)", "id INTEGER(4) 0"),
        // A type that is entirely in quotation marks is read without them; comments inside a type are part of it.
        ("CREATE TABLE t(id \"INTEGER\" PRIMARY KEY)", "id INTEGER 0*"),
        ("CREATE TABLE t(id [integer] PRIMARY KEY)", "id integer 0*"),
        ("CREATE TABLE t(id 'INTEGER' PRIMARY KEY)", "id INTEGER 0*"),
        ("CREATE TABLE t(id INTEGER/**/x PRIMARY KEY)", "id INTEGER/**/x 0"),
        ("CREATE TABLE t(id INTEGER -- key\n PRIMARY KEY)", "id INTEGER 0*"),
        (
            "CREATE TABLE t(a INT GENERATED ALWAYS AS (1), b GENERATED REAL, c GENERATED ALWAYS)",
            "a INT, b GENERATED REAL, c "
        ),
        ("CREATE TABLE t(\u{FEFF}a \u{FEFF}TEXT)", "a TEXT"),
        // Some keywords do not begin a constraint, so they belong to the type.
        ("CREATE TABLE t(a MATCH REAL, b INITIALLY TEXT)", "a MATCH REAL, b INITIALLY TEXT"),
        ("CREATE TABLE t(a REFERENCES u(x) ON DELETE SET NULL ON UPDATE SET DEFAULT MATCH FULL, b)", "a , b "),
        ("CREATE TABLE t(a NOT NULL ON CONFLICT IGNORE DEFAULT 5 CHECK (a > (1)) COLLATE NOCASE, b)", "a , b "),
        ("CREATE TABLE t(a, b, CONSTRAINT zz)", "a , b "),
        ("CREATE TABLE t(a, b, CONSTRAINT p PRIMARY KEY(b, a) CHECK (a), UNIQUE(a))", "a  1, b  0"),
        ("CREATE TABLE t(a, b, FOREIGN KEY(a) REFERENCES u(x) ON DELETE SET NULL)", "a , b "),
        ("CREATE TABLE t(a, b AS (a || ',') STORED, c INT GENERATED ALWAYS AS (a))", "a , b , c INT"),
        ("CREATE TABLE t(a TEXT, b, PRIMARY KEY(b, a)) WITHOUT ROWID, STRICT", "a TEXT 1, b  0"),
        ("CREATE TABLE t(a INTEGER, PRIMARY KEY(a)) WITHOUT ROWID", "a INTEGER 0"),
        ("CREATE VIEW v AS SELECT 1", "none"),
        ("CREATE TABLE t AS SELECT 1", "none"),
        ("CREATE TABLE t(a, PRIMARY KEY(b))", "none"),
        ("CREATE TABLE t(a", "none"),
        ("CREATE TABLE t(a DEFAULT 'x)", "none"),
        ("CREATE TABLE t()", "none"),
        ("", "none"),
    ])
    func columns(_ sql: String, _ columns: String) {
        let table = TableDefinitionParser(Array(sql.utf8)).parse()
        let told = table.map { table in
            table.columns.enumerated().map { position, column in
                let key = table.primaryKey.firstIndex(of: position).map { " \($0)" } ?? ""
                return "\(column.name) \(column.type)\(key)\(table.rowidColumn == position ? "*" : "")"
            }.joined(separator: ", ")
        }
        #expect(told ?? "none" == columns)
    }

    /// The value that a column takes from its default. It is `unknown` if it would have to be computed, or if versions
    /// of SQLite disagree about it.
    @Test(
        arguments: [
            ("INTEGER DEFAULT 5", .integer(5)), ("TEXT DEFAULT 5", .text("5")), ("REAL DEFAULT 5", .real(5)),
            ("DEFAULT (-5)", .integer(-5)), ("DEFAULT +5", .integer(5)), ("TEXT DEFAULT -1.50", .text("-1.50")),
            ("DEFAULT 5.0", .integer(5)), ("REAL DEFAULT 5.0", .real(5)), ("DEFAULT 1e300", .real(1e300)),
            ("DEFAULT 0x10", .integer(16)), ("DEFAULT -0x10", .integer(-16)), ("DEFAULT 0x80000000", .unknown),
            ("DEFAULT 1e16", .unknown), ("DEFAULT 9223372036854775808", .real(0x1p63)), ("TEXT DEFAULT 007", .unknown),
            ("TEXT DEFAULT -0", .unknown), ("TEXT DEFAULT 1e3", .unknown),
            ("DEFAULT 'it''s'", .text("it's")), ("INTEGER DEFAULT ' 7 '", .integer(7)),
            ("INTEGER DEFAULT '7x'", .unknown),
            ("INTEGER DEFAULT 'Orc'", .text("Orc")), ("DEFAULT '5'", .text("5")), ("DEFAULT \"Orc\"", .text("Orc")),
            ("DEFAULT x'0aFF'", .blob([10, 255])), ("DEFAULT x'0'", .unknown), ("DEFAULT -x'0a'", .unknown),
            ("DEFAULT -'Orc'", .unknown), ("DEFAULT TRUE", .integer(1)), ("REAL DEFAULT FALSE", .real(0)),
            ("TEXT DEFAULT TRUE", .unknown), ("DEFAULT NULL", .null), ("NOT NULL", .null),
            ("DEFAULT CURRENT_TIME", .unknown),
            ("DEFAULT (1 + 1)", .unknown), ("DEFAULT ((5))", .unknown), ("DEFAULT (-(-5))", .unknown),
            ("\"MATCH\" REAL DEFAULT 5", .real(5)), ("DOUBLE /* INT */ PRECISION DEFAULT 5", .integer(5)),
        ] as [(String, Value)])
    func defaults(_ column: String, _ value: Value) throws {
        let sql = "CREATE TABLE t(a, b \(column), c)"
        let columns = try #require(TableDefinitionParser(Array(sql.utf8)).parse()).columns
        try #require(columns.map(\.name) == ["a", "b", "c"])
        #expect(columns[1].defaultValue.stored(in: columns[1].affinity) == value.stored)
    }

    /// A default in the notation of these tests.
    enum Value: Sendable {
        case null, unknown
        case integer(Int64), real(Double), text(String), blob([UInt8])

        var stored: ColumnDefault {
            switch self {
            case .null: .null
            case .unknown: .unknown
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let text): .text(Array(text.utf8))
            case .blob(let bytes): .blob(bytes)
            }
        }
    }

    /// Deeply nested parentheses do not consume the stack and are parsed in linear time.
    @Test func deepDefaults() throws {
        let count = 200_000
        let deep = String(repeating: "(-", count: count) + "5" + String(repeating: ")", count: count)
        let table = try #require(TableDefinitionParser(Array("CREATE TABLE t(a DEFAULT \(deep), b)".utf8)).parse())
        #expect(table.columns.map(\.defaultValue) == [.unknown, .null])
    }

    @Test(arguments: [
        ("a UNIQUE ON CONFLICT REPLACE", true), ("a INTEGER PRIMARY KEY ON CONFLICT IGNORE", true),
        ("a, UNIQUE (a) ON CONFLICT FAIL", true), ("a, PRIMARY KEY (a) ON CONFLICT ABORT", true),
        ("a REFERENCES t(a) ON DELETE CASCADE", false), ("conflict, \"CONFLICT\" TEXT UNIQUE", false),
    ]) func conflictClauses(_ columns: String, _ hasClauses: Bool) {
        let table = TableDefinitionParser(Array("CREATE TABLE t(\(columns))".utf8)).parse()
        #expect(table?.hasConflictClauses == hasClauses)
    }

    @Test func virtualTables() {
        func module(_ sql: String) -> String? { TableDefinitionParser.module(ofVirtualTable: Array(sql.utf8)) }
        #expect(module("CREATE VIRTUAL TABLE IF NOT EXISTS \"a b\" USING fts5(x)") == "fts5")
        #expect(module("CREATE TABLE t(a)") == nil)
    }
}
