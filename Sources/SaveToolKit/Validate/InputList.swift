import SaveCodec

/// The files that operands stand for: themselves, or in the case of a folder what is in it.
///
///     saves b.plist      saves/a.save
///                        saves/old/x.plist
///                        b.plist
///
/// Within a folder names go by their bytes. Links are followed, and no folder is entered twice, so that links that go
/// round in a circle come to an end. Folders with a dot at the front, where version control and builds keep their things,
/// are not entered. What the project ignores is left out. Iterative.
struct InputList {
    private(set) var files: [InputFile] = []
    /// How many files were named that the project ignores.
    private(set) var ignoredCount = 0
    /// The files of the project that no rule is for, by their folders.
    private var unruled: [String: [String]] = [:]
    private let base: String
    private let project: Project?
    private var entered: Set<FileStatus.Identity> = []

    /// A list of names that start from the folder `base`.
    init(from base: String, project: Project? = nil) {
        self.base = base
        self.project = project
    }

    /// Which files in a folder are wanted.
    private enum Search {
        /// Those that look like ours.
        case content
        /// Those that the project has rules for.
        case rules
    }

    /// Adds what an operand stands for.
    mutating func add(_ operand: String) {
        guard operand != "-" else { return files.append(InputFile(name: operand)) }
        // Why a file that is named cannot be read, comes out when it is.
        guard let status = try? self.status(operand), status.kind == .folder else {
            let path = project?.path(of: operand)
            return add(InputFile(name: operand, rules: rules(for: path)), at: path)
        }
        search(operand, status, for: .content)
    }

    /// Adds what the names in a list stand for. They end in a zero byte, or in LF or CR LF.
    mutating func add(list: [UInt8], in file: String, separator: UInt8) throws(UsageError) {
        if separator != 0, list.contains(0) {
            throw .badValue(file, .filesFrom, expected: "lines without zero bytes, which \(Option.null.shown) is for")
        }
        for line in list.split(separator: separator) {
            let hasReturn = separator != 0 && line.last == UInt8(ascii: "\r")
            let name = FileName.text(hasReturn ? line.dropLast() : line)
            if !name.isEmpty { add(name) }
        }
    }

    /// Lets a folder not be entered, unless it is one of the operands.
    mutating func leaveOut(_ folder: String, unlessIn operands: [String]) {
        guard let identity = (try? status(folder))?.identity,
            !operands.contains(where: { (try? status($0))?.identity == identity })
        else { return }
        entered.insert(identity)
    }

    /// Adds the files that the project has rules for.
    mutating func addProject() {
        guard let folder = project?.folder else { return }
        let name = folder.isEmpty ? "." : folder
        guard let status = try? status(name) else { return }
        search(name, status, for: .rules)
    }

    /// Adds a file, which has this path in the project, unless it is ignored.
    private mutating func add(_ file: InputFile, at path: String?) {
        if let project, let path, project.file.ignores(path) {
            ignoredCount += 1
        } else {
            files.append(file)
        }
    }

    /// The positions of the rules for a path in the project.
    private func rules(for path: String?) -> [Int] {
        path.flatMap { project?.file.rules(for: $0) } ?? []
    }

    // MARK: Folders

    private mutating func search(_ folder: String, _ status: FileStatus, for search: Search) {
        var pending = contents(of: folder, status)
        while let name = pending.popLast() { pending += look(at: name, search) }
    }

    /// Adds what was found in a folder, if it is wanted, unless it is a folder itself. Returns what is in that, the last
    /// name first.
    private mutating func look(at name: String, _ search: Search) -> [String] {
        let path = project?.path(of: name)
        do throws(SystemError) {
            switch try status(name) {
            case let folder? where folder.kind == .folder:
                if isEntered(name, at: path, for: search) { return contents(of: name, folder) }
            // Reading a pipe or a device could take forever.
            case let other? where other.kind == .other: break
            case let status: addFound(name, at: path, exists: status != nil, for: search)
            }
        } catch {
            addUnreadable(InputFile(name: name, rules: rules(for: path), failure: error), at: path, for: search)
        }
        return []
    }

    private func isEntered(_ folder: String, at path: String?, for search: Search) -> Bool {
        switch search {
        case .content: !FileSystem.name(of: folder).hasPrefix(".") && path.map { project?.file.ignores($0) } != true
        case .rules: path.map { project?.file.concerns(folder: $0) } == true
        }
    }

    /// Adds a file that was found in a folder, if it is wanted. One that a rule is for is ours, whatever is in it.
    private mutating func addFound(_ name: String, at path: String?, exists: Bool, for search: Search) {
        let rules = rules(for: path)
        if rules.isEmpty {
            if search == .rules, exists, let path { noteUnruled(name, at: path) }
            // A link that leads nowhere is told of if it is plain what it should lead to. The project file is no save.
            guard search == .content, exists || FoundFile.hasTellingName(name),
                FileSystem.name(of: name) != ProjectFile.fileName
            else { return }
        }
        add(InputFile(name: name, isFound: rules.isEmpty, rules: rules), at: path)
    }

    private mutating func noteUnruled(_ name: String, at path: String) {
        guard FoundFile.hasTellingName(name), project?.file.ignores(path) == false,
            project?.file.isSchema(path) == false,
            FileSystem.name(of: name) != ProjectFile.fileName
        else { return }
        unruled[FileSystem.folder(of: name), default: []].append(name)
    }

    /// The files that no rule of the project is for though it could be meant: those that were named, and those that stand
    /// beside files with the same ending that a rule is for.
    var overlooked: [String] {
        guard let project else { return [] }
        func isInProject(_ name: String) -> Bool {
            project.path(of: name).map { !project.file.isSchema($0) } ?? false
        }
        func kind(_ name: String) -> String {
            FileSystem.folder(of: name) + "/." + (FileSystem.ending(of: name) ?? "").lowercased()
        }
        let open = files.filter { file in file.rules.contains { project.file.rules[$0].isOpen } }
        let ruled = Set(open.map { kind($0.name) })
        return files.filter { $0.rules.isEmpty && $0.name != "-" && isInProject($0.name) }.map(\.name)
            + unruled.values.joined().filter { ruled.contains(kind($0)) }.sorted()
    }

    /// Adds what cannot even be looked at, if it may be wanted.
    private mutating func addUnreadable(_ file: InputFile, at path: String?, for search: Search) {
        if search == .content || !file.rules.isEmpty { add(file, at: path) }
    }

    /// What is in a folder, the last name first.
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

/// A file that is named, or found in a folder.
struct InputFile: Sendable {
    /// Its name, as it was given or found; `-` for standard input.
    let name: String
    /// Whether it was found in a folder, so that it is passed over if it is none of ours.
    var isFound = false
    /// The positions of the project's rules that are for it.
    var rules: [Int] = []
    /// Why it cannot be read, if that is known already: for example it is a folder.
    var failure: SystemError?

    /// Throws why the file cannot be read, if that is known already.
    func checkFailure() throws(FileError) {
        if let failure { throw FileError(Invocation.shownName(name), failure) }
    }
}

/// Whether a file that was found in a folder is one of those that are checked: by the ending of its name, or by how it
/// begins.
///
/// Nearly every text is an OpenStep string to a reader, and every number JSON, so that a file without a telling name is
/// taken only if it is a property list in binary or XML form, or a typedstream, and says so. The ending `.xml` does not
/// tell: XML can be anything. A database is taken by its ending and its content: other programs than games keep databases,
/// too, and other things than databases end in `.db` or `.store`.
enum FoundFile {
    /// How much of a file is looked at.
    static let headSize = 4096

    /// Those of the formats, and what games and their tools call files of several formats.
    private static let endings: Set<String> = Set(
        Format.allCases.filter { !$0.has(.sharedEndings) }.flatMap { $0.definition.endings }
    ).union(["archive", "gnustep", "plist", "sav", "save", "sks"])

    /// Those of databases, which other programs keep other things under.
    private static let databaseEndings = Set(Format.sqlite.definition.endings)

    static func hasTellingName(_ name: String) -> Bool {
        FileSystem.ending(of: FileSystem.uncompressedName(of: name)).map { endings.contains($0.lowercased()) } ?? false
    }

    /// Whether a file is one of ours, of which all bytes are known.
    static func isSave(_ name: String, _ bytes: [UInt8]) -> Bool {
        hasTellingName(name) || hasTellingHead(bytes, name)
    }

    /// Whether a file is one of ours, whose name starts from a folder. One that cannot be read is none.
    static func isSave(_ name: String, from folder: String) -> Bool {
        if hasTellingName(name) { return true }
        guard let file = try? Descriptor(opening: FileSystem.path(name, from: folder), for: .reading),
            let head = try? file.read(at: 0, count: headSize)
        else { return false }
        return hasTellingHead(head, name)
    }

    /// Whether a file begins like one of ours, of which not even the beginning has to be all that is known.
    static func hasTellingHead(_ file: [UInt8], _ name: String) -> Bool {
        let bytes = Layers.beginning(of: file, headSize)
        if bytes.starts(with: "bplist".utf8) || TypedStream.begins(bytes[...]) { return true }
        if SQLite.begins(bytes) {
            return FileSystem.ending(of: name).map { databaseEndings.contains($0.lowercased()) } ?? false
        }
        // Without its zeros a text in UTF-16 reads like one in UTF-8, but for the mark at its beginning.
        let text = String(decoding: bytes.prefix(headSize).filter { $0 != 0 }, as: UTF8.self)
        let isMark = { (scalar: Unicode.Scalar) in scalar == "\u{FEFF}" || scalar == "\u{FFFD}" }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && !isMark($0) }
        guard first == "<" else { return false }
        return text.contains("<plist") || text.contains("<!DOCTYPE plist")
    }
}
