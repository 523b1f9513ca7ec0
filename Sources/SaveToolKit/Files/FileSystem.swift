#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls that take a path.
enum FileSystem {
    /// Returns the status of the file at a path, following links, or nil if it does not exist.
    static func status(_ path: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        // Sound: the path ends in zero and outlives the call, which writes a `stat`.
        if unsafe stat(FileName.cString(path), &status) == 0 { return FileStatus(status) }
        let error = SystemError.last
        if error == .noSuchFile { return nil }
        throw error
    }

    /// Returns the path with symbolic links resolved, or nil if it does not exist.
    static func resolved(_ path: String) -> String? {
        // Sound: the path ends in zero and outlives the call; the string that it gives is copied, and freed once.
        guard let result = unsafe realpath(FileName.cString(path), nil) else { return nil }
        defer { unsafe free(result) }
        return unsafe FileName.text(cString: result)
    }

    /// Whether a path with symbolic links resolved leads to a file below a folder. False if the file does not exist.
    ///
    /// - Parameter root: The path of the folder with links resolved and a `/` at its end.
    static func leads(_ path: String, below root: String) -> Bool {
        resolved(path)?.utf8.starts(with: root.utf8) ?? false
    }

    /// Returns the path of a folder with symbolic links resolved and a `/` at its end, or nil if it does not exist.
    static func root(_ folder: String) -> String? {
        resolved(folder).map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    }

    /// Returns the path of the file that writing to `path` replaces: the target of a symbolic link, or `path` itself.
    static func target(_ path: String) -> String {
        isLink(path) ? resolved(path) ?? path : path
    }

    /// Whether the path itself is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        // Sound: the path ends in zero and outlives the call, which writes a `stat`.
        return unsafe lstat(FileName.cString(path), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether the user may write to the file at a path.
    static func isWritable(_ path: String) -> Bool {
        // Sound: the path ends in zero and outlives the call.
        unsafe faccessat(AT_FDCWD, FileName.cString(path), W_OK, AT_EACCESS) == 0
    }

    /// Allows everyone who may read a file to execute it.
    static func makeExecutable(_ path: String) throws(SystemError) {
        var status = stat()
        // Sound: the path ends in zero and outlives the calls, the first of which writes a `stat`.
        guard unsafe stat(FileName.cString(path), &status) == 0,
            unsafe chmod(FileName.cString(path), status.st_mode & 0o777 | (status.st_mode & 0o444) >> 2) == 0
        else { throw .last }
    }

    /// Renames `source` to `destination`, replacing a file of that name.
    static func rename(_ source: String, to destination: String) throws(SystemError) {
        guard systemRename(source, destination) == 0 else { throw .last }
    }

    /// Gives a file a second name, which must not exist.
    static func link(_ path: String, as name: String) throws(SystemError) {
        guard systemLink(path, name) == 0 else { throw .last }
    }

    /// Removes the name of a file. Errors are ignored.
    static func remove(_ path: String) {
        // Sound: the path ends in zero and outlives the call.
        _ = unsafe unlink(FileName.cString(path))
    }

    /// Creates a folder, and the missing folders above it.
    static func makeFolder(_ path: String) throws(SystemError) {
        let bytes = Array(path.utf8)
        for end in bytes.indices.dropFirst() + [bytes.count] where end == bytes.count || bytes[end] == UInt8(ascii: "/")
        {
            let part = String(decoding: bytes[..<end], as: UTF8.self)
            // Sound: the path ends in zero and outlives the call.
            if unsafe mkdir(FileName.cString(part), 0o777) == 0 { continue }
            let error = SystemError.last
            guard try status(part)?.kind == .folder else { throw error }
        }
    }

    /// Returns the names in a folder, without `.` and `..`, in the order of their bytes.
    ///
    /// - Parameter prefix: The start of the names to return. Other names are skipped without being copied.
    static func names(inFolder path: String, beginningWith prefix: String = "") throws(SystemError) -> [String] {
        let start = FileName.cString(prefix)
        // Sound: the folder is open up to the only call that closes it. An entry lives until the next one is read, and
        // its name is copied before that; nothing is read beyond the zero at its end, as an entry may be shorter than
        // its type says.
        guard let folder = unsafe opendir(FileName.cString(path)) else { throw .last }
        defer { _ = unsafe closedir(folder) }
        var names: [[UInt8]] = []
        // Only `errno` distinguishes the end of the folder from an error.
        errno = 0
        while let entry = unsafe readdir(folder) {
            let name: [UInt8]? = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                guard let first = bytes.baseAddress, unsafe strncmp(first, start, start.count - 1) == 0 else {
                    return nil
                }
                return unsafe Array(bytes.prefix { $0 != 0 })
            }
            if let name, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last }
        return names.sorted { $0.lexicographicallyPrecedes($1) }.map { FileName.text($0) }
    }

    /// Returns the path of a file for system calls. A relative name starts from `folder`; an empty `folder` means the
    /// working folder.
    static func path(_ name: String, from folder: String) -> String {
        folder.isEmpty || name.utf8.first == UInt8(ascii: "/") ? name : folder + "/" + name
    }

    /// Returns the folder of a path, with the `/` at its end; empty for the working folder.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[..<path.utf8.index(after: slash)])
    }

    /// Returns the part of a file's name after the last dot, or nil if there is no dot except at the start.
    static func ending(of path: String) -> String? {
        let name = name(of: path)
        return dot(in: name).map { String(name[name.utf8.index(after: $0)...]) }
    }

    /// Returns the last component of a path without its ending.
    static func stem(of path: String) -> String {
        let name = name(of: path)
        return dot(in: name).map { String(name[..<$0]) } ?? name
    }

    /// Returns the last component of a path without `.gz`.
    static func uncompressedName(of path: String) -> String {
        ending(of: path)?.lowercased() == "gz" ? stem(of: path) : name(of: path)
    }

    private static func dot(in name: String) -> String.Index? {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 == name.startIndex ? nil : $0 }
    }

    /// Returns the last component of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

/// Calls `rename` of the C library, which a method of that name hides.
private func systemRename(_ source: String, _ destination: String) -> Int32 {
    // Sound: both paths end in zero and outlive the call.
    unsafe rename(FileName.cString(source), FileName.cString(destination))
}

/// Calls `link` of the C library, which a method of that name hides.
private func systemLink(_ path: String, _ name: String) -> Int32 {
    // Sound: both paths end in zero and outlive the call.
    unsafe link(FileName.cString(path), FileName.cString(name))
}

// MARK: Status

/// The metadata of a file, as `stat` returns it.
struct FileStatus {
    enum Kind {
        case regular, folder, other
    }

    let kind: Kind
    /// Whether the file is a device such as `/dev/zero`, which may never end.
    let isDevice: Bool
    /// The size in bytes; 0 if the file has no size, as with a pipe.
    let size: Int
    let permissions: mode_t
    let user: uid_t
    let group: gid_t
    /// The number of names (hard links) of the file.
    let names: Int
    /// The time of the last change of the content, in seconds since 1970.
    let modified: Double
    /// The identity of the file, which does not depend on its name.
    let identity: Identity

    struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        default: kind = .other
        }
        isDevice = [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
        size = max(0, Int(status.st_size))
        permissions = status.st_mode & 0o7777
        user = status.st_uid
        group = status.st_gid
        names = Int(truncatingIfNeeded: status.st_nlink)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        identity = Identity(status)
    }

    /// Whether reading the file may take so much memory that it should not be read in parallel with others.
    var mayBeLarge: Bool { kind != .regular || size > 64 << 20 }

    /// Whether the file belongs to the user.
    var isOwn: Bool { user == geteuid() }

    /// Whether the user has the rights of the file's owner.
    var hasRightsOfOwner: Bool { isOwn || geteuid() == 0 }

    /// Whether both are the same file, possibly under different names.
    func isSameFile(as other: FileStatus) -> Bool {
        identity == other.identity
    }
}
