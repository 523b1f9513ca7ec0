import KeyedArchives
import SaveCodec
import SaveOperations

extension EditPlan {
    /// The contents of a file as they are to be written, with their checksums put right, one after the other: one may be
    /// taken over another that comes before it. Nil if nothing is where one is or what it is taken over, which is said.
    func fixing(_ contents: [UInt8], of file: SaveFile, _ invocation: Invocation) throws -> SaveFile? {
        var present = try file.reopened(with: contents)
        let fixups = fixups.map {
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

    /// Makes sure that none of the checksums has been taken over another one that was put right behind it, or over itself.
    private static func check(_ fixups: [ChecksumUpdate], in file: SaveFile) throws(Problem) {
        for fixup in fixups {
            guard let form = try? fixup.present(in: file.view), let right = try? fixup.checksum(in: file.view),
                !form.isSame(as: right)
            else { continue }
            throw Problem(
                "fixup.order",
                "this is not the \(fixup.algorithm.rawValue) of \(Shortened.address(fixup.covered)) in the end, as another "
                    + "\(Option.fixup.shown) changes that; they are done in their order", address: fixup.address)
        }
    }

    /// Says that nothing is at an address of an edited file, which has no lines that anybody could look at.
    private func reportMissing(_ address: JSONPointer, in file: SaveFile, _ invocation: Invocation) {
        guard case .missing(let missing) = file.view.find(address) else { return }
        invocation.printError(MissingValueLine.render(missing, at: address, in: file.name))
    }

    /// Says so if a checksum was wrong before anything was edited: then the game may take it over something else.
    private func report(
        _ fixup: ChecksumUpdate, in file: SaveFile, whereRight right: Checksum?, _ invocation: Invocation
    ) {
        guard let right, let form = try? fixup.present(in: file.view), !form.isSame(as: right) else { return }
        let covered = Shortened.address(fixup.covered)
        invocation.printError(
            file.line(fixup.address, "before the edit, this was not the \(fixup.algorithm.rawValue) of \(covered)"))
    }

    /// The contents of a file with another value at an address; nil if it cannot be put there, which has been said.
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
    /// Does something; a problem with an address is thrown with its line and column.
    fileprivate func locating<Result>(_ body: () throws(Problem) -> Result) throws(Problem) -> Result {
        do throws(Problem) {
            return try body()
        } catch {
            throw located(error)
        }
    }
}

extension Arguments {
    /// The checksums that are to be put right.
    func fixups() throws(UsageError) -> [ChecksumUpdate] {
        var fixups: [ChecksumUpdate] = []
        for text in values(of: .fixup) { fixups.append(try Self.fixup(text)) }
        return fixups
    }

    /// `sha1:/checksum over /payload`.
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

    /// Refuses to write in place of a file, or as one like it, what has been taken off that a program of the user puts there.
    func checkFilters() throws(UsageError) {
        guard has(.filterIn), !has(.filterOut) else { return }
        throw .missingOption(.filterOut, because: "what \(Option.filterIn.shown) takes off is to be put back")
    }
}

extension Option {
    static let fixup = Option(
        "fixup", value: "ALGORITHM:ADDRESS over ADDRESS", isRepeatable: true, for: .result,
        help: "put right the checksum at the first address: md5, sha1, sha256 or crc32; may be repeated")
}
