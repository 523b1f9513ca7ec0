import SaveCodec
import SaveOperations

/// Compares two folders: files that have the same path in both are a pair, and two of them are open at a time.
///
/// Files with the same bytes are the same, whatever is in them. Others are compared by meaning if one of them looks like
/// a save, see ``FoundFile``, and are different if none does.
final class FolderDifference {
    private let folders: (before: String, after: String)
    private let plan: DiffPlan
    private let invocation: Invocation
    /// The patterns of options that match in none of the saves that were compared; nil before the first are.
    private var unmatched: UnmatchedPatterns?

    /// What comparing a path came to.
    enum Outcome {
        case same, added, removed
        case changed(ComparedSaves)
        /// The bytes differ, and neither file is a save.
        case bytes
        /// Which was reported.
        case unreadable

        /// What outcomes are called in reports, in their order.
        static let names = ["same", "changed", "bytes", "removed", "added", "unreadable"]

        /// What reports call it.
        var name: String {
            switch self {
            case .same: "same"
            case .added: "added"
            case .removed: "removed"
            case .changed: "changed"
            case .bytes: "bytes"
            case .unreadable: "unreadable"
            }
        }

        var status: ExitStatus {
            switch self {
            case .same: .done
            case .added, .removed, .changed, .bytes: .negative
            case .unreadable: .cannot
            }
        }
    }

    /// A path in the folders, and the files that have it.
    private struct Pair {
        let path: String
        var before: InputFile?
        var after: InputFile?
    }

    /// Nil unless both operands are folders.
    init?(_ plan: DiffPlan, _ invocation: Invocation) {
        guard let before = plan.files.before.name, let after = plan.files.after.name,
            [before, after].allSatisfy({ $0 != "-" && (try? FileSystem.status(invocation.path($0)))?.kind == .folder })
        else { return nil }
        folders = (before, after)
        self.plan = plan
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        var report = try FolderDifferenceReport(of: folders, plan, invocation)
        try report.begin()
        let pairs = pairs()
        var rest = pairs[...]
        // No names would mean standard input.
        let status =
            pairs.isEmpty
            ? .done
            : try invocation.forEachFile(pairs.map(\.path)) { path in
                guard let pair = rest.popFirst() else { return .done }
                let outcome = try outcome(of: pair)
                try report.add(outcome, at: path)
                return outcome.status
            }
        try report.end()
        try unmatched?.report(invocation)
        return status
    }

    /// Compares the files of a pair. What cannot be read is reported.
    private func outcome(of pair: Pair) throws -> Outcome {
        do {
            switch (pair.before, pair.after) {
            case (let before?, let after?): return try compare(before, after)
            case (let before, nil):
                try before?.checkFailure()
                return .removed
            case (nil, let after):
                try after?.checkFailure()
                return .added
            }
        } catch let error where error is FileProblem || error is FileError {
            invocation.printError(error)
            return .unreadable
        }
    }

    private func compare(_ before: InputFile, _ after: InputFile) throws -> Outcome {
        let bytes = (before: try read(before), after: try read(after))
        if bytes.before == bytes.after { return .same }
        guard FoundFile.isSave(before.name, bytes.before) || FoundFile.isSave(after.name, bytes.after) else {
            return .bytes
        }
        let saves = try plan.compare(
            before: save(before, bytes.before), after: save(after, bytes.after))
        let patterns = UnmatchedPatterns(plan.options, in: [saves.before.view, saves.after.view])
        unmatched = unmatched?.common(with: patterns) ?? patterns
        return saves.areSame ? .same : .changed(saves)
    }

    private func read(_ file: InputFile) throws -> [UInt8] {
        try file.checkFailure()
        return try invocation.read(file.name)
    }

    private func save(_ file: InputFile, _ bytes: [UInt8]) throws -> ComparedSave {
        try invocation.inFile(file.name) {
            try plan.save(bytes, titled: file.name, invocation)
        }
    }

    // MARK: Pairs

    /// All paths in their order: that of the folders, in each of which names go by their bytes.
    private func pairs() -> [Pair] {
        var before = files(in: folders.before)[...]
        var after = files(in: folders.after)[...]
        var pairs: [Pair] = []
        while let next = [before.first, after.first].compactMap({ $0 }).min(by: { $0.isBefore($1) }) {
            var pair = Pair(path: next.path)
            if let file = before.first, !next.isBefore(file) { pair.before = before.removeFirst().file }
            if let file = after.first, !next.isBefore(file) { pair.after = after.removeFirst().file }
            pairs.append(pair)
        }
        return pairs
    }

    private func files(in folder: String) -> [FolderFile] {
        var inputs = InputList(from: invocation.folder)
        inputs.add(folder)
        return inputs.files.map { FolderFile($0, in: folder) }
    }
}

/// A file in a folder.
struct FolderFile {
    let file: InputFile
    /// Its path from the folder; the name of the folder if that itself cannot be read.
    let path: String
    /// What paths are ordered by: their bytes, and a `/` is less than all others.
    private let key: [UInt8]

    init(_ file: InputFile, in folder: String) {
        self.file = file
        let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let isInside = file.name.utf8.starts(with: prefix.utf8)
        path = isInside ? String(Substring(file.name.utf8.dropFirst(prefix.utf8.count))) : file.name
        key = FileName.bytes(path).map { $0 == UInt8(ascii: "/") ? 0 : $0 }
    }

    func isBefore(_ other: FolderFile) -> Bool { key.lexicographicallyPrecedes(other.key) }
}
