import SaveCodec

/// Methods that report losses and write results to files or standard output, for all commands that do so.
extension Invocation {
    /// Reports the losses of a result: their count by kind, the first ones with their addresses, and what to do. If
    /// losses are allowed, they are reported as warnings.
    ///
    /// - Returns: Whether the result is written.
    func accepts(_ losses: [Problem], of name: String, isAllowed: Bool, else refusal: Refusal) -> Bool {
        if losses.isEmpty { return true }
        let title = Self.shownName(name)
        if !isAllowed { printError("\(title): \(refusal.reason(losses))") }
        for loss in losses.prefix(Self.shownLosses) { printError(loss, in: name, as: isAllowed ? "warning" : nil) }
        let rest = Array(losses.dropFirst(Self.shownLosses))
        if !rest.isEmpty {
            printError(
                "\(title): \(isAllowed ? "warning: " : "")… and \(LossPhrase.summary(of: rest, adjective: "more "))")
        }
        if !isAllowed, let advice = refusal.advice { printError("\(title): \(advice)") }
        return isAllowed
    }

    private static let shownLosses = 5

    /// Prints the number of 32-bit reals that were widened to 64 bits, unless it is 0.
    func report(widenedReals count: Int, in name: String) {
        guard count > 0 else { return }
        let what =
            count == 1
            ? "1 32-bit real widened to 64 bits; its value is kept"
            : "\(count) 32-bit reals widened to 64 bits; every value is kept"
        printError("\(Self.shownName(name)): \(what)")
    }

    /// Writes a result to a file, or to standard output if the path is nil.
    func deliver(
        to path: String?, as format: Format, by replacing: ReplacementOptions,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        if let path { return try replace(path, by: replacing, produce) }
        try checkTerminal(takes: format)
        try writeOutput(as: format, coloring: format.has(.typedJSON) ? .values : nil, produce)
    }

    /// Refuses to write binary data to a terminal.
    func checkTerminal(takes format: Format) throws(UsageError) {
        if !format.has(.text), output.isTerminal {
            throw .missingOption(.output, because: "binary data is not written to a terminal")
        }
    }
}

extension Arguments {
    /// The options for replacing files.
    var replacing: ReplacementOptions {
        ReplacementOptions(keepsBackup: has(.backup), allowsNewOwner: has(.newOwner))
    }

    /// Refuses the options for replaced files. Call this only if no file is replaced.
    ///
    /// - Parameter destinations: The options that make the command replace a file, for the message.
    func checkReplacing(with destinations: [Option]) throws(UsageError) {
        for option in [Option.backup, .newOwner] where has(option) { throw .needsOneOf(option, destinations) }
    }

    /// The path of the result, or nil for standard output.
    var outputPath: String? {
        value(of: .output).flatMap { $0 == "-" || $0 == "/dev/stdout" ? nil : $0 }
    }
}

/// The reason why a result is not written, and advice.
struct Refusal {
    /// The beginning of a reason, such as `not converted: xml cannot hold`, which the values follow.
    private let beginning: String
    /// A reason without a list of values, or nil if values follow.
    private let whole: String?
    let advice: String?

    /// Creates a reason that ends with the number of values of each kind.
    init(_ beginning: String, valuesThen advice: String?) {
        (self.beginning, whole, self.advice) = (beginning, nil, advice)
    }

    /// Creates a reason that is a complete sentence.
    init(whole: String, advice: String?) {
        (beginning, self.whole, self.advice) = ("", whole, advice)
    }

    /// Creates the refusal of a result that has losses in a format.
    ///
    /// - Parameters:
    ///   - notDone: `not converted` or `not written`.
    ///   - count: The number of losses in nested saves. If all losses are in nested saves, the text does not name the
    ///     format.
    init(_ notDone: String, _ losses: [Problem], as format: Format, inSaves count: Int = 0) {
        if losses.allSatisfy({ $0.id == "loss.text" }) {
            self.init(
                whole: "\(notDone): the style of the text would be lost",
                advice: "use \(Option.allowLoss.shown) to rewrite the text")
        } else if losses.allSatisfy({ ["loss.text", "loss.ignored-text"].contains($0.id) }) {
            self.init(
                whole: "\(notDone): the text that readers ignore would be lost",
                advice: "use \(Option.allowLoss.shown) to drop the text")
        } else {
            let holder = count == losses.count ? "the nested save" : format.rawValue
            self.init(
                "\(notDone): \(holder) cannot hold",
                valuesThen: "use \(Option.allowLoss.shown) to write the nearest values")
        }
    }

    fileprivate func reason(_ losses: [Problem]) -> String {
        whole ?? "\(beginning) \(LossPhrase.summary(of: losses))"
    }
}

/// The condition for colouring output.
enum ColorChoice: String, CaseIterable {
    case auto, always, never
}

extension Invocation {
    /// The colours of standard output. `auto` means colours on a terminal that is not dumb, unless `NO_COLOR` or
    /// `CLICOLOR_FORCE` in the environment overrides it.
    var palette: Palette {
        Palette(isColored: coloring == .always || coloring == .auto && isUsuallyColored(output))
    }

    /// The colours of messages.
    var messagePalette: Palette {
        Palette(isColored: coloring != .never && isUsuallyColored(standardError))
    }

    private func isUsuallyColored(_ channel: OutputChannel) -> Bool {
        if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
        if !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "") { return true }
        return channel.isTerminal && environment["TERM"] != "dumb"
    }
}

extension Arguments {
    /// Returns the value of `--color`.
    func colorChoice() throws(UsageError) -> ColorChoice {
        try choice(of: .color) ?? .auto
    }
}

extension Option {
    /// `--quiet` of a command whose exit status is the answer.
    static let onlyStatus = Option("quiet", "q", for: .output, help: "print nothing")
    static let output = Option(
        "output", "o", name: "FILE", for: .destination, help: "write to FILE (standard output)")
    /// `--output` of a command that changes its input file by default.
    static let otherOutput = Option(
        "output", "o", name: "FILE", for: .destination, help: "write to FILE (the input file)")
    static let inPlace = Option("in-place", "i", for: .destination, help: "overwrite the input file")
    static let backup = Option(
        "backup", for: .common, help: "keep the old file as NAME~, overwriting an earlier backup")
    static let newOwner = Option(
        "new-owner", for: .common, help: "replace a file whose owner cannot be kept; the new file is yours")
    static let allowLoss = Option(
        "allow-loss", for: .common, help: "warn of what the result cannot hold, instead of refusing it")
    static let dryRun = Option("dry-run", "n", for: .destination, help: "only show what would change")
    static let color = Option(
        "color", value: "WHEN", is: .choice(ColorChoice.allCases.map(\.rawValue)),
        impliedValue: ColorChoice.always.rawValue, for: .common,
        help:
            "use colours: auto, always or never (auto; without WHEN always)"
    )
    static let noPager = Option("no-pager", for: .common, help: "do not use a pager")
    static let noColor = Option("no-color", standsFor: (.color, ColorChoice.never.rawValue), for: .common)
    /// The options of all commands that colour their output.
    static let coloring = [color, noColor]
    /// The options of all commands whose output may be paged.
    static let onScreen = coloring + [noPager]
    static let compact = Option("compact", for: .output, help: "JSON: write no white space")
}
