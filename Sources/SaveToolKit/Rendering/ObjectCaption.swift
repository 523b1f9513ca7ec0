import KeyedArchive
import SaveCodec
import SaveOperations

/// A value of a view in a few words: its class, and how much it holds or what it is.
struct ObjectCaption {
    let view: ObjectView

    /// `Player, 5 fields`, `NSArray, 3 elements`, `dictionary, 2 keys`; `integer, 5`, `NSDate, 2009-09-06T12:34:56Z`.
    func line(_ value: ViewValue) -> String {
        let text = name(of: value)
        switch value.form {
        case .scalar(.null) where value.classPosition == nil: return text
        case .scalar(.data(let bytes)): return text + ", " + Grouped.of(bytes.count, "byte")
        case .scalar(let node): return text + ", " + ValueText.line(node).text
        case .array, .set: return text + ", " + Grouped.of(value.contents.count, "element")
        case .dictionary: return text + ", " + Grouped.of(value.contents.count, "key")
        case .object: return text + ", " + Grouped.of(value.contents.count, "field")
        }
    }

    /// The class of a value; of one without class what it is.
    func name(of value: ViewValue) -> String {
        if let position = value.classPosition, let archive = view.archive {
            return Shortened.key(archive.classes[position].name)
        }
        switch value.form {
        case .scalar(let node): return node.kind.rawValue
        case .array: return "array"
        case .set: return "set"
        case .dictionary: return "dictionary"
        case .object: return "object"
        }
    }
}
