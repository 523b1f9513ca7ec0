import Testing

@testable import SaveToolKit

/// Tests the commands on texts of which the reader ignores the rest.
struct IgnoredTextTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
    }

    private func write(base: String, ours: String, theirs: String, ending: String = "strings") throws {
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try workspace.write(text, to: "\(name).\(ending)")
        }
    }

    // MARK: Checks and conversions

    @Test(arguments: [
        "\"z\"=\"1\";\n<<<<<<< HEAD\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> x\n",
        "\"z\"=\"1\";\n= rest\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> x\r\n",
        "\"z\"=\"1\";\n/* open\n<<<<<<< HEAD\n\"a\"=\"1\";\n=======\n\"a\"=\"2\";\n>>>>>>> x\n",
        "<plist><true/></plist>\n<<<<<<< HEAD\n=======\nrest\n>>>>>>> x\n",
        "<plist><true/></plist>\n<plist>\n<<<<<<< HEAD\n=======\nrest\n>>>>>>> x\n",
    ])
    func findsConflictMarkers(text: String) throws {
        try workspace.write(text, to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 1)
        #expect(result.output.contains("[format.conflict]"), "\(result.output)")
    }

    @Test(arguments: [
        "\"z\"=\"1\";\n>>>>>>> x\n=======\n<<<<<<< HEAD\n", "\"z\"=\"1\";\n= <<<<<<< a\n=======\n>>>>>>> b\n",
        "/* <<<<<<< a\n=======\n>>>>>>> b */ \"z\"=\"1\";\n=\n",
    ])
    func acceptsOtherIgnoredText(text: String) throws {
        try workspace.write(text, to: "a.strings")
        let result = workspace.run(["validate", "a.strings"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("[openstep.ignored-text]"), "\(result.output)")
    }
}
