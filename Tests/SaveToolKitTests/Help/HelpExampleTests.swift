import Foundation
import TestSupport
import Testing

@testable import SaveToolKit

/// Runs the examples of the help on saves with the names that they use.
@Suite struct HelpExampleTests {
    /// The fixtures for the file names in examples.
    private static let files = [
        "swamp.save": "games/swamp.save", "prefs.plist": "games/preferences.plist",
        "highscores.plist": "games/highscores.plist", "leaderboard.plist": "games/leaderboard.plist",
        "salt.txt": "leaderboard/salt.txt", "saves/swamp.save": "games/swamp.save",
        "backup/swamp.save": "games/options.save",
        "damaged.save": "damaged/crlf.save",
        "rules/1.json": "migrations/1-heroes.json",
        "swamp.save.gz": "wrapped/swamp.save.gz", "CCLocalLevels.dat": "wrapped/CCLocalLevels.dat",
    ]

    /// The commands that make further files for the examples.
    private static let preparations = """
        $ savetool set swamp.save /root/charList/1/health 12 -o later.save
        $ savetool rename-class Player OldModule.Player swamp.save -o old.save
        $ savetool get swamp.save /root/charList/0 > player.json
        $ savetool inspect -f json swamp.save > edited.json
        $ savetool convert --to json swamp.save > swamp.json
        $ savetool diff -f json-patch swamp.save later.save > battle.json
        $ savetool schema infer swamp.save later.save > map.schema.json
        $ echo '{"migrate": ["rules"]}' > .savetool.json
        $ echo '{"gems": 5, "level": 1}' > base.json
        $ echo '{"gems": 7, "level": 1}' > phone.json
        $ echo '{"gems": 5, "level": 2}' > tablet.json
        $ echo '{"best": [{"who": "Ada", "points": 5}]}' > arcade.json
        $ savetool scores form --name Ada --score 7 --device ab12 --salt-file salt.txt > ada.form
        """

    static let pages = HelpTests.names + HelpTopic.all.map(\.name)

    @Test(arguments: pages)
    func examplesRun(_ name: String) throws {
        let words = name.split(separator: " ").map(String.init)
        let examples = try HelpCommand.page(of: words, .full).examples
        let prepared = try Self.prepared(for: examples.map(\.value))
        for (purpose, line) in examples {
            let workspace = try Workspace(copying: prepared)
            if line.contains("--apply") || line.contains("git-check") {
                guard Programs.git != nil else { continue }
                _ = try Programs.outputOfShell("git init -q --template=", in: workspace.folder)
            }
            let shown = try Transcript("$ " + line).replay(in: workspace, environment: ["EDITOR": "true"])
            let statuses = shown.split(separator: "\n").filter { $0.hasPrefix("exit ") && !$0.contains(":") }
            let isNegative = line.contains(" diff ") && !line.contains("|")
            #expect(statuses == (isNegative ? ["exit 1"] : []), "\(purpose): \(shown)")
        }
    }

    /// Returns a folder with all files that the examples use. Each example runs in a copy of it.
    private static func prepared(for examples: [String]) throws -> Workspace {
        let workspace = try Workspace()
        for (name, fixture) in files {
            let target = workspace.folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: TestFiles.fixtures.appending(path: fixture), to: target)
        }
        // Runs only the commands whose files are used. Later commands may need the files of earlier ones, so the last
        // is checked first.
        var lines = examples
        for line in preparations.split(separator: "\n").map(String.init).reversed() {
            let target = line.split(separator: " ").last ?? ""
            if lines.contains(where: { $0.contains(target) }) { lines.append(line) }
        }
        let shown = try Transcript(lines.dropFirst(examples.count).reversed().joined(separator: "\n"))
            .replay(in: workspace)
        try #require(!shown.contains("\nexit 2"), "\(shown)")
        return workspace
    }
}
