/// The replacement of files by their edited versions, without losing changes that other programs make meanwhile:
///
///     lock the folder ─▶ read ─▶ edit ─▶ write a new file ─▶ old file unchanged? ─▶ rename ─▶ unlock
///
/// The lock makes other runs of savetool wait. The comparison detects changes by all other programs.
extension Invocation {
    /// Runs `body` with the output's folder locked, so that other runs of savetool wait. The file is not replaced if
    /// another program changes it meanwhile.
    ///
    /// - Parameters:
    ///   - output: The file that is written, or nil for none.
    ///   - names: The files that are read. If none of them is the output, nothing is locked.
    func whileEditing<Result>(
        _ output: String?, reading names: [String], _ body: () throws -> Result
    ) throws -> Result {
        guard let output, isOne(output, of: names) else { return try body() }
        // Pipes are read before locking: the program that writes to one may itself be waiting for the lock.
        for name in names where !isFile(name) { readAhead[name] = try read(name) }
        let lock = lock(folderOf: output)
        return try withExtendedLifetime(lock) { try withRecordedVersion(output, body) }
    }

    /// Runs `body` without a lock, because it waits for the user. To replace the file, `body` calls
    /// ``whileReplacing(_:)``.
    ///
    /// - Parameter output: The file that is written, or nil for none.
    func withoutLock<Result>(_ output: String?, _ body: () throws -> Result) throws -> Result {
        guard let output, isFile(output) else { return try body() }
        return try withRecordedVersion(output, body)
    }

    /// Runs `body`, which replaces the output of ``withoutLock(_:_:)``, with the folder of that file locked.
    ///
    /// - Throws: An error if another program has changed the file since ``withoutLock(_:_:)`` began.
    func whileReplacing<Result>(_ body: () throws -> Result) throws -> Result {
        guard let edited else { return try body() }
        let lock = lock(folderOf: edited.name)
        return try withExtendedLifetime(lock) {
            try FileError.naming(Self.shownName(edited.name)) { () throws(SystemError) in
                try edited.version.checkUnchanged()
            }
            return try body()
        }
    }

    /// Runs `body` after recording the state of a file, so that later changes can be detected.
    private func withRecordedVersion<Result>(_ output: String, _ body: () throws -> Result) throws -> Result {
        let version = try FileError.naming(Self.shownName(output)) { () throws(SystemError) in
            try FileVersion(ofFileAt: path(output))
        }
        edited = (output, version)
        defer { edited = nil }
        return try body()
    }

    /// Returns a lock on the folder of a file, or nil if it cannot be locked. Prints a warning, except for a missing
    /// folder, which is reported when the file is read or written.
    private func lock(folderOf name: String) -> FolderLock? {
        do throws(SystemError) {
            return try FolderLock(forFileAt: path(name))
        } catch {
            if error != .noSuchFile {
                printError(
                    "\(Self.shownName(name)): warning: cannot lock its folder: \(error.sentence); changes by "
                        + "other programs are detected only by comparing the file")
            }
            return nil
        }
    }

    /// Whether `file` is the same file as one of `others`, possibly under another name.
    func isOne(_ file: String, of others: [String]) -> Bool {
        if others.contains(file) { return true }
        guard let status = try? FileSystem.status(path(file)) else { return false }
        return others.contains { (try? FileSystem.status(path($0)))?.isSameFile(as: status) ?? false }
    }

    /// Whether a name refers to a regular file, a folder, or no file yet.
    private func isFile(_ name: String) -> Bool {
        if name == "-" { return false }
        guard let status = try? FileSystem.status(path(name)) else { return true }
        return status.kind != .other
    }
}
