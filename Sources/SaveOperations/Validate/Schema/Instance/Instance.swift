import KeyedArchive
import SaveCodec

/// A view as a schema sees it: as its plain JSON (design.md §5.4), value by value, without writing it.
///
///     view                                            plain JSON
///     Player {health: 100, seen: date, icon: data}    {"$class": "Player", "health": 100,
///                                                      "seen": "2009-09-06T12:34:56Z", "icon": "3q0="}
///
/// Dates and data are strings, sets are arrays, reals that are not finite are null, and a UID of a property list is an
/// object without members. An object of an archive has its fields and `$class`. Where a key is repeated, every pair
/// counts as a member. A class, so that what looks at values need not copy all that the view consists of.
final class Instance: Sendable {
    let view: ObjectView

    init(_ view: ObjectView) {
        self.view = view
    }

    /// The value with this identity.
    func value(_ id: InstanceID) -> InstanceValue {
        switch id {
        case .value(let id): value(view[id])
        case .name(let id): .string(.units(name(of: id)))
        case .className(let position): className(position).map { .string(.text($0)) } ?? .null
        case .classKey: .string(.units(Self.classKey))
        }
    }

    private func value(_ value: ViewValue) -> InstanceValue {
        switch value.form {
        case .scalar(let node): Self.value(node)
        case .array, .set: .array(value.contents)
        case .dictionary: .object(value.contents, classPosition: nil)
        case .object: .object(value.contents, classPosition: value.classPosition)
        }
    }

    private static func value(_ node: Node) -> InstanceValue {
        switch node {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let integer): .number(.integer(integer.value))
        case .real64(let value): value.isFinite ? .number(.real(value)) : .null
        case .real32(let value): value.isFinite ? .number(.single(value)) : .null
        case .date(let seconds): date(seconds)
        case .data(let bytes): .string(.data(bytes))
        case .string(let text): .string(.text(text))
        case .uid, .array, .set, .dictionary: .object(ViewContents.nothing, classPosition: nil)
        }
    }

    /// A date is its text; one that the calendar cannot tell is its seconds since 2001.
    private static func date(_ seconds: Double) -> InstanceValue {
        if let text = ScalarText.date(seconds) { return .string(.units(Array(text.utf16))) }
        return seconds.isFinite ? .number(.real(seconds)) : .null
    }

    /// The name of a class of the archive.
    func className(_ position: Int) -> Text? {
        view.archive.map { $0.classes[position].name }
    }

    /// The name that a key is in JSON: its text, or that of its plain JSON.
    func name(of key: ViewID) -> [UInt16] {
        if let text = view.text(key) { return Array(text) }
        switch value(.value(key)) {
        case .null: return Array("null".utf16)
        case .boolean(let value): return Array("\(value)".utf16)
        case .number(let number): return Array(number.description.utf16)
        case .string(let text): return text.units
        case .array, .object: return Array("#\(key.index)".utf16)
        }
    }

    static let classKey = Array("$class".utf16)
}

extension ViewContents {
    /// The contents of what has none.
    static let nothing = ObjectView.nothing[ObjectView.nothing.root].contents
}

extension ObjectView {
    /// A property list that is an empty dictionary.
    fileprivate static let nothing: ObjectView = {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.close()
        guard let document = try? builder.finish() else { preconditionFailure("a document of one object is sound") }
        return ObjectView(document)
    }()
}
