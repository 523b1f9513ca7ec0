import SaveCodec
import SaveOperations

/// The state of a checksum before an edit.
struct ChecksumHistory {
    /// The correct checksum; nil if it is not known.
    let checksum: Checksum?
    /// The form of the covered text that the stored checksum shows; nil if it shows none.
    let form: CoveredBytes.Form?
    /// Whether the stored checksum was wrong. The game may compute it over something else.
    let isWrong: Bool

    init(of update: ChecksumUpdate, stored: StoredChecksum?, in file: SaveFile) {
        guard let stored, let covered = try? CoveredBytes(of: update, in: file.save, file: file.save.file) else {
            (checksum, form, isWrong) = (nil, nil, false)
            return
        }
        form = try? covered.form(of: stored)
        checksum = try? covered.checksum(as: form ?? covered.usualForm)
        isWrong = form == nil
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
        try checksumUpdates.compactMap { update in
            guard case .file(let pattern) = update.destination else { return nil }
            guard !isOneOfSeveral || pattern.contains("*") else {
                throw UsageError(
                    "\(Option.fixup.shown) names one file for several saves; use * for the name of each save")
            }
            let name = pattern.replacing("*", with: file.name)
            let update = update.mapping { invocation.readAddress($0, in: file.view, of: file.name) }
            return try invocation.inFile(name) {
                let other = try ChecksumFile(invocation.read(name), of: update.algorithm)
                let past = ChecksumHistory(of: update, stored: other.stored, in: file)
                if past.isWrong { invocation.printError("\(Invocation.shownName(name)): \(update.wrongSentence)") }
                return CompanionChecksum(update: update, name: name, file: other, past: past)
            }
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
        for (companion, new) in checksums {
            if !isDryRun {
                try invocation.replace(companion.name, by: replacing) {
                    $0.write(companion.file.bytes(new, insteadOf: companion.past.checksum))
                }
            }
            guard isDryRun || reportsChanges else { continue }
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
            case .contents: "the contents"
            }
        }.joined(separator: " + ")
    }

    /// The sentence about a stored checksum that was wrong before the edit.
    var wrongSentence: String {
        "the checksum was wrong before the edit: not the \(algorithm.rawValue) of \(coveredTitle)"
    }
}
