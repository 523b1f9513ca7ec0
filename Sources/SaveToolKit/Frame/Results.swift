import SaveCodec

/// Where results leave the tool: every command lists what is lost and writes what it has made here.
extension Invocation {
    /// Lists what a result cannot hold, and says whether it is written all the same. If not, it says why, too.
    ///
    /// - Parameter refusal: the sentence about a result that is not written; nil where the losses say all.
    func accepts(_ losses: [Problem], of name: String, isAllowed: Bool, else refusal: String?) -> Bool {
        for loss in losses { printError(loss, in: name, as: isAllowed ? "warning" : nil) }
        if losses.isEmpty || isAllowed { return true }
        if let refusal { printError("\(Self.shownName(name)): \(refusal)") }
        return false
    }

    /// Writes a result: in place of a file, or to standard output if there is no path.
    func deliver(
        to path: String?, as format: Format, by replacing: Replacing, _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        if let path { return try replace(path, by: replacing, produce) }
        try checkTerminal(takes: format)
        try writeOutput(as: format, coloring: format == .json ? .values : nil, produce)
    }

    /// Refuses to write binary data to a terminal.
    func checkTerminal(takes format: Format) throws(UsageError) {
        if !format.definition.isText, output.isTerminal {
            throw .missingOption(.output, because: "binary data is not written to a terminal")
        }
    }
}

extension Arguments {
    /// How files are replaced.
    var replacing: Replacing {
        Replacing(keepsBackup: has(.backup), allowsNewOwner: has(.newOwner))
    }

    /// Refuses options about files that are replaced, where none is.
    func checkReplacing(with places: [Option]) throws(UsageError) {
        for option in [Option.backup, .newOwner] where has(option) { throw .needsOneOf(option, places) }
    }

    /// The file that the result is to go to; nil for standard output.
    var outputPath: String? {
        value(of: .output).flatMap { $0 == "-" || $0 == "/dev/stdout" ? nil : $0 }
    }
}

extension Format {
    /// Why a result is not written that loses something in this format.
    ///
    /// - Parameter count: how many of the losses are of saves that stand in place of data, whose formats they tell.
    func cannotHold(_ losses: [Problem], inSaves count: Int = 0) -> String {
        if losses.allSatisfy({ $0.id == "loss.text" }) {
            return "its text would be lost; \(Option.allowLoss.shown) writes it anew"
        }
        let holder = count == losses.count ? "what stands in place of data" : rawValue
        let count = losses.count == 1 ? "one value" : "\(losses.count) values"
        return "\(holder) cannot hold \(count); \(Option.allowLoss.shown) writes the nearest thing"
    }
}

/// When output is coloured.
enum ColorChoice: String, CaseIterable {
    case auto, always, never

}

extension Invocation {
    /// The colours of standard output. `auto` means a terminal that is not dumb, unless `NO_COLOR` or `CLICOLOR_FORCE` in
    /// the environment say otherwise.
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
    /// When colours are wanted.
    func colorChoice() throws(UsageError) -> ColorChoice {
        try choice(of: .color) ?? .auto
    }
}

extension Option {
    static let output = Option("output", "o", name: "FILE", for: .destination, help: "write to FILE")
    static let inPlace = Option("in-place", "i", for: .destination, help: "write each file over itself")
    static let backup = Option(
        "backup", for: .destination, help: "keep the file that is replaced as NAME~, in place of an older copy")
    static let newOwner = Option(
        "new-owner", for: .destination, help: "replace a file of another owner, which cannot be kept, by one of yours")
    static let allowLoss = Option("allow-loss", for: .result, help: "only warn of what the format cannot hold")
    static let dryRun = Option("dry-run", "n", for: .destination, help: "show what would change, and write nothing")
    static let color = Option(
        "color", value: "WHEN", is: .choice(ColorChoice.allCases.map(\.rawValue)),
        impliedValue: ColorChoice.always.rawValue, for: .view,
        help: "colour: auto, always or never (auto; without WHEN always)")
    static let noPager = Option("no-pager", for: .view, help: "do not show page by page what is longer than the screen")
    static let noColor = Option("no-color", standsFor: (.color, ColorChoice.never.rawValue), for: .view)
    /// The options of all that colours.
    static let coloring = [color, noColor]
    /// The options of all that people read on a terminal.
    static let onScreen = coloring + [noPager]
    static let compact = Option("compact", for: .result, help: "JSON: write no white space")
}
