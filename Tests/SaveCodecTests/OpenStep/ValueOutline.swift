import Foundation

@testable import SaveCodec

/// A document's value as text: one line per value, two spaces per level, keys sorted. The verdicts of other readers and
/// the expectations of these tests use this format.
enum ValueOutline {
    static func of(_ document: Document) -> String {
        outline(document.root, in: document, indent: "")
    }

    private static func outline(_ id: ObjectID, in document: Document, indent: String) -> String {
        let inner = indent + "  "
        switch document[id] {
        case .null: return "null"
        case .boolean(let value): return "bool \(value)"
        case .integer(let integer): return "int \(integer.value)"
        case .real32(let value): return "real " + number(Double(value))
        case .real64(let value): return "real " + number(value)
        case .date(let seconds): return "date " + number(seconds)
        case .data(let bytes): return "data <" + bytes.map { String(format: "%02x", $0) }.joined() + ">"
        case .string(let text): return "str " + quoted(text)
        case .uid(let uid): return "uid \(uid.value)"
        case .set(let elements):
            let rows = elements.map { "\n" + inner + outline($0, in: document, indent: inner) }
            return "set" + rows.sorted().joined()
        case .array(let elements):
            return elements.reduce("array") { $0 + "\n" + inner + outline($1, in: document, indent: inner) }
        case .dictionary(let pairs):
            return outline(pairs, in: document, inner)
        }
    }

    private static func outline(_ pairs: Pairs, in document: Document, _ indent: String) -> String {
        var rows: [String: String] = [:]
        for pair in pairs {
            let key = outline(pair.key, in: document, indent: indent)
            if rows[key] != nil, !document.lastDuplicateWins { continue }
            rows[key] = outline(pair.value, in: document, indent: indent)
        }
        let keys = rows.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        return keys.reduce("dict") { $0 + "\n" + indent + $1 + ": " + (rows[$1] ?? "") }
    }

    private static func number(_ value: Double) -> String {
        String(format: "%.17g", value)
    }

    static func quoted(_ text: StoredString) -> String {
        var result = "\""
        for unit in text {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x20...0x7E: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default: result += String(format: "\\u%04x", Int(unit))
            }
        }
        return result + "\""
    }
}
