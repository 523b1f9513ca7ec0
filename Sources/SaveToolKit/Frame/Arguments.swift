import SaveCodec
import SaveOperations

/// The parsed arguments of a command.
struct Arguments: Equatable {
    /// The arguments that are not options, in order.
    private(set) var operands: [String] = []
    /// The values of each given option in order, by the option's name. The array is empty for an option without a
    /// value.
    private var options: [String: [String]] = [:]
    /// The destination of the command's result, or nil for a command that changes no file.
    private(set) var writing: ResultDestination?

    /// Whether an option was given.
    func has(_ option: Option) -> Bool {
        options[option.name] != nil
    }

    /// Returns the value of an option, or nil if it was not given.
    func value(of option: Option) -> String? {
        options[option.name]?.last
    }

    /// Returns the values of a repeatable option.
    func values(of option: Option) -> [String] {
        assert(option.isRepeatable, option.shown)
        return options[option.name] ?? []
    }

    /// Returns the value of an option as a nonnegative integer, or nil if it was not given.
    func number(of option: Option) throws(UsageError) -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .badValue(text, option, expected: "an integer, 0 or more")
        }
        return number
    }

    /// Returns the value of an option with a fixed set of names, or nil if it was not given.
    func choice<Choice: RawRepresentable & CaseIterable>(of option: Option) throws(UsageError) -> Choice?
    where Choice.RawValue == String {
        guard let text = value(of: option) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw .badName(text, option, names: Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// Parses the arguments of a command. Options and operands may be mixed, but everything after `--` is an operand.
    /// Stops at `--help` or `--help-all`, so that mistakes after it are no errors.
    static func parse(_ arguments: some Sequence<String>, for command: Command) throws(UsageError) -> Arguments {
        var result = Arguments()
        result.writing = command.writing
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                result.operands += rest
                break
            }
            if command.foreignSpellings[argument]?.isEmpty ?? false { continue }
            if argument.hasPrefix("--") {
                try result.takeLong(argument, rest: &rest, of: command)
            } else if argument.hasPrefix("-"), argument != "-", !isNegativeNumber(argument, command) {
                try result.takeShort(argument, rest: &rest, of: command)
            } else {
                result.operands.append(argument)
            }
            if result.help != nil { break }
        }
        return result
    }

    /// The extent of the requested help page; nil to run the command.
    var help: HelpPage.Extent? {
        if has(.helpAll) { .full } else if has(.help) { .short } else { nil }
    }

    /// Takes `--name`, `--name=value` or `--name value`.
    private mutating func takeLong(
        _ argument: String, rest: inout ArraySlice<String>, of command: Command
    ) throws(UsageError) {
        // Splits code points, not characters: a value may begin with a mark that combines with the `=` before it.
        let parts = argument.unicodeScalars.dropFirst(2)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.option(spelled: "--" + name) else {
            throw .unknownOption("--" + name, of: command, suggestion: command.suggestion(for: name))
        }
        let attached = parts.count == 2 ? String(parts[1]) : nil
        if option.value == nil, attached != nil { throw .needlessValue(of: option, command) }
        guard option.value != nil else { return try take(option, command) }
        let value = if let attached { attached } else { try Self.takeValue(of: option, &rest, command) }
        try add(try option.checked(value), to: option)
    }

    /// Adds a value of an option. Throws for a second value unless the option is repeatable.
    private mutating func add(_ value: String, to option: Option) throws(UsageError) {
        let others = options[option.name, default: []]
        // For an option such as `--color`, the last value wins, so that users can override the one in a shell alias.
        if option.impliedValue != nil { return options[option.name] = [value] }
        if !option.isRepeatable, let other = others.last {
            guard other != value else { return }
            // Only a value from a fixed set of names is quoted, as any other value may be secret.
            let names = option.choices.isEmpty ? "" : ": \(other) and \(value)"
            throw UsageError("\(option.shown) takes one value but was given two\(names)")
        }
        options[option.name, default: []].append(value)
    }

    /// Adds an option without a value. If it abbreviates another option and its value, adds those instead.
    private mutating func take(_ option: Option, _ command: Command) throws(UsageError) {
        if let alias = option.alias {
            guard let other = command.allOptions.first(where: { $0.name == alias.name }) else { return }
            try add(alias.value, to: other)
        } else {
            options[option.name] = []
        }
    }

    /// Whether an argument after an option that needs a value is another option, or ends the options. If it is neither,
    /// it is the value, even if it begins with a hyphen. Only a value that is text may begin with two hyphens, since a
    /// misspelled option would become the name of a file.
    private static func isOption(_ argument: String, after option: Option, of command: Command) -> Bool {
        guard argument.hasPrefix("-"), argument != "-" else { return false }
        if argument.hasPrefix("--") {
            if option.content != .text { return true }
            let name = String(argument.prefix { $0 != "=" })
            return name == "--" || command.option(spelled: name) != nil || command.foreignSpellings[name] != nil
        }
        if argument.utf8.count == 2, command.foreignSpellings[argument] != nil { return true }
        // `-v a` is text, as letters of options contain no space.
        return !argument.contains(" ") && command.option(spelled: String(argument.prefix(2))) != nil
    }

    /// Whether an argument is a value such as `-5`, and not an option whose letter is a digit.
    private static func isNegativeNumber(_ argument: String, _ command: Command) -> Bool {
        guard let first = argument.dropFirst().first, first.isASCII, first.isNumber else { return false }
        return command.option(spelled: "-\(first)") == nil
    }

    /// Takes `-abc` as `-a -b -c`. After the letter of an option with a value, the rest is the value.
    private mutating func takeShort(
        _ argument: String, rest: inout ArraySlice<String>, of command: Command
    ) throws(UsageError) {
        if let word = command.suggestion(forWord: argument) {
            throw .unknownOption(argument, of: command, suggestion: word)
        }
        var letters = argument.unicodeScalars.dropFirst()
        var last: Option?
        while let letter = letters.popFirst() {
            guard let option = command.option(spelled: "-\(letter)") else {
                let isSuffix = last?.name == Option.inPlace.name && !letter.properties.isAlphabetic
                if let last, letter == "=" || isSuffix { throw .needlessValue(of: last, command) }
                throw .unknownOption(
                    "-" + String(letter), of: command, suggestion: command.foreignSpellings["-\(letter)"])
            }
            last = option
            guard option.value != nil else {
                try take(option, command)
                continue
            }
            if letters.first == "=" {
                throw UsageError(
                    "\(UsageError.quoted(argument)): a short option takes its value without ="
                        + Suggestion.sentence("-\(letter) \(FileName.shown(String(letters.dropFirst())))"))
            }
            let value = letters.isEmpty ? try Self.takeValue(of: option, &rest, command) : String(letters)
            try add(try option.checked(value), to: option)
            return
        }
    }

    private static func takeValue(
        of option: Option, _ rest: inout ArraySlice<String>, _ command: Command
    ) throws(UsageError) -> String {
        if let implied = option.impliedValue {
            guard let value = rest.first, option.choices.contains(value) else { return implied }
            return rest.removeFirst()
        }
        guard let value = rest.first, !isOption(value, after: option, of: command) else {
            throw UsageError("\(option.shown) needs a value: \(option.shown)=\(option.value ?? "")")
        }
        return rest.removeFirst()
    }
}

extension Option {
    /// Returns the value if it is valid. The error does not quote the value, as it may be secret.
    fileprivate func checked(_ argument: String) throws(UsageError) -> String {
        if takesName {
            if argument.isEmpty, content == .file { throw .badValue("", self, expected: "the name of a file") }
            return argument
        }
        guard let text = FileName.plainText(argument) else {
            throw UsageError("\(shown) is not UTF-8; expected text")
        }
        return text
    }
}

extension Command {
    /// Returns a suggestion for an unknown option: the equivalent of another tool's option, the option that accepts the
    /// name as its value (`--format json` for `--json`), or a similar name.
    fileprivate func suggestion(for name: String) -> String? {
        if let habit = foreignSpellings["--" + name] { return habit }
        let option = options.first { $0.name != Option.from.name && $0.choices.contains(name) }
        if let option { return "\(option.shown) \(name)" }
        return Suggestion.nearest(to: name, in: allOptions.map(\.name)).map { "--" + $0 }
    }

    /// Returns a suggestion for a word after one hyphen whose letters are not all options: `--to` for `-to`.
    fileprivate func suggestion(forWord word: String) -> String? {
        let name = String(word.dropFirst())
        guard name.count > 1, name.contains(where: { option(spelled: "-\($0)") == nil }) else { return nil }
        return foreignSpellings[word] ?? allOptions.first { $0.name == name }?.shown
    }

    fileprivate func has(_ option: Option) -> Bool {
        allOptions.contains { $0.name == option.name }
    }
}

extension UsageError {
    /// Returns the error for a value of an option that takes none. For `-i.bak`, as in `sed`, it suggests the option
    /// for backups.
    fileprivate static func needlessValue(of option: Option, _ command: Command) -> UsageError {
        let isBackup = option.name == Option.inPlace.name && command.has(.backup)
        return UsageError(
            "\(option.shown) takes no value"
                + Suggestion.sentence(isBackup ? "\(option.shown) \(Option.backup.shown)" : nil))
    }
}

// MARK: - Common operands and options

extension Arguments {
    /// Returns the only operand of a command.
    func soleOperand(_ name: String) throws(UsageError) -> String {
        try operands(named: name)[0]
    }

    /// Returns the operands of a command that takes exactly as many as there are names.
    func operands(named names: String...) throws(UsageError) -> [String] {
        if operands.count < names.count { throw .missingOperand(names[operands.count]) }
        if operands.count > names.count { throw .extraOperand(operands[names.count]) }
        return operands
    }

    /// Refuses empty file names, and standard input given twice.
    func checkFiles(of command: Command) throws(UsageError) {
        let files = operands.enumerated().filter { command.operand(at: $0.offset)?.kind.isFile ?? false }
        if let empty = files.first(where: \.element.isEmpty) {
            throw .badOperand("", command.operand(at: empty.offset)?.name ?? "", expected: "the name of a file")
        }
        if files.count(where: { $0.element == "-" }) > 1 { throw .inputTwice }
    }

    /// Refuses an address before the file, or without a file, for a command whose first operands are a file and an
    /// address.
    func checkOrder(of command: Command, _ invocation: Invocation) throws {
        func isFile(_ name: String) -> Bool { (try? FileSystem.status(invocation.path(name))) != nil }
        guard let first = operands.first, first.hasPrefix("/"), command.operand(at: 0)?.kind.isFile ?? false,
            command.operand(at: 1)?.kind == .address, !isFile(first), !has(.at),
            !operands.dropFirst().contains(where: { $0.hasPrefix("/") })
        else { return }
        let last = operands.lastIndex { $0 == "-" || isFile($0) }
        // An option that states the value takes the place of the operand.
        let count = command.operands.count - (ValueOperand.options.contains(where: has) ? 2 : 1)
        if last == nil, operands.count > count, let name = operands.last {
            throw FileError(Invocation.shownName(name), SystemError.noSuchFile.sentence)
        }
        var others = operands
        let file = last.map { others.remove(at: $0) } ?? "-"
        let words = ([file] + others).map { Shell.word($0) ?? "…" }
        throw UsageError(
            "\(UsageError.quoted(first)) is not a file; FILE comes before ADDRESS"
                + (last == nil ? ", and - is standard input: " : ": ")
                + ([command.called] + words).joined(separator: " "))
    }

    /// Returns the text of an operand that is not a file name. Throws if it is not UTF-8.
    static func text(_ operand: String, _ name: String) throws(UsageError) -> String {
        guard let text = FileName.plainText(operand) else { throw .badOperand(operand, name, expected: "UTF-8") }
        return text
    }

    /// Returns the file, and one or more addresses or patterns in it.
    func fileAndPatterns() throws(UsageError) -> (file: String, patterns: [PointerPattern]) {
        guard let file = operands.first else { throw .missingOperand("FILE") }
        guard operands.count > 1 else { throw .missingOperand("ADDRESS") }
        return (file, try Self.patterns(operands.dropFirst()))
    }

    /// Parses operands as addresses or patterns.
    static func patterns(_ operands: some Sequence<String>) throws(UsageError) -> [PointerPattern] {
        try operands.map { operand throws(UsageError) in
            PointerPattern(try JSONPointer(operand: operand, isPattern: true))
        }
    }

    /// Returns the layers to remove from files.
    func layerOptions() throws(UsageError) -> LayerOptions {
        guard let text = value(of: .unwrapAt) else { return LayerOptions(decodes: has(.unwrap)) }
        guard let offset = Self.offset(text) else {
            throw .badValue(text, .unwrapAt, expected: "a number of bytes, such as 32 or 0x20")
        }
        return LayerOptions(decodes: true, headerSize: offset, findsKeys: has(.unwrap))
    }

    /// Returns a byte offset in decimal or, after `0x`, hexadecimal digits; nil if it is invalid.
    static func offset(_ text: String) -> Int? {
        let isHexadecimal = text.hasPrefix("0x")
        let number = Int(text.dropFirst(isHexadecimal ? 2 : 0), radix: isHexadecimal ? 16 : 10)
        return number.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns the settings for reading files.
    func fileReading() throws(UsageError) -> FileReadOptions {
        let (format, dialect) = try sourceFormat()
        var options = ReadOptions(format: format, layers: try layerOptions(), limits: try limits(), isRaw: has(.raw))
        options.dialect = dialect
        options.isOpaque = has(.opaque)
        return FileReadOptions(options, through: try Filter(.filterIn, self))
    }

    /// Returns the address or pattern in the first file that is closest to a mistyped operand, or nil if none is close
    /// or the file cannot be read.
    func nearest(to suggestion: UsageError.AddressSuggestion, _ invocation: Invocation) -> UsageError.AddressSuggestion?
    {
        guard let name = operands.first, name != "-",
            (try? FileSystem.status(invocation.path(name)))?.kind == .regular, let bytes = try? invocation.read(name),
            let reading = try? fileReading(), let save = try? reading.open(bytes)
        else { return nil }
        return suggestion.nearest(in: save.view)
    }

    /// Refuses options that have no effect with the chosen value of another option.
    ///
    /// - Parameter fitting: The dependent options, each with the values of `option` with which it has an effect.
    func checkFit<Choice: RawRepresentable & Equatable>(
        _ choice: Choice, of option: Option, _ fitting: KeyValuePairs<Option, [Choice]>
    ) throws(UsageError) where Choice.RawValue == String {
        for (other, choices) in fitting where has(other) && !choices.contains(choice) {
            throw .onlyWith(other, option, values: choices.map(\.rawValue))
        }
    }
}

extension JSONPointer {
    /// The description of a valid address, for messages about an invalid one.
    private static let expected = "an address such as /scores/0, with ~1 for / and ~0 for ~ in keys"

    /// Reads an address, or a JSON string that holds one, as in some flat lines.
    static func read(_ text: String, isPattern: Bool = false) -> JSONPointer? {
        guard text.utf8.first == UInt8(ascii: "\"") else {
            return JSONPointer(units: text.utf16, isPattern: isPattern)
        }
        guard let document = try? JSON.readTyped(Array(text.utf8)),
            case .string(let string) = document.node(document.object(document.root))
        else { return nil }
        return JSONPointer(units: string, isPattern: isPattern)
    }

    /// Returns the address as an operand of a command on one line: as a JSON string if it has control characters or a
    /// lone surrogate. For a terminal, it is escaped.
    func line(isTerminal: Bool) -> String {
        let units = operand
        let text = String(decoding: units, as: UTF16.self)
        if isTerminal { return SafeText.escaping(units) }
        let isPlain = text.utf16.elementsEqual(units) && !units.contains { $0 < 0x20 || $0 == 0x7F }
        return isPlain ? text : String(decoding: JSONString.quoted(units), as: UTF8.self)
    }

    /// Returns the address or pattern that the user may have meant: the text with a slash in front of it, and with ~0
    /// for each ~ that begins no escape. Returns nil if the text is empty, or if this does not make it an address.
    private static func suggestion(_ text: String, _ isPattern: Bool) -> UsageError.AddressSuggestion? {
        guard !text.isEmpty else { return nil }
        let slashed = text.hasPrefix("/") ? text : "/" + text
        let address =
            JSONPointer(units: slashed.utf16, isPattern: isPattern)
            ?? JSONPointer(units: escapingTildes(slashed).utf16, isPattern: isPattern)
        return address.map { address in
            let pattern = PointerPattern(address)
            return pattern.hasWildcards ? .pattern(pattern) : .address(address)
        }
    }

    /// Returns a text with ~0 for each ~ that begins no escape.
    private static func escapingTildes(_ text: String) -> String {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: parts.first.map(String.init) ?? "") { escaped, part in
            escaped += (["0", "1"].contains(part.first) ? "~" : "~0") + part
        }
    }

    /// Reads the address in an option's value.
    init(_ text: String, of option: Option, isPattern: Bool = false) throws(UsageError) {
        guard let address = Self.read(text, isPattern: isPattern) else {
            throw .badValue(text, option, expected: Self.expected)
                .suggesting(Self.suggestion(text, isPattern))
        }
        self = address
    }

    /// Reads the address in an operand.
    init(operand: String, isPattern: Bool = false) throws(UsageError) {
        guard let address = Self.read(try Arguments.text(operand, "ADDRESS"), isPattern: isPattern) else {
            throw .badOperand(operand, "ADDRESS", expected: Self.expected)
                .suggesting(Self.suggestion(operand, isPattern))
        }
        self = address
    }
}
