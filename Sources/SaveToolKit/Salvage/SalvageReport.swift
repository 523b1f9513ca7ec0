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
    private let salvaged: SalvagedSave
    private let name: String
    /// The name of the older copy that losses were compared with, or nil.
    private let other: String?
    /// Whether losses were to be filled from the older copy.
    private let fills: Bool
    /// Whether a page shows the folders above the file.
    private let hasFullPath: Bool
    private let palette: Palette

    init(
        _ salvaged: SalvagedSave, of name: String, comparedWith other: String? = nil, fills: Bool = false,
        hasFullPath: Bool = false, _ palette: Palette
    ) {
        (self.salvaged, self.name, self.other) = (salvaged, name, other)
        (self.fills, self.hasFullPath, self.palette) = (fills, hasFullPath, palette)
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
        let runs = self.runs
        let rest = runs.dropFirst(Self.maxLines).reduce(0) { $0 + $1.count }
        var lines: [String] = []
        if let cause = salvaged.cause { lines.append(ProblemLine.render(cause, in: name, palette)) }
        lines += salvaged.salvage.repairs.map { palette.text("repaired:", in: .added) + " " + located($0) }
        lines += runs.prefix(Self.maxLines).map { run in
            let loss = salvaged.losses[run.lowerBound]
            if run.count > 1, let first = loss.loss.missingObject {
                return palette.text("lost:", in: .error)
                    + " objects \(first) to \(first + run.count - 1) are not in the file"
            }
            let word = loss.loss.kind == .doubtful ? "doubtful:" : "lost:"
            return palette.text(word, in: loss.loss.kind == .doubtful ? .warning : .error) + " " + sentence(loss)
        }
        if rest > 0 { lines.append("… and \(CountText.of(rest)) more, listed with \(Option.salvageFormat.shown) json") }
        lines += doubts.map { doubt in
            let first = salvaged.losses[doubt.losses[0]]
            let address = first.address.map { " from \(TruncatedText.address($0)) on" } ?? ""
            return palette.text("doubtful:", in: .warning)
                + " \(CountText.of(doubt.losses.count, "object"))\(address): \(doubt.reason)"
        }
        if let problem = salvaged.archiveProblem {
            lines.append("the archive is not sound: \(problem); use \(Option.raw.shown) to read the result")
        }
        if let faults = salvaged.save.view.archive?.objectErrors, let fault = faults.first, !salvaged.losses.isEmpty {
            let count = CountText.of(faults.count, "error")
            lines.append("the result reads, but validate finds \(count) in its archive; the first: \(fault.message)")
        }
        return lines + [summary]
    }

    /// The indices of the losses on each line. A line has one loss, or several missing objects with successive numbers
    /// and without addresses.
    private var runs: [Range<Int>] {
        let losses = salvaged.losses
        let grouped = Set(doubts.flatMap(\.losses))
        var runs: [Range<Int>] = []
        for index in losses.indices where !grouped.contains(index) {
            if let run = runs.last, run.upperBound == index, let number = Self.joinedObject(losses[index]),
                Self.joinedObject(losses[index - 1]) == number - 1
            {
                runs[runs.count - 1] = run.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        return runs
    }

    /// The maximum number of objects that are doubtful for the same reason and have lines of their own.
    private static let maxSingleDoubts = 4

    /// The indices of doubtful objects that share a line, because many are doubtful for the same reason. The line follows
    /// the lines of other losses.
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
        return location + address + loss.loss.message + counterpart(of: loss)
    }

    private func counterpart(of loss: SalvagedSave.Loss) -> String {
        guard let counterpart = loss.counterpart, let other else { return "" }
        let name = Invocation.shownName(other)
        return counterpart.isFilled
            ? "; filled from \(name): \(counterpart.text)" : "; in \(name): \(counterpart.text)"
    }

    /// The counts in one sentence.
    private var summary: String {
        let salvage = salvaged.salvage
        if salvage.isSound { return "\(Invocation.shownName(name)): no damage found" }
        let unit = salvage.format.has(.objectTable) ? "object" : "value"
        if salvage.isProved {
            return "whole: the repair is exact, \(CountText.of(salvage.foundCount, unit))"
        }
        let total = salvage.foundCount + salvage.lostCount
        let doubtful = salvaged.count(.doubtful)
        // Nothing shows how much followed the end of a text.
        let count =
            salvaged.isCutOff
            ? CountText.of(salvage.foundCount, unit)
            : "\(CountText.of(salvage.foundCount)) of \(CountText.of(total, unit))"
        return count + " came back" + lost(unit) + (doubtful > 0 ? ", \(CountText.of(doubtful)) doubtful" : "")
            + (salvaged.confidence == .complete ? "; nothing is known to be missing, but nothing proves that" : "")
            + filled
    }

    /// The number of losses that were filled from the older copy, and of those that were not.
    private var filled: String {
        guard fills else { return "" }
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
        if count > 0 { parts.append(CountText.of(count, unit)) }
        if keys > 0 { parts.append(CountText.of(keys, "key")) }
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
                ("archive", .boolean(salvaged.save.view.archive != nil)),
                ("layers", salvaged.layers.isEmpty ? nil : .string(salvaged.layers.title)),
                ("confidence", .string(salvaged.confidence.rawValue)),
                ("cause", salvaged.cause.map { .object(members(of: $0)) }),
                ("repairs", .array(salvage.repairs.map { .object(members(of: $0)) })),
            ], to: &output)
        rows.beginRows("losses", to: &output)
        for loss in salvaged.losses { rows.add(.object(members(of: loss)), to: &output) }
        rows.endRows(to: &output)
        rows.end(
            [
                ("found", .integer(salvage.foundCount)), ("lost", .integer(salvage.lostCount)),
                ("doubtful", .integer(salvaged.count(.doubtful))), ("size", .integer(salvage.bytes.count)),
            ], to: &output)
    }

    private func members(of problem: Problem) -> JSONMembers {
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
            ("count", .integer(loss.loss.count)), ("message", .string(loss.loss.message)),
            ("other", loss.counterpart.map { .string($0.text) }),
            ("filled", loss.counterpart.map { .boolean($0.isFilled) }),
        ]
    }

    // MARK: HTML

    private func writePage(to output: inout ByteWriter) {
        let names = PageFileNames.of([name] + [other].compactMap(\.self), areFull: hasFullPath)
        SalvageReport(salvaged, of: names[0], comparedWith: names.count > 1 ? names[1] : nil, fills: fills, palette)
            .writePageAsNamed(to: &output)
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
