/// What the SQL of a table says of its columns.
package struct TableDefinition: Sendable {
    /// A column.
    package struct Column: Sendable {
        package let name: String
        /// Its type as it is spelled; one that is all in quotation marks is without them.
        let type: String
        package let affinity: ColumnAffinity
        /// What rows have that are older than the column.
        let defaultValue: ColumnDefault
        /// How its texts are compared.
        package let collation: String
        /// Whether it is computed of others.
        package let isGenerated: Bool
        /// Whether it is computed when it is asked for, so that no value is stored.
        let isVirtual: Bool
    }

    package let columns: [Column]
    /// The columns of the primary key by position, in its order; none if there is no such key.
    package let primaryKey: [Int]
    /// The column that is the rowid under another name; nil if none is.
    package let rowidColumn: Int?
    /// Whether rows are in the order of the primary key and have no rowid.
    package let isWithoutRowid: Bool
    /// Whether a constraint says what is done with rows that it does not allow: `ON CONFLICT REPLACE`.
    package let hasConflictClauses: Bool
    /// For each column its position among the stored values of a row; nil for one that is not stored.
    let storedPositions: [Int?]
    /// How many values a row has.
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
            // The key comes first; a column that is in it twice is stored once, unless it is compared in two ways.
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

    /// A column of a primary key, and how its values are compared.
    struct KeyColumn: Hashable {
        let position: Int
        let collation: String
    }
}

/// What a column makes of the values that are put into it.
package enum ColumnAffinity: Sendable {
    case text, numeric, integer, real, blob

    /// The affinity of a declared type, as SQLite finds it.
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
    /// Whether a text of ASCII stands in this one.
    fileprivate func utf8Contains(_ other: String) -> Bool {
        let (text, part) = (Array(utf8), Array(other.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }
}

/// Reads `CREATE TABLE`, rule by rule (<doc:SQLiteFormat>). Of constraints it takes what matters to somebody who reads rows,
/// and passes over the others and over all expressions.
struct TableDefinitionParser {
    private var tokens: SQLTokens
    private var token: SQLToken?
    /// Where the token ends that is in front of it.
    private var lastEnd = 0
    private var columns: [TableDefinition.Column] = []
    private var primaryKey: [(name: String, collation: String?)] = []
    /// The column whose own constraint the primary key is, unless that says `DESC`.
    private var hasDescendingKey = false
    private var isStrict = false
    private var isWithoutRowid = false
    private var hasConflictClauses = false

    init(_ sql: [UInt8]) {
        tokens = SQLTokens(sql)
        token = tokens.next()
    }

    /// The module of a virtual table; nil for any other statement.
    static func module(ofVirtualTable sql: [UInt8]) -> String? {
        var parser = TableDefinitionParser(sql)
        guard parser.take("CREATE"), parser.take("VIRTUAL"), parser.take("TABLE") else { return nil }
        parser.skipName()
        return parser.take("USING") ? parser.token?.identifier : nil
    }

    /// `CREATE [TEMP] TABLE [IF NOT EXISTS] name ( column, …, constraint, … ) [options]`; nil if it is none.
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

    /// `[IF NOT EXISTS] [schema .] name`
    private mutating func skipName() {
        if take("IF") {
            _ = take("NOT")
            _ = take("EXISTS")
        }
        _ = takeIdentifier()
        if take(symbol: ".") { _ = takeIdentifier() }
    }

    /// Passes over parentheses with all that is in them.
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
        while isAtColumnConstraint { parseColumnConstraint(&column, of: name, type: type) }
        columns.append(
            TableDefinition.Column(
                name: name, type: type, affinity: ColumnAffinity(ofType: type, isStrict: false),
                defaultValue: column.defaultValue, collation: column.collation, isGenerated: column.isGenerated,
                isVirtual: column.isVirtual))
        return true
    }

    /// `[word … [ ( number [, number] ) ]]`, with whatever comments are in between, which SQLite does not tell from words.
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

    /// A type without `GENERATED ALWAYS` at its end, which SQLite takes for a part of it at first.
    private static func withoutGenerated(_ type: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = type
        for word in ["always", "generated"] {
            guard String(decoding: rest.suffix(word.utf8.count), as: UTF8.self).foldedName.elementsEqual(word.utf8)
            else {
                return type
            }
            rest = rest.dropLast(word.utf8.count)
            while let last = rest.last, last == 0x20 || (0x09...0x0D).contains(last) { rest.removeLast() }
        }
        return rest
    }

    private struct ColumnConstraints {
        var defaultValue = ColumnDefault.null
        var collation = "binary"
        var isGenerated = false
        var isVirtual = false
    }

    private mutating func parseColumnConstraint(
        _ column: inout ColumnConstraints, of name: String, type: String
    ) {
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
            // The name of CONSTRAINT or REFERENCES may read like anything.
            if take("CONSTRAINT") || take("REFERENCES") { _ = takeIdentifier() } else { advance() }
            skipRestOfConstraint()
        }
    }

    /// Passes over what belongs to a constraint that does not matter: up to the next one, a comma or the end.
    private mutating func skipRestOfConstraint() {
        while let next = token, next != .symbol(","), next != .symbol(")"), !isAtColumnConstraint {
            if take("ON") {
                noteConflict()
                // The NULL and the DEFAULT of ON DELETE SET NULL are no constraints.
                advance()
                if take("SET") { advance() }
            } else if next == .symbol("(") {
                skipParentheses()
            } else {
                advance()
            }
        }
    }

    /// `literal | + number | - number`, or one of these in parentheses; any other expression is not computed.
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

    /// `name [COLLATE name] [ASC | DESC], … )`
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
    /// The column in a table that is STRICT.
    fileprivate var strict: TableDefinition.Column {
        TableDefinition.Column(
            name: name, type: type, affinity: ColumnAffinity(ofType: type, isStrict: true), defaultValue: defaultValue,
            collation: collation, isGenerated: isGenerated, isVirtual: isVirtual)
    }
}

extension String {
    /// The name as SQLite compares it: letters of ASCII count in either case, and nothing else is taken for the same.
    package var foldedName: [UInt8] {
        utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }
}
