import SaveCodec

/// Returns a document in the notation of expectations: `{"k": 1, "d": <01 02>}`, `date 0.0`, `UID 5`, `[1.0, "a"]`.
func notation(_ document: Document) -> String {
    notation(document, document.root)
}

private func notation(_ document: Document, _ id: ObjectID) -> String {
    switch document[id] {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .integer(let integer): "\(integer.value)"
    case .real32(let value): "\(value)f"
    case .real64(let value): "\(value)"
    case .date(let seconds): "date \(seconds)"
    case .data(let bytes):
        "<" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ") + ">"
    case .string(let text): "\"\(text.escaped)\""
    case .uid(let uid): "UID \(uid.value)"
    case .array(let elements), .set(let elements):
        "[" + elements.map { notation(document, $0) }.joined(separator: ", ") + "]"
    case .dictionary(let pairs):
        "{" + pairs.map { notation(document, $0.key) + ": " + notation(document, $0.value) }.joined(separator: ", ")
            + "}"
    }
}
