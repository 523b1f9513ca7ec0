import KeyedArchives
import SaveCodec
import SaveOperations

/// A headline as text, the same for trees, pages and summaries:
///
///     binary keyed archive by NSKeyedArchiver, 1 root, 9 objects, 779 bytes; 3 Player, 1 Map
///     XML property list, dictionary with 7 keys, 567 bytes
extension Headline {
    /// The description of the save, without its size.
    var text: String { title + counts }

    /// A short name of the save's kind: `keyed archive`, `binary property list`.
    var shortTitle: String {
        if case .archive(let archive) = contents { archive.archive.kindName } else { storage.title }
    }

    /// The description of the save, its size, and the game's classes with the most objects.
    ///
    /// - Parameter size: the size of the contents and the layers around them.
    func text(size: String) -> String {
        text + ", " + size + classes
    }

    /// `binary keyed archive by NSKeyedArchiver`, `XML property list`.
    private var title: String {
        guard case .archive(let archive) = contents else { return storage.title }
        return "\(storage.adjective) \(archive.archive.kindName) by \(Shortened.key(archive.archive.archiver))"
    }

    private var counts: String {
        switch contents {
        case .archive(let archive):
            ", " + Grouped.of(archive.roots, "root") + ", " + Grouped.of(archive.objects, "object")
        case .database(let tables, let rows): ", " + Grouped.of(tables, "table") + ", " + Grouped.of(rows, "row")
        case .container(_, let count) where storage == .stringsFile: ", " + Grouped.of(count, "key")
        case .container(let container, let count):
            ", \(container.form.kind.rawValue) with " + Grouped.of(count, container.form.kind.contentNoun)
        case .scalar(let kind): ", " + kind.rawValue
        }
    }

    private var classes: String {
        guard case .archive(let archive) = contents, !archive.classes.isEmpty else { return "" }
        let parts = archive.classes.map { Grouped.of($0.objects) + " " + Shortened.key($0.name, longest: 48) }
        return "; " + parts.joined(separator: ", ") + (archive.hasMoreClasses ? ", …" : "")
    }
}

extension Headline.Storage {
    /// The name of a save that is not an archive.
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
