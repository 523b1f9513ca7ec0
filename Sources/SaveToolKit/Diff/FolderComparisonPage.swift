import SaveCodec
import SaveOperations

/// The HTML page about two folders: a group of unreadable files with the reasons, a group with the changes of each
/// changed file, then a group of the files with each other result.
///
/// The page begins with the totals, so it is kept until the end. Its numbers of rows and bytes are limited.
struct FolderComparisonPage {
    /// The names of both folders, safe to print.
    private let folders: [String]
    /// The number of neighbours on each side of a change.
    private let context: Int
    private let budget = DifferencePageRenderer.Budget()
    private var changed: [UInt8] = []
    private var files: [String: (count: Int, rows: [UInt8])] = [:]
    private var kinds: [Change.Kind: Int] = [:]
    /// The number of further changes that the page may have.
    private var rest = 20_000

    private static let maxChangesOfFile = 1000
    private static let maxFiles = 10_000
    /// The byte count after which no more changes are added.
    private static let maxByteCount = 64 << 20
    /// The number of changes up to which files are open from the start.
    private static let maxOpenChanges = 200

    init(of folders: [String], context: Int) {
        (self.folders, self.context) = (folders, context)
    }

    /// Adds a file.
    ///
    /// - Parameter path: The path of the file in both folders, safe to print.
    mutating func add(_ outcome: FolderComparison.Outcome, at path: String) throws(Problem) {
        guard case .changed(let saves) = outcome else { return addFile(path, outcome) }
        files[outcome.name, default: (0, [])].count += 1
        kinds.merge(saves.counts, uniquingKeysWith: +)
        let allowed = changed.count < Self.maxByteCount ? min(rest, Self.maxChangesOfFile) : 0
        var left = allowed
        var html = ByteWriter()
        let isOpen = saves.count <= Self.maxOpenChanges && kinds.values.reduce(0, +) <= Self.maxOpenChanges
        ListPage.beginGroup(path, note: DifferenceSummaryRenderer.counts(of: saves), isOpen: isOpen, to: &html)
        try DifferencePageRenderer(saves, context: context, within: budget)
            .addRows(atMost: &left, within: OutputBound(saves.documents), to: &html)
        rest -= allowed - left
        if saves.count > allowed - left {
            let count = Phrase.count(saves.count - (allowed - left), "more change")
            ListPage.addNote("… \(count), shown by comparing only these two files", to: &html)
        }
        ListPage.endGroup(to: &html)
        changed += html.takeBytes()
    }

    private mutating func addFile(_ path: String, _ outcome: FolderComparison.Outcome) {
        let list = outcome.name
        var html = ByteWriter()
        let count = files[list]?.count ?? 0
        if count < Self.maxFiles {
            var row = ListPage.text(path, .key)
            if case .unreadable(let files) = outcome {
                let reasons = files.map { file in
                    ListPage.text("in \(folders[file.side == .before ? 0 : 1])", .error) + ": "
                        + ListPage.text(file.reason, .plain)
                }
                row += ": " + reasons.joined(separator: "; ")
            }
            ListPage.add(row, kind: Self.id(list), to: &html)
        }
        files[list, default: (0, [])].count += 1
        files[list]?.rows += html.takeBytes()
    }

    /// Returns the word for an outcome in the attributes of rows, which changes have, too.
    private static func id(_ outcome: String) -> String { "file-" + outcome }

    /// Returns the words for an outcome, after a number of files.
    private func word(_ outcome: String) -> String {
        FolderComparison.Outcome.word(outcome, folders)
    }

    func write(_ totals: String, to output: inout ByteWriter) {
        let lists = ["unreadable", "removed", "added", "bytes", "same"].compactMap { name in
            files[name].map { (id: Self.id(name), word: word(name), count: $0.count, rows: $0.rows) }
        }
        // Unreadable files may hide changes, so they are first.
        let unreadable = lists.prefix { $0.id == Self.id("unreadable") }
        let rowKinds =
            ListPage.Kind.of(kinds) + lists.map { ListPage.Kind(name: $0.word, count: $0.count, id: $0.id) }
        ListPage.begin(
            title: folders.joined(separator: " → "), about: totals, kinds: rowKinds,
            hasNeighbours: context > 0 && !kinds.isEmpty, to: &output)
        for list in unreadable { write(list, .error, to: &output) }
        output.write(changed)
        for list in lists.dropFirst(unreadable.count) { write(list, to: &output) }
        ListPage.end(hasFilter: !rowKinds.isEmpty, to: &output)
    }

    /// Writes the group of the files with one outcome.
    private func write(
        _ list: (id: String, word: String, count: Int, rows: [UInt8]), _ textRole: TextRole = .plain,
        to output: inout ByteWriter
    ) {
        ListPage.beginGroup(
            list.word, note: Phrase.count(list.count, "file"), textRole,
            isOpen: list.count <= 20 && list.word != "equal", to: &output)
        output.write(list.rows)
        if list.count > Self.maxFiles {
            ListPage.addNote("… \(Phrase.count(list.count - Self.maxFiles, "more file"))", to: &output)
        }
        ListPage.endGroup(to: &output)
    }
}
