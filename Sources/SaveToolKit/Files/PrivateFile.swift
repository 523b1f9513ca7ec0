#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file for another program, in a folder of its own that nobody else can look into. Both are removed in the end, unless
/// the file is to be kept.
final class PrivateFile {
    /// Where it is.
    let path: String
    private let folder: String
    private var isKept = false

    /// Creates a file of this name in a new folder within another.
    init(named name: String, in parent: String, _ bytes: [UInt8]) throws(SystemError) {
        var template = FileName.cString(parent + "/savetool-XXXXXX")
        // Sound: the template ends in zero, and the system writes only over the letters before that.
        guard unsafe mkdtemp(&template) != nil else { throw .last }
        folder = FileName.text(template.dropLast().map { UInt8(bitPattern: $0) })
        path = folder + "/" + name
        try Descriptor(opening: path, for: .creating(permissions: 0o600)).write(bytes.span)
    }

    deinit {
        guard !isKept else { return }
        // Editors leave copies beside a file.
        for name in (try? FileSystem.names(inFolder: folder)) ?? [] {
            FileSystem.remove(folder + "/" + name)
        }
        // Sound: the path ends in zero and outlives the call.
        _ = unsafe rmdir(FileName.cString(folder))
    }

    func read() throws(SystemError) -> [UInt8] {
        try Descriptor(opening: path, for: .reading).readToEnd()
    }

    /// Puts another content in place of the present one.
    func replace(with bytes: [UInt8]) throws(SystemError) {
        FileSystem.remove(path)
        try Descriptor(opening: path, for: .creating(permissions: 0o600)).write(bytes.span)
    }

    /// Leaves the file where it is.
    func keep() {
        isKept = true
    }
}
