public import Foundation

/// A table in a text file. Tabs separate the columns, and the first line names them.
public struct SeparatedTable {
    /// The rows, each with a value for every column.
    public var rows: [[String: String]]
    /// The names of the columns, in order.
    public let columns: [String]

    /// Reads a table.
    public init(_ file: URL) throws {
        var lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(Self.cells)
        columns = lines.isEmpty ? [] : lines.removeFirst()
        let columns = columns
        rows = lines.map { Dictionary(zip(columns, $0)) { first, _ in first } }
    }

    /// Writes the table.
    public func write(to file: URL) throws {
        let lines = [columns] + rows.map { row in columns.map { row[$0, default: ""] } }
        let text = lines.map { $0.joined(separator: "\t") + "\n" }.joined()
        try Data(text.utf8).write(to: file)
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
}
