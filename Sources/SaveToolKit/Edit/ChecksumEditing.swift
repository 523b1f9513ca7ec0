import KeyedArchives
import SaveCodec
import SaveOperations

extension EditPlan {
    /// Returns a file with its checksums recomputed in order, because a checksum may cover one that was recomputed
    /// before it.
    ///
    /// - Returns: Nil, after printing an error, if a checksum or the value that it covers does not exist.
    func fixing(_ contents: [UInt8], of file: SaveFile, _ invocation: Invocation) throws -> SaveFile? {
        var present = try file.reopened(with: contents)
        let fixups = checksumUpdates.map {
            ChecksumUpdate(
                $0.algorithm, at: $0.address, over: invocation.readAddress($0.covered, in: file.view, of: file.name))
        }
        for fixup in fixups {
            let old = try? fixup.checksum(in: file.view)
            report(fixup, in: file, whereRight: old, invocation)
            guard let form = try file.locating({ () throws(Problem) in try fixup.present(in: present.view) }) else {
                reportMissing(fixup.address, in: present, invocation)
                return nil
            }
            guard let new = try file.locating({ () throws(Problem) in try fixup.checksum(in: present.view) }) else {
                reportMissing(fixup.covered, in: present, invocation)
                return nil
            }
            if form.isSame(as: new) { continue }
            guard let fixed = try set(form.value(new, insteadOf: old), at: fixup.address, in: present, invocation)
            else {
                return nil
            }
            present = try file.reopened(with: fixed)
        }
        try Self.check(fixups, in: present)
        return present
    }

    /// Checks that no checksum covers itself or a checksum that is recomputed later.
    private static func check(_ fixups: [ChecksumUpdate], in file: SaveFile) throws(Problem) {
        for fixup in fixups {
            guard let form = try? fixup.present(in: file.view), let right = try? fixup.checksum(in: file.view),
                !form.isSame(as: right)
            else { continue }
            throw Problem(
                "fixup.order",
                "after all updates this is not the \(fixup.algorithm.rawValue) of "
                    + "\(TruncatedText.address(fixup.covered)), because a later \(Option.fixup.shown) changes "
                    + "\(TruncatedText.address(fixup.covered)); options apply in order",
                address: fixup.address)
        }
    }

    /// Prints that an address does not exist in an edited file. The message has no location, as the edited text is not
    /// in any file.
    private func reportMissing(_ address: JSONPointer, in file: SaveFile, _ invocation: Invocation) {
        guard case .missing(let missing) = file.view.find(address) else { return }
        invocation.printError(MissingValueLine.render(missing, at: address, in: file.name))
    }

    /// Prints a note if a checksum was wrong before the edit. The game may compute it over something else.
    private func report(
        _ fixup: ChecksumUpdate, in file: SaveFile, whereRight right: Checksum?, _ invocation: Invocation
    ) {
        guard let right, let form = try? fixup.present(in: file.view), !form.isSame(as: right) else { return }
        let covered = TruncatedText.address(fixup.covered)
        invocation.printError(
            file.line(
                fixup.address,
                "the checksum was wrong before the edit: not the \(fixup.algorithm.rawValue) of \(covered)"))
    }

    /// Returns the bytes of a file with another value at an address, or nil after printing an error if it cannot be
    /// set.
    private func set(
        _ value: GivenValue, at address: JSONPointer, in file: SaveFile, _ invocation: Invocation
    ) throws -> [UInt8]? {
        let editing = ReportedEdits(self, isSet: true, invocation) { file, place, draft in
            var value = value
            (value.base, value.isTyped) = (file.save.base, true)
            _ = try draft.set(value, at: place, unshares: self.unshares, changesType: false)
            return .done
        }
        let edited = try editing.view(of: file, at: PointerPattern(address).targets(in: file.view, where: []))
        guard editing.status == .done else { return nil }
        return try edited.map { try file.save.edited(to: $0, keepsComments: true).bytes() } ?? file.save.bytes
    }
}

extension SaveFile {
    /// Runs `body`. A problem with an address is thrown with its line and column.
    fileprivate func locating<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        do throws(Problem) {
            return try body()
        } catch {
            throw located(error)
        }
    }
}

extension Arguments {
    /// Returns the checksums to recompute.
    func checksumUpdates() throws(UsageError) -> [ChecksumUpdate] {
        var fixups: [ChecksumUpdate] = []
        for text in values(of: .fixup) { fixups.append(try Self.fixup(text)) }
        return fixups
    }

    /// Parses `sha1:/checksum over /payload`.
    private static func fixup(_ text: String) throws(UsageError) -> ChecksumUpdate {
        let names = DigestAlgorithm.allCases.map(\.rawValue)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let over = parts[1].ranges(of: " over ").last else {
            throw .badValue(text, .fixup, expected: "a checksum such as sha1:/checksum over /payload")
        }
        guard let algorithm = DigestAlgorithm(rawValue: parts[0]) else {
            throw .badName(parts[0], .fixup, names: names)
        }
        return ChecksumUpdate(
            algorithm, at: try JSONPointer(String(parts[1][..<over.lowerBound]), of: .fixup),
            over: try JSONPointer(String(parts[1][over.upperBound...]), of: .fixup))
    }

    /// Requires `--filter-out` if `--filter-in` is given, so that a result in the file's own format is encoded like the
    /// file.
    func checkFilters() throws(UsageError) {
        guard has(.filterIn), !has(.filterOut) else { return }
        throw .missingOption(.filterOut, because: "it restores what \(Option.filterIn.shown) removes")
    }
}

extension Option {
    static let fixup = Option(
        "fixup", value: "ALGORITHM:ADDRESS over ADDRESS", isRepeatable: true, for: .common,
        help: "recompute the md5, sha1, sha256 or crc32 checksum stored at the first address")
}
