/// Files that are read and then replaced by what was made of them, so that nothing is lost that others write meanwhile:
///
///     lock the folder ─▶ read ─▶ change ─▶ write beside ─▶ still what was read? ─▶ rename ─▶ unlock
///
/// The lock is for runs of this tool, which wait for each other. The comparison is for all other programs.
extension Invocation {
    /// Does something that reads files and may replace one of them. If it does, no other run of the tool changes that
    /// one meanwhile, and it is not replaced if anything else has.
    ///
    /// - Parameters:
    ///   - output: the file that is written; nil for none.
    ///   - names: the files that are read. If none of them is the one that is written, there is nothing to guard.
    func whileEditing<Result>(
        _ output: String?, reading names: [String], _ body: () throws -> Result
    ) throws -> Result {
        guard let output, isOne(output, of: names) else { return try body() }
        // Who writes what is no file may itself be waiting for the lock.
        for name in names where !isFile(name) { readAhead[name] = try read(name) }
        let lock = lock(folderOf: output)
        return try withExtendedLifetime(lock) { try whileNoting(output, body) }
    }

    /// Does something that takes as long as a person needs and then may replace a file, see ``whileReplacing(_:_:)``. Nobody
    /// waits meanwhile.
    ///
    /// - Parameter output: the file that is written; nil for none.
    func whileThinking<Result>(_ output: String?, _ body: () throws -> Result) throws -> Result {
        guard let output, isFile(output) else { return try body() }
        return try whileNoting(output, body)
    }

    /// Replaces the file of ``whileThinking(_:_:)``, its folder locked. Throws if it is no longer what it was then.
    func whileReplacing<Result>(_ body: () throws -> Result) throws -> Result {
        guard let edited else { return try body() }
        let lock = lock(folderOf: edited.name)
        return try withExtendedLifetime(lock) {
            do throws(SystemError) {
                try edited.version.checkUnchanged()
            } catch {
                throw FileError(Self.shownName(edited.name), error)
            }
            return try body()
        }
    }

    /// Does something while it is known what a file was before.
    private func whileNoting<Result>(_ output: String, _ body: () throws -> Result) throws -> Result {
        do throws(SystemError) {
            edited = (output, try FileVersion(ofFileAt: path(output)))
        } catch {
            throw FileError(Self.shownName(output), error)
        }
        defer { edited = nil }
        return try body()
    }

    /// The lock of the folder of a file; nil where there is none to be had. What is wrong with the folder itself is told
    /// where the file is read or written.
    private func lock(folderOf name: String) -> FolderLock? {
        do throws(SystemError) {
            return try FolderLock(forFileAt: path(name))
        } catch {
            if error != .noSuchFile {
                printError(
                    "\(Self.shownName(name)): warning: its folder cannot be locked: \(error.sentence); what others "
                        + "write meanwhile is noticed by comparison only")
            }
            return nil
        }
    }

    /// Whether a file is one of others, under whatever name.
    func isOne(_ file: String, of others: [String]) -> Bool {
        if others.contains(file) { return true }
        guard let status = try? FileSystem.status(path(file)) else { return false }
        return others.contains { (try? FileSystem.status(path($0)))?.isSameFile(as: status) ?? false }
    }

    /// Whether a name is that of a regular file, or of none at all.
    private func isFile(_ name: String) -> Bool {
        if name == "-" { return false }
        guard let status = try? FileSystem.status(path(name)) else { return true }
        return status.kind != .other
    }
}
