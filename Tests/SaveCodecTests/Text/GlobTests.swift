import TestSupport
import Testing

@testable import SaveCodec

/// Tests patterns for paths.
@Suite struct GlobTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let matching: [String]
        let others: [String]
        var testDescription: String { pattern }

        init(_ pattern: String, _ matching: [String], not others: [String]) {
            (self.pattern, self.matching, self.others) = (pattern, matching, others)
        }
    }

    static let rows = [
        Row("a", ["a"], not: ["A", "aa", "a/a", ".a", "a/"]),
        Row("a/b.save", ["a/b.save"], not: ["b.save", "a/b", "a/b/b.save", "a/b_save"]),
        Row("*", ["a", "a.b", "ä"], not: [".a", "a/b"]),
        Row("*.plist", ["a.plist", "a.b.plist"], not: [".plist", ".a.plist", "a/b.plist", "a.plists"]),
        Row("a*", ["a", "ab", "a.b"], not: ["ba", "a/b"]),
        Row("a*b*c", ["abc", "axbxc", "abbcc"], not: ["ab", "acb", "abcd", "a/bc"]),
        Row("*/*", ["a/b"], not: ["a", "a/.b", ".a/b", "a/b/c"]),
        Row("?", ["a", "é", "🐉", "e"], not: ["", "ab", ".", "/", "e\u{301}"]),
        Row("a?c", ["abc", "a.c"], not: ["ac", "a/c", "abbc"]),
        Row("[abc]x", ["ax", "cx"], not: ["dx", "x", "[abc]x"]),
        Row("[a-cx-z]", ["a", "b", "c", "y"], not: ["d", "-", "w"]),
        Row("[!a-c]", ["d", "-", "é"], not: ["a", "c", ".", "/"]),
        Row("[^a]", ["b", "^"], not: ["a"]),
        Row("[]]", ["]"], not: ["[", "]]"]),
        Row("[!]a]", ["b"], not: ["]", "a"]),
        Row("[a-]", ["a", "-"], not: ["b"]),
        Row("[a\\-z]", ["a", "-", "z"], not: ["b", "\\"]),
        Row("[.]a", [], not: [".a"]),
        Row("a[.]b", ["a.b"], not: ["a/b", "ab"]),
        Row("[α-ω]", ["β"], not: ["b"]),
        Row("**", ["a", "a/b", "a/b/c.d"], not: [".a", "a/.b", ".a/b"]),
        Row("**/a", ["a", "b/a", "b/c/a"], not: ["ab", "b/a/c", ".b/a", "b/.c/a"]),
        Row("**/*.save", ["a.save", "b/a.save", "b/c/a.save"], not: ["a.sav", ".save", "b/.save", ".b/a.save"]),
        Row("a/**", ["a/b", "a/b/c"], not: ["a", "ab", "b/a", "a/.b", "a/b/.c"]),
        Row("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], not: ["ab", "a/b/c", "a/.x/b"]),
        Row("a/**/**/b", ["a/b", "a/x/b", "a/x/y/b"], not: ["ab", "a"]),
        Row("**/a/**", ["a/x", "b/a/x/y"], not: ["a", "b/a"]),
        Row(".git*", [".git", ".gitignore"], not: ["git", ".git/x"]),
        Row("**/.*", [".a", "a/.b"], not: ["a", ".a/b", ".a/.b"]),
        Row(".*/**", [".a/b", ".a/b/c"], not: [".a", "a/b", ".a/.b"]),
        Row("{a,b}", ["a", "b"], not: ["c", "ab", "{a,b}", ""]),
        Row("*.{save,sav}", ["x.save", "x.sav"], not: ["x.sa", ".save", "x.save,sav"]),
        Row("a{,b}c", ["ac", "abc"], not: ["a", "abbc"]),
        Row("{a,b{c,d}e}f", ["af", "bcef", "bdef"], not: ["bef", "ef", "bcf"]),
        Row("{a,b}{c,d}", ["ac", "ad", "bc", "bd"], not: ["ab", "cd", "a"]),
        Row("{a/**,b}", ["a/x", "a/x/y", "b"], not: ["a", "b/x"]),
        Row("{**/a,b/*}", ["a", "x/a", "b/y"], not: ["b", "x/b"]),
        Row("{,x}.bak", [".bak", "x.bak"], not: ["y.bak"]),
        Row("{*,x}.bak", ["y.bak", "x.bak"], not: [".bak"]),
        Row("{a}", ["a"], not: ["{a}"]),
        Row("a,b}", ["a,b}"], not: ["a", "b"]),
        Row("\\*\\?\\[\\{\\!\\\\", ["*?[{!\\"], not: ["a?[{!\\"]),
        Row("\\!a", ["!a"], not: ["a"]),
        Row("é", ["\u{E9}"], not: ["e\u{301}"]),
        Row("a b", ["a b"], not: ["ab"]),
    ]

    @Test(arguments: rows)
    func matches(_ row: Row) throws {
        let glob = try Glob(row.pattern)
        #expect(row.matching.filter { glob.relation(to: $0) != .whole } == [])
        #expect(row.others.filter { glob.relation(to: $0) == .whole } == [])
    }

    @Test(
        arguments: [
            ("a/*.save", "a", .below), ("a/*.save", "b", .none), ("a/*.save", "a/b.save", .whole),
            ("a/*.save", "a/b.save/c", .folder), ("a/*.save", "a/b", .none), ("**/x", "b/c", .below),
            ("**/x", ".git", .none), ("**/x", "b/x/y", .folder), ("a", "a/b/c", .folder), ("a", "ab/c", .none),
            ("a/**", "a/b", .whole), ("a/.b/c", "a/.b", .below), ("a/*/c", "a/.b", .none), ("*/.b", "a", .below),
            ("{a/b,c}/d", "a", .below), ("{a/b,c}/d", "c", .below), ("{a/b,c}/d", "b", .none),
        ] as [(String, String, Glob.Relation)])
    func relations(pattern: String, path: String, relation: Glob.Relation) throws {
        #expect(try Glob(pattern).relation(to: path) == relation)
    }

    /// A list finds the same patterns as each pattern alone.
    @Test func listAgreesWithPatterns() throws {
        let patterns = Self.rows.map(\.pattern)
        let globs = try patterns.map { try Glob($0) }
        let list = GlobList(globs)
        for path in Set(Self.rows.flatMap { $0.matching + $0.others }) + ["", "a/a/a", "x/.git/a"] {
            #expect(list.matches(path) == globs.indices.filter { globs[$0].relation(to: path) == .whole })
            #expect(list.contains(path) == globs.contains { [.whole, .folder].contains($0.relation(to: path)) })
            #expect(list.concerns(folder: path) == globs.contains { $0.relation(to: path) != .none })
        }
    }

    /// A list agrees with each pattern alone for random patterns and paths, too.
    @Test func listAgreesWithRandomPatterns() throws {
        var random = SeededGenerator(seed: 48)
        let words = ["a", "b", "ab", "/", "/", "/**/", "*", "?", "{a,b/a}", "{a/,*}", "[ab]", "**"]
        let valid = (0..<3_000).compactMap { _ -> Glob? in
            let length = Int.random(in: 1...5, using: &random)
            return try? Glob((0..<length).map { _ in words.randomElement(using: &random) ?? "" }.joined())
        }
        #expect(valid.count > 500)
        let list = GlobList(valid)
        for _ in 0..<200 {
            let length = Int.random(in: 0...7, using: &random)
            let path = String((0..<length).map { _ in "aab./".randomElement(using: &random) ?? "a" })
            #expect(list.matches(path) == valid.indices.filter { valid[$0].relation(to: path) == .whole })
        }
        for glob in valid {
            let list = GlobList([glob])
            for path in ["a", "b", "ab", "ba", "aba", "a/b", "b/a", "ab/a", "a/b/a", "b/a/b/a", "/a"] {
                let relation = glob.relation(to: path)
                #expect(list.matches(path) == (relation == .whole ? [0] : []))
                #expect(list.contains(path) == (relation == .whole || relation == .folder))
                #expect(list.concerns(folder: path) == (relation != .none), "\(glob) \(path)")
            }
        }
    }

    /// Paths are only compared with patterns whose literal text they have, wherever that is in the pattern.
    @Test(
        arguments: [
            ("d#/**/*.json", "d#/a.json", "d#"), ("*_#.save", "a_#.save", "a_#.save"), ("*x#/{a,b}", "ax#/b", "ax#"),
            ("a/*/*_#.{json,save}", "a/b/c_#.save", "a/b/c_#.json"), ("?l#?/*.save", "al#b/c.save", "al#b"),
            ("a/b/c#/*.save", "a/b/c#/d.save", "a/b/c#"), ("a/*#/a/**", "a/b#/a/b/c", "a/b#"),
        ])
    func comparesFewOfManyPatterns(pattern: String, path: String, folder: String) throws {
        // No number is part of another one.
        let list = GlobList(try (1_000..<2_000).map { try Glob(pattern.replacing("#", with: "\($0)")) })
        let (path, folder) = (path.replacing("#", with: "1007"), folder.replacing("#", with: "1007"))
        #expect(list.matches(path) == [7])
        #expect(list.candidates(for: path).patterns == [7])
        #expect(list.concerns(folder: folder) && list.candidates(forFolder: folder).patterns == [7])
    }

    /// A `**` at the beginning, which any folder agrees with, does not matter for files.
    @Test(
        arguments: [
            ("**/f#x*.json", "d/f#x.json"), ("**/[ab]l#/**", "c/al#/d/e"), ("**/[!a]#", "b#"), ("**/*_#", "a/b_#"),
        ])
    func comparesFilesWithFewOfManyPatterns(pattern: String, path: String) throws {
        let list = GlobList(
            try (1_000..<2_000).map { try Glob(pattern.replacing("#", with: "\($0)")) })
        let path = path.replacing("#", with: "1007")
        #expect(list.matches(path) == [7])
        #expect(list.candidates(for: path).patterns == [7])
    }

    static let faults: [(pattern: String, sentence: String)] = [
        ("", "the pattern is empty"),
        (String(repeating: "a", count: 1001), "the pattern is too long; expected at most 1,000 characters"),
        ("/a", "the pattern begins with a slash; expected a path from the folder of the project file"),
        ("!a", #"the pattern begins with an exclamation mark; list files to skip under "ignore""#),
        ("a/", "the pattern ends in a slash; add ** to match everything in the folder"),
        ("a//b", "the pattern has two slashes in a row"),
        ("./a", "the pattern has the segment ., which matches no path"),
        ("a/../b", "the pattern has the segment .., which matches no path"),
        ("a**", "the ** at character 2 is not a whole segment between slashes"),
        ("**a", "the ** at character 1 is not a whole segment between slashes"),
        ("a/***", "the ** at character 3 is not a whole segment between slashes"),
        ("x{a,**b}", "the ** at character 5 is not a whole segment between slashes"),
        ("x{**}", "the ** at character 3 is not a whole segment between slashes"),
        ("{a,b}**", "the ** at character 6 is not a whole segment between slashes"),
        ("a[b", "the [ at character 2 has no closing ]"),
        ("[]", "the [ at character 1 has no closing ]"),
        ("[a/b]", "the [ at character 1 has no closing ]"),
        ("[a-", "the [ at character 1 has no closing ]"),
        ("[\\", "the [ at character 1 has no closing ]"),
        ("[z-a]", "the range z-a is reversed"),
        ("[b\u{1B}-\u{1}]", "the range \\u001B-\\u0001 is reversed"),
        ("a{b,{c}", "the { at character 2 has no closing }"),
        ("a\\", "the pattern ends in a backslash"),
    ]

    @Test(arguments: faults)
    func explainsErrors(_ pattern: String, _ sentence: String) {
        let fault = #expect(throws: GlobFault.self) { try Glob(pattern) }
        #expect(fault?.sentence == sentence)
    }

    @Test(arguments: ["!a.save", "a!b", "a*b[c]{d}?", "\\a", "**/x"]) func quotesPaths(_ path: String) throws {
        let glob = try Glob(Glob.quoting(path))
        #expect(glob.relation(to: path) == .whole && glob.relation(to: "x" + path) != .whole)
        #expect(GlobList([glob]).matches(path) == [0] && GlobList([glob]).contains(path + "/below"))
    }

    /// Patterns on which a matcher that tries every alternative would practically never end.
    @Test(
        .timeLimit(.minutes(15)),
        arguments: [
            (String(repeating: "*a", count: 400), String(repeating: "a", count: 2000) + "b"),
            (String(repeating: "**/", count: 300) + "x", String(repeating: "a/", count: 1000) + "y"),
            (String(repeating: "{a,aa}", count: 160), String(repeating: "a", count: 200) + "b"),
            (String(repeating: "{", count: 499) + "a" + String(repeating: "}", count: 499), "b"),
            (String(repeating: "{,a}", count: 250), String(repeating: "a", count: 251)),
            (
                String(repeating: "{*,", count: 200) + String(repeating: "}", count: 200),
                String(repeating: "/a", count: 9)
            ),
        ])
    func hostilePatternsMatchInLinearTime(pattern: String, path: String) throws {
        #expect(try Glob(pattern).relation(to: path) != .whole)
    }
}
