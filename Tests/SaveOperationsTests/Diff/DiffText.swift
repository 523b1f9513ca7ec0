import KeyedArchives
import SaveCodec
import SaveOperations

/// Builds views from JSON and prints comparisons as text.
enum DiffText {
    /// Returns the view of typed JSON or, for graph JSON, of the archive that it describes.
    static func view(_ json: String) throws -> ObjectView {
        let document = try Document.read(Array(json.utf8), as: .json)
        guard document.isGraphJSON else { return ObjectView(document) }
        return ObjectView(try KeyedArchive(GraphJSON.archive(from: document)))
    }

    /// Returns the view of an archive with this root, in graph JSON.
    static func archive(root: String, more: String = "") throws -> ObjectView {
        try view(#"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": \#(root)}\#(more)}"#)
    }

    /// Returns one line per change: kind, address, value before and after. A moved value shows both addresses.
    static func lines(_ difference: Difference) -> [String] {
        difference.changes.map { change in
            let before = change.before.map { value($0, in: difference.before) }
            let after = change.after.map { value($0, in: difference.after) }
            let values = [before, after].compactMap { $0 }
            let from = change.kind == .moved ? difference.address(of: change, .before).map { "\($0) → " } ?? "" : ""
            let place = "\(change.kind.rawValue) \(from)\(difference.address(of: change))"
            return "\(place): \(values.joined(separator: " → "))"
        }
    }

    static func value(_ id: ViewID, in view: ObjectView) -> String {
        let value = view[id]
        switch value.variant {
        case .scalar: return scalar(id, in: view)
        case .array: return "[\(value.contents.count)]"
        case .set: return "set[\(value.contents.count)]"
        case .dictionary: return "{\(value.contents.count)}"
        case .object:
            let name = value.classPosition.flatMap { view.archive?.classes[$0].name.string } ?? ""
            return "\(name){\(value.contents.count)}"
        }
    }

    private static func scalar(_ id: ViewID, in view: ObjectView) -> String {
        switch view.scalar(id) {
        case .string(let text): return text.string
        case .integer(let integer): return integer.value.description
        case .real64(let real): return real.description
        case .real32(let real): return "\(real)f"
        case .boolean(let value): return value.description
        case .null: return "null"
        case .date(let seconds): return "date \(seconds)"
        case .data(let bytes): return "data \(Array(bytes))"
        case .uid(let uid): return "uid \(uid.value)"
        case .array, .set, .dictionary, nil: return ""
        }
    }
}
