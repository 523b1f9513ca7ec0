import SaveCodec

/// The equivalents of commands of `plutil`, `PlistBuddy`, `defaults` and other tools, filled in with what was typed:
///
///     -replace a.b -integer 7 -o out.plist F     savetool set -o out.plist --change-type F /a/b --int=7
///     -c 'Add :a:0 string z' F                   savetool insert -i F /a/0 --string=z
///     read-type F a                              savetool get F /a -f type
struct OtherTools {
    /// The equivalents by the words of other tools. A word in capitals is replaced with what was typed for it, and `-i`
    /// with the destination of the result.
    private static let equivalents: [String: String] = {
        let equivalents: KeyValuePairs<String, String> = [
            // The commands of plutil.
            "-p": "inspect FILE",
            "-lint": "validate FILE",
            "-convert": "convert --to FORMAT -i FILE",
            "-create": "echo '{}' | savetool convert --to FORMAT -o FILE",
            "-extract": "get FILE ADDRESS AS-FORMAT",
            "-type": "get FILE ADDRESS -f type",
            "-insert": "insert -i FILE ADDRESS VALUE",
            "-replace": "set -i --change-type FILE ADDRESS VALUE",
            "-remove": "remove -i FILE ADDRESS",
            // The commands of PlistBuddy.
            ":print": "get FILE ADDRESS AS-FORMAT",
            ":set": "set -i FILE ADDRESS VALUE",
            ":add": "insert -i FILE ADDRESS VALUE",
            ":delete": "remove -i FILE ADDRESS",
            ":copy": "echo COPY | savetool patch -i FILE -",
            ":merge": "merge -i --base none FILE OTHER --rule ours",
            ":import": "set -i FILE ADDRESS --data-file OTHER",
            // Words that other tools have for commands.
            "show cat view open dump print ls list tree info": "inspect FILE",
            "read query extract": "get FILE ADDRESS",
            "type read-type": "get FILE ADDRESS -f type",
            "keys": "get FILE ADDRESS -f keys",
            "exists has": "get --exists FILE ADDRESS",
            "grep search": "find",
            "update change put replace": "set FILE ADDRESS VALUE",
            "write": "set -i FILE ADDRESS VALUE",
            "add append push": "insert FILE ADDRESS VALUE",
            "delete": "remove -i FILE ADDRESS",
            "rm del unset": "remove FILE ADDRESS",
            "move mv rename": "echo MOVE | savetool patch -i FILE -",
            "copy cp": "echo COPY | savetool patch -i FILE -",
            "apply": "patch",
            "upgrade": "migrate",
            "compare cmp": "diff",
            "export import json xml": "convert",
            "check lint verify test": "validate FILE",
            "recover rescue repair fix restore": "salvage",
        ]
        return equivalents.reduce(into: [:]) { all, entry in
            for word in entry.key.split(separator: " ") { all[String(word)] = entry.value }
        }
    }()

    private static let formats = ["xml1": "xml", "binary1": "binary", "json": "json"]

    /// The options of savetool for types.
    private static let types = [
        "string": "--string", "integer": "--int", "int": "--int", "float": "--real", "real": "--real",
        "bool": "--bool", "boolean": "--bool", "date": "--date", "data": "--data",
    ]
    private static let containers = ["array": "'[]'", "dict": "'{}'", "dictionary": "'{}'"]

    /// The suggestions for options of other tools that state the type of a value, or a position.
    static let valueOptions: [String: String] = {
        let others = [
            "json": "JSON as VALUE, or --json-file", "xml": "--json-file",
            "append": "savetool insert FILE ADDRESS/- VALUE",
        ]
        let all = types.merging(containers.mapValues { "VALUE " + $0 }) { $1 }.merging(others) { $1 }
        return all.reduce(into: [:]) { all, option in
            for word in ["-" + option.key, "--" + option.key] where word != option.value { all[word] = option.value }
        }
    }()

    /// The text that was typed for each placeholder.
    private var typed = ["-i": "-i", "AS-FORMAT": ""]
    /// The arguments that are not options.
    private var operands: ArraySlice<String> = []
    /// The command of `plutil`.
    private var verb: String?
    /// The first command of `PlistBuddy`.
    private var line: String?
    private var addresses: [JSONPointer] = []
    private var appends = false

    /// Reads the options of `plutil`, `PlistBuddy` and `defaults`.
    private init(_ arguments: ArraySlice<String>) {
        var rest = arguments
        while let word = rest.popFirst() {
            switch word {
            case "-s", "-r", "-n", "--": break
            case "-x": typed["AS-FORMAT"] = "-f xml"
            case "-append": appends = true
            case "-expect": _ = rest.popFirst()
            case "-c":
                let next = rest.popFirst()
                line = line ?? next
            case "-o":
                let name = rest.popFirst()
                typed["-i"] = name == "-" ? "" : "-o " + (name.flatMap(Shell.word) ?? "OUT")
            case "-xml":
                _ = rest.popFirst()
                typed["VALUE"] = "--json-file FILE"
            case "-json": type("VALUE", rest.popFirst())
            case _ where verb == nil && word.hasPrefix("-") && Self.equivalents[word] != nil: verb = word
            case _ where takeType(word, &rest): break
            default: operands.append(word)
            }
        }
    }

    /// Takes a type, as `plutil` writes it with a hyphen, and its value. Returns false for another word.
    private mutating func takeType(_ word: String, _ rest: inout ArraySlice<String>) -> Bool {
        let type = word.hasPrefix("-") ? String(word.dropFirst()) : ""
        if let container = Self.containers[type] {
            typed["VALUE"] = container
        } else if let option = Self.types[type] {
            self.type("VALUE", option + "=" + (rest.popFirst() ?? ""))
        } else {
            return false
        }
        return true
    }

    private mutating func type(_ placeholder: String, _ text: String?) {
        typed[placeholder] = text.flatMap(Shell.word)
    }

    /// Takes the address in the notation of a tool.
    ///
    /// - Parameter separator: The character between keys, which a backslash escapes; nil for one key, or an address.
    private mutating func type(path: String, _ separator: Character?) {
        if separator == nil, let address = JSONPointer(path) { return addresses.append(address) }
        var keys: [[UInt16]] = [[]]
        var isEscaped = false
        for unit in path.utf16 {
            let isBackslash = unit == UInt16(UInt8(ascii: "\\")) && separator != nil
            if !isEscaped, isBackslash {
                isEscaped = true
                continue
            }
            if !isEscaped, separator?.utf16.first == unit { keys.append([]) } else { keys[keys.count - 1].append(unit) }
            isEscaped = false
        }
        addresses.append(JSONPointer(tokens: separator == ":" && keys[0].isEmpty ? Array(keys.dropFirst()) : keys))
    }

    // MARK: Equivalents

    /// Returns the equivalent of a command line of `plutil` or `PlistBuddy`; nil for any other.
    static func equivalent(ofOptions arguments: ArraySlice<String>) -> String? {
        guard let first = arguments.first, first.hasPrefix("-"),
            ["-s", "-x", "-c"].contains(first) || equivalents[first] != nil
        else { return nil }
        if first == "-p" {
            // An address follows the option -p of inspect.
            guard arguments.count == 2, let name = arguments.last, !name.isEmpty, !name.hasPrefix("/"),
                !name.hasPrefix("-"), !name.hasPrefix("\"")
            else { return nil }
        }
        var tools = OtherTools(arguments)
        if let line = tools.line { return tools.equivalent(ofLine: Shell.words(of: line).filter { !$0.isEmpty }[...]) }
        guard let verb = tools.verb, let equivalent = equivalents[verb] else { return nil }
        let words = equivalent.split(separator: " ")
        if words.contains("ADDRESS"), let path = tools.operands.popFirst() { tools.type(path: path, ".") }
        if words.contains(where: { $0.hasSuffix("FORMAT") }), tools.operands.count > 1 {
            let format = tools.operands.removeFirst()
            tools.typed["FORMAT"] = formats[format]
            tools.typed["AS-FORMAT"] = format == "raw" ? "" : "-f " + (formats[format] ?? "FORMAT")
        }
        return tools.filling(equivalent)
    }

    /// Returns the equivalent of a command of `PlistBuddy`; nil for an unknown one.
    private mutating func equivalent(ofLine words: ArraySlice<String>) -> String? {
        var words = words
        guard let verb = words.popFirst()?.lowercased() else { return nil }
        if verb == "print", words.isEmpty { return filling("inspect FILE") }
        guard let equivalent = Self.equivalents[":" + verb] else { return nil }
        // Nothing merges a file into a part of another one.
        if verb == "merge", words.count > 1 { return nil }
        if verb != "merge", let path = words.popFirst() {
            appends = verb == "add" && path.hasSuffix(":")
            type(path: appends ? String(path.dropLast()) : path, ":")
        }
        if verb == "add", let type = words.popFirst() {
            var value = [words.joined(separator: " ")][...]
            _ = takeType("-" + type, &value)
        } else if !words.isEmpty {
            if verb == "copy" { type(path: words[words.startIndex], ":") }
            type("VALUE", words.joined(separator: " "))
            type("OTHER", words.first)
        }
        return filling(equivalent)
    }

    /// Returns the equivalent of a word that other tools have for a command; nil for an unknown one.
    static func equivalent(ofWord word: String, _ arguments: ArraySlice<String>) -> String? {
        guard let equivalent = equivalents[word.lowercased()], !word.hasPrefix(":"), !word.hasPrefix("-") else {
            return nil
        }
        var tools = OtherTools(arguments)
        tools.operands.removeAll { $0 != "-" && $0.hasPrefix("-") }
        let rest = tools.operands.dropFirst(2)
        if tools.operands.count > 1 { tools.type(path: tools.operands[1], nil) }
        if let next = rest.first {
            tools.type(path: next, nil)
            if tools.typed["VALUE"] == nil { tools.type("VALUE", rest.joined(separator: " ")) }
        }
        tools.operands = tools.operands.prefix(1)
        return tools.filling(equivalent)
    }

    /// Returns an equivalent with what was typed in place of the placeholders.
    private func filling(_ equivalent: String) -> String {
        var typed = typed
        if !operands.isEmpty { typed["FILE"] = operands.map { Shell.word($0) ?? "FILE" }.joined(separator: " ") }
        if var address = addresses.first {
            if appends { address.append(key: [UInt16(UInt8(ascii: "-"))]) }
            typed["ADDRESS"] = Shell.word(String(decoding: address.operand, as: UTF16.self))
        }
        for operation in ["move", "copy"] { typed[operation.uppercased()] = patch(operation) }
        var words = equivalent.split(separator: " ").map { typed[String($0)] ?? String($0) }
        if words[0] == "get", let output = typed["-i"], output.hasPrefix("-o ") {
            words.append("> " + output.dropFirst(3))
        }
        if words[0] != "echo" { words.insert("savetool", at: 0) }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the patch that moves or copies a value, as a word.
    private func patch(_ operation: String) -> String {
        let paths = addresses.map { $0.description }
        var json = JSONOutput(.compact)
        var output = ByteWriter()
        json.write(
            .array([
                .object([
                    ("op", .string(operation)), ("from", .string(paths.first ?? "/OLD")),
                    ("path", .string(paths.count > 1 ? paths[1] : "/NEW")),
                ])
            ]), to: &output)
        return Shell.quoted(String(decoding: output.takeBytes(), as: UTF8.self))
    }

    // MARK: Names

    /// The tools, each with a command that shows an equivalent.
    private static let examples = [
        "plutil": "savetool -lint FILE", "plistbuddy": "savetool -c 'Print :a' FILE",
        "defaults": "savetool read FILE KEY",
    ]

    /// Returns the error for the name of another tool; nil for any other word.
    static func error(forTool name: String) -> UsageError? {
        if name == "jq" { return UsageError("jq is another tool; savetool convert --to json FILE writes JSON for it") }
        return examples[name.lowercased()].map {
            UsageError("\(name) is another tool; type its words after savetool to see the equivalent: \($0)")
        }
    }
}
