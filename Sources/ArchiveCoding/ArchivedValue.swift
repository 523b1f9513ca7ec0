public import KeyedArchives
public import SaveCodec

/// A value of an archive for manual access: an object with a class and fields, a collection, or a plain value.
///
///     root ─▶ Map {currentLevelName ─▶ "Swamp", charList ─▶ [Player {health: 100, position.x: 10.5}, …]}
///
///     let archive = try KeyedArchive(Document.read(bytes, as: .binary))
///     let map = try archive.root()
///     let name = try map["currentLevelName"].string
///     for player in try map["charList"].array where player.className == "Player" {
///         print(try player["health"].integer, try player["position.x"].float)
///     }
///
/// A value that is stored in place and one that is a separate object are read the same way. So is a value of a plain
/// property list, which a decoder or another module may return. Every error contains the address of the value, the kind
/// found and the kind expected: `/root/charList/0/health: found a string; expected an integer`.
public struct ArchivedValue: Sendable {
    let source: ArchivedValueSource
    /// The identity of the value. Two values with the same identity are one object.
    let id: ViewID
    /// The address from which the value was reached.
    private let base: JSONPointer
    /// The steps from the base address, each a position in a container.
    private let slots: StepChain<Slot>

    private struct Slot: Sendable {
        let container: ViewID
        let position: Int
    }

    /// Creates a value of a view as if it had been reached by an address.
    package init(_ id: ViewID, in view: ObjectView, at address: JSONPointer) {
        self.init(source: ArchivedValueSource(view), id: id, address, .empty)
    }

    private init(source: ArchivedValueSource, id: ViewID, _ base: JSONPointer, _ slots: StepChain<Slot>) {
        (self.source, self.id, self.base, self.slots) = (source, id, base, slots)
    }

    fileprivate init(rootOf source: ArchivedValueSource) {
        self.init(source: source, id: source.view.root, .root, .empty)
    }

    /// The address of the value, computed on each access. No other value has this address, except that a dictionary key
    /// has the address of its value.
    public var address: JSONPointer {
        guard !slots.isEmpty else { return base }
        var address = base.nestedSavePrefix
        for slot in slots.steps { source.view.append(slot.position, of: slot.container, to: &address) }
        return address
    }

    /// The address as a coding path, with field names as the types spell them.
    var codingPath: [any CodingKey] {
        let start = slots.isEmpty ? base : base.nestedSavePrefix
        return start.tokens.indices.map { ArchiveCodingKey(start, at: $0) } + slots.steps.map(key)
    }

    private func key(_ slot: Slot) -> ArchiveCodingKey {
        let container = ArchivedValue(source: source, id: slot.container, base, .empty)
        let item = source.view.item(slot.position, of: container.shown.contents)
        guard item.key != nil else { return ArchiveCodingKey(intValue: slot.position) }
        var address = JSONPointer.root
        source.view.append(slot.position, of: slot.container, to: &address)
        let token = address.token(at: 0)
        let name = container.name(of: item, container.shown)
        return ArchiveCodingKey(name ?? String(decoding: token.units, as: UTF16.self), token: token)
    }

    /// Whether the value is nil, or the NSNull object that represents nil in collections.
    public var isNil: Bool {
        guard source.archive != nil else { return source.view.isPlainNil(id) }
        if classRecord?.foundation?.isNull ?? false { return true }
        guard classPosition == nil, case .scalar(.null) = shown.variant else { return false }
        return true
    }

    // MARK: Classes

    /// The name of the class; nil for plain values such as strings and numbers.
    public var className: String? { classRecord?.name.string }

    /// The class and its ancestors, starting with the class; empty for plain values.
    public var classChain: [String] { classRecord?.names ?? [] }

    /// The position of the class in ``KeyedArchive/classes``; nil for plain values.
    var classPosition: Int? { source.view.classPosition(of: id) }

    var classRecord: ClassRecord? { classPosition.flatMap { source.archive?.classes[$0] } }

    // MARK: Fields

    /// The value of a field, or the value of a dictionary for a key.
    ///
    /// - Throws: A problem if the field or key is missing, or if the value is neither an object nor a dictionary.
    public subscript(name: String) -> ArchivedValue {
        get throws(Problem) {
            let shown = try fieldsOrPairs()
            guard let value = value(named: name, of: shown) else { throw .fieldMissing(name, in: self) }
            return value
        }
    }

    /// Returns the value of a field, or the value of a dictionary for a key; nil if it does not exist or is nil.
    public func field(_ name: String) -> ArchivedValue? {
        guard let shown = try? fieldsOrPairs(), let value = value(named: name, of: shown), !value.isNil else {
            return nil
        }
        return value
    }

    /// The fields of an object, or the pairs of a dictionary with string keys, in stored order.
    ///
    /// - Throws: A problem if the value is neither.
    public var fields: [(name: String, value: ArchivedValue)] {
        get throws(Problem) {
            let shown = try fieldsOrPairs()
            var fields: [(name: String, value: ArchivedValue)] = []
            for position in 0..<shown.contents.count {
                let item = source.view.item(position, of: shown.contents)
                guard let name = name(of: item, shown) else {
                    throw Problem("decode.key", "the dictionary has a non-string key", address: address)
                }
                fields.append((name, appending(position, item.id)))
            }
            return fields
        }
    }

    /// The names of the first fields or keys as part of a message; nil for a value without any.
    var firstNames: String? {
        let contents = shown.contents
        var names: [String] = []
        for position in 0..<min(contents.count, Self.maximumNames) {
            guard let key = source.view.item(position, of: contents).key, let name = source.view.text(key) else {
                break
            }
            names.append(Problem.cut(name.string))
        }
        if names.isEmpty { return nil }
        return Phrase.list(names, of: contents.count)
    }

    private static let maximumNames = 8

    private func fieldsOrPairs() throws(Problem) -> ViewValue {
        let shown = shown
        switch shown.variant {
        case .object, .dictionary: return shown
        default: throw .kind(self, expected: "an object")
        }
    }

    private func value(named name: String, of shown: ViewValue) -> ArchivedValue? {
        let wanted = Array((isObject(shown) ? FieldNameEscaping.stored(name) : name).utf16)
        let position = source.view.document.effective(of: 0..<shown.contents.count) { position in
            let key = source.view.item(position, of: shown.contents).key
            return key.flatMap(source.view.text)?.elementsEqual(wanted) ?? false
        }
        return position.map { appending($0, source.view.item($0, of: shown.contents).id) }
    }

    private func name(of item: ViewItem, _ shown: ViewValue) -> String? {
        guard let key = item.key, let text = source.view.text(key) else { return nil }
        return isObject(shown) ? FieldNameEscaping.read(text.string) : text.string
    }

    private func isObject(_ shown: ViewValue) -> Bool {
        if case .object = shown.variant { return true }
        return source.archive != nil && id == source.view.root
    }

    // MARK: Elements

    /// The elements of an array or a set.
    ///
    /// - Throws: A problem if the value is neither.
    public var array: [ArchivedValue] {
        get throws(Problem) {
            let shown = shown
            switch shown.variant {
            case .array, .set:
                return (0..<shown.contents.count).map { position in
                    appending(position, source.view.item(position, of: shown.contents).id)
                }
            default: throw .kind(self, expected: "an array")
            }
        }
    }

    /// The pairs of a dictionary with any kind of keys, in stored order.
    ///
    /// - Throws: A problem if the value is not a dictionary.
    public var pairs: [(key: ArchivedValue, value: ArchivedValue)] {
        get throws(Problem) {
            let shown = shown
            guard case .dictionary = shown.variant else { throw .kind(self, expected: "a dictionary") }
            return (0..<shown.contents.count).map { position in
                let item = source.view.item(position, of: shown.contents)
                return (appending(position, item.key ?? item.id), appending(position, item.id))
            }
        }
    }

    /// The values of a dictionary with string keys.
    ///
    /// - Throws: A problem if the value is not a dictionary, or if one of its keys is not a string.
    public var dictionary: [String: ArchivedValue] {
        get throws(Problem) {
            guard case .dictionary = shown.variant else { throw .kind(self, expected: "a dictionary") }
            return source.view.document.effective(try fields.map { ($0.name, $0.value) })
        }
    }

    private func appending(_ position: Int, _ id: ViewID) -> ArchivedValue {
        ArchivedValue(source: source, id: id, base, slots.appending(Slot(container: self.id, position: position)))
    }

    var shown: ViewValue { source.view[id] }
}

extension ObjectView {
    /// Whether a value of a plain property list is null or the text that represents nil.
    func isPlainNil(_ id: ViewID) -> Bool {
        switch scalar(id) {
        case .null: true
        case .string(let text): text.elementsEqual(PlainOutput.nilText.utf16)
        default: false
        }
    }
}

/// The archive or the plain property list that values belong to.
final class ArchivedValueSource: Sendable {
    let view: ObjectView
    /// Whether numbers are never read as Booleans, or the other way round. Archivers store equal numbers of different
    /// kinds as one object.
    let distinguishesBooleans: Bool

    init(_ view: ObjectView) {
        self.view = view
        distinguishesBooleans = view.archive == nil && !view.document.has(.database)
    }

    convenience init(_ archive: KeyedArchive) {
        self.init(ObjectView(archive))
    }

    convenience init(_ document: Document) {
        self.init(ObjectView(document))
    }

    var archive: KeyedArchive? { view.archive }

    /// Whether numbers may be read as dates. JSON and databases have no dates, and some games that use archives store
    /// the seconds as a number.
    var readsNumbersAsDates: Bool { archive != nil || view.document.has(.typedJSON) || view.document.has(.database) }

    /// The dictionary of roots, or the root of the property list.
    var top: ArchivedValue {
        ArchivedValue(rootOf: self)
    }
}

extension KeyedArchive {
    /// Returns the root with a key. An archive of a single object has it under `root`.
    ///
    /// - Throws: A problem if the root is missing.
    public func root(_ key: String = "root") throws(Problem) -> ArchivedValue {
        try ArchivedValueSource(self).root(key)
    }

    /// The roots with their keys, in stored order.
    public var roots: [(key: String, value: ArchivedValue)] {
        // No archiver writes keys that are not strings. An archive with such a key has no roots here.
        ((try? ArchivedValueSource(self).top.fields) ?? []).map { ($0.name, $0.value) }
    }
}

extension ArchivedValueSource {
    func root(_ key: String) throws(Problem) -> ArchivedValue {
        do throws(Problem) {
            return try top[key]
        } catch {
            throw Problem(
                "decode.root", "no root \(Problem.quoted(key)); the archive has \(top.firstNames ?? "none")",
                address: .root)
        }
    }
}

extension ClassRecord {
    /// The class and its ancestors, starting with the class; only the class if no ancestors are stored.
    var names: [String] {
        let ancestors = chain?.map(\.string) ?? []
        return ancestors.isEmpty ? [name.string] : ancestors
    }
}

// MARK: Description

extension ArchivedValue: CustomStringConvertible {
    /// A description of the value on one line, for people rather than programs.
    ///
    /// A number, a date or a text is described by its value; a long text is cut. Data and containers are described by
    /// their kind or class, and by their size: `Player, 4 fields`.
    public var description: String {
        let shown = shown
        if case .scalar(let node) = shown.variant { return isNil ? "nil" : Self.text(node) }
        let kind = shown.variant.kind
        let name = kind == .object ? Problem.cut(className ?? "") : kind.rawValue
        return name + ", " + Phrase.count(shown.contents.count, kind.contentNoun)
    }

    private static func text(_ node: Node) -> String {
        switch node {
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let integer): return integer.value.description
        case .real32(let value): return value.description
        case .real64(let value): return value.description
        case .date(let seconds): return ScalarText.date(seconds) ?? "\(seconds) s since 2001-01-01T00:00:00Z"
        case .data(let bytes): return "data, " + Phrase.count(bytes.count, "byte")
        case .string(let text):
            let start = SafeText.escaping(text.prefix(longestText))
            return text.count > longestText ? "\"\(start)…\"" : "\"\(start)\""
        case .uid(let uid): return "UID \(uid.value)"
        case .null, .array, .set, .dictionary: return "null"
        }
    }

    private static let longestText = 200
}
