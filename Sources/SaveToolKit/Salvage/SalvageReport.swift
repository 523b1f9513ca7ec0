import KeyedArchives
import SaveCodec
import SaveOperations

/// The report of `savetool salvage` about a file, as text, JSON or an HTML page:
///
///     swamp.save: truncated: 61 bytes are missing at the end
///     repaired: byte 0x2B0: the offset table was rebuilt from the objects
///     lost: byte 0x113: /root/charList/2/health: the object is cut off
///     8 of 9 objects came back, 1 lost; nothing else is known to be missing
struct SalvageReport {
    /// An older copy of the file.
    struct OlderCopy {
        let name: String
        /// Whether losses were to be filled from it.
        let fills: Bool
    }

    private let salvaged: SalvagedSave
    private let name: String
    /// The older copy that losses were compared with, or nil.
    private let other: OlderCopy?
    /// Whether a page shows the folders above the file.
    private let hasFullPath: Bool
    private let palette: Palette

    init(
        _ salvaged: SalvagedSave, of name: String, comparedWith other: OlderCopy? = nil, hasFullPath: Bool = false,
        _ palette: Palette
    ) {
        (self.salvaged, self.name, self.other) = (salvaged, name, other)
        (self.hasFullPath, self.palette) = (hasFullPath, palette)
    }

    func write(as format: SalvagePlan.OutputFormat, to output: inout ByteWriter) {
        switch format {
        case .text: for line in lines { output.write(line + "\n") }
        case .json: writeJSON(to: &output)
        case .html: writePage(to: &output)
        }
    }

    // MARK: Text

    /// The maximum number of lines about losses in the text; further losses are counted.
    private static let maxLines = 50

    /// The lines of the text.
    var lines: [String] {
        let lossLines = self.lossLines
        let rest = lossLines.dropFirst(Self.maxLines).reduce(0) { $0 + $1.count }
        var lines: [String] = []
        if let cause = salvaged.cause { lines.append(ProblemLine.render(cause, in: name, palette)) }
        lines += salvaged.salvage.repairs.map { palette.text("repaired:", in: .added) + " " + located($0) }
        lines += lossLines.prefix(Self.maxLines).map(\.text)
        if let secondFile { lines.append(palette.text("left out:", in: .warning) + " " + secondFile) }
        lines += salvaged.warnings.map { ProblemLine.render($0, in: name, as: "warning", palette) }
        if rest > 0 { lines.append("… and \(CountText.of(rest)) more, listed with \(Option.salvageFormat.shown) json") }
        lines += doubts.map { doubt in
            let first = salvaged.losses[doubt.losses[0]]
            let address = first.address.map { " from \(TruncatedText.address($0)) on" } ?? ""
            return palette.text("doubtful:", in: .warning)
                + " \(Phrase.count(doubt.losses.count, "object"))\(address): \(doubt.reason)"
        }
        if let problem = salvaged.archiveProblem {
            lines.append("the archive is not sound: \(problem); use \(Option.raw.shown) to read the result")
        }
        if let faults = salvaged.save.view.archive?.objectErrors, let fault = faults.first, !salvaged.losses.isEmpty {
            let count = Phrase.count(faults.count, "error")
            lines.append("the result reads, but validate finds \(count) in its archive; the first: \(fault.message)")
        }
        if let change = formatChange { lines.append(change) }
        return lines + [summary]
    }

    /// The sentence about a second file after the first, with the command that gets it; nil without one.
    private var secondFile: String? {
        guard let second = salvaged.salvage.secondFile else { return nil }
        let size = Phrase.count(second.count, "byte")
        let line = "\(salvaged.layers.located(.byte(second.lowerBound))): another complete file of \(size)"
        guard let offset = salvaged.secondFileOffset, name != "-" else { return line }
        let file = Shell.word(name.hasPrefix("-") ? "./" + name : name) ?? "FILE"
        return line + "; get it with tail -c +\(offset + 1) \(file)"
    }

    /// The sentence about a result in another format, or nil.
    private var formatChange: String? {
        guard let change = salvaged.formatChange else { return nil }
        return "the result is \(change); the program that wrote the file may not be able to load it"
    }

    /// A line about losses, and their number.
    private typealias LossLine = (text: String, count: Int)

    /// The lines about losses. A line has one loss, several missing objects with successive numbers and without
    /// addresses, or several equal losses without addresses.
    private var lossLines: [LossLine] {
        let losses = salvaged.losses
        let grouped = Set(doubts.flatMap(\.losses))
        var lines: [LossLine] = []
        var (last, firstMissing): (String?, Int?)
        for (index, loss) in losses.enumerated() where !grouped.contains(index) {
            let isDoubtful = loss.loss.kind == .doubtful
            let word = palette.text(isDoubtful ? "doubtful:" : "lost:", in: isDoubtful ? .warning : .error)
            let line = word + " " + sentence(loss)
            if let number = Self.joinedObject(loss), let first = firstMissing, index > 0,
                Self.joinedObject(losses[index - 1]) == number - 1
            {
                let text = word + " objects \(first) to \(number) are not in the file"
                lines[lines.count - 1] = (text, number - first + 1)
            } else if line == last, loss.address == nil {
                let count = lines[lines.count - 1].count + 1
                lines[lines.count - 1] = (line + " (\(CountText.of(count)) times)", count)
            } else {
                lines.append((line, 1))
                firstMissing = Self.joinedObject(loss)
            }
            last = line
        }
        return lines
    }

    /// The maximum number of objects that are doubtful for the same reason and have lines of their own.
    private static let maxSingleDoubts = 4

    /// The indices of doubtful objects that share a line, because many are doubtful for the same reason. The line
    /// follows the lines of other losses.
    private var doubts: [(reason: String, losses: [Int])] {
        var groups: [String: [Int]] = [:]
        for (index, loss) in salvaged.losses.enumerated() where loss.loss.kind == .doubtful {
            guard loss.counterpart == nil, let reason = loss.loss.reason else { continue }
            groups[reason, default: []].append(index)
        }
        return groups.filter { $0.value.count > Self.maxSingleDoubts }.map { ($0.key, $0.value) }
            .sorted { $0.losses[0] < $1.losses[0] }
    }

    /// Returns the number of a missing object that has neither an address nor a counterpart; nil for another loss.
    private static func joinedObject(_ loss: SalvagedSave.Loss) -> Int? {
        loss.address == nil && loss.counterpart == nil ? loss.loss.missingObject : nil
    }

    private func located(_ problem: Problem) -> String {
        let location = problem.location.map { "\(salvaged.layers.located($0)): " } ?? ""
        return location + problem.message
    }

    private func sentence(_ loss: SalvagedSave.Loss) -> String {
        let location = loss.loss.range.map { "\(salvaged.layers.located(.byte($0.lowerBound))): " } ?? ""
        let address = loss.address.map { TruncatedText.address($0) + ": " } ?? ""
        let count = loss.otherSlotCount
        let others = count > 0 ? "; the value is also in \(Phrase.count(count, "other slot"))" : ""
        return location + address + loss.loss.message + others + counterpart(of: loss)
    }

    private func counterpart(of loss: SalvagedSave.Loss) -> String {
        guard let counterpart = loss.counterpart, let other else { return "" }
        let name = Invocation.shownName(other.name)
        return counterpart.isFilled
            ? "; filled from \(name): \(counterpart.text)" : "; in \(name): \(counterpart.text)"
    }

    /// The counts in one sentence.
    private var summary: String {
        let salvage = salvaged.salvage
        if salvage.isSound {
            let warnings = salvaged.warnings.count
            return "\(Invocation.shownName(name)): no damage found"
                + (warnings > 0 ? "; \(Phrase.count(warnings, "warning"))" : "")
        }
        let unit = salvage.format.has(.objectTable) ? "object" : "value"
        if salvage.isProved { return "whole: the repair is exact, \(found(unit))" }
        let second = salvage.secondFile.map { "a second file of \(Phrase.count($0.count, "byte")) was left out" }
        if let second, salvaged.confidence == .complete { return "one complete save came back; " + second }
        let total = salvage.foundCount + salvage.lostCount
        let doubtful = salvaged.count(.doubtful)
        // Nothing shows how much followed the end of a text.
        let count =
            salvaged.isCutOff || salvage.tableCount != nil
            ? found(unit)
            : "\(CountText.of(salvage.foundCount)) of \(Phrase.count(total, unit))"
        return count + " came back" + lost(unit) + (doubtful > 0 ? ", \(CountText.of(doubtful)) doubtful" : "")
            + (salvaged.confidence == .complete ? "; nothing is known to be missing, but nothing proves that" : "")
            + filled + (second.map { "; " + $0 } ?? "")
    }

    /// Describes the values that came back.
    private func found(_ unit: String) -> String {
        let salvage = salvaged.salvage
        guard let tables = salvage.tableCount else { return Phrase.count(salvage.foundCount, unit) }
        return "\(Phrase.count(tables, "table")) and \(Phrase.count(salvage.foundCount, "row"))"
    }

    /// The number of losses that were filled from the older copy, and of those that were not.
    private var filled: String {
        guard other?.fills == true else { return "" }
        // Nothing leads to the place of a lost root.
        if salvaged.filledCount == 0, salvaged.unfilledCount == 0, salvaged.salvage.lostCount > 0 {
            return "; nothing was filled"
        }
        return "; \(CountText.of(salvaged.filledCount)) filled, \(CountText.of(salvaged.unfilledCount)) still lost"
    }

    /// Describes how many values are lost, and how many keys, classes and references of objects that came back.
    private func lost(_ unit: String) -> String {
        let count = salvaged.salvage.lostCount
        let keys = salvaged.losses.reduce(0) { $0 + $1.loss.keyCount }
        let references = salvaged.losses.count {
            $0.loss.count == 0 && $0.loss.kind != .doubtful && $0.loss.kind != .key
        }
        let bound = salvaged.isCutOff ? "at least " : ""
        guard keys + references > 0 else {
            return salvaged.isCutOff && count == 0
                ? ", an unknown number lost" : ", \(bound)\(CountText.of(count)) lost"
        }
        var parts: [String] = []
        if count > 0 { parts.append(Phrase.count(count, unit)) }
        if keys > 0 { parts.append(Phrase.count(keys, "key")) }
        if references == 1 { parts.append("1 class or reference") }
        if references > 1 { parts.append("\(CountText.of(references)) classes or references") }
        let last = parts.removeLast()
        return "; " + bound + (parts.isEmpty ? "" : parts.joined(separator: ", ") + " and ") + last + " lost"
    }

    // MARK: JSON

    /// Writes the report as one JSON document. `Fixtures/schemas/salvage.schema.json` describes it.
    private func writeJSON(to output: inout ByteWriter) {
        let salvage = salvaged.salvage
        var rows = JSONRows()
        rows.begin(
            FileName.members(name == "-" ? "<stdin>" : name) + [
                ("format", .string(salvage.format.rawValue)),
                ("originalFormat", .string(salvaged.originalFormat.rawValue)),
                ("archive", .boolean(salvaged.save.view.archive != nil)),
                ("layers", salvaged.layers.isEmpty ? nil : .string(salvaged.layers.title)),
                ("confidence", .string(salvaged.confidence.rawValue)),
                ("cause", salvaged.cause.map { .object(members(of: $0)) }),
                ("repairs", .array(salvage.repairs.map { .object(members(of: $0)) })),
                ("warnings", .array(salvaged.warnings.map { .object(members(of: $0)) })),
                ("secondFile", salvage.secondFile.map { .object(members(of: $0)) }),
            ], to: &output)
        rows.beginRows("losses", to: &output)
        for loss in salvaged.losses { rows.add(.object(members(of: loss)), to: &output) }
        rows.endRows(to: &output)
        rows.end(
            [
                ("found", .integer(salvage.foundCount)), ("lost", .integer(salvage.lostCount)),
                ("doubtful", .integer(salvaged.count(.doubtful))),
                ("lostAtLeast", salvaged.isCutOff ? .boolean(true) : nil),
                ("tables", salvage.tableCount.map(ReportJSON.integer)),
                ("filled", other?.fills == true ? .integer(salvaged.filledCount) : nil),
                ("stillLost", other?.fills == true ? .integer(salvaged.unfilledCount) : nil),
                ("size", .integer(salvage.bytes.count)),
            ], to: &output)
    }

    /// Writes the report on a file in which nothing can be read.
    static func writeJSON(_ cause: Problem, of name: String, to output: inout ByteWriter) {
        var rows = JSONRows()
        rows.begin(
            FileName.members(name == "-" ? "<stdin>" : name) + [
                ("archive", .boolean(false)), ("confidence", .string("nothing")),
                ("cause", .object(members(of: cause))), ("repairs", .array([])), ("warnings", .array([])),
            ], to: &output)
        rows.beginRows("losses", to: &output)
        rows.endRows(to: &output)
        rows.end(
            [("found", .integer(0)), ("lost", .integer(0)), ("doubtful", .integer(0)), ("size", .integer(0))],
            to: &output)
    }

    private func members(of second: Range<Int>) -> JSONMembers {
        [("start", .integer(second.lowerBound)), ("end", .integer(second.upperBound))]
    }

    private func members(of problem: Problem) -> JSONMembers { Self.members(of: problem) }

    private static func members(of problem: Problem) -> JSONMembers {
        [
            ("id", .string(problem.id)), ("byte", problem.location?.byteOffset.map(ReportJSON.integer)),
            ("line", problem.location?.position.map { .integer($0.line) }),
            ("column", problem.location?.position.map { .integer($0.column) }), ("message", .string(problem.message)),
        ]
    }

    private func members(of loss: SalvagedSave.Loss) -> JSONMembers {
        let address = loss.address.map(ReportedAddress.init)
        return [
            ("kind", .string(loss.loss.kind.rawValue)),
            ("start", (loss.loss.range?.lowerBound).map(ReportJSON.integer)),
            ("end", (loss.loss.range?.upperBound).map(ReportJSON.integer)),
            ("address", (address?.address).map(ReportJSON.address)),
            ("shortened", address?.isShortened == true ? .boolean(true) : nil),
            ("otherSlots", loss.otherSlotCount > 0 ? .integer(loss.otherSlotCount) : nil),
            ("count", .integer(loss.loss.count)), ("message", .string(loss.loss.message)),
            ("other", loss.counterpart.map { .string($0.text) }),
            ("filled", loss.counterpart.map { .boolean($0.isFilled) }),
        ]
    }

    // MARK: HTML

    private func writePage(to output: inout ByteWriter) {
        let names = PageFileNames.of([name] + [other?.name].compactMap(\.self), areFull: hasFullPath)
        let other = other.map { OlderCopy(name: names[names.count - 1], fills: $0.fills) }
        SalvageReport(salvaged, of: names[0], comparedWith: other, palette).writePageAsNamed(to: &output)
    }

    private func writePageAsNamed(to output: inout ByteWriter) {
        var page = TreePage(title: Invocation.shownName(name), opens: true, to: &output)
        page.add(TreePage.Row(depth: 0, label: "", text: "salvage", textRole: .plain), to: &output)
        if let cause = salvaged.cause {
            page.add(TreePage.Row(depth: 1, label: "damage", text: "\(cause)", textRole: .error), to: &output)
        }
        for problem in salvaged.salvage.repairs {
            page.add(
                TreePage.Row(depth: 1, label: "repaired", text: located(problem), textRole: .added), to: &output)
        }
        if let secondFile {
            page.add(
                TreePage.Row(depth: 1, label: "left out", text: secondFile, textRole: .warning), to: &output)
        }
        for loss in salvaged.losses {
            let isDoubtful = loss.loss.kind == .doubtful
            page.add(
                TreePage.Row(
                    depth: 1, label: isDoubtful ? "doubtful" : "lost", text: sentence(loss),
                    textRole: isDoubtful ? .warning : .error, step: (loss.address ?? .root).operand),
                to: &output)
        }
        page.end(about: summary, to: &output)
    }
}
