import Foundation
import SaveCodec
import TestSupport
import Testing

/// A file of the corpus and whether a reader should accept it.
struct CorpusFile: Sendable, CustomTestStringConvertible {
    enum Verdict {
        case read, refuse, either
    }

    let name: String
    let url: URL
    let verdict: Verdict

    var testDescription: String { name }

    /// Returns the files of MANIFEST.tsv with the verdicts that VERDICTS.tsv suggests; files without a verdict are
    /// sound.
    static func all() throws -> [CorpusFile] {
        guard let corpus = TestFiles.folder("SAVETOOL_CORPUS") else { return [] }
        let verdicts = try SeparatedTable(corpus.appending(path: "VERDICTS.tsv")).rows
        let suggested = Dictionary(verdicts.map { ($0["file"], $0["suggested", default: ""]) }) { first, _ in first }
        return try SeparatedTable(corpus.appending(path: "MANIFEST.tsv")).rows.map { row in
            let name = row["file", default: ""]
            return CorpusFile(
                name: name, url: corpus.appending(path: name),
                verdict: differences[name]?.verdict ?? verdict(suggested[name] ?? "accept"))
        }
    }

    private static func verdict(_ suggestion: String) -> Verdict {
        if suggestion.hasPrefix("reject or accept") { return .either }
        return suggestion.hasPrefix("reject") ? .refuse : .read
    }

    /// Files whose expected verdict differs from VERDICTS.tsv, with the reason.
    private static let differences: [String: (verdict: Verdict, reason: String)] = [
        "DHowett__go-plist/testdata__xml_unusual_cases__s04.plist":
            (.refuse, "a comment inside <key>: Core Foundation refuses it"),
        "DHowett__go-plist/xml_test.go--invalid-08.xml":
            (.read, "what is no base64 is skipped, as by Core Foundation"),
        "joeferner__node-bplist-parser/test__iTunes-small.bplist": (.read, highBytes),
        "joeferner__node-bplist-parser/test__sample1.bplist": (.read, highBytes),
        "python__cpython/Lib__test__test_plistlib.py--INVALID-invalid_ASCII.plist": (.read, highBytes),
        "log2timeline__plaso/test_data__plist__empty.plist": (
            .refuse, "<plist> without a value: there is nothing to read"
        ),
    ]

    private static let highBytes = "bytes above 0x7F in an ASCII string are read as ISO-8859-1, with a warning"
}
