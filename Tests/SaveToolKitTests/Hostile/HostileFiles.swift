import Foundation
import SaveCodec
import TestSupport

@testable import SaveToolKit

/// A folder of files in which every string, key, class, comment and name is hostile.
///
/// The tests use short names such as `@a`, which map to file names that are hostile, too.
struct HostileFiles {
    let workspace: Workspace
    private var names: [String: String] = [:]
    /// The content of files made by commands, by short name.
    private var made: [String: [UInt8]]

    /// The content that all tests share, because making it takes time.
    private static let made = Result { try HostileFiles(made: [:]).made }

    init() throws {
        try self.init(made: Self.made.get())
    }

    private init(made: [String: [UInt8]]) throws {
        workspace = try Workspace()
        self.made = made
        try addTexts()
        try addArchives()
        try addStream()
        try addScores()
        try addRules()
        try addBroken()
        try addFolders()
    }

    /// Returns the words of a command, with `@a` replaced by a file name, `%` by the hostile text and `%%` by the
    /// hostile name.
    func words(_ line: [String]) -> [String] {
        line.map { word in
            var word = word.replacingOccurrences(of: "%%", with: HostileText.name)
            word = word.replacingOccurrences(of: "%", with: HostileText.text)
            guard let at = word.firstIndex(of: "@"), let name = names[String(word[word.index(after: at)...])] else {
                return word
            }
            return word[..<at] + name
        }
    }

    private mutating func add(_ name: String, _ text: String, ending: String = "json") throws {
        names[name] = name + HostileText.name + "." + ending
        try write(Array(text.utf8), to: words(["@" + name])[0])
    }

    private func write(_ bytes: [UInt8], to file: String) throws {
        try Descriptor(opening: path(file), for: .creating(permissions: 0o600)).write(bytes.span)
    }

    private func path(_ file: String) -> String { FileSystem.path(file, from: workspace.path(of: "")) }

    /// Makes a file with a command that must succeed.
    private mutating func make(
        _ name: String, ending: String, _ line: [String], input: [UInt8] = [], operand: Bool = false
    ) throws {
        names[name] = name + HostileText.name + "." + ending
        let file = words(["@" + name])[0]
        if let bytes = made[name] { return try write(bytes, to: file) }
        let result = workspace.run(words(line + (operand ? ["@" + name] : ["-o", "@" + name])), input: input)
        guard result.status == 0 else { throw Failure(text: "\(line): \(result.talk)") }
        made[name] = try Descriptor(opening: path(file), for: .reading).readToEnd()
    }

    struct Failure: Error { let text: String }

    // MARK: Property lists

    /// Returns the members of a dictionary that has hostile strings, keys and arrays.
    private static func members(_ version: String) -> String {
        let text = HostileText.json(HostileText.text + version)
        let each = HostileText.samples.map { HostileText.json("x\($0)y\(version)") }
        let formulas = HostileText.formulas.map { HostileText.json($0 + version) }
        return [
            "\(HostileText.json(HostileText.text)): \(text)", "\(HostileText.json("k" + HostileText.name)): 5",
            "\"each\": [\(each.joined(separator: ", "))]", "\"formulas\": [\(formulas.joined(separator: ", "))]",
            "\"keys\": {\(each.map { "\($0): \(version.count)" }.joined(separator: ", "))}",
            "\"crlf\": \"a\\r\\nb\\tc\"", "\"date\": {\"$date\": \"2009-09-06T12:34:56Z\"}",
            "\"data\": {\"$data\": \"AAEC\"}", "\"list\": [1, {\(HostileText.json(HostileText.name)): \(text)}]",
            "\"saveVersion\": 1",
        ].joined(separator: ",\n  ")
    }

    private mutating func addTexts() throws {
        try add("a", "{\n  \(Self.members(""))\n}")
        try add("b", "{\n  \(Self.members("changed")),\n  \(HostileText.json("new" + HostileText.name)): []\n}")
        try add("c", "{\n  \(Self.members("other"))\n}")
        try make("binary", ending: "plist", ["convert", "--to", "binary", "@a"])
        try make("gnustep", ending: "plist", ["convert", "--to", "gnustep", "@a"])
        try make("openstep", ending: "strings", ["convert", "--to", "openstep", "--allow-loss", "@a"])
        try make("typed", ending: "json", ["convert", "--to", "json", "@binary"])
        let text = HostileText.xml(HostileText.xmlText)
        try add(
            "xml",
            """
            <?xml version="1.0"?><plist version="1.0"><dict><!-- \(HostileText.xmlText.filter { $0 != "-" }) -->
            <key>\(text)</key><string>\(text)\u{1B}[2J&#27;[2J&#x202e;</string>
            <key>list</key><array><string>\(text)</string></array></dict></plist>
            """, ending: "plist")
        try add(
            "strings",
            "/* \(HostileText.xmlText.filter { $0 != "/" }) */ \"k\u{202E}\u{9B}\" = \"\u{1B}[2J\u{200B}\";\n",
            ending: "strings")
        try add("flat", "/a\u{202E} = \"x\u{9B}\"\n", ending: "txt")
        try add("value", HostileText.json(HostileText.text))
        try add(
            "defaults", "{\(HostileText.json("default" + HostileText.text)): \(HostileText.json(HostileText.text))}")
        try add("list", "\(names["a"] ?? "")\0missing\(HostileText.name)\0", ending: "txt")
    }

    // MARK: Archives

    private static func graph(_ version: String) -> String {
        let name = HostileText.json("C" + HostileText.text)
        let other = HostileText.json("B" + HostileText.name)
        let field = HostileText.json("f" + HostileText.text)
        let text = HostileText.json(HostileText.text + version)
        return """
            {"$archiver": "NSKeyedArchiver", "$version": 100000,
             "$classes": {\(name): [\(name), \(other), "NSObject"]},
             "$top": {\(HostileText.json("r" + HostileText.name)): {"$class": \(name), \(field): \(text), "n": \(version.count),
               "list": [{"$class": \(name), \(field): \(text)}, \(text)]}, "root": {"$class": \(name), \(field): 1}}}
            """
    }

    private mutating func addArchives() throws {
        try add("graph", Self.graph(""))
        try add("graph2", Self.graph("changed"))
        try make("archive", ending: "archive", ["convert", "--to", "archive", "@graph"])
        try make("archive2", ending: "archive", ["convert", "--to", "archive", "@graph2"])
        try make("archiveXML", ending: "plist", ["convert", "--to", "xml", "--allow-loss", "@archive"])
        try add(
            "nested",
            "{\(HostileText.json(HostileText.name)): {\"$data\": \"\(Data(made["archive"] ?? []).base64EncodedString())\"}}"
        )
    }

    /// Adds a typedstream with a hostile class name, C string, struct and selector, and with a text in an unknown
    /// encoding.
    private mutating func addStream() throws {
        func text(_ string: String) -> [UInt8] {
            let bytes = Array(string.utf8)
            return [0x84, 0x81, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
        }
        let structName = HostileText.text.filter { !"=[](){}".contains($0) }
        var bytes = [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03]
        bytes += text("@") + [0x84, 0x84] + text("C" + HostileText.text) + [7, 0x84] + text("B" + HostileText.name)
        bytes += [0, 0x85] + text("*:{\(structName)=i}#") + [0x84] + text(HostileText.text) + text(HostileText.name)
        bytes += [5, 0x93] + text("*") + [0x84, 0x84, 2, 0xFF, 0x1B, 0x86]
        names["stream"] = "stream" + HostileText.name + ".save"
        made["stream"] = bytes
        try write(bytes, to: words(["@stream"])[0])
        try add("streamInside", "{\"k\": {\"$data\": \"\(Data(bytes).base64EncodedString())\"}}")
        names["brokenStream"] = "broken" + HostileText.name + ".save"
        try write(bytes.dropLast(), to: words(["@brokenStream"])[0])
    }

    // MARK: Scores

    private mutating func addScores() throws {
        let records = ([HostileText.text, HostileText.name] + HostileText.formulas).enumerated().map {
            "{\"playerName\": \(HostileText.json($1)), \"score\": \($0 * 10), \"date\": {\"$date\": \"2009-09-06T12:34:56Z\"}}"
        }
        try add("scores", "{\"HighScores\": [\(records.joined(separator: ", "))]}")
        let hidden = HostileText.json(HostileText.name)
        try add("oddScores", "{\(hidden): [{\(hidden): \(hidden), \"x\": 1, \"n\u{202E}\": \(hidden)}]}")
        try make("scoreArchive", ending: "archive", ["scores", "convert", "--form", "archive", "@scores"])
        try add("salt", "pepper\n", ending: "txt")
        let name = "\u{202E}\u{200B}<b>=1\u{2066}"
        let form = workspace.run(
            words(["scores", "form", "--name", "<b>=1", "--score", "70", "--device", "d", "--salt-file", "@salt"]))
        guard form.status == 0 else { throw Failure(text: form.talk) }
        try make(
            "submittedFeed", ending: "plist", ["scores", "submit", "--salt-file", "@salt"],
            input: Array(form.output.utf8),
            operand: true)
        // A submission cannot have such a name, but a feed can.
        try make("feed", ending: "plist", ["set", "@submittedFeed", "/0/player_name", "--string", name])
    }

    // MARK: Schemas and rules

    private mutating func addRules() throws {
        let text = HostileText.json(HostileText.text)
        let pointer = HostileText.json("/" + HostileText.name.replacingOccurrences(of: "/", with: "~1"))
        try add(
            "schema",
            """
            {"title": \(text), "description": \(text), "$comment": \(text), \(text): \(text), "required": [\(text), "x\\u202e"],
             "properties": {"each": {"items": {"enum": [\(text)]}}, "list": {"const": \(text)}, \(text): {"pattern": "^\\u202e$", "title": \(text)},
             "formulas": {"contains": {"const": \(text)}}, "keys": {"additionalProperties": false}}, "propertyNames": {"not": {"const": \(text)}}}
            """)
        try add(
            "badSchema",
            "{\"type\": \(text), \"$ref\": \(text), \"pattern\": \(HostileText.json("(" + HostileText.text))}")
        try add("refSchema", "{\"$ref\": \(text)}")
        try add("patch", "[{\"op\": \"replace\", \"path\": \"/saveVersion\", \"value\": \(text)}]")
        try add(
            "failingPatch",
            "[{\"op\": \"test\", \"path\": \(pointer), \"value\": \(text)}, {\"op\": \(text), \"path\": \(text)}]")
        try add("testPatch", "[{\"op\": \"test\", \"path\": \"/list/1\", \"value\": \(text)}]")
        try add("mergePatch", "{\(text): {\(text): \(text)}}")
        try add(
            "rules",
            """
            {"version": "/saveVersion", "from": 1, "to": \(text), "rules": [{"renameClass": \(text), "to": \(text)},
             {"addField": \(text), "of": \(text), "value": \(text)}, {"dropField": \(text), "of": \(text)}]}
            """)
        try add("badRules", "{\"version\": \(text), \"from\": \(text), \(text): []}")
        try add("badRules2", "{\"version\": \"/saveVersion\", \"from\": 1, \"to\": 2, \"rules\": [{\(text): \(text)}]}")
        try add(
            "project",
            "{\"validate\": [{\"files\": [\(HostileText.json("*\u{202E}\u{9B}\u{1B}x"))], \"profile\": \"archive\", \"allowClass\": [\(text)]}], \"schemaRoot\": {\(text): \(text)}}"
        )
        try add(
            "badProject", "{\"validate\": [{\"files\": [\"*\"], \"profile\": \(text), \(text): \(text)}], \(text): 1}")
    }

    // MARK: Faults

    private mutating func addBroken() throws {
        let text = HostileText.json(HostileText.text)
        let xml = HostileText.xmlText
        let tag = "<k\u{202E}\u{1B}[2J>"
        let broken = [
            ("json", "{\(text): oops\u{202E}\u{1B}}"), ("json", "{\(text): 1, \(text): 2}"),
            ("json", "[\"\u{9B}\u{1B}[2J\"] \u{202E}"),
            ("json", "{\"$class\": \(text), \(text): {\"$uid\": \(text)}}"), ("json", "\u{1B}[2J\u{202E}"),
            ("json", "{/* \u{1B}[2J\u{202E} */}"),
            ("json", "{\"$archiver\": \(text), \"$top\": {\"root\": {\"$ref\": \(text)}}, \"$classes\": {\(text): 1}}"),
            ("plist", "<plist><dict><key>\(HostileText.xml(xml))</key></dict></plist>"),
            ("plist", "<plist><dict>\(tag)</dict></plist>"),
            ("plist", "<!DOCTYPE plist [<!ENTITY \u{202E}\u{1B}[2J \"x\">]><plist>&\u{202E}\u{1B}[2J;</plist>"),
            ("plist", "<plist><integer>\(xml.filter { $0 != "<" })</integer></plist>"),
            ("plist", "<?xml encoding=\"\u{202E}\u{1B}[2J\"?><plist/>"),
            ("plist", "<plist><date>\u{202E}\u{1B}[2J</date></plist>"),
            ("plist", "<plist><data>\u{202E}\u{1B}[2J</data></plist>"),
            ("plist", "<plist><a\u{202E}></b\u{202E}\u{1B}></plist>"),
            ("strings", "\"\u{202E}\" = \u{1B}[2J;"), ("strings", "{ \u{202E}k\u{9B} = <zz>; }"),
            ("strings", "{ a = <*X\u{202E}\u{1B}>; }"),
            ("save", "bplist00\u{202E}\u{1B}[2J"),
        ]
        for (number, file) in broken.enumerated() { try add("broken\(number)", file.1, ending: file.0) }
        brokenCount = broken.count
    }

    /// The number of broken files: `@broken0` and so on.
    private(set) var brokenCount = 0

    private mutating func addFolders() throws {
        for (folder, version) in [("old", ""), ("new", "changed")] {
            let path = folder + HostileText.name
            names[folder] = path
            try FileManager.default.createDirectory(atPath: self.path(path), withIntermediateDirectories: false)
            for name in ["a", "only" + folder] {
                try write(Array("{\(Self.members(version))}".utf8), to: path + "/" + name + HostileText.name + ".json")
            }
            try write(Array("oops\u{1B}".utf8), to: path + "/broken" + HostileText.name + ".plist")
        }
    }
}
