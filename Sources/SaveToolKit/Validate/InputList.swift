/// The files that operands stand for: themselves, or in the case of a folder what is in it.
///
///     saves b.plist      saves/a.save
///                        saves/old/x.plist
///                        b.plist
///
/// Within a folder names go by their bytes. Links are followed, and no folder is entered twice, so that links that go
/// round in a circle come to an end. Folders with a dot at the front, where version control and builds keep their things,
/// are not entered. Iterative.
struct InputList {
    private(set) var files: [InputFile] = []
    private let base: String
    private var entered: Set<FileStatus.Identity> = []

    /// A list of names that start from the folder `base`.
    init(from base: String) {
        self.base = base
    }

    /// Adds what an operand stands for.
    mutating func add(_ operand: String) {
        guard operand != "-", let status = self.status(operand), status.kind == .folder else {
            return files.append(InputFile(name: operand))
        }
        var pending = contents(of: operand, status)
        while let name = pending.popLast() {
            switch self.status(name) {
            case let folder? where folder.kind == .folder:
                if !FileSystem.name(of: name).hasPrefix(".") { pending += contents(of: name, folder) }
            // Reading a pipe or a device could take forever.
            case let other? where other.kind == .other: break
            // A link that leads nowhere.
            case nil where !FoundFile.hasTellingName(name): break
            default: files.append(InputFile(name: name, isFound: true))
            }
        }
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

    private func status(_ name: String) -> FileStatus? {
        (try? FileSystem.status(FileSystem.path(name, from: base))) ?? nil
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder == "." ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
