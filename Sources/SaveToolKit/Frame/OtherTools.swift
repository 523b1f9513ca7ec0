import SaveCodec
import SaveOperations

/// The equivalents of commands of `plutil`, `PlistBuddy`, `defaults` and other tools, filled in with what was typed:
///
///     -replace a.b -integer 7 -o out.plist F     savetool set -o out.plist --change-type F /a/b --int=7
///     -c 'Add :a:0 string z' F                   savetool insert -i F /a/0 --string=z
///     read-type F a                              savetool get F /a -f type
///     -c 'Print :a' -c 'Delete :b' F             savetool get FILE ADDRESS
///
/// The last one is not understood as a whole, so nothing is filled in.
struct OtherTools {
    /// The equivalents of commands of `plutil`. Words that are a ``Placeholder`` are replaced.
    static let plutil = [
        "-p": "inspect FILE",
        "-lint": "validate FILES",
        "-convert": "convert --to FORMAT -i FILES",
        "-create": "echo '{}' | savetool convert --to FORMAT -o FILE",
        "-extract": "get FILE ADDRESS AS-FORMAT >",
        "-type": "get FILE ADDRESS -f type",
        "-insert": "insert -i FILE ADDRESS VALUE",
        "-replace": "set -i --change-type FILE ADDRESS VALUE",
        "-remove": "remove -i FILE ADDRESS",
    ]

    /// The equivalents of commands of `PlistBuddy`.
    static let plistBuddy = [
        "print": "get FILE ADDRESS AS-FORMAT",
        "set": "set -i FILE ADDRESS VALUE",
        "add": "insert -i FILE ADDRESS VALUE",
        "delete": "remove -i FILE ADDRESS",
        "copy": patch("COPY"),
        "merge": "merge -i --base none FILE OTHER --rule ours",
        "import": "set -i FILE ADDRESS --data-file OTHER",
    ]

    /// The equivalents of words that other tools have for commands.
    static let words: [String: String] = {
        let equivalents: KeyValuePairs = [
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
            "move mv rename": patch("MOVE"),
            "copy cp": patch("COPY"),
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

    private static func patch(_ operation: String) -> String {
        "printf '%s\\n' \(operation) | savetool patch -i FILE -"
    }

    /// A word of an equivalent that stands for what was typed.
    private enum Placeholder: String {
        case file = "FILE"
        case files = "FILES"
        case address = "ADDRESS"
        case value = "VALUE"
        /// The name of a second file.
        case other = "OTHER"
        case format = "FORMAT"
        /// `-f` and the format of a printed value.
        case outputFormat = "AS-FORMAT"
        /// The destination of the changed file.
        case destination = "-i"
        /// The destination of a printed value.
        case redirection = ">"
        /// A patch that moves a value.
        case move = "MOVE"
        /// A patch that copies a value.
        case copy = "COPY"

        /// The text if nothing was typed.
        var text: String {
            switch self {
            case .files: "FILE"
            case .outputFormat, .redirection: ""
            case .move, .copy: patch(["/OLD", "/NEW"]) ?? ""
            default: rawValue
            }
        }

        /// Returns the patch that moves or copies the value at the first address to the second one, as a word.
        func patch(_ addresses: [String]) -> String? {
            var output = ByteWriter()
            var json = JSONOutput(.compact)
            json.write(
                .array([
                    .object([
                        ("op", .string(rawValue.lowercased())), ("from", .string(addresses[0])),
                        ("path", .string(addresses[1])),
                    ])
                ]), to: &output)
            return Shell.word(String(decoding: output.takeBytes(), as: UTF8.self))
        }
    }

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

    private var template: String
    /// The text that was typed for each placeholder.
    private var typed: [Placeholder: String] = [:]
    /// Whether the value is added at the end of the array at the address.
    private var appends = false
    /// Whether every word that was typed has a place in the equivalent.
    private var isUnderstood = true

    private init(_ template: String) {
        self.template = template
    }

    /// The placeholders of the template.
    private var slots: [Placeholder] {
        template.split(separator: " ").compactMap { Placeholder(rawValue: String($0)) }
    }

    /// Takes text for a placeholder. Text that is an option, or that a terminal does not show, is not understood.
    private mutating func type(_ slot: Placeholder, _ text: String?, after option: String = "") {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let text, let word = Shell.word(text), typed[slot] == nil,
            !text.hasPrefix("-") || text == "-" || digits.contains(text.utf8.dropFirst().first ?? 0)
        else { return isUnderstood = false }
        typed[slot] = option + word
    }

    /// Takes an address; nil for a path that is not understood.
    private mutating func type(_ address: JSONPointer?) {
        let units = address.map { appends ? $0.appending(key: "-".utf16).operand : $0.operand }
        type(.address, units.map { String(decoding: $0, as: UTF16.self) })
    }

    /// Takes the addresses of a patch, in which nothing is a pattern.
    private mutating func type(_ slot: Placeholder, _ addresses: [JSONPointer?]) {
        let known = addresses.compactMap { $0 }.filter { !PointerPattern($0).hasWildcards }
        guard addresses.count == 2, known.count == 2 else { return isUnderstood = addresses.isEmpty }
        typed[slot] = slot.patch(known.map { String(decoding: $0.pointer, as: UTF16.self) })
    }

    /// Takes a type, and the value that follows unless it is an empty container. Returns false for another word.
    private mutating func takeType(_ type: some StringProtocol, _ rest: inout ArraySlice<String>) -> Bool {
        let type = String(type)
        let container = Self.containers[type]
        guard let option = container ?? Self.types[type] else { return false }
        let value = container ?? rest.popFirst().flatMap { Shell.word(option + "=" + $0) }
        if typed[.value] != nil || value == nil { isUnderstood = false }
        typed[.value] = value
        return true
    }

    /// Takes what remains as the names of files.
    private mutating func takeFiles(_ names: ArraySlice<String>) {
        let isOne = !slots.contains(.files) || typed[.destination] != nil
        if isOne, names.count > 1 { return isUnderstood = false }
        guard slots.contains(.files) else {
            if let name = names.first { type(.file, name) }
            return
        }
        for name in names {
            let others = typed.removeValue(forKey: .files)
            type(.files, name, after: others.map { $0 + " " } ?? "")
        }
    }

    /// Returns the keys of a path, in which a backslash escapes the separator.
    private static func keys(in path: String, separator: Unicode.Scalar) -> [String] {
        var keys = [String.UnicodeScalarView()]
        var isEscaped = false
        for scalar in path.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
            } else {
                if !isEscaped, scalar == separator { keys.append(.init()) } else { keys[keys.count - 1].append(scalar) }
                isEscaped = false
            }
        }
        return keys.map { String($0) }
    }

    /// Returns the address for keys, which are not understood if one is empty.
    private static func address(of keys: some Collection<String>) -> JSONPointer? {
        keys.contains("") ? nil : JSONPointer(tokens: keys.map { Array($0.utf16) })
    }

    /// Returns the equivalent, with what was typed in place of the placeholders if all of it was understood.
    private func filled() -> String {
        let slots = slots
        let isUnderstood = isUnderstood && typed.keys.allSatisfy { slots.contains($0) }
        var words = template.split(separator: " ").map { word -> String in
            guard let slot = Placeholder(rawValue: String(word)) else { return String(word) }
            if isUnderstood, let text = typed[slot] { return text }
            return slot == .address && appends ? "ADDRESS/-" : slot.text
        }
        if !words.contains("|") { words.insert("savetool", at: 0) }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: plutil

    /// Returns the equivalent of a command line of `plutil` or `PlistBuddy`; nil for any other.
    static func equivalent(ofOptions arguments: ArraySlice<String>) -> String? {
        guard let first = arguments.first else { return nil }
        if first == "-c" || first == "-x" { return equivalent(ofLines: arguments) }
        guard first == "-s" || plutil[first] != nil, let verb = arguments.first(where: { plutil[$0] != nil }),
            let template = plutil[verb]
        else { return nil }
        if first == "-p" {
            // An address follows the option -p of inspect.
            guard arguments.count == 2, let name = arguments.last, !name.isEmpty, !name.hasPrefix("/"),
                !name.hasPrefix("-"), !name.hasPrefix("\"")
            else { return nil }
        }
        var tools = OtherTools(template)
        tools.takePlutil(arguments, verb)
        return tools.filled()
    }

    private mutating func takePlutil(_ arguments: ArraySlice<String>, _ verb: String) {
        var rest = arguments
        var operands: ArraySlice<String> = []
        while let word = rest.popFirst() {
            switch word {
            case verb, "-s", "-r", "-n": break
            case "-append" where verb == "-insert": appends = true
            case "-json": type(.value, rest.popFirst())
            case "-o":
                let slot: Placeholder = slots.contains(.redirection) ? .redirection : .destination
                let name = rest.popFirst()
                type(slot, name, after: slot == .redirection ? "> " : "-o ")
                if name == "-" { typed[slot] = "" }
            case _ where word.hasPrefix("-") && takeType(word.dropFirst(), &rest): break
            default: operands.append(word)
            }
        }
        if slots.contains(.address), let path = operands.popFirst() {
            type(Self.address(of: Self.keys(in: path, separator: ".")))
        }
        if slots.contains(.format), let name = operands.popFirst() { type(.format, Self.formats[name]) }
        if slots.contains(.outputFormat), let name = operands.popFirst(), name != "raw" {
            type(.outputFormat, Self.formats[name], after: "-f ")
        }
        takeFiles(operands)
    }

    // MARK: PlistBuddy

    private static func equivalent(ofLines arguments: ArraySlice<String>) -> String? {
        var rest = arguments
        var lines: [String] = []
        var files: ArraySlice<String> = []
        var isXML = false
        while let word = rest.popFirst() {
            switch word {
            case "-c": lines.append(rest.popFirst() ?? "")
            case "-x": isXML = true
            default: files.append(word)
            }
        }
        guard let line = lines.first, let verb = line.split(separator: " ").first?.lowercased(),
            let template = plistBuddy[verb]
        else { return nil }
        var tools = OtherTools(template)
        if isXML { tools.typed[.outputFormat] = "-f xml" }
        if let words = words(ofLine: line), lines.count == 1 {
            tools.takeLine(verb, words.dropFirst(), isQuoted: line.utf8.contains { "\"'".utf8.contains($0) })
        } else {
            tools.isUnderstood = false
        }
        tools.takeFiles(files)
        return tools.filled()
    }

    /// Splits a command of `PlistBuddy` into words, in which `\:` and `\\` remain. Returns nil if quotation marks,
    /// backslashes or white space may have another meaning.
    private static func words(ofLine line: String) -> [String]? {
        var words: [String.UnicodeScalarView] = []
        var quote: Unicode.Scalar?
        var last: Unicode.Scalar = " "
        var (wasClosed, isEscaped) = (false, false)
        for scalar in line.unicodeScalars {
            guard scalar.value >= 0x20, isEscaped || !wasClosed || scalar == " " || scalar == ":" else { return nil }
            let isNew = quote == nil && last == " "
            if isNew { words.append(.init()) }
            wasClosed = false
            if isEscaped {
                guard scalar == ":" || scalar == "\\" else { return nil }
                words[words.count - 1].append(scalar)
                isEscaped = false
                last = "\\"
                continue
            }
            if scalar == quote {
                (quote, wasClosed) = (nil, true)
            } else if quote == nil, scalar == "\"" || scalar == "'" {
                guard isNew || last == ":" else { return nil }
                quote = scalar
            } else if quote == nil, scalar == " " {
                if isNew { return nil }
            } else {
                words[words.count - 1].append(scalar)
                isEscaped = scalar == "\\"
            }
            last = scalar
        }
        return quote == nil && !isEscaped && last != " " ? words.map { String($0) } : nil
    }

    private mutating func takeLine(_ verb: String, _ words: ArraySlice<String>, isQuoted: Bool) {
        var words = words
        if verb == "print", words.isEmpty || words == [":"] {
            template = typed.removeValue(forKey: .outputFormat) == nil ? "inspect FILE" : "convert --to xml FILE"
            return
        }
        if verb == "copy" { return type(.copy, words.map { Self.address(of: Self.keys(inEntry: $0)) }) }
        if verb != "merge", let path = words.popFirst() {
            var keys = Self.keys(inEntry: path)
            appends = verb == "add" && keys.count > 1 && keys.last == ""
            if appends { keys.removeLast() }
            let isRoot = keys.isEmpty && verb != "set"
            type(isRoot ? nil : Self.address(of: keys))
        }
        guard !words.isEmpty else { return }
        if verb == "add", let type = words.popFirst() {
            var value = words.isEmpty ? [] : [words.joined(separator: " ")][...]
            // The notations of dates and data differ.
            if type == "date" || type == "data" || !takeType(type, &value) || !value.isEmpty { isUnderstood = false }
        } else {
            type(verb == "set" ? .value : .other, words.joined(separator: " "))
            if verb != "set", words.count > 1 { isUnderstood = false }
        }
        // A backslash in a value, or a quotation next to other words, may have another meaning.
        let hasBackslash = words.contains { $0.utf8.contains(UInt8(ascii: "\\")) }
        if hasBackslash || words.count > 1 && isQuoted { isUnderstood = false }
    }

    /// Returns the keys of an entry such as `:a:b`; none for the root.
    private static func keys(inEntry entry: String) -> [String] {
        let keys = keys(in: entry, separator: ":")
        let others = keys[0].isEmpty ? Array(keys.dropFirst()) : keys
        return others == [""] ? [] : others
    }

    // MARK: Words

    /// Returns the equivalent of a word that other tools have for a command; nil for an unknown one.
    static func equivalent(ofWord word: String, _ arguments: ArraySlice<String>) -> String? {
        let verb = word.lowercased()
        guard let template = words[verb] else { return nil }
        var tools = OtherTools(template)
        var rest = arguments
        var operands: ArraySlice<String> = []
        while let argument = rest.popFirst() {
            if verb == "write", argument == "-array-add" {
                tools.template = "insert -i FILE ADDRESS VALUE"
                tools.appends = true
            } else if !argument.hasPrefix("-") || ["-date", "-data"].contains(argument)
                || !tools.takeType(argument.dropFirst(), &rest)
            {
                operands.append(argument)
            }
        }
        let slots = tools.slots
        if slots.contains(.file), let name = operands.popFirst() { tools.type(.file, name) }
        if slots.contains(.address), let path = operands.popFirst() { tools.type(address(ofOperand: path)) }
        if slots.contains(.value), let text = operands.popFirst() { tools.type(.value, text) }
        if let slot = slots.first, [.move, .copy].contains(slot) {
            tools.type(slot, operands.map { address(ofOperand: $0) })
        } else if !operands.isEmpty {
            tools.isUnderstood = false
        }
        return tools.filled()
    }

    /// Returns the address for an operand that is an address, or a key as in `defaults`.
    private static func address(ofOperand path: String) -> JSONPointer? {
        if path.isEmpty || path.hasPrefix("/") { return JSONPointer(units: path.utf16, isPattern: true) }
        return path.hasPrefix("-") ? nil : JSONPointer(tokens: [Array(path.utf16)])
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
