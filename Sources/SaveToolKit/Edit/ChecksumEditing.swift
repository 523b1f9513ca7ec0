import KeyedArchives
import SaveCodec
import SaveOperations

extension EditPlan {
    /// Returns a file with the checksums in it recomputed in the order of the options, because a checksum may cover one
    /// that was recomputed before it.
    ///
    /// - Returns: Nil, after printing an error, if a checksum or a value that it covers does not exist.
    func fixing(_ contents: [UInt8], of file: SaveFile, _ invocation: Invocation) throws -> SaveFile? {
        var present = try file.reopened(with: contents)
        var made: [(update: ChecksumUpdate, address: JSONPointer, form: CoveredBytes.Form)] = []
        for update in checksumUpdates {
            guard let address = update.address else { continue }
            let update = update.covering(in: file.view)
            let past = ChecksumHistory(
                of: update, stored: try? update.present(at: address, in: file.view), in: file)
            try file.locating { () throws(Problem) in try past.checkForm(of: update) }
            if past.isWrong { invocation.printError(file.line(address, update.wrongSentence)) }
            let found = try file.locating { () throws(Problem) in try update.present(at: address, in: present.view) }
            guard let stored = found else {
                reportMissing(address, in: present, invocation)
                return nil
            }
            if let missing = update.missingPart(in: present.view) {
                reportMissing(missing, in: present, invocation)
                return nil
            }
            let covered = try file.locating { () throws(Problem) in
                try CoveredBytes(of: update, in: present.save, file: [])
            }
            let form = past.form ?? covered.usualForm
            let new = try covered.checksum(as: form)
            made.append((update, address, form))
            if stored.isSame(as: new) { continue }
            guard let fixed = try set(stored.value(new, insteadOf: past.checksum), at: address, in: present, invocation)
            else {
                return nil
            }
            present = try file.reopened(with: fixed)
        }
        for (update, address, form) in made { try Self.check(update, at: address, as: form, in: present) }
        return present
    }

    /// Checks that a checksum covers neither itself nor one that was recomputed after it.
    private static func check(
        _ update: ChecksumUpdate, at address: JSONPointer, as form: CoveredBytes.Form, in file: SaveFile
    ) throws(Problem) {
        guard let stored = try? update.present(at: address, in: file.view),
            let right = try? CoveredBytes(of: update, in: file.save, file: []).checksum(as: form),
            !stored.isSame(as: right)
        else { return }
        throw .fixupOrder(update, address: address)
    }

    /// Prints that an address does not exist in an edited file. The message has no location, as the edited text is not
    /// in any file.
    private func reportMissing(_ address: JSONPointer, in file: SaveFile, _ invocation: Invocation) {
        guard case .missing(let missing) = file.view.find(address) else { return }
        invocation.printError(MissingValueLine.render(missing, at: address, in: file.name))
    }

    /// Returns the bytes of a file with another value at an address, or nil after printing an error if it cannot be
    /// set.
    private func set(
        _ value: GivenValue, at address: JSONPointer, in file: SaveFile, _ invocation: Invocation
    ) throws -> [UInt8]? {
        let editing = ReportedEdits(self, .set, invocation) { file, slot, draft in
            var value = value
            (value.base, value.isTyped) = (file.save.base, true)
            _ = try draft.set(value, at: slot, unshares: self.unshares, changesType: false)
            return .done
        }
        let edited = try editing.view(of: file, at: PointerPattern(address).targets(in: file.view, where: []))
        guard editing.status == .done else { return nil }
        return try edited.map { try file.save.edited(to: $0, keepsComments: true).bytes() } ?? file.save.bytes
    }
}

extension Problem {
    /// Returns the problem of a checksum that a later one makes wrong.
    static func fixupOrder(
        _ update: ChecksumUpdate, at location: SourceLocation? = nil, address: JSONPointer? = nil
    ) -> Problem {
        Problem(
            "fixup.order",
            "after all updates this is not the \(update.algorithm.rawValue) of \(update.coveredTitle), because a later "
                + "\(Option.fixup.shown) changes \(update.coveredTitle); options apply in order", at: location,
            address: address)
    }
}

extension SaveFile {
    /// Runs `body`, and rethrows a problem with the line and column of its address.
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
        for text in values(of: .fixup) {
            let fixup = try Self.fixup(text)
            if case .byte(let offset) = fixup.destination {
                guard let size = try layerOptions().headerSize else {
                    throw .missingOption(
                        .unwrapAt,
                        because: offset.number < 0
                            ? "it allows other bytes after a save; OFFSET is 0 without a header"
                            : "it says where the header with the checksum ends")
                }
                guard offset.number < size else {
                    throw .badValue(text, .fixup, expected: "an offset in the header of \(Phrase.count(size, "byte"))")
                }
            }
            fixups.append(fixup)
        }
        return fixups
    }

    /// Parses `sha1:/checksum over /payload`.
    private static func fixup(_ text: String) throws(UsageError) -> ChecksumUpdate {
        let names = DigestAlgorithm.allCases.map(\.rawValue)
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let words = parts.count == 2 ? unquoted(parts[1], separator: " over ") : []
        guard words.count > 1, let covered = words.last else {
            throw .badValue(text, .fixup, expected: "a checksum such as sha1:/checksum over /payload")
        }
        guard let algorithm = DigestAlgorithm(rawValue: parts[0]) else {
            throw .badName(parts[0], .fixup, names: names)
        }
        let target = words.dropLast().joined(separator: " over ")
        let pieces = unquoted(covered, separator: " + ")
        var covers: [ChecksumUpdate.Part] = []
        for piece in pieces {
            if piece == target, target.hasPrefix("/") {
                throw .badValue(text, .fixup, expected: "another address after over, as a checksum cannot cover itself")
            }
            covers.append(try part(piece, isOnly: pieces.count == 1))
        }
        if target.hasPrefix("file ") {
            return ChecksumUpdate(algorithm, in: .file(String(target.dropFirst(5))), over: covers)
        }
        if target.hasPrefix("byte ") {
            guard let offset = fileOffset(target.dropFirst(5)) else {
                throw .badValue(text, .fixup, expected: "an offset after byte, such as 4, 0x20 or -4")
            }
            return ChecksumUpdate(algorithm, in: .byte(offset), over: covers)
        }
        let isOfFile = covers.contains { part in
            switch part {
            case .file, .stretch, .contents: true
            case .value, .bytes: false
            }
        }
        if isOfFile {
            throw .badValue(
                text, .fixup,
                expected: "'file NAME' or 'byte OFFSET' before over, as a value cannot hold the checksum of its file")
        }
        return ChecksumUpdate(algorithm, in: .value(try JSONPointer(target, of: .fixup)), over: covers)
    }

    /// Parses a part of the covered bytes: an address, a text in quotation marks, bytes such as `0x00FF`, `file`,
    /// `file from OFFSET`, `file to OFFSET`, `file from OFFSET to OFFSET` or `contents`.
    ///
    /// - Parameter isOnly: Whether the text is the only part. If so, a text in quotation marks is an address.
    private static func part(_ text: String, isOnly: Bool) throws(UsageError) -> ChecksumUpdate.Part {
        if text == "file" { return .file }
        if text == "contents" { return .contents }
        if text.hasPrefix("file ") { return try stretch(text) }
        if text == "''" { return .value(.root) }
        if text.hasPrefix("0x") {
            guard let bytes = Hexadecimal.bytes(Array(text.utf8.dropFirst(2)).span) else {
                throw .badValue(text, .fixup, expected: "pairs of hexadecimal digits after 0x")
            }
            return .bytes(bytes)
        }
        if text.hasPrefix("\""), !isOnly {
            guard let document = try? JSON.readTyped(Array(text.utf8)),
                case .string(let string) = document.node(document.object(document.root)), let bytes = string.utf8Bytes
            else { throw .badValue(text, .fixup, expected: "a JSON string, such as \"salt\"") }
            return .bytes(bytes)
        }
        return .value(try JSONPointer(text, of: .fixup))
    }

    /// Parses `file from 8 to -4`, with one or both of the offsets.
    private static func stretch(_ text: String) throws(UsageError) -> ChecksumUpdate.Part {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).dropFirst()
        var offsets: [FileOffset?] = [nil, nil]
        for (position, name) in (["from", "to"] as [Substring]).enumerated() where words.first == name {
            guard let offset = words.dropFirst().first.flatMap({ fileOffset($0) }) else {
                throw .badValue(text, .fixup, expected: "an offset after \(name), such as 8, 0x20 or -4")
            }
            offsets[position] = offset
            words = words.dropFirst(2)
        }
        guard words.isEmpty else {
            throw .badValue(text, .fixup, expected: "file from OFFSET, file to OFFSET, or file from OFFSET to OFFSET")
        }
        return .stretch(from: offsets[0] ?? FileOffset(0), to: offsets[1])
    }

    /// Parses an offset, which is counted from the end of the file if it begins with a hyphen.
    private static func fileOffset(_ text: Substring) -> FileOffset? {
        let isFromEnd = text.hasPrefix("-")
        guard let number = offset(String(text.dropFirst(isFromEnd ? 1 : 0))), !isFromEnd || number > 0 else {
            return nil
        }
        return FileOffset(isFromEnd ? -number : number)
    }

    /// Splits a text at each separator, except for separators in quotation marks.
    private static func unquoted(_ text: String, separator: String) -> [String] {
        let (bytes, separator) = (Array(text.utf8), Array(separator.utf8))
        var parts: [[UInt8]] = [[]]
        var isQuoted = false
        var position = 0
        while position < bytes.count {
            if !isQuoted, bytes[position...].starts(with: separator) {
                parts.append([])
                position += separator.count
                continue
            }
            let isEscape = isQuoted && bytes[position] == UInt8(ascii: "\\")
            if bytes[position] == UInt8(ascii: "\"") { isQuoted.toggle() }
            let end = min(position + (isEscape ? 2 : 1), bytes.count)
            parts[parts.count - 1] += bytes[position..<end]
            position = end
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Requires `--filter-out` if `--filter-in` is given, so that a result in the file's own format is encoded like the
    /// file.
    func checkFilters() throws(UsageError) {
        guard has(.filterIn), !has(.filterOut) else { return }
        let plain = has(.output) ? "; use \(Option.filterOut.shown) cat to leave it out" : ""
        throw .missingOption(.filterOut, because: "it restores what \(Option.filterIn.shown) removes" + plain)
    }
}

extension Option {
    static let fixup = Option(
        "fixup", value: "ALGORITHM:ADDRESS over ADDRESS", isRepeatable: true, for: .common,
        help: "recompute the md5, sha1, sha256 or crc32 checksum stored at the first address")
}
