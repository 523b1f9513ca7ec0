#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The calls that take a path.
enum FileSystem {
    /// What the system knows of the file that a path leads to, through links; nil if there is none.
    static func status(_ path: String) throws(SystemError) -> FileStatus? {
        var status = stat()
        if unsafe stat(path, &status) == 0 { return FileStatus(status) }
        let error = SystemError.last
        if error == .noSuchFile { return nil }
        throw error
    }

    /// The path behind symbolic links; nil if nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let result = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(result) }
        return unsafe String(cString: result)
    }

    /// The path of the file that is replaced where `path` is written to: of a symbolic link the one that it leads to.
    static func target(_ path: String) -> String {
        isLink(path) ? resolved(path) ?? path : path
    }

    /// Whether the path itself is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Lets `destination` name what `source` names, in place of what it named before.
    static func rename(_ source: String, to destination: String) throws(SystemError) {
        guard systemRename(source, destination) == 0 else { throw .last }
    }

    /// Gives a file a second name that is not taken.
    static func link(_ path: String, as name: String) throws(SystemError) {
        guard systemLink(path, name) == 0 else { throw .last }
    }

    /// Removes a name, if it is there.
    static func remove(_ path: String) {
        _ = unsafe unlink(path)
    }

    /// The names of what is in a folder, without `.` and `..`, in the order of their bytes, which on Linux need not be
    /// text.
    static func names(inFolder path: String) throws(SystemError) -> [[UInt8]] {
        guard let folder = unsafe opendir(path) else { throw .last }
        defer { _ = unsafe closedir(folder) }
        var names: [[UInt8]] = []
        // Only `errno` tells the end of the folder from an error.
        errno = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            if !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8) { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The path of a file as the system takes it, where relative names start from a folder; empty for the working folder.
    static func path(_ name: String, from folder: String) -> String {
        folder.isEmpty || name.utf8.first == UInt8(ascii: "/") ? name : folder + "/" + name
    }

    /// The folder that a path stands in, with the `/` at its end; empty for the working folder.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    /// What follows the last dot of a file's name; nil where there is none but at the front.
    static func ending(of path: String) -> String? {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return String(name[name.index(after: dot)...])
    }

    /// The last component of a path.
    static func name(of path: String) -> String {
        String(path.dropFirst(folder(of: path).count))
    }
}

/// `rename` of the C library, beside the method of that name.
private func systemRename(_ source: String, _ destination: String) -> Int32 {
    unsafe rename(source, destination)
}

/// `link` of the C library, beside the method of that name.
private func systemLink(_ path: String, _ name: String) -> Int32 {
    unsafe link(path, name)
}
