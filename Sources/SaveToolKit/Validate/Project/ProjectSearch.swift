/// Looks for the project file of the working folder.
///
///     ~/.savetool.json            for all that is not in a repository
///     ~/swamp/.git                the top of a repository
///     ~/swamp/.savetool.json      for the whole repository, and nothing above it
///     /tmp/.savetool.json                 of somebody else: says nothing of what Ada does in /tmp/ada
///
/// The one in the working folder counts, whoever made it. Of those above it the next one counts: in a repository up to its
/// top; elsewhere only the user's own, in folders of the user that are not above the home folder.
struct ProjectSearch {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// The folder with the project file, from the working folder, with a `/` at its end; nil if there is none.
    func folder() -> String? {
        if hasFile("") { return "" }
        let folders = foldersAbove()
        if let top = ([""] + folders).firstIndex(where: isTopOfRepository) {
            return folders.prefix(top).first(where: hasFile)
        }
        let home = invocation.environment["HOME"].flatMap { FileSystem.resolved(invocation.path($0)) }
        return folders.prefix { isOwn($0 + ".") && !isFolder($0, above: home) }
            .first { isOwn($0 + ProjectFile.fileName) }
    }

    /// The folders above the working folder, the nearest first.
    private func foldersAbove() -> [String] {
        var folders: [String] = []
        var folder = ""
        while let identity = status(folder + ".")?.identity, let above = status(folder + "..")?.identity,
            above != identity
        {
            folder += "../"
            folders.append(folder)
        }
        return folders
    }

    private func hasFile(_ folder: String) -> Bool { status(folder + ProjectFile.fileName) != nil }

    /// Whether a folder is the top of a repository, which somebody else cannot make of a folder that all may write to.
    private func isTopOfRepository(_ folder: String) -> Bool {
        guard let repository = status(folder + ".git") else { return false }
        return repository.isOwn || repository.user == status(folder + ".")?.user
    }

    private func isOwn(_ name: String) -> Bool { status(name)?.isOwn ?? false }

    private func isFolder(_ folder: String, above home: String?) -> Bool {
        guard let home, let path = FileSystem.resolved(invocation.path(folder)) else { return false }
        return home != path && home.utf8.starts(with: (path == "/" ? path : path + "/").utf8)
    }

    private func status(_ name: String) -> FileStatus? {
        (try? FileSystem.status(invocation.path(name))) ?? nil
    }
}
