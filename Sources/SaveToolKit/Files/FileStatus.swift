#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

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
