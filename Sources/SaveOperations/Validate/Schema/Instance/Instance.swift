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
    /// The document of the view, which is much smaller: to ask the view costs a copy of it.
    private let document: Document
    /// Whether the view is of a property list, where values are what is stored.
    private let isPropertyList: Bool

    init(_ view: ObjectView) {
        self.view = view
        document = view.document
        isPropertyList = view.archive == nil
    }

    /// The value with this identity.
    func value(_ id: InstanceID) -> InstanceValue {
        switch id {
        case .value(let id): isPropertyList ? value(stored: ObjectID(id.index)) : value(view[id])
        case .name(let id): .string(.units(name(of: id)))
        case .className(let position): className(position).map { .string(.text($0)) } ?? .null
        case .classKey: .string(.units(Self.classKey))
        }
    }

    /// Whether it may take longer to look at a value than to look up an answer: what has contents, objects of an archive
    /// and long texts. Told without looking at the value.
    func isLarge(_ id: InstanceID) -> Bool {
        switch id {
        case .value(let id): classPosition(id) != nil || isLarge(document.object(stored(id)))
        case .name: true
        case .className(let position): (className(position)?.count ?? 0) > Self.longText
        case .classKey: false
        }
    }

    private func isLarge(_ object: StoredObject) -> Bool {
        switch object.kind {
        case .array, .set, .dictionary: true
        default: object.count > Self.longText
        }
    }

    /// The class of an object of the archive, without looking at the object.
    func classPosition(_ id: ViewID) -> Int? {
        guard !isPropertyList, let uid = view.uid(id) else { return nil }
        return view.archive?.classPosition(of: uid)
    }

    /// The class of an object of the archive; nil for all else.
    func classPosition(of id: InstanceID) -> Int? {
        if case .value(let id) = id { classPosition(id) } else { nil }
    }

    /// How many references, units or bytes are stored in place for a value.
    func weight(_ id: InstanceID) -> Int {
        guard case .value(let id) = id else { return 1 }
        return document.object(stored(id)).count
    }

    private func stored(_ id: ViewID) -> ObjectID {
        isPropertyList ? ObjectID(id.index) : view.stored(id)
    }

    /// The longest text that is looked at as fast as an answer is looked up.
    private static let longText = 64

    private func value(stored id: ObjectID) -> InstanceValue {
        let object = document.object(id)
        return switch object.kind {
        case .array, .set: .array(ViewContents(of: object))
        case .dictionary: .object(ViewContents(of: object), classPosition: nil)
        default: Self.value(document.node(object))
        }
    }

    /// The content at a position of a container.
    func item(_ position: Int, of contents: ViewContents) -> ViewItem {
        view.item(position, of: contents)
    }

    /// Whether a key is a string, without reading one that is stored in place.
    func isText(_ key: ViewID) -> Bool {
        guard isPropertyList || view.uid(key) == nil else { return view.text(key) != nil }
        return document.object(stored(key)).kind.isString
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
