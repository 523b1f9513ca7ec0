import Foundation
import KeyedArchives
@testable import SaveCodec
import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Tests `convert --like`, which turns JSON that other tools have rewritten back into the original save.
@Suite struct TemplateConversionTests {
    // MARK: Unchanged saves

    @Test(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil)) func corpus() throws {
        try Self.check(TestFiles.corpusSample(), in: "corpus")
    }

    @Test(arguments: ["games", "tricky", "archives-tricky", "graph-json", "leaderboard"])
    func fixtures(_ folder: String) throws {
        try Self.check(TestFiles.fixtureFiles(in: folder), in: folder)
    }

    /// Checks that the JSON of whole files is read as no change, after another tool has sorted its keys and written 1
    /// for 1.0. Files with duplicate keys are left out, because other tools keep only one of them.
    private static func check(_ files: [URL], in folder: String) throws {
        var (texts, repeated) = (0, 0)
        for file in files {
            guard let bytes = try? TestFiles.bytes(file), let format = try? Format.recognize(bytes),
                let document = try? Document.read(bytes, as: format),
                let view = try? ObjectView(of: document, limits: Limits(), isRaw: false)
            else { continue }
            for isPlain in [true, false] {
                guard let text = try? printed(view, isPlain: isPlain), text.count < 300_000
                else { continue }
                guard let rewritten = RewrittenJSON.text(of: text) else {
                    repeated += 1
                    continue
                }
                texts += 1
                let name = "\(file.lastPathComponent) \(isPlain ? "plain" : "typed")"
                do {
                    var draft = Draft(view)
                    let roundings = try draft.replaceContents(
                        with: (try? JSON.readTyped(rewritten)) ?? JSON.read(rewritten))
                    let isUnchanged = draft.isUnchanged
                    #expect(isUnchanged, "\(name)")
                    #expect(roundings.isEmpty, "\(name)")
                } catch {
                    Issue.record("\(name) \(error)")
                }
            }
        }
        TestScale.report("\(folder): \(texts) rewritten texts are no change; \(repeated) have a name twice")
    }

    private static func printed(_ view: ObjectView, isPlain: Bool) throws -> [UInt8] {
        guard isPlain else {
            var output = ByteWriter()
            try view.write(as: .json, to: &output, limits: Limits())
            return output.takeBytes()
        }
        return try SingleValue(view: view, id: view.root, address: .root, limits: Limits()).json(isCompact: true)
    }

    // MARK: Changes

    /// Edits the exported JSON with jq before it is converted back.
    @Test(
        .enabled(if: Programs.jq != nil && Programs.savetool != nil),
        arguments: [
            ["games/swamp.save", ".root.charList[1].health = 64"],
            ["games/swamp.xml.save", ".root.charList[1].health = 64"],
            ["games/friends.save", ".myfoo.age = 43 | .mybar.foos[0].age = 43 | .mybar.foos[2].age = 43"],
            ["games/highscores.archive", ".HighScores[1].TotalScore = 99000"],
            ["games/preferences.plist", ".gems = 1"], ["games/grabthar.json", ".hitPoints = 3"],
        ])
    func acceptsChangesByJQ(_ row: [String]) throws {
        let workspace = try Workspace(fixtures: ["games"])
        let line = """
            savetool inspect -f json Fixtures/\(row[0]) | jq -S '\(row[1])' > edited.json && \
            savetool convert --like Fixtures/\(row[0]) -o edited.save edited.json && \
            savetool diff --sharing Fixtures/\(row[0]) edited.save
            """
        let output = try Programs.outputOfShell(line, in: workspace.folder)
        let lines = output.split(separator: "\n")
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("~ ") && !$0.contains("stored") }, "\(output)")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let original: String
        let text: String
        let result: String
        var talk = ""
        var testDescription: String { text }
    }

    /// Typed JSON that is converted with other typed JSON as the template.
    static let plain = [
        Case(original: #"{"b": 1.5, "a": 2}"#, text: #"{"a":2.0,"b":3}"#, result: #"{"b": 3.0, "a": 2}"#),
        Case(
            original: #"{"d": {"$date": "2024-02-20T00:00:00Z"}, "e": {"$data": "YQ=="}}"#,
            text: #"{"d":"2025-01-01T00:00:00Z","e":"Yg=="}"#,
            result: #"{"d": {"$date": "2025-01-01T00:00:00Z"}, "e": {"$data": "Yg=="}}"#),
        Case(
            original: "{\n  \"x\" : 1,\n  \"y\" : [ 1, 2 ]\n}\n", text: #"{"y":[1,2,3],"x":1}"#,
            result: "{\n  \"x\" : 1,\n  \"y\" : [ 1, 2, 3 ]\n}\n", talk: "/y/2: no counterpart in original.json\n"),
        Case(
            original: #"{"x": 1, "y": 2, "z": 3}"#, text: #"{"x": "one", "z": 3}"#, result: #"{"x": "one", "z": 3}"#,
            talk: "/x: the type is string; in original.json it is integer\n"
                + "/y: only in original.json; left out of the result\n"),
        Case(
            original: #"{"r": {"$real32": 0.1}}"#, text: #"{"r": 0.2}"#, result: #"{"r": {"$real32": 0.2}}"#),
    ]

    @Test(arguments: plain) func plainTexts(_ row: Case) throws {
        let workspace = try Workspace()
        try workspace.write(row.original, to: "original.json")
        try workspace.write(row.text, to: "text.json")
        let result = workspace.run(["convert", "--like", "original.json", "text.json"])
        #expect(result.status == 0)
        #expect(result.output == row.result)
        #expect(result.talk == row.talk.split(separator: "\n").map { "text.json: \($0)\n" }.joined())
    }

    /// Checks the messages about integers that other readers cannot hold, dropped comments, ignored members and an
    /// input that is not JSON.
    @Test func reportsMessages() throws {
        let workspace = try Workspace()
        try workspace.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>u</key><integer>18446744073709551615</integer>
            <!-- about r -->
            <key>r</key><real>1.5</real>
            </dict></plist>

            """, to: "original.plist")
        try workspace.write(#"{"u":18446744073709551615}"#, to: "text.json")
        let plain = workspace.run(["convert", "--like", "original.plist", "text.json", "-o", "new"])
        #expect(plain.status == 0)
        #expect(
            plain.talk == """
                text.json: /r: only in original.plist; left out of the result
                original.plist:4:1: the comment "<!-- about r -->" is removed with its value

                """)
        #expect(workspace.run(["convert", "--to", "binary", "original.plist", "-o", "binary"]).status == 0)
        try workspace.write(#"{"u":18446744073709560000,"r":1.5}"#, to: "text.json")
        let wide = workspace.run(["convert", "--like", "binary", "text.json", "-o", "new"])
        #expect(wide.status == 0)
        #expect(
            wide.talk
                == "text.json: warning: /u: 18446744073709560000 is an integer beyond 64 bits; other readers cannot represent it\n"
        )

        let graph =
            #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"R":["R","NSObject"]},"$top":{"r":{"$class":"R","n":1}},"$unreferenced":[{"$class":"R","n":2}]}"#
        try workspace.write(graph, to: "graph.json")
        #expect(workspace.run(["convert", "--to", "binary", "graph.json", "-o", "save"]).status == 0)
        let same = workspace.run(["convert", "--like", "save", "graph.json", "-o", "new.save"])
        #expect(same == Workspace.Result(status: 0, output: ""))
        try workspace.write(
            graph.replacing(#""n":2"#, with: #""n":3"#).replacing("100000", with: "5")
                .replacing(#"["R","NSObject"]"#, with: #"["R","Q","NSObject"]"#), to: "edited.json")
        let edited = workspace.run(["convert", "--like", "save", "edited.json", "-o", "new.save"])
        #expect(edited.status == 0)
        #expect(
            edited.talk == """
                edited.json: /$version: ignored in the JSON; the result keeps the value of save
                edited.json: /$unreferenced: ignored in the JSON; the result keeps the value of save
                edited.json: /$classes/R: ignored in the JSON; the result keeps the value of save

                """)
        let stored = workspace.run(["convert", "--like", "graph.json", "save", "-o", "new.save"])
        #expect(stored.status == 2)
        #expect(
            stored.talk
                == "save: this is the stored form of an archive; expected JSON of its objects, as printed by inspect\n")
    }

    /// An archive exported as a raw XML property list becomes the same archive again, with the original widths of its
    /// reals.
    @Test func storedArchives() throws {
        let workspace = try Workspace(fixtures: ["games"])
        let original = "Fixtures/games/swamp.save"
        #expect(workspace.run(["convert", "--to", "xml", original, "-o", "a.xml"]).status == 0)
        #expect(
            workspace.run(["convert", "--like", original, "a.xml", "-o", "same.save"]) == .init(status: 0, output: ""))
        #expect(try workspace.bytes(of: "same.save") == workspace.bytes(of: original))
        #expect(workspace.run(["set", "-i", "a.xml", "/root/charList/0/position.x", "0.1"]).status == 0)
        #expect(workspace.run(["convert", "--like", original, "a.xml", "-o", "new.save"]).status == 0)
        let value = workspace.run(["get", "--format", "typed", "--compact", "new.save", "/root/charList/0/position.x"])
        #expect(value.output == "{\"$real32\": 0.1}\n")
    }

    /// Graph JSON lists deeply nested objects under `$shared`. Objects in a circle stay unchanged there, too.
    @Test func sharedObjectsOfGraphJSON() throws {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<600).map { _ in archive.reserve() }
        for (number, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            archive.contents.add(string: "next")
            archive.refer(to: nodes[(number + 1) % nodes.count])
            archive.contents.add(string: "number")
            archive.contents.add(real64: Double(number))
            archive.end()
        }
        archive.addTop(root: nodes[0])
        let view = ObjectView(try KeyedArchive(archive.finish()))
        let text = try #require(RewrittenJSON.text(of: Self.printed(view, isPlain: false)))
        #expect(String(decoding: text, as: UTF8.self).contains("$shared"))
        var draft = Draft(view)
        _ = try draft.replaceContents(with: JSON.read(text))
        let isUnchanged = draft.isUnchanged
        #expect(isUnchanged)
    }
}
