import SaveCodec
import SaveInspection

/// An HTML page with a group for each file: first files that fail, which are open, then files that are invalid
/// as expected, in grey, then files that pass. Each finding links to its explanation at the end of the page.
///
/// The page begins with the totals, so the groups are kept until the end.
struct HTMLReport: ReportRenderer {
    /// The address of the article of findings, or nil if it is unknown.
    let helpURI: String?
    private let hasFullPaths: Bool
    /// The groups of the files with findings, and the names of the others.
    private var groups: [Kind: [Group]] = [:]
    private var rows: [Kind: [String]] = [:]
    private var counts: [Kind: Int] = [:]
    private var ids: Set<String> = []

    private enum Kind: String, CaseIterable {
        case failed, unexpected, unreadable, expected, passed

        init(_ file: FileVerdict) {
            self =
                switch (file.verdict, file.isExpected) {
                case (.unchecked, _): .unreadable
                case (.invalid, true): .expected
                case (.invalid, false): .failed
                case (.valid, true): .passed
                case (.valid, false): .unexpected
                }
        }

        /// The words for files of this kind.
        var word: String {
            switch self {
            case .failed: "invalid"
            case .unexpected: "valid, but expected to fail"
            case .unreadable: "unreadable"
            case .expected: "invalid as expected"
            case .passed: "valid"
            }
        }
    }

    private struct Group {
        let name: String
        let verdict: String
        let textRole: TextRole
        /// The rows in HTML.
        let rows: [UInt8]
    }

    init(helpURI: String?, hasFullPaths: Bool) {
        (self.helpURI, self.hasFullPaths) = (helpURI, hasFullPaths)
    }

    mutating func render(_ file: FileVerdict, to output: inout ByteWriter) {
        let kind = Kind(file)
        counts[kind, default: 0] += 1
        if file.findings.isEmpty, file.omitted == 0 { return rows[kind, default: []].append(file.name) }
        var html = ByteWriter()
        for finding in file.findings { add(finding, of: file, kind, to: &html) }
        if file.omitted > 0 {
            let rest = "… and " + Phrase.count(file.omitted, "more finding")
            ListPage.add(ListPage.text(rest, .note), kind: kind.rawValue, to: &html)
        }
        let count = kind == .passed ? file.counts.warnings : 0
        groups[kind, default: []].append(
            Group(
                name: file.name, verdict: kind.word + (count > 0 ? ", " + Phrase.count(count, "warning") : ""),
                textRole: kind == .expected ? .note : count > 0 ? .warning : kind == .passed ? .plain : .error,
                rows: html.takeBytes()))
    }

    private mutating func add(_ finding: Finding, of file: FileVerdict, _ kind: Kind, to html: inout ByteWriter) {
        let problem = finding.problem
        let location = FindingLine.location(of: finding)
        let id = Page.escaped(problem.id)
        let isExplained = FindingArticle.compiled.entry(for: problem.id) != nil
        if isExplained { ids.insert(problem.id) }
        let textRole = kind == .expected ? .note : problem.severity.textRole
        ListPage.add(
            (location.isEmpty ? "" : ListPage.text(location, kind == .expected ? .note : .key) + ": ")
                + ListPage.text(problem.severity.rawValue, textRole)
                + ": \(ListPage.text(problem.message, kind == .expected ? .note : .plain)) "
                + (isExplained ? "<a href=\"#\(id)\">\(id)</a>" : id), kind: kind.rawValue, to: &html)
    }

    func end(_ totals: ReportTotals, to output: inout ByteWriter) {
        let parts = [Kind.passed, .expected, .failed, .unexpected, .unreadable].compactMap { kind in
            counts[kind].map { "\(CountText.of($0)) \(kind.word)" }
        }
        ListPage.begin(
            title: "Validation report: " + (parts.isEmpty ? "no files" : parts.joined(separator: ", ")),
            about: totals.summary(reportsInfos: false),
            kinds: Kind.allCases.compactMap { kind in
                counts[kind].map { ListPage.Kind(name: kind.word, count: $0, id: kind.rawValue) }
            }, to: &output)
        let kinds = Kind.allCases.map { ($0, groups[$0] ?? [], rows[$0] ?? []) }
        var names = PageFileNames.of(
            kinds.flatMap { $0.1.map(\.name) + $0.2 }, areFull: hasFullPaths
        ).map(Invocation.shownName)[...]
        for (kind, groups, rows) in kinds {
            let isOpen = kind != .expected && kind != .passed
            for (group, name) in zip(groups, names) {
                ListPage.beginGroup(name, note: group.verdict, group.textRole, isOpen: isOpen, to: &output)
                output.write(group.rows)
                ListPage.endGroup(to: &output)
            }
            names = names.dropFirst(groups.count)
            guard !rows.isEmpty else { continue }
            let note = Phrase.count(rows.count, "file") + " without findings"
            ListPage.beginGroup(kind.word, note: note, isOpen: false, to: &output)
            for name in names.prefix(rows.count) {
                ListPage.add(ListPage.text(name, .plain), kind: kind.rawValue, to: &output)
            }
            ListPage.endGroup(to: &output)
            names = names.dropFirst(rows.count)
        }
        ListPage.end(appendix: explanations, hasFilter: !counts.isEmpty, to: &output)
    }

    private var explanations: String {
        guard !ids.isEmpty else { return "" }
        let items = ids.sorted().map { id in
            let entry = FindingArticle.compiled.entry(for: id)
            let help = "<p>\(Page.escaped(entry?.explanation ?? ""))</p>"
            let link = helpURI.map { uri in
                "<p><a href=\"\(Page.escaped(uri))#\(entry?.anchor ?? "")\">The article of findings</a></p>"
            }
            return "<dt id=\"\(Page.escaped(id))\">\(Page.escaped(id))</dt><dd>\(help)\(link ?? "")</dd>\n"
        }
        return "<section>\n<h2>Findings</h2>\n<dl>\n\(items.joined())</dl>\n</section>\n"
    }
}
