import KeyedArchives
import SaveCodec
import SaveOperations

/// The state of a checksum before an edit.
struct ChecksumHistory {
    /// The correct checksum; nil if it is not known.
    let checksum: Checksum?
    /// The form of the covered text, such as JSON without spaces, for which the stored checksum is correct; nil if it
    /// is correct for no known form.
    let form: CoveredBytes.Form?
    /// Whether the stored checksum was wrong, which may mean that the game computes it over other bytes.
    let isWrong: Bool
    /// Whether the covered text has several forms and the stored checksum is correct for none of them. A new checksum
    /// would then be a guess.
    private let isFormUnknown: Bool

    init(of update: ChecksumUpdate, stored: StoredChecksum?, in file: SaveFile) {
        self.init(stored, covering: try? CoveredBytes(of: update, in: file.save, file: file.save.file))
    }

    init(of checksum: OutsideChecksum, in save: Save) {
        self.init(checksum.stored, covering: try? checksum.covered(in: save, file: save.wrapped))
    }

    private init(_ stored: StoredChecksum?, covering covered: CoveredBytes?) {
        guard let stored, let covered else {
            (checksum, form, isWrong, isFormUnknown) = (nil, nil, false, false)
            return
        }
        form = try? covered.form(of: stored)
        checksum = try? covered.checksum(as: form ?? covered.usualForm)
        isWrong = form == nil
        isFormUnknown = form == nil && covered.hasSeveralForms
    }

    /// Throws `fixup.text` if a new checksum would be a guess.
    func checkForm(of update: ChecksumUpdate) throws(Problem) {
        guard isFormUnknown else { return }
        throw Problem(
            "fixup.text",
            "the stored checksum fits no known form of the text: it is not the "
                + "\(update.algorithm.rawValue) of \(update.coveredTitle), so a new one would be a guess; add what else "
                + "the game covers, such as a salt, or begin with a save whose checksum is right",
            address: update.address)
    }
}

/// A checksum in another file, which is recomputed once the save is written.
struct CompanionChecksum {
    let update: ChecksumUpdate
    /// The name of the other file.
    let name: String
    fileprivate let file: ChecksumFile
    fileprivate let past: ChecksumHistory
}

extension EditPlan {
    /// Returns the checksums in other files, after reading those files.
    func companions(of file: SaveFile, _ invocation: Invocation) throws -> [CompanionChecksum] {
        var others: [String] = []
        return try checksumUpdates.compactMap { update throws -> CompanionChecksum? in
            guard case .file(let pattern) = update.destination else { return nil }
            guard !report.isOneOfSeveral || pattern.contains("*") else {
                throw UsageError(
                    "\(Option.fixup.shown) names one file for several saves; use * for the name of each save")
            }
            let name = pattern.replacingScalar("*", with: file.name)
            try checkIsSeparate(name, from: others, invocation)
            others.append(name)
            let update = update.covering(in: file.view)
            return try invocation.inFile(name) {
                let other = try ChecksumFile(invocation.readRegular(name), of: update.algorithm)
                let past = ChecksumHistory(of: update, stored: other.stored, in: file)
                try past.checkForm(of: update)
                if past.isWrong { invocation.printError("\(Invocation.shownName(name)): \(update.wrongSentence)") }
                return CompanionChecksum(update: update, name: name, file: other, past: past)
            }
        }
    }

    /// Refuses another file that is, possibly under another name, the save, its backup, or one of `others`.
    private func checkIsSeparate(_ name: String, from others: [String], _ invocation: Invocation) throws {
        func backup(of name: String) -> String { FileSystem.target(invocation.path(name)) + "~" }
        let saves = [file] + (output.map { [$0] } ?? [])
        let backups = replacing.keepsBackup ? saves.map(backup) : []
        let isSaveBackup = replacing.keepsBackup && invocation.isOne(file, of: [backup(of: name)])
        if isSaveBackup || invocation.isOne(name, of: saves + backups) {
            throw UsageError(
                "\(Option.fixup.shown) names \(Invocation.shownName(name)), which is the save or its backup; expected "
                    + "another file with only the checksum")
        }
        if invocation.isOne(name, of: others) {
            throw UsageError(
                "\(Option.fixup.shown) names \(Invocation.shownName(name)) twice; a file holds one checksum")
        }
    }

    /// Returns the checksums in other files that an edit changes, with their new values.
    ///
    /// - Parameters:
    ///   - file: The edited save.
    ///   - bytes: The bytes of its file.
    func changed(
        _ companions: [CompanionChecksum], by file: SaveFile, _ bytes: [UInt8]
    ) throws -> [(companion: CompanionChecksum, new: Checksum)] {
        try companions.compactMap { companion in
            let covered = try CoveredBytes(of: companion.update, in: file.save, file: bytes)
            let new = try covered.checksum(as: companion.past.form ?? covered.usualForm)
            return companion.file.stored.isSame(as: new) ? nil : (companion, new)
        }
    }

    /// Writes checksums to other files; in a dry run, only reports them.
    func write(_ checksums: [(companion: CompanionChecksum, new: Checksum)], _ invocation: Invocation) throws {
        for (position, (companion, new)) in checksums.enumerated() {
            if !isDryRun {
                do {
                    try invocation.replace(companion.name, by: replacing) {
                        $0.write(companion.file.bytes(new, insteadOf: companion.past.checksum))
                    }
                } catch let error as FileError where error.done == nil {
                    let names = checksums[position...].map { Invocation.shownName($0.companion.name) }
                    throw error.after(
                        "\(Invocation.shownName(file)) is written, but its checksum in \(names.joined(separator: " and ")) is out of "
                            + "date")
                }
            }
            guard report.showsChanges else { continue }
            let name = Invocation.shownName(companion.name)
            let algorithm = companion.update.algorithm.rawValue
            invocation.printError("~ \(name): the \(algorithm) of \(companion.update.coveredTitle)")
        }
    }
}

extension ChecksumUpdate {
    /// The covered parts, as in the option.
    var coveredTitle: String {
        parts.map { part in
            switch part {
            case .value(let address): TruncatedText.address(address)
            case .bytes: "the given bytes"
            case .file: "the file"
            case .stretch(let from, let to): Self.title(from: from, to: to)
            case .contents: "the contents"
            }
        }.joined(separator: " + ")
    }

    private static func title(from: FileOffset, to: FileOffset?) -> String {
        func title(_ offset: FileOffset) -> String {
            offset.number < 0 ? "byte \(offset.number)" : "\(SourceLocation.byte(offset.number))"
        }
        guard let to else { return "the file from \(title(from)) on" }
        return from == FileOffset(0) ? "the file up to \(title(to))" : "the file from \(title(from)) to \(title(to))"
    }

    /// Returns the update with each `/` replaced by the root's address if the root has no empty key.
    func covering(in view: ObjectView) -> ChecksumUpdate {
        mapping { view.readsAsRoot($0) ? .root : $0 }
    }

    /// The sentence about a stored checksum that was wrong before the edit.
    var wrongSentence: String {
        "the checksum was wrong before the edit: not the \(algorithm.rawValue) of \(coveredTitle)"
    }
}
