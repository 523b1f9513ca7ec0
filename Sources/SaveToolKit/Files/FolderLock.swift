/// Keeps others from changing a file meanwhile who do the same: a lock on the folder that the file is in.
///
/// The folder, as the file is another one after each replacement, or is not there yet; and so nothing is left behind.
/// Advisory: programs that do not ask for the lock do not notice it, see ``FileVersion``.
final class FolderLock {
    private let folder: Descriptor

    /// Waits for the lock of the folder of the file at `path`; of a symbolic link, of the file that it leads to.
    init(forFileAt path: String) throws(SystemError) {
        let name = FileSystem.folder(of: FileSystem.target(path))
        folder = try Descriptor(opening: name.isEmpty ? "." : name, for: .reading)
        do throws(SystemError) {
            try folder.lock()
        } catch {
            throw error.saysNoLocks ? .noLocks : error
        }
    }
}
