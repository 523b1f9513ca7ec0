import Testing

/// Tests the commands that are printed for conflicts in a git repository.
@Suite struct ConflictCommandTests {
    /// A key with control characters is printed escaped, so a command with it would set another key. Only the merge
    /// tool is offered for such addresses.
    @Test(arguments: ["json", "binary"]) func controlCharactersInKeys(_ format: String) throws {
        let workspace = try Workspace()
        for (file, value) in [("base", 1), ("ours", 2), ("theirs", 3)] {
            let text = #"{"\u0001k": N, "a\u001b[31m": {"x": N}, "b\nc": N, "it's": N}"#
            try workspace.write(text.replacing("N", with: "\(value)"), to: "text")
            #expect(workspace.run(["convert", "--to", format, "-o", file, "text"]).status == 0)
        }
        let result = workspace.run(["merge", "--git", "base", "ours", "theirs", "slot.save"])
        #expect(result.status == 1)
        let lines = result.talk.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains("savetool") }
        let question = "    either: git mergetool --tool savetool"
        #expect(
            lines == [
                question[...], question[...],
                #"    ours:   savetool set -i slot.save '/it'\''s' 2"#,
                #"    theirs: savetool set -i slot.save '/it'\''s' 3"#, question[...],
            ], "\(result.talk)")
        #expect(!result.talk.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }
}
