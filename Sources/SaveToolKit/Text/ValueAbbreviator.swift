import KeyedArchives
import SaveCodec
import SaveInspection

/// Short texts of values for use within a line. Containers are shown with as much of their contents as fits.
///
///     Player {type: 3, health: 80, weapons: […], …}
final class ValueAbbreviator {
    /// The maximum number of characters of a container's contents, and of a string or key in a container.
    private static let room = 60
    private static let longest = 24
    /// The maximum number of slots of a container whose summary takes little time.
    private static let cheapCount = 8

    let view: ObjectView
    /// The summaries of containers with many slots. They are cached because a hostile archive may refer to such a
    /// container many times.
    private var shown: [ViewID: Summary] = [:]

    /// A short description of a container.
    struct Summary {
        let line: String
        let type: String
        let className: StoredString?
        let count: Int
    }

    init(of view: ObjectView) {
        self.view = view
    }

    func line(_ id: ViewID) -> String {
        if let node = view.scalar(id) { return scalar(node, id) }
        return summary(of: id).line
    }

    func summary(of id: ViewID) -> Summary {
        if let summary = shown[id] { return summary }
        let value = view[id]
        let summary = Summary(
            line: container(value, id), type: value.variant.typeName, className: view.classText(of: id),
            count: value.contents.count)
        if value.contents.count > Self.cheapCount { shown[id] = summary }
        return summary
    }

    private func scalar(_ node: Node, _ id: ViewID) -> String {
        guard case .data = node else { return ValueText.line(node).text }
        return ValueText.line(node, word: view.word(for: .data, view.classPosition(of: id))).text
    }

    private func container(_ value: ViewValue, _ id: ViewID) -> String {
        if view.archive != nil, id == view.root { return ValueText.line(value, id, in: view).text }
        if let text = view.brief(id) { return view.classOrKind(of: value) + ", " + text }
        let (opening, closing) = brackets(value, id)
        return opening + contents(value) + closing
    }

    /// Returns the text before and after the contents. It includes the class if that says more than the brackets.
    private func brackets(_ value: ViewValue, _ id: ViewID) -> (opening: String, closing: String) {
        let kind = value.variant.kind
        let word = view.word(of: value, id)
        let isClear = ["array", "dictionary", "row"].contains(word) && kind != .object
        let brackets = kind == .dictionary || kind == .object ? ("{", "}") : ("[", "]")
        return ((isClear ? "" : word + " ") + brackets.0, brackets.1)
    }

    private func contents(_ value: ViewValue) -> String {
        if let records = records(value.contents) { return records }
        let (line, count) = line(of: value.contents)
        guard count < value.contents.count, let name = nameField(in: value.contents), name >= count else { return line }
        return self.line(of: value.contents, beginningWith: name).text
    }

    /// Returns as many contents as fit, and their number.
    ///
    /// - Parameter first: The position to begin with; nil for the stored order.
    private func line(of contents: ViewContents, beginningWith first: Int? = nil) -> (text: String, count: Int) {
        let rest = (0..<contents.count).lazy.filter { $0 != first }
        var line = ""
        var count = 0
        for position in [first].compactMap(\.self) + rest.prefix(Self.room) {
            if count > 0 { line += ", " }
            guard line.unicodeScalars.count < Self.room else { return (line + "…", count) }
            let item = view.item(position, of: contents)
            if let key = item.key { line += label(key) + ": " }
            line += part(item.id)
            count += 1
        }
        return (line, count)
    }

    /// The keys that tell objects of a class apart, without leading underscores and in lower case, best first.
    private static let nameKeys = ["name", "title", "id", "identifier", "uuid", "guid", "label", "key"]
    /// The number of fields among which the name is looked for.
    private static let maxNamedFields = 200

    /// Returns the position of the field that tells an object from others of its class; nil if no field does.
    private func nameField(in contents: ViewContents) -> Int? {
        var best: (rank: Int, position: Int)?
        for position in 0..<min(contents.count, Self.maxNamedFields) {
            let item = view.item(position, of: contents)
            guard let key = item.key.flatMap(view.text), key.count <= 16 else { continue }
            let word = String(decoding: key.drop { $0 == 0x5F }, as: UTF16.self).lowercased()
            guard let rank = Self.nameKeys.firstIndex(of: word), rank < best?.rank ?? .max else { continue }
            switch view.scalar(item.id) {
            case .string, .integer: best = (rank, position)
            default: break
            }
        }
        return best?.position
    }

    /// Returns a summary of an array whose first elements are containers without a short text: the keys of the first
    /// element and the number of other elements. Returns nil for other contents.
    private func records(_ contents: ViewContents) -> String? {
        let elements = (0..<min(contents.count, 2)).map { view.item($0, of: contents) }
        guard let first = elements.first,
            elements.allSatisfy({ $0.key == nil && view.scalar($0.id) == nil && view.brief($0.id) == nil })
        else { return nil }
        let value = view[first.id]
        guard value.contents.count > 0, view.item(0, of: value.contents).key != nil else { return nil }
        var keys: [String] = []
        var size = 0
        for position in 0..<value.contents.count {
            guard size < Self.room else {
                keys.append("…")
                break
            }
            guard let key = view.item(position, of: value.contents).key else { continue }
            keys.append(label(key))
            size += (keys.last?.unicodeScalars.count ?? 0) + 2
        }
        let (opening, closing) = brackets(value, first.id)
        let record = opening + keys.joined(separator: ", ") + closing
        return contents.count == 1 ? record : record + ", … \(contents.count - 1) more"
    }

    /// Returns the key or the position of a slot.
    ///
    /// - Parameter isWhole: Whether a long key is not cut.
    func label(_ position: Int, _ key: ViewID?, isWhole: Bool = false) -> String {
        key.map { label($0, isWhole: isWhole) } ?? "\(position)"
    }

    private func label(_ key: ViewID, isWhole: Bool = false) -> String {
        view.text(key).map { TruncatedText.key($0, longest: isWhole ? .max : Self.longest) } ?? part(key)
    }

    private func part(_ id: ViewID) -> String {
        switch view.scalar(id) {
        case .string(let text)?: return TruncatedText.string(text, longest: Self.longest)
        case .data(let bytes)?: return Phrase.count(bytes.count, "byte")
        case let node?: return ValueText.line(node).text
        case nil: break
        }
        if let text = view.brief(id) { return text }
        let value = view[id]
        let (opening, closing) = brackets(value, id)
        return opening + (value.contents.count == 0 ? "" : "…") + closing
    }
}
