import Foundation
import SaveCodec

/// The value of a document as text, in the format of the verdict files that other readers wrote.
struct XMLCanonicalText {
    let document: Document

    var text: String { text(document.root, "") }

    private func text(_ id: ObjectID, _ indent: String) -> String {
        let inner = indent + "  "
        switch document[id] {
        case .array(let elements), .set(let elements):
            return "array" + elements.map { "\n" + inner + text($0, inner) }.joined()
        case .dictionary(let pairs):
            // The last value of a duplicate key is the effective one.
            let values = Dictionary(pairs.map { (scalar($0.key), text($0.value, inner)) }) { $1 }
            return "dict" + values.sorted { $0.key < $1.key }.map { "\n\(inner)\($0.key): \($0.value)" }.joined()
        default:
            return scalar(id)
        }
    }

    private func scalar(_ id: ObjectID) -> String {
        switch document[id] {
        case .boolean(let value): "bool \(value)"
        case .integer(let integer): "int \(integer.value)"
        case .real64(let value): "real " + real(value)
        case .date(let seconds): "date " + real(seconds)
        case .string(let text): "str \"" + text.map(character).joined() + "\""
        case .data(let bytes): "data <" + bytes.map { String(format: "%02x", $0) }.joined() + ">"
        case .uid(let uid): "uid \(uid.value)"
        default: "?"
        }
    }

    private func real(_ value: Double) -> String {
        value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-inf" : "inf") : String(format: "%.17g", value)
    }

    private func character(_ unit: UInt16) -> String {
        switch unit {
        case 0x22: "\\\""
        case 0x5C: "\\\\"
        case 0x20...0x7E: String(decoding: [unit], as: UTF16.self)
        default: String(format: "\\u%04x", unit)
        }
    }
}
