import SaveCodec
import SaveOperations

/// The checksums that cover a file as it is written: before or after its save, and in other files.
struct FileChecksums {
    fileprivate(set) var outside: [OutsideChecksum] = []
    fileprivate(set) var companions: [CompanionChecksum] = []

    var isEmpty: Bool { outside.isEmpty && companions.isEmpty }
}

extension EditPlan {
    /// Returns the checksums that cover the file as it is written, after reading those in other files.
    func fileChecksums(of file: SaveFile, _ invocation: Invocation) throws -> FileChecksums {
        var checksums = FileChecksums()
        for update in checksumUpdates {
            guard case .byte(let offset) = update.destination else { continue }
            let checksum = try OutsideChecksum(of: update.covering(in: file.view), at: offset, in: file.save)
            // A checksum that cannot be computed before the edit does not prove the offset.
            _ = try checksum.covered(in: file.save, file: file.save.wrapped)
            let past = ChecksumHistory(of: checksum, in: file.save)
            try past.checkForm(of: checksum.update)
            // Nothing else proves that the offset is right, and a wrong one would destroy other bytes.
            if past.isWrong {
                throw FileProblem(
                    name: file.name,
                    problem: .notAChecksum(
                        "the \(update.algorithm.rawValue) of \(update.coveredTitle)",
                        at: checksum.range(inFileOf: file.save.wrapped.count).lowerBound))
            }
            checksums.outside.append(checksum)
        }
        checksums.companions = try companions(of: file, invocation)
        return checksums
    }

    /// Returns a file with the checksums outside its save recomputed in order, and the checksums that changed.
    ///
    /// - Parameters:
    ///   - wrapped: The edited contents in the layers of the file.
    ///   - edited: The edited save.
    ///   - file: The save before the edit.
    func fixing(
        _ checksums: [OutsideChecksum], of wrapped: [UInt8], with edited: SaveFile, insteadOf file: SaveFile
    ) throws(Problem) -> (file: [UInt8], changed: [OutsideChecksum]) {
        var (fixed, changed) = (wrapped, [OutsideChecksum]())
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
            throw .fixupOrder(checksum.update, at: .byte(checksum.range(inFileOf: fixed.count).lowerBound))
        }
        return (fixed, changed)
    }
}

extension EditReport {
    /// Lists the checksums outside the save that changed.
    ///
    /// - Parameter count: The size of the edited file.
    func print(_ checksums: [OutsideChecksum], of file: SaveFile, size count: Int, _ invocation: Invocation) {
        guard showsChanges else { return }
        for checksum in checksums {
            let location = SourceLocation.byte(checksum.range(inFileOf: count).lowerBound)
            let update = checksum.update
            invocation.printError(
                "~ \(Invocation.shownName(file.name)): \(location): the \(update.algorithm.rawValue) of \(update.coveredTitle)"
            )
        }
    }
}
