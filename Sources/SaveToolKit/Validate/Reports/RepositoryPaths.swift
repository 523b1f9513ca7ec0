/// The names of files as GitHub knows them: paths from the top of the repository, wherever in it the program runs.
struct RepositoryPaths {
    private let folder: String
    /// The folder with `.git` in it; nil outside of a repository, where names stay as they are.
    private let top: String?

    /// - Parameter folder: the working folder, from which names start; empty for that of the process.
    init(from folder: String) {
        self.folder = folder
        top = FileSystem.resolved(folder.isEmpty ? "." : folder).flatMap(Self.top)
    }

    private static func top(above folder: String) -> String? {
        var path = folder
        while (try? FileSystem.status(path + "/.git")) == nil {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
            path = String(path[..<slash])
        }
        return path
    }

    /// The path of a file from the top; its name where it is not below that.
    func path(of name: String) -> String {
        guard let top, let path = FileSystem.resolved(FileSystem.path(name, from: folder)) else { return name }
        let relative = FileName.relative(path, to: top)
        return relative.hasPrefix("../") ? name : relative
    }
}
