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

/// What a tree calls the classes of an archive.
enum ClassNames {
    /// The name of a class.
    static func name(_ position: Int, in view: ObjectView) -> String {
        view.archive.map { Shortened.key($0.classes[position].name) } ?? ""
    }

    /// What stands before the count of a collection, or the size of data: the class if it says more than the kind.
    static func word(for kind: String, _ position: Int?, in view: ObjectView) -> String {
        guard let position, let name = view.archive?.classes[position].name else { return kind }
        let isPlain = plain.contains { $0.kind == kind && name.elementsEqual($0.name.utf16) }
        return isPlain ? kind : Shortened.key(name)
    }

    private static let plain = [
        (kind: "array", name: "NSArray"), (kind: "dictionary", name: "NSDictionary"), (kind: "set", name: "NSSet"),
        (kind: "data", name: "NSData"),
    ]

    /// A class and its ancestors; of a renamed class, which has none, its name.
    static func chain(_ position: Int, in view: ObjectView) -> String {
        guard let record = view.archive?.classes[position] else { return "" }
        guard let chain = record.chain else { return Shortened.key(record.name) }
        let names = chain.prefix(10).map(Shortened.key)
        return names.joined(separator: ", ") + (chain.count > names.count ? ", …" : "")
    }
}

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
