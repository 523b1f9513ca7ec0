import KeyedArchives
import SaveCodec
import SaveOperations

/// The files in the index of a git repository.
struct GitIndex {
    /// A file in conflict.
    struct Conflict {
        let path: String
        /// The ids of git's objects with the versions of the file, by stage: the base (1), ours (2) and theirs (3).
        fileprivate(set) var objects: [Int: String] = [:]

        /// Whether one side has no version of the file, because it deleted, renamed or never had it.
        var isOneSided: Bool { objects[2] == nil || objects[3] == nil }
    }

    /// The top of the repository.
    let top: String

    /// Returns nil outside of a repository.
    init?(from folder: String) throws(SystemError) {
        guard let top = try GitProgram.run(["rev-parse", "--show-toplevel"], from: folder).output else { return nil }
        self.top = GitProgram.word(top)
    }

    /// Runs git and returns the lines of its output, which end in zero bytes; empty if git fails.
    private func lines(_ arguments: [String], on input: [UInt8] = []) throws(SystemError) -> [ArraySlice<UInt8>] {
        try GitProgram.run(arguments, on: input, from: top).output?.split(separator: 0) ?? []
    }

    /// Returns all files in conflict.
    func conflicts() throws(SystemError) -> [Conflict] {
        try conflicts(listedBy: "--unmerged", [])
    }

    /// Returns the file at a path if it is in conflict.
    func conflict(at path: String) throws(SystemError) -> Conflict? {
        try conflicts(listedBy: "--unmerged", ["--", ":(literal,top)" + path]).first
    }

    /// Returns the files whose conflicts `git add` has ended, as far as the next commit is about them.
    ///
    /// git lists a file until it reads another tree into the index. During a merge, rebase, cherry-pick or revert, all
    /// files count. After `git stash pop`, `git merge --squash` and `git cherry-pick --no-commit`, git has no name for
    /// theirs, but keeps the tree `AUTO_MERGE` until the commit. A file then counts as long as `HEAD` has our version.
    func endedConflicts() throws(SystemError) -> [Conflict] {
        let conflicts = try conflicts(listedBy: "--resolve-undo", [])
        guard !conflicts.isEmpty else { return [] }
        for head in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD"] {
            if try object(head) != nil { return conflicts }
        }
        guard try object("AUTO_MERGE") != nil else { return [] }
        var ended: [Conflict] = []
        for conflict in conflicts where try object("HEAD:" + conflict.path) == conflict.objects[2] {
            ended.append(conflict)
        }
        return ended
    }

    /// Parses lines such as `100644 30f21… 2⇥saves/a.save`.
    private func conflicts(listedBy option: String, _ paths: [String]) throws(SystemError) -> [Conflict] {
        var conflicts: [Conflict] = []
        for line in try lines(["ls-files", "-z", option] + paths) {
            let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let words = parts[0].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 3, let stage = Int(words[2]) else { continue }
            let path = FileName.text(parts[1])
            if conflicts.last.map({ FileName.areSame($0.path, path) }) != true {
                conflicts.append(Conflict(path: path))
            }
            conflicts[conflicts.count - 1].objects[stage] = words[1]
        }
        return conflicts
    }

    /// Returns the paths of the files that the next commit adds or changes.
    func stagedFiles() throws(SystemError) -> [String] {
        try lines(["diff", "--cached", "--name-only", "-z", "--no-renames", "--diff-filter=AM"])
            .map { FileName.text($0) }
    }

    /// Returns the paths of saves, which are the files that git merges by savetool.
    func saves(among paths: [String]) throws(SystemError) -> Set<String> {
        guard !paths.isEmpty else { return [] }
        let input = paths.reduce(into: [UInt8]()) { $0 += FileName.bytes($1) + [0] }
        let lines = try lines(["check-attr", "-z", "--stdin", "merge"], on: input)
        return Set(
            stride(from: 0, to: lines.count - 2, by: 3).filter { lines[$0 + 2].elementsEqual("savetool".utf8) }
                .map { FileName.text(lines[$0]) })
    }

    /// Returns the staged bytes of a file; nil if it is in conflict or removed.
    func stagedBytes(of path: String) throws(SystemError) -> [UInt8]? {
        try bytes(of: ":0:" + path)
    }

    /// Whether the staged version of a file is an object of git.
    func isStaged(_ object: String, at path: String) throws(SystemError) -> Bool {
        try self.object(":0:" + path) == object
    }

    // MARK: Rebase

    /// A clause that explains `ours` in a rebase.
    static let oursInRebase = "in a rebase, ours is the branch that you rebase onto, and theirs is your commit"

    /// Whether a rebase is in progress. See ``oursInRebase``.
    static func isRebasing(in folder: String) -> Bool {
        ["rebase-merge", "rebase-apply/rebasing"].contains { name in
            guard let answer = try? GitProgram.run(["rev-parse", "--git-path", name], from: folder).output else {
                return false
            }
            return (try? FileSystem.status(FileSystem.path(GitProgram.word(answer), from: folder))) ?? nil != nil
        }
    }

    // MARK: Resolutions

    /// Whether a staged file is a resolution that the user chose, although it may have our side at the conflict:
    ///
    /// * our whole version, as after `git checkout --ours`, where git had merged a different file
    /// * the file in which the user answered all questions of `git mergetool`
    func isChosen(_ conflict: Conflict) throws(SystemError) -> Bool {
        guard let staged = try object(":0:" + conflict.path) else { return false }
        // git has kept the files that it merged in a tree since version 2.33.
        if staged == conflict.objects[2], let merged = try object("AUTO_MERGE:" + conflict.path), merged != staged {
            return true
        }
        return try resolutions().contains(Self.resolution(of: conflict, by: staged)[...])
    }

    /// Notes that the user resolved all conflicts of the file at a path, so that ``isChosen(_:)`` accepts the file.
    ///
    /// - Parameter path: The path from the top of the repository.
    func noteResolution(at path: String, _ invocation: Invocation) throws {
        guard let conflict = try conflict(at: path), let file = try resolutionsFile(),
            let answer = try GitProgram.run(["hash-object", "--", path], from: top).output
        else { return }
        let line = Self.resolution(of: conflict, by: GitProgram.word(answer))
        let lines = try resolutions().filter { !$0.elementsEqual(line) }.suffix(Self.maxResolutions - 1) + [line[...]]
        try write(lines, to: file, invocation)
    }

    /// Removes the resolutions of a file that git merges again. They were chosen in an earlier merge of both versions.
    ///
    /// - Parameter sides: The files with our version and theirs.
    func forgetResolutions(of sides: [String], _ invocation: Invocation) throws {
        let lines = try resolutions()
        guard !lines.isEmpty, let file = try resolutionsFile(),
            let answer = try GitProgram.run(["hash-object", "--no-filters", "--"] + sides, from: invocation.folder)
                .output
        else { return }
        let objects = answer.split(separator: UInt8(ascii: "\n"))
        let others = lines.filter {
            !$0.split(separator: UInt8(ascii: " ")).dropFirst().prefix(2).elementsEqual(objects)
        }
        if others.count < lines.count { try write(others, to: file, invocation) }
    }

    private func write(_ lines: some Sequence<ArraySlice<UInt8>>, to file: String, _ invocation: Invocation) throws {
        try invocation.replace(file) { output in
            for line in lines { output.write(Array(line) + [UInt8(ascii: "\n")]) }
        }
    }

    /// The number of resolutions that are kept. Older ones are of commits that were made long ago.
    private static let maxResolutions = 1000

    /// Returns the base, both sides and the result of a resolution on one line.
    private static func resolution(of conflict: Conflict, by result: String) -> [UInt8] {
        let objects = (1...3).map { conflict.objects[$0] ?? "-" } + [result]
        return Array(objects.joined(separator: " ").utf8)
    }

    private func resolutions() throws(SystemError) -> [ArraySlice<UInt8>] {
        guard let file = try resolutionsFile(), try FileSystem.status(file) != nil else { return [] }
        return try Descriptor(opening: file, for: .reading).readToEnd().split(separator: UInt8(ascii: "\n"))
    }

    /// Returns the path of the file with resolutions, in the folder of git.
    private func resolutionsFile() throws(SystemError) -> String? {
        let answer = try GitProgram.run(["rev-parse", "--git-path", "savetool-resolved"], from: top).output
        return answer.map { FileSystem.path(GitProgram.word($0), from: top) }
    }

    /// Returns the name of an object; nil if it does not exist.
    private func object(_ revision: String) throws(SystemError) -> String? {
        try GitProgram.run(["rev-parse", "--quiet", "--verify", revision], from: top).output.map(GitProgram.word)
    }

    // MARK: Objects

    /// Returns the bytes of an object; nil if it does not exist.
    func bytes(of object: String) throws(SystemError) -> [UInt8]? {
        try GitProgram.run(["cat-file", "blob", object], from: top).output
    }
}

/// A merge of the sides of a save that is in conflict in git.
struct ConflictedSave {
    let sources: MergeSources
    let merge: ThreeWayMerge
    private let rules: [MergeOptions.LocalRule]

    /// Returns nil if one side is missing or not readable as a save.
    init?(_ conflict: GitIndex.Conflict, in index: GitIndex, by rules: [MergeOptions.LocalRule]) throws(SystemError) {
        guard let sources = try Self.sources(of: conflict, in: index),
            let merge = try? sources.merge(Self.options(sources, rules))
        else { return nil }
        (self.sources, self.merge, self.rules) = (sources, merge, rules)
    }

    /// Returns the comments that are missing from a file as git merged it, if only comments are in conflict.
    func lostComments(from bytes: [UInt8]) throws -> [LostComment] {
        guard merge.conflicts.isEmpty, case let result = try sources.result(of: merge), try result.bytes() == bytes
        else {
            return []
        }
        return try sources.lostComments(in: result)
    }

    /// Returns nil if one side is missing or not readable as a save.
    private static func sources(
        of conflict: GitIndex.Conflict, in index: GitIndex
    ) throws(SystemError) -> MergeSources? {
        var files: [Int: SaveFile] = [:]
        for (stage, object) in conflict.objects {
            guard let bytes = try index.bytes(of: object) else { return nil }
            // git has an empty base for a file that both sides added.
            if stage == 1, bytes.isEmpty { continue }
            guard let file = open(bytes, at: conflict.path) else { return nil }
            files[stage] = file
        }
        guard let ours = files[2], let theirs = files[3] else { return nil }
        return MergeSources(base: files[1], ours: ours, theirs: theirs)
    }

    static func open(_ bytes: [UInt8], at path: String) -> SaveFile? {
        let reading = FileReadOptions().with { $0.isMapped = true }
        return (try? reading.open(bytes)).map { SaveFile($0, name: path) }
    }

    /// Returns a file in which each conflict that still has our side has their side instead. Lines are in conflict if
    /// comments in them are missing from the merge.
    func takingTheirs(in present: SaveFile) throws -> SaveFile {
        let rule = MergeOptions.LocalRule(PointerPattern(.root), .theirs)
        let merged = try sources.result(of: merge)
        let lines = Set(try sources.groups(of: sources.lostComments(in: merged)).compactMap(\.conflict))
        let answered = try sources.result(
            of: sources.merge(Self.options(sources, [rule] + rules)),
            taking: Dictionary(uniqueKeysWithValues: lines.map { ($0, .theirs) })
        ).reopened()
        let left = try merged.reopened()
        let both = MergeSources(base: left, ours: present, theirs: answered)
        return try both.result(of: both.merge(Self.options(both, []))).reopened()
    }

    private static func options(_ sources: MergeSources, _ rules: [MergeOptions.LocalRule]) -> MergeOptions {
        var options = MergeOptions()
        options.runner = CurrentProcess.runner
        options.rules = rules
        options.comparesNumbersByValue = sources.files.contains { $0.format != sources.ours.format }
        return options
    }

    /// Returns the conflicts at which a file still has our side.
    func openConflicts(in present: SaveFile) throws(Problem) -> [MergeConflict] {
        let merged = try sources.result(of: merge).reopened()
        guard (merged.view.archive == nil) == (present.view.archive == nil) else { return [] }
        var settled = ResolvedConflicts(merge, in: merged.view, now: present.view)
        return merge.conflicts.filter { conflict in
            if case .open = settled.state(of: conflict) { true } else { false }
        }
    }
}
