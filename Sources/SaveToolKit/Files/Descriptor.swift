#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file.
///
/// Calls that a signal interrupts are repeated. If the stream is non-blocking, ``write(_:)`` waits until it accepts
/// more bytes.
struct Descriptor: ~Copyable {
    /// The number of the descriptor in system calls.
    let number: Int32
    private let isOwned: Bool

    /// Creates a descriptor for a standard stream, which is left open.
    init(standard number: Int32) {
        self.number = number
        isOwned = false
    }

    init(opening path: String, for access: Access) throws(SystemError) {
        let path = FileName.cString(path)
        // Sound: the path ends in zero and outlives the call.
        let opened = try Self.repeated { unsafe Int(open(path, access.flags | O_CLOEXEC, access.mode)) }
        number = Int32(truncatingIfNeeded: opened)
        isOwned = true
    }

    /// Creates a pipe, and holds its write end. `reader` is set to the number of its read end. Child processes inherit
    /// neither end.
    init(writingTo reader: inout Int32) throws(SystemError) {
        (reader, number) = try Self.pipeEnds()
        isOwned = true
    }

    /// Creates a pipe, and holds its read end. `writer` is set to the number of its write end. Child processes inherit
    /// neither end.
    init(readingFrom writer: inout Int32) throws(SystemError) {
        (number, writer) = try Self.pipeEnds()
        isOwned = true
    }

    private static func pipeEnds() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var numbers: [Int32] = [-1, -1]
        // Sound: the array has room for both numbers.
        guard unsafe pipe(&numbers) == 0 else { throw SystemError.last }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return (numbers[0], numbers[1])
    }

    /// Returns a regular file that is open for reading, without waiting for the writer of a pipe.
    ///
    /// - Throws: ``SystemError/notRegular`` for a pipe, device or folder.
    static func openingRegular(_ path: String) throws(SystemError) -> Descriptor {
        let file = try Descriptor(opening: path, for: .readingAtOnce)
        guard try file.status().kind == .regular else { throw .notRegular }
        return file
    }

    deinit {
        if isOwned { _ = close(number) }
    }

    /// The purpose of opening a file.
    enum Access {
        case reading
        /// Reading without waiting for the writer of a pipe, and without making a terminal control the process.
        case readingAtOnce
        /// Writing to an existing device or pipe.
        case writing
        /// Writing a file that does not exist yet, with these permissions, reduced by the umask.
        case creating(permissions: mode_t)

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .readingAtOnce: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .writing: O_WRONLY
            case .creating: O_WRONLY | O_CREAT | O_EXCL
            }
        }

        fileprivate var mode: mode_t {
            if case .creating(let permissions) = self { permissions } else { 0 }
        }
    }

    var isTerminal: Bool { isatty(number) == 1 }

    /// The size of the terminal, or nil if the file is not a terminal or its size is unknown.
    var terminalSize: TerminalSize? {
        var size = winsize()
        // Sound: the system writes a `winsize` for this request.
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        // Sound: the system writes a `stat`, for which there is room.
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Locks the file or folder, after waiting for other processes that have it locked. The lock ends when the file is
    /// closed or the process ends.
    func lock() throws(SystemError) {
        _ = try Self.repeated { Int(flock(number, LOCK_EX)) }
    }

    /// Tries to lock the file without waiting, exclusively or shared. Returns whether it is locked.
    func locksAtOnce(isShared: Bool = false) -> Bool {
        flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }

    // MARK: Reading

    /// Returns all bytes up to the end of the file. The file may be a pipe, and it may grow while it is read.
    ///
    /// - Throws: The system's error, or EOVERFLOW for a regular file larger than 2 GiB (even a sparse one), a pipe of
    ///   1 GiB or more, or a device of 64 MiB or more.
    func readToEnd() throws(SystemError) -> [UInt8] {
        let status = try status()
        if status.kind == .folder { throw .isFolder }
        let limit = status.kind == .regular ? 2 << 30 : status.isDevice ? 64 << 20 : 1 << 30
        guard status.size <= limit else { throw .tooLarge }
        // One byte more than the size, so that the read that finds the end needs no larger buffer.
        var capacity = status.kind == .regular ? status.size + 1 : 1 << 16
        var bytes = try read(after: [], capacity: capacity)
        while bytes.count == capacity {
            guard capacity < limit else { throw .tooLarge }
            capacity = min(2 * capacity, limit)
            bytes = try read(after: bytes, capacity: capacity)
        }
        return bytes
    }

    /// Returns the next `count` bytes, or fewer at the end of the file.
    func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        try read(after: [], capacity: count)
    }

    /// Returns `start` followed by the next bytes of the file, at most `capacity` bytes in total.
    private func read(after start: [UInt8], capacity: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        // Sound: `start` fits, as no caller passes a smaller capacity than its size. Each piece is written after the
        // `count` bytes before it, into the rest of the buffer, and only these bytes become part of the array.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = start.count
            _ = unsafe buffer.update(fromContentsOf: start)
            while count < capacity {
                let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count..<capacity])
                guard let received = unsafe receive(into: rest, &failure), received > 0 else { return }
                count += received
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private func receive(into buffer: UnsafeMutableBufferPointer<UInt8>, _ failure: inout SystemError?) -> Int? {
        let start = buffer.baseAddress
        let size = buffer.count
        do throws(SystemError) {
            // Sound: no more is read than the buffer holds.
            return try Self.repeated { unsafe systemRead(number, into: start, min(size, Self.largestTransfer)) }
        } catch {
            failure = error
            return nil
        }
    }

    /// Waits for bytes, and returns at most `count` of them; none at the end.
    func readSome(atMost count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        // Sound: no more bytes become part of the array than were received into the buffer.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe receive(into: buffer, &failure) ?? 0
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns `count` bytes from an offset, or fewer at the end of the file.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // Sound: no more is read than the buffer holds after the bytes that are filled.
            let received = try Self.repeated {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    return unsafe pread(number, rest.baseAddress, rest.count, off_t(offset + filled))
                }
            }
            if received == 0 { break }
            filled += received
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    // MARK: Writing

    func write(_ bytes: Span<UInt8>) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let size = min(rest.count, Self.largestTransfer)
            // Sound: no more is written than the span has, which outlives the call.
            do throws(SystemError) {
                written += try Self.repeated {
                    unsafe rest.withUnsafeBytes { unsafe systemWrite(number, from: $0.baseAddress, size) }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                waitUntilWritable()
            }
        }
    }

    /// Makes the stream non-blocking and writes as many bytes as it accepts. Returns their number, which may be 0.
    func writeSome(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        _ = fcntl(number, F_SETFL, O_NONBLOCK)
        do throws(SystemError) {
            // Sound: no more is written than the span has, which outlives the call.
            return try Self.repeated {
                unsafe bytes.withUnsafeBytes {
                    unsafe systemWrite(number, from: $0.baseAddress, min(bytes.count, Self.largestTransfer))
                }
            }
        } catch {
            if error.code == EAGAIN { return 0 }
            throw error
        }
    }

    private func waitUntilWritable() {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        // Sound: there is one request, the count that is passed.
        _ = unsafe poll(&request, 1, -1)
    }

    /// Gives the file the owner and the group of another.
    func take(ownerOf other: FileStatus) throws(SystemError) {
        let own = try status()
        if own.user == other.user, own.group == other.group { return }
        _ = try Self.repeated { Int(fchown(number, other.user, other.group)) }
    }

    /// Gives the file the permissions of another. The owner must be set first, as changing it clears the set-user-ID
    /// bit.
    ///
    /// - Parameter isOwner: Whether this file already has the other file's owner. If not, it is given the other file's
    ///   group if possible, but not the set-user-ID bit. If the group cannot be set, the permissions of the group and
    ///   of all other users are reduced so that no user gains access.
    func take(permissionsOf other: FileStatus, isOwner: Bool) throws(SystemError) {
        var permissions = other.permissions
        if !isOwner {
            permissions &= ~mode_t(S_ISUID)
            if fchown(number, uid_t.max, other.group) != 0 {
                // The file gets another group, so a user may lose or gain the group's permissions. The group and all
                // other users therefore get only the permissions that both had.
                let both = permissions & (permissions >> 3) & 0o7
                permissions = permissions & 0o700 | both << 3 | both
            }
        }
        // Avoids a needless change, which may simplify an access control list of a kind that this code does not know.
        if try status().permissions == permissions { return }
        _ = try Self.repeated { Int(fchmod(number, permissions)) }
    }

    /// Waits until the written bytes are on the device.
    func synchronize() throws(SystemError) {
        do throws(SystemError) {
            _ = try Self.repeated { Int(fsync(number)) }
        } catch {
            // Pipes and some file systems cannot synchronize.
            if error.code != EINVAL, error.code != ENOTSUP, error.code != EROFS { throw error }
        }
    }

    // MARK: The system

    /// The maximum number of bytes per call. Linux shortens and macOS refuses transfers of 2 GiB.
    private static let largestTransfer = 1 << 30

    private static func repeated(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }
}

/// Calls `read` of the C library, which methods of that name hide.
private func systemRead(_ number: Int32, into buffer: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
    // Sound: the caller gives the size of the buffer, or less.
    unsafe read(number, buffer, size)
}

/// Calls `write` of the C library, which a method of that name hides.
private func systemWrite(_ number: Int32, from buffer: UnsafeRawPointer?, _ size: Int) -> Int {
    // Sound: the caller gives the size of the buffer, or less.
    unsafe write(number, buffer, size)
}
