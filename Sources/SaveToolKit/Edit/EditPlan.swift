import KeyedArchives
import SaveCodec
import SaveOperations

/// The arguments shared by the commands that change a file: how to read the file, and how to write the result.
final class EditPlan {
    /// The name of the file; `-` for standard input.
    let file: String
    let reading: FileReadOptions
    /// The path of the result, or nil for standard output.
    let output: String?
    let replacing: ReplacementOptions
    /// Whether a value that the format cannot hold is replaced by the nearest one that it can.
    let allowsLoss: Bool
    /// Whether a shared object is copied before it is changed, so that other references keep the unchanged object.
    let unshares: Bool
    /// Whether the comments above removed values stay.
    let keepsComments: Bool
    /// The checksums to recompute in the result.
    let checksumUpdates: [ChecksumUpdate]
    /// The filter that the result passes through before it is written, or nil.
    private let filterOut: Filter?
    private let isInPlace: Bool
    /// Whether new values that other readers cannot read are refused. Otherwise they cause a warning.
    var refusesForeignValues = false
    var report: EditReport

    /// Whether the change is shown without being made.
    var isDryRun: Bool { report.isDryRun }

    /// The options of all commands that change files, except `--output`, whose default is a ``ResultDestination``.
    static let options: [Option] = [
        .inPlace, .backup, .newOwner, .dryRun, .quietEdit, .allowLoss, .fixup, .from, .unwrap, .unwrapAt, .filterIn,
        .filterOut, .raw, .opaque, .maxDepth, .maxWork, .color, .noColor,
    ]

    /// - Parameters:
    ///   - isInPlace: Whether the result is written to the file although the command usually writes to standard output.
    ///   - isOnlyRead: Whether the result is not in the file's own format.
    init(
        _ file: String, _ arguments: Arguments, isInPlace: Bool = false, isOnlyRead: Bool = false
    ) throws(UsageError) {
        self.file = file
        let isInPlace = isInPlace || arguments.writing == .inPlace
        if !isOnlyRead, !arguments.has(.dryRun) { try arguments.checkFilters() }
        filterOut = try Filter(.filterOut, arguments)
        self.isInPlace = arguments.has(.inPlace) || isInPlace && !arguments.has(.output)
        report = EditReport(
            isDryRun: arguments.has(.dryRun), isQuiet: arguments.has(.quietEdit), isInPlace: self.isInPlace)
        checksumUpdates = try arguments.checksumUpdates()
        let hasCompanion = checksumUpdates.contains { if case .file = $0.destination { true } else { false } }
        if hasCompanion, !self.isInPlace, !arguments.has(.dryRun) {
            throw .missingOption(.inPlace, because: "another file with a checksum belongs to FILE")
        }
        reading = try arguments.fileReading().with { $0.isMapped = true }
        output = try Self.output(of: file, arguments, isInPlace: isInPlace)
        replacing = arguments.replacing
        allowsLoss = arguments.has(.allowLoss)
        unshares = arguments.has(.unshare)
        keepsComments = arguments.has(.keepComments)
    }

    private static func output(
        of file: String, _ arguments: Arguments, isInPlace: Bool
    ) throws(UsageError) -> String? {
        let destinations: [Option] = [.output, .inPlace]
        if destinations.allSatisfy(arguments.has) { throw .conflict(destinations[0], destinations[1]) }
        if !isInPlace, !destinations.contains(where: arguments.has) { try arguments.checkReplacing(with: destinations) }
        if arguments.has(.inPlace) || isInPlace && !arguments.has(.output) {
            if file == "-", isInPlace { throw .badOperand(file, "FILE", expected: "the name of a file to change") }
            if file == "-" { throw .inapplicable(.inPlace, operands: "standard input") }
            return file
        }
        return arguments.outputPath
    }

    func read(_ invocation: Invocation) throws -> SaveFile {
        try SaveFile(reading: file, reading, invocation)
    }

    /// The options that name the destination of the result.
    var destination: [String] {
        isInPlace ? [Option.inPlace.shown] : output.map { [Option.output.shown, $0] } ?? []
    }

    /// The path that is written, or nil for standard output and for a dry run.
    var written: String? { isDryRun ? nil : output }

    /// Reads the file and runs `body` on it. If the file is to be overwritten, other runs of savetool wait meanwhile.
    func edit(_ invocation: Invocation, _ body: (SaveFile) throws -> ExitStatus) throws -> ExitStatus {
        try invocation.inFile(file) {
            try invocation.whileEditing(written, reading: [file]) {
                let file = try read(invocation)
                try file.checkIsEdited()
                return try body(file)
            }
        }
    }

    /// Reads the file and runs `body` on the innermost nested save that an address leads into, see ``edit(_:_:)``.
    func edit(
        at address: JSONPointer, _ invocation: Invocation, _ body: (SaveFile, JSONPointer) throws -> ExitStatus
    ) throws -> ExitStatus {
        try edit(invocation) { file in
            let (file, address) = file.innermostFile(at: address)
            return try file.whileBased {
                try file.checkIsEdited()
                return try body(file, address)
            }
        }
    }
}

// MARK: - Output

/// The output of an edited document: a difference in a dry run, or the file in its own format.
extension EditPlan {
    /// Delivers the result of a draft. An unchanged file is written as it was read.
    func deliver(_ draft: consuming Draft, of file: SaveFile, _ invocation: Invocation) throws -> ExitStatus {
        let isUnchanged = draft.isUnchanged
        return try deliver(isUnchanged ? nil : draft.editedView(limits: reading.limits), of: file, invocation)
    }

    /// Delivers the values of an edited save.
    ///
    /// - Parameter edited: The values, or nil if nothing changed.
    func deliver(_ edited: ObjectView?, of file: SaveFile, _ invocation: Invocation) throws -> ExitStatus {
        if file.format.writing == nil { return file.refuse(edited?.document, invocation) }
        if let edited {
            let result = try file.save.edited(to: edited, keepsComments: keepsComments)
            return try deliver(result, with: edited, of: file, invocation)
        }
        if let outer = file.outer { return try deliver(nil, of: outer, invocation) }
        return try finish(nil, with: nil, of: file, invocation)
    }

    /// Delivers the result of editing a save.
    ///
    /// - Parameter edited: The values of the result; nil if they equal the values of the file.
    func deliver(
        _ result: EditedSave, with edited: ObjectView?, of file: SaveFile, _ invocation: Invocation
    ) throws -> ExitStatus {
        guard accepts(result, with: edited, of: file, invocation) else { return .cannot }
        if let holder = file.save.holder, let outer = file.outer {
            let bytes = try result.bytes()
            return try outer.whileBased {
                let view = try holder.view(holding: bytes, unsharing: unshares) { draft, slot in
                    _ = slot.reportWhatElseChanges(of: draft, in: outer, invocation)
                }
                return try deliver(view, of: outer, invocation)
            }
        }
        if let edited { try reportFormat(of: result, edited.document, of: file, invocation) }
        return try finish(result, with: edited, of: file, invocation)
    }

    /// Recomputes the checksums in the result, or in the file if nothing changed, and delivers it.
    private func finish(
        _ result: EditedSave?, with edited: ObjectView?, of file: SaveFile, _ invocation: Invocation
    ) throws -> ExitStatus {
        guard checksumUpdates.contains(where: { $0.address != nil }) else {
            return try deliver(of: file, after: edited, invocation) { output in
                if let result { try result.write(to: &output) } else { output.write(file.save.bytes) }
            }
        }
        guard let fixed = try fixing(result?.bytes() ?? file.save.bytes, of: file, invocation) else { return .negative }
        return try deliver(of: file, after: fixed.view, invocation) { $0.write(fixed.save.bytes) }
    }

    /// Reports the losses, the values that other readers cannot read, the removed comments, and signs of damage that would
    /// be lost. Returns whether the result may be written.
    func accepts(
        _ result: EditedSave, with edited: ObjectView?, of file: SaveFile, _ invocation: Invocation
    ) -> Bool {
        let refusal = Refusal("not written", result.losses, as: file.format, inSaves: result.lossesInSaves)
        let losses = edited.map { file.inView(result.losses, of: $0) } ?? result.losses
        let damage =
            "not written: the file may be damaged, and the edit would remove the bytes that show it; "
            + "use savetool salvage first, or \(Option.allowLoss.shown) to write it anyway"
        guard written != self.file || acceptsDamage(in: file, else: damage, invocation),
            invocation.accepts(losses, of: file.name, isAllowed: allowsLoss, else: refusal),
            acceptsForeignValues(of: edited, in: file, invocation)
        else { return false }
        if let edited { invocation.report(widenedReals: edited.document.widenedReals(as: file.format), in: file.name) }
        invocation.report(result.removedComments, in: file)
        return true
    }

    /// Reports a file that shows signs of damage, which the result would not show. `salvage` may get back more from it.
    /// Returns whether it may be used.
    ///
    /// - Parameter base: An older version of the file. What it shows itself is no damage, but errors of other kinds are.
    func acceptsDamage(
        in file: SaveFile, besides base: SaveFile? = nil, else refusal: String, _ invocation: Invocation
    ) -> Bool {
        func signs(_ file: SaveFile) -> [Problem] { file.view.document.warnings.filter(\.kind.isSignOfDamage) }
        func errors(_ file: SaveFile) -> [Problem] {
            file.view.archive?.findings.filter { $0.severity == .error } ?? []
        }
        let known = base.map { Set((signs($0) + errors($0)).map(\.id)) }
        let problems = signs(file) + (base == nil ? [] : errors(file))
        guard !allowsLoss, problems.contains(where: { known?.contains($0.id) != true }) else { return true }
        invocation.printError("\(Invocation.shownName(file.name)): \(refusal)")
        return false
    }

    /// Reports new values that other readers cannot read. Returns whether the result may be written.
    private func acceptsForeignValues(of edited: ObjectView?, in file: SaveFile, _ invocation: Invocation) -> Bool {
        guard let edited else { return true }
        let values = edited.document.foreignValues(as: file.format, besides: file.view.document)
        return invocation.accepts(
            file.inView(values, of: edited), of: file.name, isAllowed: allowsLoss || !refusesForeignValues,
            else: Refusal(
                "not written: other readers cannot read", valuesThen: "use \(Option.allowLoss.shown) to write it anyway"
            ))
    }

    /// Prints a note if an emptied file would be detected as another format: `{}` is JSON, and white space has no
    /// format.
    private func reportFormat(
        of result: EditedSave, _ edited: Document, of file: SaveFile, _ invocation: Invocation
    ) throws {
        let root = edited.object(edited.root)
        guard reading.options.format == nil, file.save.map != nil, root.kind == .dictionary, root.count == 0 else {
            return
        }
        var text = ByteWriter()
        try result.write(to: &text)
        let bytes = text.takeBytes()
        let format = output.flatMap { Format(ofUndecided: bytes, named: $0) } ?? (try? Format.recognize(bytes))
        guard format != file.format else { return }
        let name = file.format.rawValue
        let dialect = file.format.has(.typedJSON) ? JSON.Dialect.options.first { $0.dialect.allowsComments } : nil
        invocation.printError(
            "\(Invocation.shownName(file.name)): the remaining text cannot be recognized as \(name); "
                + "use \(Option.from.shown) \(dialect?.name ?? name) to read it")
    }

    /// Writes the output of `produce`, in the layers of the file, and shows the changes.
    ///
    /// - Parameter after: The values of the edited file, or nil if nothing changed.
    private func deliver(
        of file: SaveFile, after: ObjectView?, _ invocation: Invocation,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws -> ExitStatus {
        let checksums = try fileChecksums(of: file, invocation)
        var layers = OutputLayers(layers: file.save.layers, filter: filterOut, limits: reading.limits)
        layers.keep(file.save, readBy: reading.filter, isInPlace: isInPlace)
        if !isDryRun, checksums.isEmpty {
            try invocation.deliver(to: output, as: file.format, in: layers, by: replacing, produce)
        } else if !checksums.isEmpty || layers.layers.headerSize > 0 {
            try deliver(of: file, in: layers, with: checksums, invocation, produce)
        }
        // Reported only once the file is written, so that no message announces a change that failed.
        try report.print(after: after, of: file, invocation)
        return .done
    }

    /// Writes the output of `produce` in layers with the checksums outside its save, and then the checksums in other files.
    /// In a dry run, only reports the checksums, and the sizes in the header that would be wrong.
    private func deliver(
        of file: SaveFile, in layers: OutputLayers, with checksums: FileChecksums, _ invocation: Invocation,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        var contents = ByteWriter()
        try produce(&contents)
        let bytes = contents.takeBytes()
        var wrapped = layers.wrapping(bytes)
        var written: [UInt8] = []
        var changed: (outside: [OutsideChecksum], companions: [(companion: CompanionChecksum, new: Checksum)]) = (
            [], []
        )
        if !checksums.isEmpty {
            let edited = try file.reopened(with: bytes)
            (wrapped, changed.outside) = try fixing(checksums.outside, of: wrapped, with: edited, insteadOf: file)
            // A dry run needs the filtered bytes only for checksums in other files.
            if !isDryRun || !checksums.companions.isEmpty { written = try layers.filtering(wrapped) }
            changed.companions = try self.changed(checksums.companions, by: edited, written)
        }
        if !isDryRun {
            for (companion, _) in changed.companions { try invocation.checkReplaceable(companion.name, by: replacing) }
            try invocation.deliver(to: output, as: .binary, by: replacing) { $0.write(written) }
        }
        invocation.reportStaleSizes(
            in: layers.layers, contents: bytes.count, file: wrapped.count, of: isDryRun ? file.name : output)
        report.print(changed.outside, of: file, size: wrapped.count, invocation)
        try write(changed.companions, invocation)
    }
}

extension Invocation {
    /// Reports the comments that are removed along with values.
    func report(_ comments: [RemovedComment], in file: SaveFile) {
        for comment in comments {
            let text = SafeText.escaping(String(decoding: comment.text.prefix(120), as: UTF8.self))
            let beginning = ProblemLine.beginning(file.name, file.save.layers.located(comment.location))
            printError("\(beginning): the comment \"\(text)\" is removed with its value")
        }
    }
}

extension Option {
    static let quietEdit = Option("quiet", "q", for: .common, help: "do not list what is created or changed")
    static let keepComments = Option(
        "keep-comments", for: .output, help: "text: keep the comments above a removed value")
    static let unshare = Option(
        "unshare", for: .output, help: "change only a copy of a shared object")
}
