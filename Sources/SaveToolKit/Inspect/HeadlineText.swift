import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// A headline as text, the same for trees, pages and summaries:
///
///     binary keyed archive by NSKeyedArchiver, 1 root, 9 objects, 779 bytes; 3 Player, 1 Map
///     XML property list, dictionary with 7 keys, 567 bytes
extension Headline {
    /// The description of the save, without its size.
    var text: String { title + counts }

    /// A short name of the save's kind: `keyed archive`, `binary property list`.
    fileprivate var shortTitle: String {
        if case .archive(let archive) = contents { archive.archive.kindName } else { storage.title }
    }

    /// Returns the description of the save, its size, and the game's classes with the most objects.
    ///
    /// - Parameter size: The size of the contents and of the layers around them, as text.
    func text(size: String) -> String {
        text + ", " + size + classes
    }

    /// `binary keyed archive by NSKeyedArchiver`, `XML property list`.
    private var title: String {
        guard case .archive(let archive) = contents else { return storage.title }
        return "\(storage.adjective) \(archive.archive.kindName) by \(TruncatedText.key(archive.archive.archiver))"
    }

    private var counts: String {
        switch contents {
        case .archive(let archive):
            ", " + Phrase.count(archive.roots, "root") + ", " + Phrase.count(archive.objects, "object")
        case .database(let tables, let rows): ", " + Phrase.count(tables, "table") + ", " + Phrase.count(rows, "row")
        case .container(_, let count) where storage == .stringsFile: ", " + Phrase.count(count, "key")
        case .container(let container, let count):
            ", \(container.variant.kind.rawValue) with " + Phrase.count(count, container.variant.kind.contentNoun)
        case .scalar(let kind): ", " + kind.rawValue
        }
    }

    private var classes: String {
        guard case .archive(let archive) = contents, !archive.classes.isEmpty else { return "" }
        let parts = archive.classes.map {
            CountText.of($0.objects) + " " + TruncatedText.className($0.name.shownClassName, longest: 48)
        }
        return "; " + parts.joined(separator: ", ") + (archive.hasMoreClasses ? ", …" : "")
    }
}

extension Headline.Storage {
    /// The name of the format, for a save that is not an archive: `XML property list`, `strings file`.
    fileprivate var title: String {
        switch self {
        case .format(let format): format.title
        case .typedJSON, .exactJSON, .graphJSON: adjective
        case .stringsFile: "strings file"
        case .coreDataStore: "Core Data store (SQLite)"
        }
    }

    /// The adjective before `archive`.
    fileprivate var adjective: String {
        switch self {
        case .format(let format): format.definition.adjective
        case .typedJSON: "typed JSON"
        case .exactJSON: "exact JSON"
        case .graphJSON: "graph JSON"
        case .stringsFile, .coreDataStore: title
        }
    }
}

// MARK: Nested saves

/// The line for a nested save whose contents a tree does not show, with commands that show them:
///
///     keyed archive (--nested, or get … /savedGame/root)
struct NestedSaveLine {
    let title: String
    /// The commands that show the nested save, in parentheses after a space; empty if none fits on a line.
    let hint: String

    /// Returns nil unless the row's value is data that holds a nested save.
    init?(_ row: Outline.Row, of outline: borrowing Outline) {
        let view = row.level.view
        guard view.scalarObject(row.id)?.kind == .data, let save = try? view.nestedSave(enteredAt: row.id) else {
            return nil
        }
        title = Headline(of: save.view, from: save.view.document, as: save.format).shortTitle
        var ways: [String] = []
        if save.isAlwaysOpen { ways.append(Option.nested.shown) }
        // A raw view gets no address, because `get` would accept it only with `--raw`.
        if view.nesting?.isRaw == false,
            let address = Self.firstAddress(in: save, at: outline.address(of: row, longest: TruncatedText.scanLimit))
        {
            ways.append("get … \(address)")
        }
        hint = ways.isEmpty ? "" : " (\(ways.joined(separator: ", or ")))"
    }

    /// Returns the address of the first value in the save, quoted for the shell; nil if it is too long for a line.
    private static func firstAddress(in save: NestedSave, at address: JSONPointer) -> String? {
        let contents = save.view[save.view.root].contents
        guard contents.count > 0 else { return nil }
        let step = save.view.step(PathStep(key: save.view.item(0, of: contents).key, position: 0))
        let text = address.appending(step).description
        return text.utf8.count < TruncatedText.scanLimit ? Shell.word(text) : nil
    }
}
