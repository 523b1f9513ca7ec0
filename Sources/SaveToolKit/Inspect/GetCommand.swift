import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The command `savetool get`, which prints single values.
enum GetCommand {
    static let command = Command(
        name: "get", summary: "print values from a file, or a table from many",
        operands: [.file.repeated, .address.repeated],
        examples: [
            "one value": "savetool get swamp.save /root/currentLevelName",
            "the class of an object": "savetool get swamp.save '/root/charList/0/$class'",
            "an object as JSON": "savetool get swamp.save /root/charList/0 > player.json",
            "one field of all objects in a list": "savetool get swamp.save '/root/charList/*/health'",
            "a table of all saves in a folder, for a spreadsheet":
                "savetool get --at /root/currentLevelName -f csv saves",
        ],
        discussion: """
            Prints the values at the addresses, or all matches of patterns with * and **.
            An operand after the first is an address if it is empty or begins with /.

            A container is printed as plain JSON, any other value raw. Formats:

                raw        characters of strings, bytes of data
                json       plain JSON
                typed      JSON with all types
                xml        a property list
                hex        data in hexadecimal
                keys       the keys of a container
                count      the number of keys or elements
                type       such as integer or object
                addresses  of the values

            With several files, a folder, --at or -f csv, get prints a table: text, csv (with ' before
            formulas), tsv (for programs) or ndjson. It has one row per file, or one per match of the last
            wildcard, with its address.
            """,
        details: """
            An operand that begins with / is a file if such a file exists and another address is given. With
            several addresses json prints one line each. On a terminal, control characters in strings are
            escaped. typed has the classes and references of an archive, as in convert --to json. xml needs a
            value without objects. Do not edit raw text and set it again: it may be read as JSON of another
            kind. keys prints a key with control characters as a JSON string.

            In a table, addresses without wildcards repeat in all rows of their file. --where keeps only rows
            for which it holds. ndjson has plain JSON; the other formats show a scalar as text, and a container
            as plain JSON (csv, tsv) or abbreviated (text). csv ends lines with CR LF as in RFC 4180. tsv has
            \\t, \\n, \\r and \\\\ in values for the characters. … -f tsv saves | sort -t "$(printf '\\t')" -nk3 | head
            shows the ten lowest values of column two.

            --defaults looks up keys that the preferences lack in a file of registered defaults, and says so. A
            key of the preferences hides the whole default: nothing below it is merged.
            """,
        exitStatus: [.done: "done", .negative: "no such value", .cannot: "error"],
        options: [
            .where, .at, .valueFormat, .noNames, .exists, .compact, .allowLoss, .defaults, .from, .unwrap, .unwrapAt,
            .filterIn, .raw, .opaque, .maxDepth, .maxWork,
        ] + Option.onScreen,
        foreignSpellings: Command.redirection, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let operands = try GetOperands(arguments, invocation)
        if operands.isTable { return try ValueTable.run(for: operands, arguments, invocation) }
        let plan = try GetPlan(operands, arguments)
        let defaults = try plan.defaults.map { try DefaultsFile(reading: $0, plan.reading.options, invocation) }
        return try invocation.inFile(plan.file) {
            let save = try invocation.open(plan.file, plan.reading)
            let file = try LookupFile(save, of: plan.file, over: defaults)
            // `/` is not read as the root here, because a script asks about exactly the given addresses.
            if plan.isQuestion {
                return try plan.patterns.allSatisfy { try hasMatch($0, in: file, as: plan) } ? .done : .negative
            }
            var status = ExitStatus.done
            var output = ValueOutput(to: invocation)
            for pattern in plan.patterns.map({ invocation.readPattern($0, in: file.view, of: file.name) }) {
                let result = Result {
                    pattern.hasWildcards || !plan.conditions.isEmpty
                        ? try get(pattern, in: file, as: plan, &output)
                        : try get(pattern.address, in: file, as: plan, &output).status
                }
                try output.flush()
                status = max(status, try result.get())
            }
            return status
        }
    }

    /// Whether there is a value at the address, or at least one that matches the pattern and the conditions.
    private static func hasMatch(
        _ pattern: PointerPattern, in file: LookupFile, as plan: GetPlan
    ) throws(Problem) -> Bool {
        guard pattern.hasWildcards || !plan.conditions.isEmpty else { return file.hasValue(at: pattern.address) }
        var matches = PatternMatches(pattern, in: file.view, where: plan.conditions)
        return try matches.next() != nil
    }

    private static func get(
        _ pattern: PointerPattern, in file: LookupFile, as plan: GetPlan, _ output: inout ValueOutput
    ) throws -> ExitStatus {
        var matches = PatternMatches(pattern, in: file.view, where: plan.conditions)
        let bound = OutputBound([file.view.document])
        var size = 0
        var status: ExitStatus?
        while let match = try matches.next() {
            if file.lower == nil, let count = try output.write(scalar: match.id, of: match.view, as: plan) {
                status = status ?? .done
                size += count
                try bound.check(size)
                continue
            }
            let result =
                file.lower == nil
                ? try print(
                    LookupFile.FoundValue(view: match.view, id: match.id, file: file.name, position: nil),
                    at: { () throws(Problem) in try matches.address() }, in: file, as: plan, &output)
                : try get(matches.address(), in: file, as: plan, &output)
            status = max(status ?? .done, result.status)
            size += result.size
            try bound.check(size)
        }
        if status == nil {
            output.invocation.printError(pattern.noMatch(in: file.view, of: file.name, where: plan.conditions))
        }
        return status ?? .negative
    }

    /// Prints the value at an address and returns the status and the byte count of the printed value.
    private static func get(
        _ address: JSONPointer, in file: LookupFile, as plan: GetPlan, _ output: inout ValueOutput
    ) throws -> (status: ExitStatus, size: Int) {
        guard let found = file.value(at: address, output.invocation) else { return (.negative, 0) }
        return try print(found, at: { address }, in: file, as: plan, &output)
    }

    /// Prints a value and returns the status and the byte count of the printed value.
    private static func print(
        _ found: LookupFile.FoundValue, at address: () throws(Problem) -> JSONPointer, in file: LookupFile,
        as plan: GetPlan, _ output: inout ValueOutput
    ) throws -> (status: ExitStatus, size: Int) {
        let invocation = output.invocation
        let node = found.view.scalar(found.id)
        let outputFormat = plan.outputFormat(for: node)
        let printed: (text: ArraySlice<UInt8>, losses: [Problem])
        do throws(Problem) {
            if outputFormat == .json {
                printed = (try output.json(found.id, of: found.view, at: try address(), as: plan), [])
            } else if outputFormat == .raw, let node {
                printed = (try SingleValue.raw(node, isTerminal: invocation.output.isTerminal)[...], [])
            } else {
                let value = SingleValue(
                    view: found.view, id: found.id, address: try address(), limits: plan.reading.limits)
                let (text, losses) = try value.text(plan, as: outputFormat, isTerminal: invocation.output.isTerminal)
                printed = (text[...], losses)
            }
        } catch {
            var problem = error
            let address = try address()
            problem.address = problem.address ?? address
            problem.location = problem.location ?? file.location(of: address)
            try output.flush()
            // Each of very many matches may exceed the limit.
            if problem.kind == .outputLimit { throw FileProblem(name: found.file, problem: problem) }
            invocation.printError(problem, in: found.file)
            return (.cannot, 0)
        }
        if !printed.losses.isEmpty {
            try output.flush()
            let refusal = Refusal("not written", printed.losses, as: .xml)
            guard invocation.accepts(printed.losses, of: found.file, isAllowed: plan.allowsLoss, else: refusal) else {
                return (.cannot, 0)
            }
        }
        if file.lower != nil {
            try output.flush()
            file.reportOrigin(of: found, at: try address(), invocation)
        }
        return (.done, try output.write(printed.text, as: outputFormat))
    }
}

/// The printed values of `get`. Values are collected and written together, except on a terminal. Coloured output is
/// also written when the format changes.
private struct ValueOutput: ~Copyable {
    let invocation: Invocation
    private var pending = ByteWriter()
    private var outputFormat = GetPlan.OutputFormat.raw
    private static let flushSize = 1 << 16
    private var values: PlainJSONValues?
    /// Whether the output has neither colours nor escapes for a terminal, so that values of all formats are written
    /// alike.
    private let isPlain: Bool

    init(to invocation: Invocation) {
        self.invocation = invocation
        isPlain = !invocation.output.isTerminal && !invocation.palette.isColored
    }

    /// Writes a scalar raw and returns the byte count; nil if it has another format or cannot be written.
    mutating func write(scalar id: ViewID, of view: ObjectView, as plan: GetPlan) throws -> Int? {
        guard isPlain, plan.outputFormat ?? .raw == .raw, let node = view.scalar(id) else { return nil }
        let start = pending.count
        guard (try? SingleValue.writeRaw(node, isTerminal: false, to: &pending)) != nil else { return nil }
        let count = pending.count - start
        outputFormat = .raw
        if pending.count >= Self.flushSize { try flush() }
        return count
    }

    /// Returns a value as plain JSON, without a line feed at its end.
    mutating func json(
        _ id: ViewID, of view: ObjectView, at address: @autoclosure () throws(Problem) -> JSONPointer, as plan: GetPlan
    ) throws(Problem) -> ArraySlice<UInt8> {
        if values?.view !== view {
            values = PlainJSONValues(of: view, isCompact: plan.isCompact, plan.reading.limits)
        }
        return try values?.text(of: id, at: try address()) ?? []
    }

    /// Writes a value, and a line feed after plain JSON. Returns the byte count.
    mutating func write(_ text: ArraySlice<UInt8>, as outputFormat: GetPlan.OutputFormat) throws -> Int {
        if outputFormat != self.outputFormat, !isPlain { try flush() }
        self.outputFormat = outputFormat
        let isLine = outputFormat == .json
        func write(to output: inout ByteWriter) {
            output.write(text.span)
            if isLine { output.write(UInt8(ascii: "\n")) }
        }
        if text.count >= Self.flushSize {
            try flush()
            try writeOutput(write)
        } else {
            write(to: &pending)
            if pending.count >= Self.flushSize || !isPlain && invocation.output.isTerminal { try flush() }
        }
        return text.count + (isLine ? 1 : 0)
    }

    mutating func flush() throws {
        guard pending.count > 0 else { return }
        let bytes = pending.takeBytes()
        try writeOutput { $0.write(bytes) }
    }

    private func writeOutput(_ produce: (inout ByteWriter) -> Void) throws {
        try invocation.writeOutput(
            as: outputFormat == .xml ? .xml : .json, coloring: outputFormat.isJSON ? .values : nil, produce)
    }
}

/// The operands of `savetool get`, split into files and addresses. The first operand is a file.
///
///     get a.save /gems              one value
///     get a.save b.save /gems       a table, as with --at
struct GetOperands {
    let files: [String]
    /// The addresses or patterns, beginning with the values of `--at`.
    let patterns: [PointerPattern]
    let isTable: Bool

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        guard let first = arguments.operands.first else { throw .missingOperand("FILE") }
        let others = arguments.operands.dropFirst()
        let readsLikeAddress = others.map { $0.isEmpty || $0.hasPrefix("/") || $0.hasPrefix("\"") }
        let given = arguments.values(of: .at)
        let count = given.count + readsLikeAddress.count { $0 }
        var (files, addresses) = ([first], [String]())
        for (operand, readsLikeAddress) in zip(others, readsLikeAddress) {
            let kind = operand.isEmpty ? nil : (try? FileSystem.status(invocation.path(operand)))?.kind
            let isFile =
                readsLikeAddress
                // /root is a folder on many systems, and an address in most archives.
                ? kind == .folder && !given.isEmpty || kind == .regular && count > 1
                : kind != nil || operand == "-" || count > 0
            if isFile { files.append(operand) } else { addresses.append(operand) }
        }
        if files.count(where: { $0 == "-" }) > 1 { throw .inputTwice }
        self.files = files
        var patterns: [PointerPattern] = []
        for text in given { patterns.append(PointerPattern(try JSONPointer(text, of: .at, isPattern: true))) }
        patterns += try Arguments.patterns(addresses)
        if patterns.isEmpty { throw .missingOperand("ADDRESS") }
        self.patterns = patterns
        let isFolder = (try? FileSystem.status(invocation.path(first)))?.kind == .folder
        let hasSeveral = files.count > 1 || isFolder
        if let name = arguments.value(of: .valueFormat) {
            isTable = ValueTable.OutputFormat(rawValue: name) != nil
            if !isTable, hasSeveral {
                throw .badValue(
                    name, .valueFormat,
                    expected: "\(UsageError.list(ValueTable.OutputFormat.allCases.map(\.rawValue))) for several files")
            }
        } else {
            isTable = hasSeveral || !given.isEmpty && !arguments.has(.exists)
        }
        guard arguments.has(.exists) else { return }
        if arguments.has(.valueFormat) { throw .conflict(.exists, .valueFormat) }
        if arguments.has(.compact) { throw .conflict(.exists, .compact) }
        if hasSeveral { throw .inapplicable(.exists, operands: "several files") }
    }
}

/// The validated arguments of `savetool get`.
private final class GetPlan {
    /// The output formats of a value.
    enum OutputFormat: String, CaseIterable {
        case raw, json, typed, xml, hex, keys, count, type, addresses

        var isJSON: Bool { self == .json || self == .typed }
    }

    let file: String
    let patterns: [PointerPattern]
    /// The conditions of `--where`.
    let conditions: [FieldCondition]
    /// The output format; nil for the default, which depends on the value.
    let outputFormat: OutputFormat?
    let isCompact: Bool
    /// Whether the command prints nothing, and only its exit status says whether the values exist (`--exists`).
    let isQuestion: Bool
    let allowsLoss: Bool
    /// The file with the registered defaults; nil for none.
    let defaults: String?
    let reading: FileReadOptions

    /// - Parameter operands: Operands with exactly one file.
    init(_ operands: GetOperands, _ arguments: Arguments) throws(UsageError) {
        (file, patterns) = (operands.files[0], operands.patterns)
        conditions = try arguments.fieldConditions()
        outputFormat = try arguments.choice(of: .valueFormat)
        if arguments.has(.compact), let outputFormat, outputFormat != .json, outputFormat != .typed {
            throw .onlyWith(.compact, .valueFormat, values: [OutputFormat.json.rawValue, OutputFormat.typed.rawValue])
        }
        if arguments.has(.allowLoss), outputFormat != .xml {
            throw .onlyWith(.allowLoss, .valueFormat, values: [OutputFormat.xml.rawValue])
        }
        isQuestion = arguments.has(.exists)
        isCompact = arguments.has(.compact) || patterns.count > 1 || patterns[0].hasWildcards
        allowsLoss = arguments.has(.allowLoss)
        defaults = try arguments.defaults(under: [file])
        reading = try arguments.fileReading()
    }

    /// Returns the output format of a value: the chosen one, or else the default.
    ///
    /// - Parameter node: The scalar; nil for a container.
    func outputFormat(for node: Node?) -> OutputFormat {
        outputFormat ?? (node == nil ? .json : .raw)
    }
}

extension Option {
    static let valueFormat = Option(
        "format", "f", value: "FORMAT",
        is: .choice(GetPlan.OutputFormat.allCases.map(\.rawValue) + ValueTable.OutputFormat.allCases.map(\.rawValue)),
        for: .output, help: "select a format")
    static let exists = Option(
        "exists", for: .output, help: "print nothing; exit with 1 if a value does not exist")
    static let at = Option(
        "at", value: "ADDRESS", is: .address, isRepeatable: true, for: .output,
        help: "print the values at ADDRESS as a table")
}

/// A single value of a view, with its text in each output format of `get`.
struct SingleValue {
    let view: ObjectView
    let id: ViewID
    let address: JSONPointer
    let limits: Limits

    var node: Node? { view.scalar(id) }

    /// Returns the value in the output format of a plan, and the losses.
    fileprivate func text(
        _ plan: GetPlan, as outputFormat: GetPlan.OutputFormat, isTerminal: Bool
    ) throws(Problem) -> (text: [UInt8], losses: [Problem]) {
        switch outputFormat {
        case .raw:
            guard let node else {
                throw Problem(
                    "get.no-scalar", "a container cannot be printed raw; use \(Option.valueFormat.shown) json")
            }
            return (try Self.raw(node, isTerminal: isTerminal), [])
        case .json: return (try json(isCompact: plan.isCompact), [])
        case .typed: return (try typed(isCompact: plan.isCompact), [])
        case .xml: return try xml()
        case .hex:
            guard case .data(let bytes) = node else {
                throw Problem("get.no-data", "found a value that is not data; hex prints only data")
            }
            return (Self.hexadecimal(bytes), [])
        case .keys: return (try keys(isTerminal: isTerminal), [])
        case .count: return (Array("\(try contents().count)\n".utf8), [])
        case .type: return (Array((view.typeName(of: id) + "\n").utf8), [])
        case .addresses: return (Array((address.line(isTerminal: isTerminal) + "\n").utf8), [])
        }
    }

    // MARK: Output formats

    /// Returns a scalar as raw text or bytes, escaped for a terminal.
    static func raw(_ node: Node, isTerminal: Bool) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try writeRaw(node, isTerminal: isTerminal, to: &output)
        return output.takeBytes()
    }

    /// Writes a scalar as raw text or bytes, escaped for a terminal. If it throws, nothing is written.
    fileprivate static func writeRaw(_ node: Node, isTerminal: Bool, to output: inout ByteWriter) throws(Problem) {
        switch node {
        case .string(let text) where isTerminal: output.write(text.escaped)
        case .string(let text):
            guard let bytes = text.utf8Bytes else {
                throw Problem(
                    "get.lone-surrogate",
                    "the string has a lone surrogate, which UTF-8 cannot represent; use "
                        + "\(Option.valueFormat.shown) json")
            }
            output.write(bytes)
        case .data(let bytes):
            if isTerminal {
                throw Problem(
                    "get.data-terminal",
                    "raw data is not written to a terminal; use \(Option.valueFormat.shown) hex or "
                        + "\(Option.valueFormat.shown) json")
            }
            return output.write(bytes.span)
        case .integer, .boolean: ScalarText.writePlain(node, to: &output)
        case .date(let seconds): output.write(ScalarText.date(seconds) ?? ScalarText.real(seconds))
        case .uid(let uid): output.write("\(uid.value)")
        default: output.write(ValueText.line(node).text)
        }
        output.write(UInt8(ascii: "\n"))
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    }

    /// - Throws: A problem if the value is a scalar.
    private func contents() throws(Problem) -> ViewContents {
        let value = view[id]
        guard value.isContainer else {
            throw Problem(
                "get.no-container", "found \(value.variant.kind.withArticle); only containers have keys or a count")
        }
        return value.contents
    }

    /// Returns the keys of a dictionary, the field names of an object, or the positions in an array or set, one per
    /// line. A key that would be ambiguous on a line is a JSON string.
    private func keys(isTerminal: Bool) throws(Problem) -> [UInt8] {
        let contents = try contents()
        var output = ByteWriter()
        for position in 0..<contents.count {
            guard let key = view.item(position, of: contents).key else {
                output.write("\(position)\n")
                continue
            }
            if let text = view.text(key), !text.contains(where: { $0 < 0x20 || $0 == 0x7F }), text.first != 0x22,
                let bytes = text.utf8Bytes
            {
                output.write(isTerminal ? Array(text.escaped.utf8) : bytes)
            } else if let object = view.scalarObject(key) {
                ScalarText.writePlain(object, of: view.document, isCompact: true, to: &output)
            } else {
                output.write(ValueText.line(view[key], key, in: view).text)
            }
            output.write(UInt8(ascii: "\n"))
        }
        return output.takeBytes()
    }

    func json(isCompact: Bool) throws(Problem) -> [UInt8] {
        var values = PlainJSONValues(of: view, isCompact: isCompact, limits)
        return try values.text(of: id, at: address) + [UInt8(ascii: "\n")]
    }

    func typed(isCompact: Bool) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try view.writeTyped(id, at: address, isCompact: isCompact, limits: limits, to: &output)
        output.write(UInt8(ascii: "\n"))
        return output.takeBytes()
    }

    private func xml() throws(Problem) -> ([UInt8], [Problem]) {
        let document = try view.plainDocument(of: id, limits: limits)
        var output = ByteWriter()
        try document.write(as: .xml, to: &output, limits: limits)
        let losses = document.losses(as: .xml, limits: limits).map { loss in
            var loss = loss
            loss.address = loss.address.map { address.appending($0) }
            return loss
        }
        return (output.takeBytes(), losses)
    }
}
