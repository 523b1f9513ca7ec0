import KeyedArchives
import SaveCodec
import SaveOperations

/// The commands that resolve conflicts in a file of a git repository. There is one command for each side; the file has
/// the value from ours at each conflict:
///
///     ours:   savetool set -i game.save /root/health 64
///     theirs: savetool set -i game.save /root/health 80
///
/// File names are relative to the folder in which git was run. A value that is too long for the line is read from git's
/// version of that side, `:2:` or `:3:`. A command that removes or inserts elements changes the addresses of the
/// elements after them, so conflicts should be resolved from the last to the first. Some conflicts have no command and
/// are left to `git mergetool`, such as an object of a class that ours does not have, or a key with control characters.
final class ConflictCommands {
    private let merge: ThreeWayMerge
    private var addresses: ConflictAddresses
    private let path: String
    private let file: String
    /// The addresses of the values that hold the merged nested saves; nil for whole files.
    private let holder: ConflictAddresses.Pair?
    /// Whether each class in theirs is also in ours, or is one of Foundation's.
    private let knowsClasses: Bool

    /// - Parameters:
    ///   - path: The path of the file, relative to the top of the repository.
    ///   - folder: The folder in which the commands are run, relative to the top of the repository.
    convenience init(_ merge: ThreeWayMerge, for path: String, from folder: String) {
        self.init(merge, path, file: FileName.relative(path, to: folder), within: nil)
    }

    private init(_ merge: ThreeWayMerge, _ path: String, file: String, within holder: ConflictAddresses.Pair?) {
        self.merge = merge
        addresses = ConflictAddresses(merge)
        (self.path, self.file, self.holder) = (path, file, holder)
        let known = Set((merge.ours.archive?.classes ?? []).map { Array($0.name) })
        knowsClasses = (merge.theirs.archive?.classes ?? []).map { Array($0.name) }.allSatisfy {
            known.contains($0) || KeyedArchive.chain(ofClass: $0) != nil
        }
    }

    /// Returns the commands for conflicts within the nested saves at a conflict, or nil if no address leads there.
    func inside(_ conflict: MergeConflict, _ inner: ThreeWayMerge) -> ConflictCommands? {
        addresses(of: conflict).map { ConflictCommands(inner, path, file: file, within: $0) }
    }

    private func addresses(of conflict: MergeConflict) -> ConflictAddresses.Pair? {
        addresses.addresses(of: conflict)?.within(holder)
    }

    /// Returns two lines, or one if neither side has a command.
    func lines(for conflict: MergeConflict) -> [String] {
        let pair = addresses(of: conflict)
        let ours = pair.flatMap { self.ours(conflict, $0) }
        let theirs = pair.flatMap { self.theirs(conflict, $0) }
        if ours == nil, theirs == nil { return ["    either: " + GitSetup.mergetoolCommand] }
        return [
            "    ours:   " + (ours ?? GitSetup.mergetoolCommand),
            "    theirs: " + (theirs ?? GitSetup.mergetoolCommand),
        ]
    }

    private func ours(_ conflict: MergeConflict, _ addresses: ConflictAddresses.Pair) -> String? {
        guard let id = conflict.ours else { return "already removed" }
        if case .className = conflict.subject { return set(className(id, in: merge.ours), at: addresses) }
        return set(id, in: merge.ours, of: Source(stage: 2, address: merge.address(of: conflict)), at: addresses)
    }

    private func theirs(_ conflict: MergeConflict, _ addresses: ConflictAddresses.Pair) -> String? {
        guard let id = conflict.theirs else { return command(Words(name: "remove"), at: addresses.merged) }
        guard knowsClasses || merge.theirs.scalar(id) != nil else { return nil }
        if case .className = conflict.subject { return set(className(id, in: merge.theirs), at: addresses) }
        var words = Words()
        if let other = conflict.ours {
            let isOther = merge.ours.typeName(of: other) != merge.theirs.typeName(of: id)
            if isOther { words.options.append(Option.changeType.shown) }
        } else if addresses.role == .field {
            words.options.append(Option.add.shown)
        } else if addresses.role == .element {
            words.name = "insert"
        }
        let source = addresses.theirs.map { Source(stage: 3, address: $0) }
        return set(id, in: merge.theirs, of: source, at: addresses, words)
    }

    // MARK: Commands

    /// A value in a version of the file that git has.
    private struct Source {
        let stage: Int
        let address: JSONPointer
    }

    /// The name and the options of a command that edits the merged file.
    private struct Words {
        var name = "set"
        var options: [String] = []
    }

    private func set(
        _ id: ViewID, in view: ObjectView, of source: Source?, at addresses: ConflictAddresses.Pair,
        _ words: Words = Words()
    ) -> String? {
        if let node = view.scalar(id) {
            var output = ByteWriter()
            ScalarText.writeTyped(node, to: &output)
            let bytes = output.takeBytes()
            if bytes.count <= Self.longestValue {
                let text = String(decoding: bytes, as: UTF8.self)
                return set(text, at: addresses, words)
            }
        }
        // A value inside a container may have another type, even if the containers have the same type.
        let types = words.name == "set" ? [Option.changeType.shown] : []
        let others = words.options.filter { $0 != Option.changeType.shown }
        let piped = Words(name: words.name, options: others + types + [Option.jsonFile.shown, "-"])
        guard let source, let address = word(source.address),
            let version = Shell.word(":\(source.stage):" + path),
            let command = command(piped, at: addresses.merged)
        else { return nil }
        return "git show \(version) | savetool get --format typed - \(address) | \(command)"
    }

    private func set(
        _ value: String?, at addresses: ConflictAddresses.Pair, _ words: Words = Words()
    ) -> String? {
        guard let value = value.flatMap(Shell.word), let command = command(words, at: addresses.merged) else {
            return nil
        }
        return command + " " + value
    }

    private func command(_ words: Words, at address: JSONPointer) -> String? {
        guard let file = Shell.word(file), let address = word(address) else { return nil }
        let end = file.hasPrefix("-") ? ["--"] : []
        return (["savetool", words.name, "-i"] + words.options + end + [file, address]).joined(separator: " ")
    }

    /// Returns an address as a shell word, or nil if its text is escaped and would not be read back as the same
    /// address.
    private func word(_ address: JSONPointer) -> String? {
        let text = address.description
        return JSONPointer(text) == address ? Shell.word(text) : nil
    }

    private func className(_ id: ViewID, in view: ObjectView) -> String? {
        view.classText(of: id).map { String(decoding: JSONString.quoted(Array($0.string.utf16)), as: UTF8.self) }
    }

    private static let longestValue = 120
}
