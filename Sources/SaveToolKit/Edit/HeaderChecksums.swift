import SaveCodec
import SaveOperations

/// The checksums that cover a file as it is written: in its header, and in other files.
struct FileChecksums {
    fileprivate(set) var header: [HeaderChecksum] = []
    fileprivate(set) var companions: [CompanionChecksum] = []

    var isEmpty: Bool { header.isEmpty && companions.isEmpty }
}

extension EditPlan {
    /// Returns the checksums that cover the file as it is written, after reading those in other files.
    func fileChecksums(of file: SaveFile, _ invocation: Invocation) throws -> FileChecksums {
        var checksums = FileChecksums()
        for update in checksumUpdates {
            guard case .header(let offset) = update.destination else { continue }
            let checksum = try HeaderChecksum(of: update.covering(in: file.view), at: offset, in: file.save)
            let past = ChecksumHistory(of: checksum, in: file.save)
            try past.checkForm(of: checksum.update)
            // Nothing else proves that the offset is right, and a wrong one would destroy the header.
            if past.isWrong {
                throw FileProblem(
                    name: file.name,
                    problem: .notInHeader("the \(update.algorithm.rawValue) of \(update.coveredTitle)", at: offset))
            }
            checksums.header.append(checksum)
        }
        checksums.companions = try companions(of: file, invocation)
        return checksums
    }

    /// Returns a file with the checksums in its header recomputed in order, and the checksums that changed.
    ///
    /// - Parameters:
    ///   - wrapped: The edited contents in the layers of the file.
    ///   - edited: The edited save.
    ///   - file: The save before the edit.
    func fixing(
        _ checksums: [HeaderChecksum], of wrapped: [UInt8], with edited: SaveFile, insteadOf file: SaveFile
    ) throws(Problem) -> (file: [UInt8], changed: [HeaderChecksum]) {
        var (fixed, changed) = (wrapped, [HeaderChecksum]())
        for checksum in checksums {
            let past = ChecksumHistory(of: checksum, in: file.save)
            let covered = try checksum.covered(in: edited.save, file: fixed)
            let new = try covered.checksum(as: past.form ?? covered.usualForm)
            if checksum.stored.isSame(as: new) { continue }
            fixed = checksum.file(fixed, with: new, insteadOf: past.checksum)
            changed.append(checksum)
        }
        for checksum in checksums {
            let past = ChecksumHistory(of: checksum, in: file.save)
            let covered = try checksum.covered(in: edited.save, file: fixed)
            let right = try covered.checksum(as: past.form ?? covered.usualForm)
            if checksum.file(fixed, with: right, insteadOf: past.checksum) == fixed { continue }
            throw .fixupOrder(checksum.update, at: .byte(checksum.range.lowerBound))
        }
        return (fixed, changed)
    }

    /// Lists the checksums in the header that changed.
    func report(_ checksums: [HeaderChecksum], of file: SaveFile, _ invocation: Invocation) {
        guard isDryRun || reportsChanges else { return }
        for checksum in checksums {
            let location = SourceLocation.byte(checksum.range.lowerBound)
            let update = checksum.update
            invocation.printError(
                "~ \(Invocation.shownName(file.name)): \(location): the \(update.algorithm.rawValue) of \(update.coveredTitle)"
            )
        }
    }
}
