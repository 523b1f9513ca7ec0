import Foundation
import Testing

@testable import SaveToolKit

/// Tests merges of project files as Xcode writes them: each side adds files to one group.
@Suite struct ProjectMergeTests {
    /// A source file of a project, with the identifiers of its two objects.
    struct SourceFile: Sendable {
        let name: String
        let reference: String
        let build: String

        init(_ name: String, _ number: String) {
            self.name = name
            reference = "1A2B3C4D00000000000000\(number)"
            build = "1A2B3C4E00000000000000\(number)"
        }
    }

    static func project(_ files: [SourceFile]) -> String {
        func lines(_ line: (SourceFile) -> String) -> String { files.map { line($0) + "\n" }.joined() }
        return """
            // !$*UTF8*$!
            {
            	archiveVersion = 1;
            	classes = {
            	};
            	objectVersion = 46;
            	objects = {

            /* Begin PBXBuildFile section */
            \(lines {
                "\t\t\($0.build) /* \($0.name) in Sources */ = "
                    + "{isa = PBXBuildFile; fileRef = \($0.reference) /* \($0.name) */; };"
            })/* End PBXBuildFile section */

            /* Begin PBXFileReference section */
            \(lines {
                "\t\t\($0.reference) /* \($0.name) */ = {isa = PBXFileReference; fileEncoding = 4; "
                    + "lastKnownFileType = sourcecode.swift; path = \($0.name); sourceTree = \"<group>\"; };"
            })/* End PBXFileReference section */

            /* Begin PBXGroup section */
            		5F0000000000000000000001 /* Swamp */ = {
            			isa = PBXGroup;
            			children = (
            \(lines { "\t\t\t\t\($0.reference) /* \($0.name) */," })			);
            			path = Swamp;
            			sourceTree = "<group>";
            		};
            /* End PBXGroup section */

            /* Begin PBXSourcesBuildPhase section */
            		5F0000000000000000000002 /* Sources */ = {
            			isa = PBXSourcesBuildPhase;
            			buildActionMask = 2147483647;
            			files = (
            \(lines { "\t\t\t\t\($0.build) /* \($0.name) in Sources */," })			);
            			runOnlyForDeploymentPostprocessing = 0;
            		};
            /* End PBXSourcesBuildPhase section */
            	};
            	rootObject = 5F0000000000000000000003 /* Project object */;
            }

            """
    }

    private static let base = [SourceFile("Map.swift", "01"), SourceFile("Player.swift", "04")]

    /// Returns the base with files inserted at a position.
    private static func project(adding files: [SourceFile], at position: Int) -> String {
        project(base[..<position] + files + base[position...])
    }

    @Test(arguments: 0...2) func bothAddFiles(at position: Int) throws {
        let workspace = try Workspace()
        let (enemy, level) = (SourceFile("Enemy.swift", "02"), SourceFile("Level.swift", "03"))
        let (mine, other) = ([enemy], [level, SourceFile("Game.m", "05")])
        try workspace.write(Self.project(Self.base), to: "base")
        try workspace.write(Self.project(adding: mine, at: position), to: "ours")
        try workspace.write(Self.project(adding: other, at: position), to: "theirs")
        for options in [[], ["--rule", "/objects/*/children=union"]] {
            let result = workspace.run(["merge", "base", "ours", "theirs"] + options)
            #expect(
                result == Workspace.Result(status: 0, output: Self.project(adding: mine + other, at: position)))
        }
    }

    @Test(.enabled(if: GitRepository.isPossible, GitRepository.needs)) func gitMerges() throws {
        let repository = try GitRepository()
        #expect(repository.workspace.run(["git-setup", "--apply", "*.pbxproj"]).status == 0)
        try repository.git("add", ".gitattributes")
        func commit(_ files: [SourceFile]) throws {
            try repository.workspace.write(Self.project(adding: files, at: 2), to: "project.pbxproj")
            try repository.git("add", "project.pbxproj")
            try repository.git("commit", "-q", "-m", "commit")
        }
        let (enemy, level) = (SourceFile("Enemy.swift", "02"), SourceFile("Level.swift", "03"))
        try commit([])
        try repository.git("checkout", "-q", "-b", "theirs")
        try commit([level])
        try repository.git("checkout", "-q", "main")
        try commit([enemy])
        try repository.git("merge", "-q", "theirs")
        let merged = try repository.workspace.text(of: "project.pbxproj")
        #expect(merged == Self.project(adding: [enemy, level], at: 2))
    }

    /// Comments before separators go with their members.
    static let merged: [(name: String, base: String, ours: String, theirs: String, result: String)] = [
        (
            "elements at one position", "(\n\tA,\n)", "(\n\tX,\n\tA,\n)", "(\n\tY /* y */,\n\tA,\n)",
            "(\n\tX,\n\tY /* y */,\n\tA,\n)"
        ),
        (
            "elements on one line", "( A )", "( A, X /* x */ )", "( A, Y /* y */ )", "( A, X /* x */, Y /* y */ )"
        ),
        (
            "a new value with its comment", "{ a = 1 /* one */; b = 1; }", "{ a = 1 /* one */; b = 2; }",
            "{ a = 3 /* three */; b = 1; }", "{ a = 3 /* three */; b = 2; }"
        ),
        (
            "a removed element", "(\n\tA /* a */,\n\tB /* b */,\n\tC,\n)", "(\n\tB /* b */,\n\tX /* x */,\n\tC,\n)",
            "(\n\tA /* a */,\n\tC,\n)", "(\n\tX /* x */,\n\tC,\n)"
        ),
        (
            "a line comment before the comma", "(\n\tA,\n)", "(\n\tX,\n\tA,\n)", "(\n\tY // y\n\t,\n\tA,\n)",
            "(\n\tX,\n\tY // y\n\t,\n\tA,\n)"
        ),
        (
            "a moved element", "(\n\tA /* a */,\n\tB /* b */,\n\tC /* c */,\n)",
            "(\n\tB /* b */,\n\tC /* c */,\n\tA /* a */,\n\tX,\n)",
            "(\n\tA /* a */,\n\tB /* b */,\n\tC /* c */,\n\tY,\n)",
            "(\n\tB /* b */,\n\tC /* c */,\n\tY,\n\tA /* a */,\n\tX,\n)"
        ),
        (
            "elements in another order", "(\n\tA /* a */,\n\tB /* b */,\n\tC /* c */,\n)",
            "(\n\tA /* a */,\n\tB /* b */,\n\tC /* c */,\n\tX,\n)",
            "(\n\tC /* c */,\n\tB /* b */,\n\tA /* a */,\n\tY,\n)",
            "(\n\tC /* c */,\n\tB /* b */,\n\tX,\n\tA /* a */,\n\tY,\n)"
        ),
        (
            "the same comment on both sides", "(\n\tA,\n)", "(\n\tX /* x */,\n\tA,\n)", "(\n\tY /* x */,\n\tA,\n)",
            "(\n\tX /* x */,\n\tY /* x */,\n\tA,\n)"
        ),
    ]

    @Test(arguments: merged)
    func commentsBeforeSeparators(
        name: String, base: String, ours: String, theirs: String, result: String
    ) throws {
        let workspace = try Workspace()
        for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try workspace.write(text, to: name)
        }
        #expect(workspace.run(["merge", "base", "ours", "theirs"]) == Workspace.Result(status: 0, output: result))
    }
}
