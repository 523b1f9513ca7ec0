import SaveOperations

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The error of a system call.
struct SystemError: Error, Equatable {
    /// The value of `errno`.
    let code: Int32
    /// The reason as a sentence; nil if the code states it.
    private let reason: String?
    /// Whether the call came after the file had been replaced.
    private(set) var isAfterReplacement = false

    init(code: Int32, reason: String? = nil) {
        (self.code, self.reason) = (code, reason)
    }

    /// The error of the call that has just failed.
    static var last: SystemError { SystemError(code: errno) }

    static let noSuchFile = SystemError(code: ENOENT)
    static let changedMeanwhile = SystemError(code: ESTALE)
    static let notPermitted = SystemError(code: EPERM)
    static let permissionDenied = SystemError(code: EACCES)
    static let brokenPipe = SystemError(code: EPIPE)
    static let tooLarge = SystemError(code: EOVERFLOW)
    static let notOpen = SystemError(code: EBADF)
    static let isFolder = SystemError(code: EISDIR)
    static let notRegular = SystemError(code: ESPIPE)
    static let noLocks = SystemError(code: ENOLCK)

    /// Returns the error for a new file that cannot be given the owner, or else the group, of the old one.
    static func cannotKeep(ownerOf file: FileStatus) -> SystemError {
        let owner = file.isOwn ? "the group \(groupName(file.group))" : "the owner \(userName(file.user))"
        return SystemError(
            code: EPERM, reason: "cannot keep \(owner); use \(Option.newOwner.shown) to make the new file yours")
    }

    /// The error for another user's file in a folder such as /tmp, where only the owner of a file may replace it.
    static var cannotReplaceInSharedFolder: SystemError {
        SystemError(
            code: EPERM,
            reason: "only its owner can replace this file, because its folder is sticky, as /tmp is; "
                + "use \(Option.output.shown) FILE to write another one")
    }

    /// Returns the error for a folder in place of a file, with the option that processes the files in it.
    static func folder(enteredBy option: Option) -> SystemError {
        SystemError(code: EISDIR, reason: "this is a folder; use \(option.shown) to process the saves in it")
    }

    /// Returns the error for a database that cannot be read at the moment, with the reason as a sentence.
    static func database(_ reason: String) -> SystemError {
        SystemError(code: EBUSY, reason: reason)
    }

    /// Returns the error for a missing file. It names a file that looks the same, if the folder has one.
    static func missing(_ name: String, from folder: String) -> SystemError {
        let typed = FileSystem.name(of: name)
        let parent = FileSystem.path(FileSystem.folder(of: name), from: folder)
        // `String` compares characters, not code units.
        guard typed.utf8.contains(where: { $0 >= 0x80 }),
            let other = try? FileSystem.names(inFolder: parent.isEmpty ? "." : parent).first(where: { $0 == typed })
        else { return .noSuchFile }
        let advice = Suggestion.sentence(FileName.shown(other), for: FileName.shown(typed))
        return SystemError(code: ENOENT, reason: SystemError.noSuchFile.sentence + advice)
    }

    /// Returns the error for a name that is neither a file nor a file in git, with the reason as a sentence.
    static func git(_ reason: String) -> SystemError {
        SystemError(code: ENOENT, reason: "no such file; git: " + reason)
    }

    /// The error for a symbolic link that was found in a folder and leads out of it.
    static var linkOutside: SystemError {
        SystemError(
            code: ELOOP,
            reason: "not read, because this symbolic link leads out of the folder; name the file to read it")
    }

    /// The error for a symbolic link in an output folder that leads out of it.
    static var outputLinkOutside: SystemError {
        SystemError(code: ELOOP, reason: "not written, because this symbolic link leads out of the output folder")
    }

    /// The error for a new file that cannot be given the access control list of the old one.
    static var cannotKeepAccessList: SystemError {
        SystemError(
            code: EPERM,
            reason: "cannot keep the access control list, and without it other users might get more access; "
                + "use \(Option.output.shown) FILE to write another one")
    }

    /// The same error, for a call that came after the file had been replaced.
    var afterReplacement: SystemError {
        var error = self
        error.isAfterReplacement = true
        return error
    }

    private static func userName(_ user: uid_t) -> String {
        // Sound: only one thread asks for names, and copies each before it asks again.
        guard let entry = unsafe getpwuid(user) else { return "\(user)" }
        return unsafe FileName.shown(FileName.text(cString: entry.pointee.pw_name))
    }

    private static func groupName(_ group: gid_t) -> String {
        // Sound: only one thread asks for names, and copies each before it asks again.
        guard let entry = unsafe getgrgid(group) else { return "\(group)" }
        return unsafe FileName.shown(FileName.text(cString: entry.pointee.gr_name))
    }

    /// Whether a file system that cannot lock a folder gives this error.
    var saysNoLocks: Bool { [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS, EINVAL, EBADF].contains(code) }

    /// Whether a file system that has no extended attributes gives this error.
    var saysNoAttributes: Bool { [ENOTSUP, EOPNOTSUPP, ENOSYS].contains(code) }

    /// The description, for the end of a message.
    var sentence: String {
        if let reason { return reason }
        return switch code {
        case ENOENT: "no such file"
        case EACCES: "permission denied"
        case EPERM: "operation not permitted"
        case EISDIR: "this is a folder; expected a file"
        case EEXIST: "a file with this name exists; expected a folder"
        case ENOTDIR: "a part of the path is a file, not a folder"
        case ELOOP: "the symbolic links form a loop"
        case ENAMETOOLONG: "the name is too long"
        case ENOSPC: "no space is left on the device"
        case EDQUOT: "the disk quota is exceeded"
        case EROFS: "the file system is read-only"
        case EFBIG: "the file would be larger than the system allows"
        case ESPIPE: "this is a pipe or device; expected a regular file"
        case EOVERFLOW: "too large; the limit is 2 GiB for a file, 1 GiB for a pipe and 64 MiB for a device"
        case EILSEQ: "the file system does not allow this name"
        case ESTALE: "changed meanwhile by another program; nothing written"
        case ENOLCK: "the file system does not support locks"
        case EMFILE, ENFILE: "too many files are open"
        case EIO: "the device reported an error"
        case EINTR: "interrupted by a signal"
        default: "system error \(code)"
        }
    }
}

/// A file that cannot be read or written, and the reason.
struct FileError: Error {
    /// The name for messages.
    let name: String
    /// The reason, as one sentence.
    let sentence: String
    /// The part that succeeded nonetheless and must not be repeated. Messages begin with it instead of the name.
    private(set) var done: String?

    init(_ name: String, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }

    /// The beginning of a message, before the reason.
    var beginning: String { done.map { $0 + ";" } ?? name + ":" }

    /// Returns the same error, with a statement of the part that succeeded.
    func after(_ done: String) -> FileError {
        var error = self.done == nil ? FileError(name, "\(name): \(sentence)") : self
        error.done = done
        return error
    }

    /// Returns the error for a replaced file whose new name may not be on the device yet.
    static func unsure(_ name: String, _ error: SystemError) -> FileError {
        var failure = FileError(name, "it may be lost if power fails now: \(error.sentence)")
        failure.done = "\(name) is written"
        return failure
    }

    init(_ name: String, _ error: SystemError) {
        self.init(name, error.sentence)
    }

    /// Runs `body`, and rethrows an error of the system with the name of the file.
    static func naming<Result>(
        _ name: String, _ body: () throws(SystemError) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemError) {
            return try body()
        } catch {
            throw FileError(name, error)
        }
    }
}

/// The error of writing to an output that its reader has closed. `head`, for example, closes it after a few lines.
struct ClosedPipe: Error {}
