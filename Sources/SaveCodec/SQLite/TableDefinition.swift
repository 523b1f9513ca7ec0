/// The columns and keys of a table, read from its SQL.
package struct TableDefinition: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The type as spelled. If the whole type is quoted, the quotation marks are left out.
        let type: String
        package let affinity: ColumnAffinity
        /// The value in rows older than the column.
        let defaultValue: ColumnDefault
        /// The collation of the column's texts.
        package let collation: String
        /// Whether the column is computed from others.
        package let isGenerated: Bool
        /// Whether the column is computed when read, so that no value is stored.
        let isVirtual: Bool
    }

    package let columns: [Column]
    /// The positions of the primary key's columns, in key order; empty without a primary key.
    package let primaryKey: [Int]
    /// The column that is an alias of the rowid, or nil.
    package let rowidColumn: Int?
    /// Whether rows are stored in primary key order without a rowid.
    package let isWithoutRowid: Bool
    /// Whether a constraint has a conflict clause, such as `ON CONFLICT REPLACE`.
    package let hasConflictClauses: Bool
    /// The index of each column in the stored values of a row; nil for a column that is not stored.
    let storedPositions: [Int?]
    let storedCount: Int

    init(
        columns: [Column], primaryKey: [KeyColumn], rowidColumn: Int?, isWithoutRowid: Bool, hasConflictClauses: Bool
    ) {
        self.columns = columns
        var keyPositions: Set<Int> = []
        self.primaryKey = primaryKey.map(\.position).filter { keyPositions.insert($0).inserted }
        self.rowidColumn = rowidColumn
        self.isWithoutRowid = isWithoutRowid
        self.hasConflictClauses = hasConflictClauses
        var count = 0
        var positions = [Int?](repeating: nil, count: columns.count)
        if isWithoutRowid {
            // The key comes first. A duplicate key column is stored once unless its collations differ.
            var known: Set<KeyColumn> = []
            for key in primaryKey where known.insert(key).inserted {
                positions[key.position] = positions[key.position] ?? count
                count += 1
            }
        }
        for column in columns.indices where positions[column] == nil && !columns[column].isVirtual {
            positions[column] = count
            count += 1
        }
        storedPositions = positions
        storedCount = count
    }

    /// A column of a primary key, with its collation.
    struct KeyColumn: Hashable {
        let position: Int
        let collation: String
    }
}

/// The preferred type of a column, to which it converts values.
package enum ColumnAffinity: Sendable {
    case text, numeric, integer, real, blob

    /// Creates the affinity of a declared type by SQLite's rules.
    init(ofType type: String, isStrict: Bool) {
        let name = type.lowercased()
        func has(_ words: String...) -> Bool { words.contains { name.utf8Contains($0) } }
        if has("int") {
            self = .integer
        } else if has("char", "clob", "text") {
            self = .text
        } else if name.isEmpty || has("blob") || isStrict && name == "any" {
            self = .blob
        } else {
            self = has("real", "floa", "doub") ? .real : .numeric
        }
    }
}

extension String {
    fileprivate func utf8Contains(_ other: String) -> Bool {
        let (text, part) = (Array(utf8), Array(other.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}

/// A parser of `CREATE TABLE` with one method per grammar rule (<doc:SQLiteFormat>). It parses the constraints that
/// affect reading, and skips all other constraints and all expressions.
struct TableDefinitionParser {
    private var tokens: SQLTokenizer
    private var token: SQLToken?
    /// The end of the token before the current one.
    private var lastEnd = 0
    private var columns: [TableDefinition.Column] = []
    private var primaryKey: [(name: String, collation: String?)] = []
    /// Whether the primary key is a column constraint with `DESC`, so that its column is not an alias of the rowid.
    private var hasDescendingKey = false
    private var isStrict = false
    private var isWithoutRowid = false
    private var hasConflictClauses = false

    init(_ sql: [UInt8]) {
        tokens = SQLTokenizer(sql)
        token = tokens.next()
    }

    /// Returns the module of a virtual table; nil for other statements.
    static func module(ofVirtualTable sql: [UInt8]) -> String? {
        var parser = TableDefinitionParser(sql)
        guard parser.take("CREATE"), parser.take("VIRTUAL"), parser.take("TABLE") else { return nil }
        parser.skipName()
        return parser.take("USING") ? parser.token?.identifier : nil
    }

    /// Parses `CREATE [TEMP] TABLE [IF NOT EXISTS] name ( column, …, constraint, … ) [options]`.
    ///
    /// - Returns: The definition, or nil for other statements.
    consuming func parse() -> TableDefinition? {
        guard take("CREATE") else { return nil }
        _ = take("TEMP") || take("TEMPORARY")
        guard take("TABLE") else { return nil }
        skipName()
        guard take(symbol: "(") else { return nil }
        repeat {
            guard parseItem() else { return nil }
        } while take(symbol: ",") || isAtTableConstraint
        guard take(symbol: ")") else { return nil }
        while let option = token {
            isStrict = isStrict || option.isKeyword("STRICT")
            isWithoutRowid = isWithoutRowid || option.isKeyword("ROWID")
            advance()
        }
        return definition()
    }

    private func definition() -> TableDefinition? {
        let columns = isStrict ? self.columns.map { $0.strict } : self.columns
        let positions = Dictionary(columns.indices.map { (columns[$0].name.foldedName, $0) }) { first, _ in first }
        var key: [TableDefinition.KeyColumn] = []
        for (name, collation) in primaryKey {
            guard let position = positions[name.foldedName] else { return nil }
            let collation = (collation ?? columns[position].collation).lowercased()
            key.append(TableDefinition.KeyColumn(position: position, collation: collation))
        }
        guard !columns.isEmpty, !isWithoutRowid || !key.isEmpty else { return nil }
        let isRowid =
            !isWithoutRowid && !hasDescendingKey && key.count == 1
            && columns[key[0].position].type.foldedName.elementsEqual("integer".utf8)
        return TableDefinition(
            columns: columns, primaryKey: key, rowidColumn: isRowid ? key[0].position : nil,
            isWithoutRowid: isWithoutRowid, hasConflictClauses: hasConflictClauses)
    }

    // MARK: Tokens

    private mutating func advance() {
        lastEnd = tokens.position
        token = tokens.next()
    }

    private mutating func take(_ keyword: String) -> Bool {
        guard token?.isKeyword(keyword) ?? false else { return false }
        advance()
        return true
    }

    private mutating func take(symbol: Character) -> Bool {
        guard token == .symbol(symbol) else { return false }
        advance()
        return true
    }

    private mutating func takeIdentifier() -> String? {
        guard let name = token?.identifier else { return nil }
        advance()
        return name
    }

    /// Skips `[IF NOT EXISTS] [schema .] name`.
    private mutating func skipName() {
        if take("IF") {
            _ = take("NOT")
            _ = take("EXISTS")
        }
        _ = takeIdentifier()
        if take(symbol: ".") { _ = takeIdentifier() }
    }

    private mutating func skipParentheses() {
        var depth = 0
        while let next = token {
            if next == .symbol("(") { depth += 1 }
            if next == .symbol(")") { depth -= 1 }
            advance()
            if depth == 0 { return }
        }
    }

    // MARK: Columns

    private var isAtTableConstraint: Bool {
        guard let token else { return false }
        return ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains(where: token.isKeyword)
    }

    private var isAtColumnConstraint: Bool {
        guard let token else { return false }
        return [
            "CONSTRAINT", "PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED",
            "AS", "DEFERRABLE",
        ].contains(where: token.isKeyword)
    }

    private mutating func parseItem() -> Bool {
        guard !isAtTableConstraint else {
            parseTableConstraint()
            return true
        }
        guard let name = takeIdentifier() else { return false }
        let type = parseType()
        var column = ColumnConstraints()
        while isAtColumnConstraint { parseColumnConstraint(&column, of: name) }
        columns.append(
            TableDefinition.Column(
                name: name, type: type, affinity: ColumnAffinity(ofType: type, isStrict: false),
                defaultValue: column.defaultValue, collation: column.collation, isGenerated: column.isGenerated,
                isVirtual: column.isVirtual))
        return true
    }

    /// Parses `[word … [ ( number [, number] ) ]]`. Comments between the words are part of the type, as in SQLite.
    private mutating func parseType() -> String {
        let start = tokens.start
        while token?.isKeyword("GENERATED") ?? false || !isAtColumnConstraint, token?.identifier != nil { advance() }
        if lastEnd > start, token == .symbol("(") { skipParentheses() }
        guard lastEnd > start else { return "" }
        let type = Self.withoutGenerated(tokens.text[start..<lastEnd])
        guard !type.isEmpty else { return "" }
        func isMark(_ byte: UInt8) -> Bool { "\"'`[".utf8.contains(byte) }
        let isQuoted = type.count > 1 && isMark(type[start]) && !type.dropFirst().dropLast().contains(where: isMark)
        return String(decoding: isQuoted ? type.dropFirst().dropLast() : type, as: UTF8.self)
    }

    /// Returns a type without `GENERATED ALWAYS` at its end, which SQLite first parses as part of the type.
    private static func withoutGenerated(_ type: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = type
        for word in ["always", "generated"] {
            guard String(decoding: rest.suffix(word.utf8.count), as: UTF8.self).foldedName.elementsEqual(word.utf8)
            else {
                return type
            }
            rest = rest.dropLast(word.utf8.count)
            while let last = rest.last, last.isSpace { rest.removeLast() }
        }
        return rest
    }

    private struct ColumnConstraints {
        var defaultValue = ColumnDefault.null
        var collation = "binary"
        var isGenerated = false
        var isVirtual = false
    }

    private mutating func parseColumnConstraint(_ column: inout ColumnConstraints, of name: String) {
        if take("PRIMARY") {
            _ = take("KEY")
            primaryKey = [(name, nil)]
            hasDescendingKey = !take("ASC") && take("DESC")
            skipRestOfConstraint()
        } else if take("DEFAULT") {
            column.defaultValue = parseDefault()
        } else if take("COLLATE") {
            column.collation = takeIdentifier() ?? column.collation
        } else if take("AS") {
            skipParentheses()
            column.isGenerated = true
            column.isVirtual = !take("STORED")
            _ = take("VIRTUAL")
        } else {
            // The name after CONSTRAINT or REFERENCES may look like a keyword.
            if take("CONSTRAINT") || take("REFERENCES") { _ = takeIdentifier() } else { advance() }
            skipRestOfConstraint()
        }
    }

    /// Skips the rest of an irrelevant constraint, up to the next constraint, a comma or the end.
    private mutating func skipRestOfConstraint() {
        while let next = token, next != .symbol(","), next != .symbol(")"), !isAtColumnConstraint {
            if take("ON") {
                noteConflict()
                // The NULL or DEFAULT of ON DELETE SET NULL is not a constraint.
                advance()
                if take("SET") { advance() }
            } else if next == .symbol("(") {
                skipParentheses()
            } else {
                advance()
            }
        }
    }

    /// Parses `literal | + number | - number`, or one of these in parentheses. Other expressions are not evaluated.
    private mutating func parseDefault() -> ColumnDefault {
        guard token == .symbol("(") else { return parseLiteral() }
        var inside = self
        inside.advance()
        let value = inside.parseLiteral()
        let isAll = inside.token == .symbol(")")
        skipParentheses()
        return isAll ? value : .unknown
    }

    private mutating func parseLiteral() -> ColumnDefault {
        let isNegative = take(symbol: "-")
        let hasSign = isNegative || take(symbol: "+")
        guard let literal = token, literal != .symbol("("), literal != .symbol(")") else { return .unknown }
        advance()
        if hasSign, case .number = literal { return ColumnDefault(literal, isNegative: isNegative) }
        return hasSign ? .unknown : ColumnDefault(literal, isNegative: false)
    }

    // MARK: Constraints

    private mutating func parseTableConstraint() {
        if take("CONSTRAINT") { _ = takeIdentifier() }
        if take("PRIMARY") {
            if take("KEY"), take(symbol: "(") {
                primaryKey = []
                hasDescendingKey = false
                parseKeyColumns()
            }
        } else if isAtTableConstraint {
            advance()
        }
        while let next = token, next != .symbol(","), next != .symbol(")"), !isAtTableConstraint {
            if next == .symbol("(") { skipParentheses() } else { advance() }
            noteConflict()
        }
    }

    private mutating func noteConflict() {
        hasConflictClauses = hasConflictClauses || token?.isKeyword("CONFLICT") ?? false
    }

    /// Parses `name [COLLATE name] [ASC | DESC], … )`.
    private mutating func parseKeyColumns() {
        while let name = takeIdentifier() {
            let collation = take("COLLATE") ? takeIdentifier() : nil
            primaryKey.append((name, collation))
            while let next = token, next != .symbol(","), next != .symbol(")") { advance() }
            guard take(symbol: ",") else { break }
        }
        _ = take(symbol: ")")
    }
}

extension TableDefinition.Column {
    /// The column as part of a `STRICT` table.
    fileprivate var strict: TableDefinition.Column {
        TableDefinition.Column(
            name: name, type: type, affinity: ColumnAffinity(ofType: type, isStrict: true), defaultValue: defaultValue,
            collation: collation, isGenerated: isGenerated, isVirtual: isVirtual)
    }
}

extension String {
    /// The name with its ASCII letters in lowercase, as SQLite compares names.
    package var foldedName: [UInt8] {
        utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
