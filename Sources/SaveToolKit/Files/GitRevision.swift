import SaveCodec

/// A file in a git repository, named as in git (gitrevisions(7)):
///
///     HEAD:saves/a.save        in the last commit; the path begins at the top of the repository
///     HEAD:./a.save            in the last commit; the path begins at the working folder
///     v1.0~3:saves/a.save      in any other commit
///     :saves/a.save            in the index; :1:, :2: and :3: are the base and the sides of a conflict
///
/// A file in the folder with exactly this name takes precedence.
enum GitRevision {
    /// Returns the bytes of a file as git would check it out, after the filters of `.gitattributes`. If the path leads
    /// through a symbolic link, the filters are those of the path as given.
    ///
    /// - Throws: The error of a missing file if the name has no colon, or outside of a repository; otherwise git's
    ///   error.
    static func read(_ name: String, from folder: String) throws(SystemError) -> [UInt8] {
        // git would take a name that begins with a hyphen as an option, and no revision does.
        guard path(of: name) != nil else { throw .missing(name, from: folder) }
        let target = try target(of: name, from: folder)
        switch target.kind {
        case "blob": break
        case "tree": throw .isFolder
        default: throw .git("expected a file, as in HEAD:saves/a.save")
        }
        // The name has the path that the filters depend on. For a link, the object is not the one of that name.
        if try output(["rev-parse", "--quiet", "--verify", name], from: folder).map(GitProgram.word) == target.object {
            guard let bytes = try output(["cat-file", "--filters", name], from: folder) else {
                throw try refusal(of: name, from: folder)
            }
            return bytes
        }
        let path = String(Substring(name.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()))
        let filtered = ["cat-file", "--filters", "--path=" + path, target.object]
        guard let bytes = try output(filtered, from: folder) else { throw try refusal(of: name, from: folder) }
        return bytes
    }

    /// Returns the name of a path in a commit, such as `HEAD:./saves` for `HEAD`; nil if the commit does not exist.
    ///
    /// - Parameter path: A path that begins at `folder`.
    static func name(of path: String, inCommit commit: String, from folder: String) -> String? {
        guard !commit.isEmpty, commit.utf8.first != UInt8(ascii: "-"), !commit.utf8.contains(UInt8(ascii: ":")),
            path.utf8.first != UInt8(ascii: "/"),
            let answer = try? output(["rev-parse", "--quiet", "--verify", commit + "^{commit}"], from: folder),
            !answer.isEmpty
        else { return nil }
        return commit + ":./" + (path == "." ? "" : path)
    }

    /// Returns the names of the files in a folder of a commit or of the index, such as `HEAD:saves` or `:saves`; nil if
    /// the name does not name a folder. As in a folder on disk, files in folders whose name begins with a dot are left
    /// out, and so are links to folders and links whose target does not exist.
    static func files(inFolder name: String, from folder: String) -> [String]? {
        guard let (entries, base) = entries(ofFolder: name, from: folder) else { return nil }
        let isIndexed = name.utf8.first == UInt8(ascii: ":")
        let separator = name.utf8.last.map(":/".utf8.contains) ?? false ? "" : "/"
        var names: [String] = []
        var links: [String] = []
        for entry in entries.split(separator: 0) {
            let parts = entry.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let isLink = entry.starts(with: "120000 ".utf8)
            guard parts.count == 2, isLink || entry.starts(with: "100".utf8), parts[1].starts(with: base.utf8) else {
                continue
            }
            let path = FileName.text(parts[1].dropFirst(base.utf8.count))
            if path.split(separator: "/").dropLast().contains(where: { $0.hasPrefix(".") }) { continue }
            let file = name + separator + path
            // A file in conflict has several entries in the index.
            if isLink { links.append(file) } else if names.last != file { names.append(file) }
        }
        let kinds =
            isIndexed
            ? links.map { (try? target(of: $0, from: folder))?.kind ?? "dangling" }
            : kinds(ofLinks: links, from: folder)
        let files = (names.map { ($0, "blob") } + zip(links, kinds)).compactMap { name, kind in
            let isListed = InputList.isListed(path(of: name) ?? name, exists: kind == "blob")
            return kind != "tree" && kind != "dangling" && isListed ? name : nil
        }
        return isIndexed && files.isEmpty ? nil : files
    }

    /// Returns the entries of a folder as git lists them, each with a zero byte at its end, and the beginning that their
    /// paths share; nil if the name does not name a folder.
    private static func entries(ofFolder name: String, from folder: String) -> (entries: [UInt8], base: String)? {
        guard let path = path(of: name) else { return nil }
        guard name.utf8.first == UInt8(ascii: ":") else {
            guard let target = try? target(of: name, from: folder), target.kind == "tree" else { return nil }
            return (try? output(["ls-tree", "-r", "-z", "--full-tree", target.object], from: folder)).map { ($0, "") }
        }
        guard path.utf8.count == name.utf8.count - 1, let place = fullPath(path, from: folder) else { return nil }
        let question = ["ls-files", "--stage", "-z", "--full-name", "--", ":(top,literal)" + place]
        return (try? output(question, from: folder)).map { ($0, place.isEmpty ? "" : place + "/") }
    }

    /// Returns a path from the top of the repository without steps such as `..`; nil for one that leads out of it.
    private static func fullPath(_ path: String, from folder: String) -> String? {
        guard path.utf8.first != UInt8(ascii: "/") else { return nil }
        var base = ""
        if isRelative(path) {
            guard let prefix = try? output(["rev-parse", "--show-prefix"], from: folder) else { return nil }
            base = GitProgram.word(prefix)
        }
        var steps: [Substring] = []
        for step in (base + path).utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) }) where step != "." {
            if step != ".." { steps.append(step) } else if steps.popLast() == nil { return nil }
        }
        return steps.joined(separator: "/")
    }

    /// Whether a path in git begins at the working folder, not at the top of the repository.
    private static func isRelative(_ path: String) -> Bool { path.hasPrefix("./") || path.hasPrefix("../") }

    private static func pathspec(_ path: String) -> String {
        (isRelative(path) ? ":(literal)" : ":(top,literal)") + path
    }

    /// Returns the kind of object that each link in a commit leads to, or git's word for a link that leads to none.
    private static func kinds(ofLinks names: [String], from folder: String) -> [String?] {
        let question = ["cat-file", "--follow-symlinks", "--batch-check"]
        // A line feed would end the name.
        let lines = names.map { $0.utf8.contains(0x0A) ? [0x0A] : FileName.bytes($0) + [0x0A] }
        guard !names.isEmpty, var answer = try? output(question, on: Array(lines.joined()), from: folder)?[...] else {
            return names.map { _ in nil }
        }
        return names.map { _ in
            let line = answer.prefix { $0 != 0x0A }
            answer = answer.dropFirst(line.count + 1)
            let words = line.split(separator: 0x20).map { FileName.text($0) }
            if words.count == 3, Int(words[2]) != nil { return words[1] }
            // The size of a text, such as the target of the link, that follows on its own line.
            guard words.count == 2, let size = Int(words[1]) else { return nil }
            answer = answer.dropFirst(size + 1)
            return words[0]
        }
    }

    /// Returns the path in a name such as `HEAD:saves/a.save` or `:1:a.save`; nil for a name that is not of this form.
    static func path(of name: String) -> String? {
        guard name.utf8.first != UInt8(ascii: "-"), let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let rest = name.utf8[colon...].dropFirst()
        let isStaged =
            colon == name.startIndex && rest.dropFirst().first == UInt8(ascii: ":")
            && rest.first.map { 0x30...0x33 ~= $0 } == true
        return String(Substring(isStaged ? rest.dropFirst(2) : rest))
    }

    /// Returns the object of a name, and its kind. Symbolic links are followed inside the commit or the index.
    ///
    /// - Parameter count: The number of links in the index that have been followed.
    private static func target(of name: String, from folder: String, after count: Int = 0) throws(SystemError) -> (
        object: String, kind: String
    ) {
        // A line feed would end the name.
        guard !name.utf8.contains(0x0A) else {
            guard let kind = try output(["cat-file", "-t", name], from: folder),
                let object = try output(["rev-parse", "--quiet", "--verify", name], from: folder)
            else { throw try refusal(of: name, from: folder) }
            return (GitProgram.word(object), GitProgram.word(kind))
        }
        let question = ["cat-file", "--batch-check", "--follow-symlinks"]
        guard let answer = try output(question, on: FileName.bytes(name) + [0x0A], from: folder) else {
            throw try refusal(of: name, from: folder)
        }
        let lines = answer.split(separator: 0x0A, maxSplits: 1)
        let words = (lines.first ?? []).split(separator: 0x20).map { FileName.text($0) }
        if words.count == 3, ["blob", "tree", "commit", "tag"].contains(words[1]), Int(words[2]) != nil {
            if words[1] == "blob", name.utf8.first == UInt8(ascii: ":"),
                let link = try linkInIndex(name, words[0], from: folder)
            {
                // git follows links only in a commit.
                if count < 8, link.utf8.first != UInt8(ascii: "/"), let path = path(of: name),
                    path.utf8.count == name.utf8.count - 1, let place = fullPath(path, from: folder),
                    let end = fullPath(place + "/../" + link, from: folder)
                {
                    return try target(of: ":" + end, from: folder, after: count + 1)
                }
                throw .git("this is a symbolic link to \(FileName.shown(link)), which git does not follow here")
            }
            return (words[0], words[1])
        }
        let isLink = words.count == 2 && words[1].utf8.allSatisfy(\.isDigit)
        switch isLink ? words[0] : "" {
        case "symlink":
            let place = FileName.shown(GitProgram.word(Array(lines.dropFirst().first ?? [])))
            throw .git("this is a symbolic link to \(place), outside of the commit")
        case "dangling": throw .git("this is a symbolic link to a file that the commit does not have")
        case "loop": throw .git("this symbolic link leads to itself")
        case "notdir": throw .git("the path leads through a file")
        default: throw try refusal(of: name, from: folder)
        }
    }

    /// Returns the target of a symbolic link in the index, or nil for another file.
    ///
    /// - Parameter object: The object of the name. A file in conflict has entries of other objects, too.
    private static func linkInIndex(
        _ name: String, _ object: some StringProtocol, from folder: String
    ) throws(SystemError) -> String? {
        guard let path = path(of: name) else { return nil }
        guard let entries = try output(["ls-files", "--stage", "-z", "--", pathspec(path)], from: folder),
            entries.split(separator: 0).contains(where: { $0.starts(with: "120000 \(object) ".utf8) }),
            let link = try output(["cat-file", "blob", name], from: folder)
        else { return nil }
        return FileName.text(link)
    }

    /// Returns git's reason why a name has no object, with its advice, in the language of the user. Outside of a
    /// repository, the name is that of a missing file.
    private static func refusal(of name: String, from folder: String) throws(SystemError) -> SystemError {
        guard GitProgram.isInRepository(folder) else { return .noSuchFile }
        // rev-parse has better advice, but it accepts some names that are not of objects.
        for question in [["rev-parse", name], ["cat-file", "-t", name]] {
            if case .refusal(let words) = try GitProgram.run(question, from: folder) { return .git(words) }
        }
        return .git("expected a file, as in HEAD:saves/a.save")
    }

    private static func output(
        _ arguments: [String], on input: [UInt8] = [], from folder: String
    ) throws(SystemError) -> [UInt8]? {
        try GitProgram.run(arguments, on: input, from: folder).output
    }
}
