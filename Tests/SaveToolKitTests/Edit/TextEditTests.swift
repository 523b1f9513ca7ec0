import Foundation
import TestSupport
import Testing

/// Tests the result of each command on text files, byte for byte.
@Suite struct TextEditTests {
    /// The encoding and line breaks of a text.
    enum Storage: CaseIterable, Sendable {
        case plain, returnsAndLineFeeds, byteOrderMark, utf16

        /// Whether the storage applies: a text without a line break gets LF as its first one, and JSON is always UTF-8.
        func suits(_ row: TextEditCase) -> Bool {
            switch self {
            case .plain, .byteOrderMark: true
            case .returnsAndLineFeeds: row.before.contains("\n")
            case .utf16: !row.format.hasPrefix("json")
            }
        }

        func bytes(_ text: String) -> [UInt8] {
            switch self {
            case .plain: Array(text.utf8)
            case .returnsAndLineFeeds: Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8)
            case .byteOrderMark: [0xEF, 0xBB, 0xBF] + Array(text.utf8)
            case .utf16: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            }
        }
    }

    @Test(arguments: Storage.allCases) func tables(_ storage: Storage) throws {
        let workspace = try Workspace()
        for row in try TextEditCase.all() where storage.suits(row) {
            let edit = try Self.edit(storage.bytes(row.before), row.format, row.command, in: workspace)
            guard row.refusal == nil else {
                #expect(edit.status != 0 && edit.output.isEmpty && edit.talk.contains(row.refusal ?? ""), "\(row)")
                continue
            }
            #expect(edit.status == 0, "\(row.testDescription): \(edit.talk)")
            let isAsWanted = edit.output == storage.bytes(row.after)
            #expect(isAsWanted, "\(row.testDescription):\n\(edit.text)")
        }
    }

    /// Every rule has a case in each format that it applies to.
    @Test func rules() throws {
        let cases = try TextEditCase.all()
        let ofComments = Set(cases.filter { $0.format == "jsonc" }.map(\.rule))
        #expect(ofComments.isSuperset(of: [3, 4, 5, 6, 10, 12]))
        for format in ["xml", "json", "openstep"] {
            let rules = Set(cases.filter { $0.format == format }.map(\.rule))
            let absent =
                switch format {
                case "xml": [12, 13, 19, 20, 26, 27, 28]
                case "json": [3, 4, 5, 6, 10, 19, 22, 23, 24, 27, 28]
                default: [19, 20, 22, 23, 24]
                }
            #expect(Set(1...31).subtracting(rules) == Set(absent), "\(format)")
        }
    }

    private struct SharedCase: Decodable {
        let id: String
        let format: String
        let before: String
        let command: String
        let address: String
        let after: String
        let why: String
    }

    /// Runs the cases of the file named by `SAVETOOL_TEXT_EDIT_CASES`.
    @Test func sharedCases() throws {
        guard let file = TestFiles.folder("SAVETOOL_TEXT_EDIT_CASES") else {
            return print("skipped: SAVETOOL_TEXT_EDIT_CASES is not set")
        }
        let data = try Data(contentsOf: file)
        let cases = try JSONDecoder().decode([SharedCase].self, from: data)
        let values = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]]).map { $0["value"] }
        let workspace = try Workspace()
        for (row, value) in zip(cases, values) {
            var command = [row.command, row.address]
            if let value {
                let json = try JSONSerialization.data(
                    withJSONObject: value, options: [.fragmentsAllowed, .withoutEscapingSlashes])
                command.append(String(decoding: json, as: UTF8.self))
            }
            if row.command == "set" { command.append("--change-type") }
            let edit = try Self.edit(Array(row.before.utf8), row.format, command, in: workspace)
            #expect(edit.status == 0 && edit.text == row.after, "\(row.id): \(row.why): \(edit.talk)")
        }
        #expect(cases.count > 20)
    }

    /// `scores add` keeps the spelling of the other scores.
    @Test func scores() throws {
        let workspace = try Workspace()
        let (bob, ada) = (
            #"  { "playerName": "Bob", "score": 9, "date": "2026-01-02T03:04:05Z" }"#,
            #"  { "playerName": "Ada", "score": 5 , "date": "\u0032026-01-02T03:04:05Z" }"#
        )
        try workspace.write("[\n\(ada)\n]\n", to: "scores.json")
        let result = workspace.run(
            ["scores", "add", "scores.json", "--name", "Bob", "--score", "9", "--date", "2026-01-02T03:04:05Z"])
        #expect(result.status == 0, "\(result.talk)")
        #expect(try workspace.text(of: "scores.json") == "[\n\(bob),\n\(ada)\n]\n")
    }

    /// XML writes a character that the encoding lacks as a character reference.
    @Test(arguments: [
        ("<string>é</string>", #""é→""#, "<string>é&#x2192;</string>"),
        ("<string><![CDATA[a<é]]></string>", #""<é→""#, "<string>&lt;é&#x2192;</string>"),
        ("<string><![CDATA[a<é]]></string>", #""<é""#, "<string><![CDATA[<é]]></string>"),
    ]) func latin1(_ before: String, _ value: String, _ after: String) throws {
        func file(_ text: String) throws -> [UInt8] {
            let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<plist version=\"1.0\">\(text)</plist>\n"
            return [UInt8](try #require(text.data(using: .isoLatin1)))
        }
        let edit = try Self.edit(try file(before), "xml", ["set", "", value], in: Workspace())
        let expected = try file(after)
        let isAsWanted = edit.output == expected
        #expect(edit.status == 0 && isAsWanted, "\(edit.talk)\(edit.text)")
    }

    // MARK: Running

    struct Edit {
        let status: Int32
        let output: [UInt8]
        let talk: String
        var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// Runs a command on a file. The operand of `patch` is the patch itself.
    static func edit(
        _ bytes: [UInt8], _ format: String, _ command: [String], in workspace: Workspace
    ) throws -> Edit {
        var words = command
        let name = format == "strings" ? "file.strings" : "file.\(format)"
        try Data(bytes).write(to: workspace.current.appending(path: name))
        if words[0] == "patch" {
            try workspace.write(words[1], to: "patch")
            words[1] = "patch"
        }
        words.insert(name, at: 1)
        if format != "xml" { words += ["--from", format.hasPrefix("json") ? format : "openstep"] }
        let (output, talk) = (Collector(), Collector())
        let status = workspace.run(words, output: output.channel(), talk: talk.channel())
        return Edit(status: status, output: output.bytes, talk: talk.text)
    }
}
