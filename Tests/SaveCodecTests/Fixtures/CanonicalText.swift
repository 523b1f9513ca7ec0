import Foundation
import SaveCodec

/// A document's value in the text format of the verdict files: one line per value, two spaces per level, keys sorted as
/// text, strings as JSON with all non-ASCII characters escaped.
struct CanonicalText {
    private let document: Document

    static func of(_ document: Document) -> String {
        CanonicalText(document: document).text(of: document.root, indentation: "")
    }

    private func text(of id: ObjectID, indentation: String) -> String {
        let inner = indentation + "  "
        switch document[id] {
        case .null: return "null"
        case .boolean(let value): return "bool \(value)"
        case .integer(let integer): return "int \(integer.value)"
        case .real32(let value): return "real " + Self.real(Double(value))
        case .real64(let value): return "real " + Self.real(value)
        case .date(let seconds): return "date " + Self.real(seconds)
        case .data(let bytes): return "data <" + bytes.map { String(format: "%02x", $0) }.joined() + ">"
        case .string(let text): return "str " + ValueOutline.quoted(text)
        case .uid(let uid): return "uid \(uid.value)"
        case .array(let elements), .set(let elements):
            return "array" + elements.map { "\n" + inner + text(of: $0, indentation: inner) }.joined()
        case .dictionary(let pairs):
            return wrappedUID(pairs) ?? "dict"
                + rows(pairs, inner).map { "\n" + inner + $0.key + ": " + $0.value }.joined()
        }
    }

    /// Returns the text of a dictionary whose only key is `CF$UID`, which the readers that made the verdicts treat as a
    /// UID in binary files, too.
    private func wrappedUID(_ pairs: Pairs) -> String? {
        guard pairs.count == 1, document.text(pairs[0].key)?.string == "CF$UID",
            case .integer(let uid) = document[pairs[0].value]
        else { return nil }
        return "uid \(uid.value)"
    }

    /// Returns the keys and values as text, sorted, with only the effective value of a duplicate key.
    private func rows(_ pairs: Pairs, _ indentation: String) -> [(key: String, value: String)] {
        var values: [String: ObjectID] = [:]
        for pair in pairs {
            let key = text(of: pair.key, indentation: "")
            if values[key] == nil || document.lastDuplicateWins { values[key] = pair.value }
        }
        return values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            .map { ($0.key, text(of: $0.value, indentation: indentation)) }
    }

    private static func real(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        return String(format: "%.17g", value)
    }
}
