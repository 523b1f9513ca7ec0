import Foundation
import SaveOperations
import TestSupport
import Testing

@testable import SaveToolKit

/// Compares merges of lines with the merges of the installed git.
@Suite struct LineMergeTests {
    static let merged: [(base: String, ours: String, theirs: String, text: String, isClean: Bool)] = [
        ("", "", "", "", true), ("", "a", "", "a", true), ("", "a\n", "a\n", "a\n", true), ("", "a", "b", "a", false),
        ("a\nb\nc\nd\n", "a\nx\nc\nd\n", "a\nb\nc\ny\n", "a\nx\nc\ny\n", true),
        ("a\nb\nc\n", "x\nb\nc\n", "a\ny\nc\n", "x\ny\nc\n", false), ("a\nb\nc\n", "a\nc\n", "a\nc\n", "a\nc\n", true),
        ("a\nb\nc", "a\nb\nc\n", "x\nb\nc", "x\nb\nc\n", true),
        // Line breaks are merged independently of the lines.
        ("a\nb\nc\nd\n", "a\r\nx\r\nc\r\nd\r\n", "a\nb\nc\ny\n", "a\r\nx\r\nc\r\ny\r\n", true),
        ("a\r\nb\r\nc\r\nd\r\n", "a\r\nx\r\nc\r\nd\r\n", "a\nb\nc\ny\n", "a\nx\nc\ny\n", true),
        ("a\r\nb\nc\n", "a\r\nb\nc\nd\n", "x\r\nb\nc\n", "x\r\nb\nc\nd\n", true),
        ("a\rb\n", "a\rb\n", "a\rc\n", "a\rc\n", true),
    ]

    @Test(arguments: merged)
    func mergesLines(base: String, ours: String, theirs: String, text: String, isClean: Bool) {
        let merge = LineMerge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8))
        #expect(String(decoding: merge.text, as: UTF8.self) == text)
        #expect(merge.conflicts.isEmpty == isClean)
    }

    @Test(.enabled(if: Programs.git != nil, "needs git"), arguments: 0..<4)
    func matchesGit(group: Int) throws {
        let workspace = try Workspace()
        for seed in 0..<TestScale.count(60, long: 500) {
            var random = SeededGenerator(seed: UInt64(group * 100_000 + seed))
            let base = LineTexts.text(&random)
            let sides = (0..<2).map { _ in LineTexts.edited(base, &random) }
            let merge = LineMerge(
                base: LineTexts.bytes(base), ours: LineTexts.bytes(sides[0]), theirs: LineTexts.bytes(sides[1]))
            let other = try GitMergeFile.run(
                LineTexts.bytes(base), LineTexts.bytes(sides[0]), LineTexts.bytes(sides[1]), in: workspace)
            #expect(merge.conflicts.isEmpty == (other != nil), "\(group) \(seed)")
            if let other { #expect(merge.text == other, "\(group) \(seed)") }
        }
    }

    @Test(arguments: ["x", "a", "different"]) func takesLinearTime(kind: String) throws {
        let isLinear = try Growth.isLinear(to: 1 << 14) { count in
            var random = SeededGenerator(seed: 13)
            func text(_ side: Int) -> [UInt8] {
                (0..<count).flatMap { number -> [UInt8] in
                    switch kind {
                    case "x": Array("x\(Int.random(in: 0..<3, using: &random))\n".utf8)
                    case "a": Array((number % (side + 7) == 0 ? "b\n" : "a\n").utf8)
                    default: Array("\(side) \(number)\n".utf8)
                    }
                }
            }
            let texts = (0..<3).map(text)
            return { _ = LineMerge(base: texts[0], ours: texts[1], theirs: texts[2]) }
        }
        #expect(isLinear)
    }
}

/// Random texts with many equal lines.
enum LineTexts {
    static func text(_ random: inout SeededGenerator) -> [String] {
        (0..<Int.random(in: 0..<40, using: &random)).map { _ in line(&random) }
    }

    static func line(_ random: inout SeededGenerator) -> String {
        ["", "}", "<dict>", "</dict>", "a", "b"].randomElement(using: &random).flatMap {
            Int.random(in: 0..<3, using: &random) == 0 ? $0 : nil
        } ?? "line \(Int.random(in: 0..<30, using: &random))"
    }

    /// Returns the text with a few groups of lines removed, replaced or inserted.
    static func edited(_ text: [String], _ random: inout SeededGenerator) -> [String] {
        var text = text
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
            let start = Int.random(in: 0...text.count, using: &random)
            let end = min(text.count, start + Int.random(in: 0..<3, using: &random))
            let new = (0..<Int.random(in: 0..<3, using: &random)).map { _ in line(&random) }
            text.replaceSubrange(start..<end, with: new)
        }
        return text
    }

    static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}

enum GitMergeFile {
    /// Returns the result of `git merge-file`, or nil if it has conflicts.
    static func run(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8], in workspace: Workspace) throws -> [UInt8]? {
        for (name, bytes) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try Data(bytes).write(to: workspace.folder.appending(path: name))
        }
        let process = Process()
        process.executableURL = Programs.git
        process.arguments = ["merge-file", "-p", "-q", "ours", "base", "theirs"]
        process.currentDirectoryURL = workspace.folder
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? Array(text) : nil
    }
}
