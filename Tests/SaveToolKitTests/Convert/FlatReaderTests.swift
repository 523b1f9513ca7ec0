import Foundation
import TestSupport
import Testing

/// Tests `convert --from flat`, which rebuilds a document from the lines of the flat view.
@Suite struct FlatReaderTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func convert(_ lines: String) -> Workspace.Result {
        workspace.run(["convert", "--from", "flat", "--to", "json", "--compact", "-"], input: Array(lines.utf8))
    }

    /// The flat view of plain fixtures loses nothing.
    @Test(arguments: ["games", "tricky", "text", "typed-json"])
    func restoresDocumentFromFlatLines(_ folder: String) throws {
        var count = 0
        for file in try TestFiles.files(under: TestFiles.fixtures.appending(path: folder)) {
            let lines = workspace.run(["inspect", "-f", "flat", file.url.path])
            if lines.status != 0 || lines.output.contains("$class = \"") { continue }
            try workspace.write(lines.output, to: "lines")
            let made = workspace.run(["convert", "--from", "flat", "--to", "binary", "-o", "made.plist", "lines"])
            // The flat view cannot represent keys that no address can name, duplicate keys, or containers that contain
            // themselves.
            let refusals = ["does not identify a key", "already sets a value", "a container that holds it"]
            if refusals.contains(where: made.talk.contains) { continue }
            #expect(made.status == 0, "\(file.name): \(made.talk)")
            #expect(workspace.run(["diff", file.url.path, "made.plist"]).output == "", "\(file.name)")
            count += 1
        }
        #expect(count > 0)
    }

    @Test func acceptsLinesInAnyOrder() {
        let lines = """
            /b/2 = 1.0
            /a = "x = y"
            /b/0 = {"$real32": 20.25}
            /b/1 = → /c

            /c/k = {"$date": "2009-09-06T12:34:56Z"}
            "/e = f" = []
            /d = {}
            /d/0 = true
            /s/0 = 5
            /s = {"$set": []}
            /n/~=5 = null
            "/" = 0
            """
        #expect(convert(lines).talk == "")
        #expect(
            convert(lines).output == """
                {"b":[{"$real32":20.25},{"k":{"$date":"2009-09-06T12:34:56Z"}},1.0],"a":"x = y",\
                "c":{"k":{"$date":"2009-09-06T12:34:56Z"}},"e = f":[],"d":{"0":true},"s":{"$set":[5]},\
                "n":{"$dict":[[5,null]]},"":0}

                """)
        #expect(convert("/ = 1\r\n").output == "1\n")
    }

    @Test(arguments: [
        ("/a = 1\n/a = 1", "2:1: line 1 already sets a value at this address"),
        ("/a = 1\n/a/b = 2", "2:1: line 1 already gives the containing value as a scalar"),
        ("/a/b = 1\n/a = 2", "2:1: found a scalar, but line 1 has a value inside it"),
        ("/a/999999999 = 1", "1:1: a line for an earlier position is missing; for a dictionary, add a line"),
        ("/a = []\n/a/b = 1", "2:1: the address does not end in a position, but line 1 has an array or a set"),
        ("/p/$class = \"Map\"", "1:1: $class belongs to an archive, and flat lines cannot store one"),
        ("/a = → /b", "1:1: → refers to /b, which has no line"),
        ("/b = 1\n/a = → /b", "2:1: → refers to /b, which is not a container (line 1)"),
        ("/a/b = → /a", "1:1: → refers to a container that holds it; a property list cannot contain itself"),
        ("/é = tru", "1:6: "), ("/a = 1, 2", "1:7: "), ("/a = [1]", "1:6: found a container with contents"),
        ("a.plist:/a = 1", "1:1: expected an address that begins with /"),
        ("/a: 1", "1:1: expected ADDRESS = VALUE, with a space"),
        ("/a = {…}", "1:6: the contents of this container were left out"),
        ("/a/~#3 = 1", "1:1: the address has ~#3, which does not identify"),
        ("", "<stdin>: the document is empty"),
    ])
    func rejectsInvalidLines(_ lines: String, _ sentence: String) {
        let result = convert(lines)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.talk.contains(sentence), "\(result.talk)")
    }

    @Test func limitsDepth() {
        let deep = String(repeating: "/a", count: 600)
        #expect(convert(deep + " = 1").talk.contains("1:1: containers are nested more than 512 levels deep"))
    }
}
