/// A file in a git repository, named as in git (gitrevisions(7)):
///
///     HEAD:saves/a.save        in the last commit; the path begins at the top of the repository
///     HEAD:./a.save            in the last commit; the path begins at the working folder
///     v1.0~3:saves/a.save      in any other commit
///     :saves/a.save            in the index; :1:, :2: and :3: are the base and the sides of a conflict
///
/// A file in the folder with exactly this name takes precedence.
enum GitRevision {
    /// Returns the bytes of a file as git would check it out, after the filters of `.gitattributes`.
    ///
    /// - Throws: ``SystemError/noSuchFile`` if the name has no colon, or outside of a repository; otherwise git's error.
    static func read(_ name: String, from folder: String) throws(SystemError) -> [UInt8] {
        // git would take a name that begins with a hyphen as an option, and no revision does.
        guard name.utf8.first != UInt8(ascii: "-"), name.utf8.contains(UInt8(ascii: ":")) else { throw .noSuchFile }
        let kind = try git("-t", name, from: folder)
        if kind.starts(with: "tree".utf8) { throw .git("this is a folder; expected a file") }
        guard kind.starts(with: "blob".utf8) else { throw .git("expected a file, as in HEAD:saves/a.save") }
        return try git("--filters", name, from: folder)
    }

    private static func git(_ option: String, _ name: String, from folder: String) throws(SystemError) -> [UInt8] {
        switch try GitProgram.run(["cat-file", option, name], from: folder) {
        case .output(let bytes): return bytes
        case .refusal(let words) where words.contains("not a git repository"): throw .noSuchFile
        case .refusal(let words): throw .git(words)
        }
    }
}
