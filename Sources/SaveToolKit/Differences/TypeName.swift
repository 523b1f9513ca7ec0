import KeyedArchive
import SaveCodec
import SaveOperations

/// What types and classes of values are called.
enum TypeName {
    /// `integer`, `real`, `real32`, `string`; `array`, `object`.
    static func type(of id: ViewID, in view: ObjectView) -> String {
        view.scalar(id).map(type) ?? type(of: view[id])
    }

    /// The type of a scalar.
    static func type(of node: Node) -> String {
        if case .real32 = node { return "real32" }
        return node.kind.rawValue
    }

    /// The type of a value.
    static func type(of value: ViewValue) -> String {
        switch value.form {
        case .scalar(let node): type(of: node)
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .object: "object"
        }
    }

    /// The class of a value; of a plain dictionary that is compared with an object the one that it names, of other plain
    /// values what they are.
    static func `class`(of id: ViewID, in view: ObjectView) -> String {
        className(of: id, in: view).map { Shortened.key($0) } ?? type(of: id, in: view)
    }

    /// The name of the class of an object that stands for a scalar; nil if it has none.
    static func className(ofScalar id: ViewID, in view: ObjectView) -> Text? {
        view.archive.flatMap { archive in view.uid(id).flatMap(archive.classPosition).map { archive.classes[$0].name } }
    }

    /// The name of the class of a value; nil if it has none.
    static func className(of id: ViewID, in view: ObjectView) -> Text? {
        guard view.archive == nil else { return className(ofScalar: id, in: view) }
        let contents = view[id].contents
        for position in 0..<contents.count {
            let item = view.item(position, of: contents)
            guard let key = item.key else { return nil }
            if view.text(key)?.elementsEqual("$class".utf16) ?? false { return view.text(item.id) }
        }
        return nil
    }

    /// Whether a value of an archive is an object, or stored in place.
    static func storage(of id: ViewID, in view: ObjectView) -> String {
        view.uid(id) == nil ? "in place" : "object"
    }
}
