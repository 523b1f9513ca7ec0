import SaveCodec
import SaveOperations
import Testing

@testable import SaveToolKit

/// Each equivalent of a command of another tool is a command of savetool.
@Suite struct OtherToolsTests {
    private static let lines: [[String]] =
        OtherTools.plutil.keys.filter { $0 != "-p" }.map { [$0] }
        + [
            ["-p", "F"], ["-lint", "F", "G"], ["-convert", "xml1", "F"], ["-create", "json", "F"],
            ["-extract", "a.b", "xml1", "-o", "G", "F"], ["-type", "a", "F"], ["-insert", "a", "-bool", "YES", "F"],
            ["-insert", "a", "-append", "-dictionary", "-o", "-", "F"], ["-replace", "a", "-json", "-5", "F"],
            ["-remove", "a", "-o", "G", "F"],
        ]
        + OtherTools.plistBuddy.keys.map { ["-c", $0] }
        + [
            "Print :", "Print :a", "Set :a 5", "Set :a -5", "Set :a ''",
            "Add :a: real -1.5", "Add :a dict", "Delete :a",
            "Copy :a :b", "Merge G", "Import :a G",
        ].map { ["-c", $0, "F"] }
        + [["-x", "-c", "Print", "F"], ["-x", "-c", "Print :a", "F"]]

    @Test(arguments: lines)
    func equivalentOfOptions(_ line: [String]) throws {
        try check(try #require(OtherTools.equivalent(ofOptions: line[...])), isFull: line.last == "F")
    }

    @Test(arguments: OtherTools.words.keys.sorted())
    func equivalentOfWord(_ word: String) throws {
        let template = try #require(OtherTools.words[word])
        try check(try #require(OtherTools.equivalent(ofWord: word, [])), isFull: false)
        var arguments = template.contains("FILE") ? ["F"] : []
        if template.contains("ADDRESS") || template.contains("|") { arguments.append("/a") }
        if template.contains("VALUE") || template.contains("|") { arguments.append("/5") }
        let isFull = template.contains("FILE")
        try check(try #require(OtherTools.equivalent(ofWord: word, arguments[...])), isFull: isFull)
        // An option that is not understood is not left out.
        let unknown = try #require(OtherTools.equivalent(ofWord: word, ["--other"] + arguments))
        #expect(unknown.contains("FILE") == isFull)
    }

    /// Parses an equivalent, which may take the input from another command, or write to a file.
    private func check(_ equivalent: String, isFull: Bool) throws {
        let words = Array(Shell.words(of: equivalent).drop { $0 != "savetool" }.prefix { $0 != ">" }.dropFirst())
        let command = try #require(SaveTool.command.command(words.first ?? ""))
        let parsed = try Arguments.parse(words.dropFirst(), for: command)
        let required = command.operands.count { $0.usage == $0.name || $0.usage.hasSuffix("…") }
        let count = parsed.operands.count + (parsed.has(.output) ? 1 : 0)
        #expect(words.count == 1 || count >= required, "\(equivalent)")
        for (position, operand) in parsed.operands.enumerated() {
            let slot = try #require(command.operand(at: position), "\(equivalent)")
            if slot.kind == .address { #expect(operand.isEmpty || operand.hasPrefix(isFull ? "/" : "ADDRESS")) }
            if isFull { #expect(!["FILE", "ADDRESS", "VALUE", "FORMAT", "OTHER"].contains(operand), "\(equivalent)") }
        }
    }
}
