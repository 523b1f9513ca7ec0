import SaveCodec

/// The files to process: the operands, and the files in operands that are folders.
///
///     saves b.plist      saves/a.save
///                        saves/old/x.plist
///                        b.plist
///
/// The names in a folder are ordered by their bytes. An operand may be a symbolic link. A link found in a folder
/// is not entered if it leads to a folder, and is not read if it leads to a file outside the operand: a folder from a
/// stranger, such as a clone, may contain links to anywhere. No folder is entered twice, as operands may overlap.
/// Backups, whose names end in `~`, are left out.
/// Folders whose name begins with a dot are not entered, because they belong to version control and build tools. Files
/// that the project ignores are left out. The search is iterative.
struct InputList {
    private(set) var files: [InputFile] = []
    /// The number of operands that the project ignores.
    private(set) var ignoredCount = 0
    /// The files of the project without a rule, by folder.
    private var unruled: [String: [String]] = [:]
    private let base: String
    private let project: Project?
    /// The settings for reading files in folders if they pass through a filter first; otherwise nil.
    private let reading: FileReadOptions?
    private var entered: Set<FileStatus.Identity> = []

    /// Creates a list of names relative to the folder `base`.
    ///
    /// - Parameter reading: The settings for the files. If they pass through a filter, its output shows which are saves.
    init(from base: String, project: Project? = nil, _ reading: FileReadOptions? = nil) {
        self.base = base
        self.project = project
        self.reading = reading?.filter == nil ? nil : reading
    }

    /// The files to find in a folder.
    private struct Search {
        enum Target {
            /// Files that look like saves.
            case content
            /// Files that have a rule in the project.
            case rules
        }

        let target: Target
        /// The path of the searched folder with links resolved and a `/` at its end.
        let root: String
    }

    /// Adds an operand, or the files in it if it is a folder.
    mutating func add(_ operand: String) {
        guard operand != "-" else { return files.append(InputFile(name: operand)) }
        // A named file that cannot be read is reported when it is read.
        guard let status = try? self.status(operand), status.kind == .folder else {
            let path = project?.path(of: operand)
            return add(InputFile(name: operand, rules: rules(for: path)), at: path)
        }
        search(operand, status, for: .content)
    }

    /// Adds the names in a list. Each name ends in a zero byte, or in LF or CR LF.
    mutating func add(list: [UInt8], in file: String, separator: UInt8) throws(UsageError) {
        if separator != 0, list.contains(0) {
            throw .badValue(
                file, .filesFrom,
                expected: "lines without zero bytes; use \(Option.null.shown) if zero bytes end the names")
        }
        for line in list.split(separator: separator) {
            let hasReturn = separator != 0 && line.last == UInt8(ascii: "\r")
            let name = FileName.text(hasReturn ? line.dropLast() : line)
            if !name.isEmpty { add(name) }
        }
    }

    /// Excludes a folder unless it is one of the operands.
    mutating func leaveOut(_ folder: String, unlessIn operands: [String]) {
        guard let identity = (try? status(folder))?.identity,
            !operands.contains(where: { (try? status($0))?.identity == identity })
        else { return }
        entered.insert(identity)
    }

    /// Leaves out the reports of an earlier run that were found in folders.
    ///
    /// - Parameters:
    ///   - names: The files to which this run will write reports.
    ///   - others: The other files that this run reads.
    /// - Throws: An error if a report would overwrite one of these files, or a file that is named or has a rule.
    mutating func leaveOut(reports names: [String], reading others: [String]) throws(UsageError) {
        let reports = names.compactMap { (try? status($0))?.identity }
        guard !reports.isEmpty else { return }
        for file in others where ((try? status(file))?.identity).map(reports.contains) ?? false {
            throw UsageError("a report would overwrite \(UsageError.quoted(file)), which this run reads")
        }
        var kept: [InputFile] = []
        for file in files {
            guard let identity = (try? status(file.name))?.identity, reports.contains(identity) else {
                kept.append(file)
                continue
            }
            if !file.isFound {
                throw UsageError("a report would overwrite \(UsageError.quoted(file.name)), which is to be checked")
            }
        }
        files = kept
    }

    /// Adds the files of the project that have a rule.
    mutating func addProject() {
        guard let folder = project?.folder else { return }
        let name = folder.isEmpty ? "." : folder
        guard let status = try? status(name) else { return }
        search(name, status, for: .rules)
    }

    /// Adds a file unless the project ignores its path.
    private mutating func add(_ file: InputFile, at path: String?) {
        if let project, let path, project.file.ignores(path) {
            ignoredCount += 1
        } else {
            files.append(file)
        }
    }

    /// Returns the indices of the rules for a path in the project.
    private func rules(for path: String?) -> [Int] {
        path.flatMap { project?.file.rules(for: $0) } ?? []
    }

    // MARK: Folders

    private mutating func search(_ folder: String, _ status: FileStatus, for target: Search.Target) {
        let search = Search(target: target, root: FileSystem.root(FileSystem.path(folder, from: base)) ?? folder + "/")
        var pending = contents(of: folder, status)
        while let name = pending.popLast() { pending += look(at: name, search) }
    }

    /// Adds a file that was found in a folder if it matches the search. For a folder, returns its contents in reverse
    /// order.
    private mutating func look(at name: String, _ search: Search) -> [String] {
        let path = project?.path(of: name)
        let isLink = FileSystem.isLink(FileSystem.path(name, from: base))
        do throws(SystemError) {
            switch try status(name) {
            case let folder? where folder.kind == .folder:
                if !isLink, isEntered(name, at: path, for: search.target) { return contents(of: name, folder) }
            // Reading a pipe or device could block forever.
            case let other? where other.kind == .other: break
            case nil: addFound(name, at: path, exists: false, isLink: isLink, for: search.target)
            case .some:
                if isLink, !FileSystem.leads(FileSystem.path(name, from: base), below: search.root) {
                    throw .linkOutside
                }
                addFound(name, at: path, exists: true, isLink: isLink, for: search.target)
            }
        } catch {
            // The bytes of a file outside the folder are not read to see if it is a save.
            if error == .linkOutside, !SaveDetection.hasKnownExtension(name), rules(for: path).isEmpty { return [] }
            addUnreadable(InputFile(name: name, rules: rules(for: path), failure: error), at: path, for: search.target)
        }
        return []
    }

    private func isEntered(_ folder: String, at path: String?, for target: Search.Target) -> Bool {
        switch target {
        case .content: !FileSystem.name(of: folder).hasPrefix(".") && path.map { project?.file.ignores($0) } != true
        case .rules: path.map { project?.file.concerns(folder: $0) } == true
        }
    }

    /// Adds a file that was found in a folder if it matches the search. A file with a rule always matches.
    private mutating func addFound(
        _ name: String, at path: String?, exists: Bool, isLink: Bool, for target: Search.Target
    ) {
        let rules = rules(for: path)
        if rules.isEmpty {
            if target == .rules, exists, let path { noteUnruled(name, at: path) }
            guard target == .content, Self.isListed(name, exists: exists) else { return }
        }
        var file = InputFile(name: name, isFound: rules.isEmpty, isLink: isLink, rules: rules)
        file.isBroken = !exists && rules.isEmpty
        if !FileSystem.name(of: name).hasPrefix(".") { file.filtering = reading }
        add(file, at: path)
    }

    /// Whether a file without a rule is listed in its folder.
    ///
    /// A broken link is reported only if its name shows that it should lead to a save. Backups and the project file are
    /// not saves.
    static func isListed(_ name: String, exists: Bool) -> Bool {
        (exists || SaveDetection.hasKnownExtension(name)) && name.utf8.last != UInt8(ascii: "~")
            && FileSystem.name(of: name) != ProjectFile.fileName
    }

    private mutating func noteUnruled(_ name: String, at path: String) {
        guard SaveDetection.hasKnownExtension(name), project?.file.ignores(path) == false,
            project?.file.isSchema(path) == false,
            FileSystem.name(of: name) != ProjectFile.fileName
        else { return }
        unruled[FileSystem.folder(of: name), default: []].append(name)
    }

    /// The files that may lack a rule of the project: operands, and files in the same folder and with the same
    /// extension as files with a rule.
    var overlooked: [String] {
        guard let project else { return [] }
        func isInProject(_ name: String) -> Bool {
            project.path(of: name).map { !project.file.isSchema($0) } ?? false
        }
        let unruled = files.filter { $0.rules.isEmpty && $0.name != "-" && isInProject($0.name) }
        func exists(_ name: String) -> Bool { (try? FileSystem.status(FileSystem.path(name, from: base))) != nil }
        func kind(_ name: String) -> String {
            FileSystem.folder(of: name) + "/." + (FileSystem.ending(of: name) ?? "").lowercased()
        }
        let ruled = Set(files.filter { !$0.rules.isEmpty }.map { kind($0.name) })
        return unruled.filter { $0.isFound ? SaveDetection.isSave($0.name, from: base) : exists($0.name) }.map(\.name)
            + self.unruled.values.joined().filter { ruled.contains(kind($0)) }.sorted()
    }

    /// Adds a file whose status cannot be read, if it may match the search.
    private mutating func addUnreadable(_ file: InputFile, at path: String?, for target: Search.Target) {
        if target == .content || !file.rules.isEmpty { add(file, at: path) }
    }

    /// Returns the contents of a folder in reverse order.
    private mutating func contents(of folder: String, _ status: FileStatus) -> [String] {
        guard entered.insert(status.identity).inserted else { return [] }
        do throws(SystemError) {
            let names = try FileSystem.names(inFolder: FileSystem.path(folder, from: base))
            return names.reversed().map { Self.join(folder, $0) }
        } catch {
            files.append(InputFile(name: folder, failure: error))
            return []
        }
    }

    private func status(_ name: String) throws(SystemError) -> FileStatus? {
        try FileSystem.status(FileSystem.path(name, from: base))
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}

/// A file that is named as an operand or found in a folder.
struct InputFile: Sendable {
    /// The name as given or found; `-` for standard input.
    let name: String
    /// Whether the file was found in a folder. It is then skipped if it is not a save.
    var isFound = false
    /// Whether the file is a symbolic link that was found in a folder. Nothing is written through it.
    var isLink = false
    /// Whether the file is a link found in a folder whose target does not exist. It is skipped.
    var isBroken = false
    /// The settings for reading the file if it passes through a filter first, whose output shows whether it is a save.
    var filtering: FileReadOptions?
    /// The indices of the project's rules for the file.
    var rules: [Int] = []
    /// The reason why the file cannot be read, if already known.
    var failure: SystemError?

    /// Whether the file is a save, once it has passed through its filter. False if the filter fails.
    func isSave(_ bytes: [UInt8]) -> Bool {
        guard let filtering else { return SaveDetection.isSave(name, bytes) }
        let output = try? filtering.filter?.output(of: bytes, filtering.limits)
        return output.map { SaveDetection.isSave(name, $0) } ?? false
    }

    /// Throws the error if the file is already known to be unreadable.
    func checkFailure() throws(FileError) {
        if let failure { throw FileError(Invocation.shownName(name), failure) }
    }
}

/// The files that were found in folders and are not treated as saves. Any of them may be one, such as JSON with an
/// unknown extension.
struct SkippedFiles {
    enum Reporting {
        /// Only if the folders contain no save.
        case withoutSaves
        /// For a command that checks files, and would otherwise seem to have checked all of them.
        case always
    }

    /// The number of files by extension; the key is empty for files without one.
    private var counts: [String: Int] = [:]
    private var brokenLinkCount = 0
    private var hasSave = false

    mutating func note(_ file: InputFile, isSave: Bool) {
        let name = FileSystem.name(of: file.name)
        if file.isBroken {
            brokenLinkCount += 1
        } else if isSave {
            hasSave = hasSave || file.isFound || !file.rules.isEmpty
        } else if file.isFound, !name.hasPrefix(".") {
            counts[FileSystem.ending(of: name) ?? "", default: 0] += 1
        }
    }

    func report(_ reporting: Reporting, _ invocation: Invocation) {
        if brokenLinkCount > 0 {
            let links = Phrase.count(brokenLinkCount, "link")
            invocation.printError(
                "savetool: skipped \(links) whose \(Phrase.noun("target", for: brokenLinkCount)) "
                    + "\(Phrase.verb("does", for: brokenLinkCount)) not exist")
        }
        guard !counts.isEmpty, reporting == .always || reporting == .withoutSaves && !hasSave else { return }
        let count = counts.values.reduce(0, +)
        let kinds = counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }
            .prefix(Self.maxListed).map { $0.key.isEmpty ? "no extension" : "." + FileName.shown($0.key) }
        invocation.printError(
            "savetool: skipped \(Phrase.count(count, "file")) that \(Phrase.verb("does", for: count)) not begin or end "
                + "like a save (\(Phrase.list(kinds, of: counts.count))); name a file to read it")
    }

    private static let maxListed = 5
}

/// The criteria by which files in a folder are treated as saves: the extension, or the first or last bytes.
///
/// Nearly every text is a valid OpenStep string, and every number is valid JSON. A file without a known extension is
/// therefore a save only if it is a binary or XML property list or a typedstream and begins like one. A property list
/// with a damaged beginning is known by its end. The extension `.xml` does not count, because XML files can be anything.
/// A database must have a known extension and the content of a database: programs other than games have databases, and
/// files other than databases end in `.db` or `.store`.
enum SaveDetection {
    private static let headSize = 4096
    private static let tailSize = 64

    /// The extensions of the formats, and extensions that games and developer tools use for several formats.
    private static let endings: Set<String> = Set(
        Format.allCases.filter { !$0.has(.sharedEndings) }.flatMap { $0.definition.extensions }
    ).union([
        "archive", "entitlements", "gnustep", "pbxproj", "plist", "rmmzsave", "sav", "save", "sks", "stringsdict",
        "xcprivacy",
    ])

    /// The extensions of databases, which other files have, too.
    private static let databaseEndings = Set(Format.sqlite.definition.extensions)

    static func hasKnownExtension(_ name: String) -> Bool {
        FileSystem.ending(of: FileSystem.uncompressedName(of: name)).map { endings.contains($0.lowercased()) } ?? false
    }

    /// Whether a file is a save, given all of its bytes.
    static func isSave(_ name: String, _ bytes: [UInt8]) -> Bool {
        hasKnownExtension(name) || beginsLikeSave(bytes, name)
            || endsLikeSave(bytes.suffix(tailSize), after: bytes.prefix(headSize), bytes.count)
    }

    /// Whether a file is a save. False for a file that cannot be read.
    ///
    /// - Parameter folder: The folder that relative names start from.
    static func isSave(_ name: String, from folder: String) -> Bool {
        if hasKnownExtension(name) { return true }
        guard let file = try? Descriptor.openingRegular(FileSystem.path(name, from: folder)) else { return false }
        return (try? isSave(name, contents: file)) ?? false
    }

    /// Whether a file without a known extension is a save.
    static func isSave(_ name: String, contents file: borrowing Descriptor) throws(SystemError) -> Bool {
        let head = try file.read(at: 0, count: headSize)
        if beginsLikeSave(head, name) { return true }
        let size = try file.status().size
        guard size > 0 else { return false }
        let tail = try file.read(at: max(size - tailSize, 0), count: tailSize)
        return endsLikeSave(tail[...], after: head[...], size)
    }

    /// Whether a file ends like a property list, and its beginning is damaged or lost. Another text may end with an
    /// example of a property list, which is then whole.
    ///
    /// - Parameters:
    ///   - tail: The last ``tailSize`` bytes of the file, or all bytes of a smaller file.
    ///   - head: The same for the first ``headSize`` bytes.
    private static func endsLikeSave(_ tail: ArraySlice<UInt8>, after head: ArraySlice<UInt8>, _ size: Int) -> Bool {
        if BinaryPlist.ends(tail, ofFile: size) { return true }
        guard tail.reversed().drop(while: \.isSpace).starts(with: "</plist>".utf8.reversed()) else { return false }
        return head.first == 0 || TextPattern(Array("<plist".utf16)).match(inASCII: Array(head)) != .found
    }

    /// Whether a file begins like a save.
    ///
    /// - Parameter file: At least the first ``headSize`` bytes of the file, or all bytes of a smaller file.
    private static func beginsLikeSave(_ file: [UInt8], _ name: String) -> Bool {
        let bytes = Layers.beginning(of: file, headSize)
        if BinaryPlist.begins(bytes[...]) || TypedStream.begins(bytes[...]) { return true }
        if SQLite.begins(bytes) {
            return FileSystem.ending(of: name).map { databaseEndings.contains($0.lowercased()) } ?? false
        }
        // After removal of zero bytes, UTF-16 text reads like UTF-8 except for the byte order mark.
        let units = bytes.prefix(headSize).filter { $0 != 0 }
        let text = String(decoding: units, as: UTF8.self)
        let isMark = { (scalar: Unicode.Scalar) in scalar == "\u{FEFF}" || scalar == "\u{FFFD}" }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && !isMark($0) }
        guard first == "<" else { return false }
        return ["<plist", "<!DOCTYPE plist"].contains { TextPattern(Array($0.utf16)).match(inASCII: units) == .found }
    }
}
