#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file. With ``FileSystem`` this is the one place where the tool calls the system.
///
/// Calls that a signal interrupts are repeated; writing waits for a stream that is set not to block.
struct Descriptor: ~Copyable {
    /// The number that the system's calls take.
    let number: Int32
    private let isOwned: Bool

    /// The standard stream with this number, which is left open.
    init(standard number: Int32) {
        self.number = number
        isOwned = false
    }

    /// Opens the file at `path`.
    init(opening path: String, for access: Access) throws(SystemError) {
        let path = FileName.cString(path)
        // Sound: the path ends in zero and outlives the call.
        let opened = try Self.repeated { unsafe Int(open(path, access.flags | O_CLOEXEC, access.mode)) }
        number = Int32(truncatingIfNeeded: opened)
        isOwned = true
    }

    /// A pipe: what is written into it is read at the other end, of which the number is given. Programs that are started
    /// have neither end.
    init(writingTo reader: inout Int32) throws(SystemError) {
        (reader, number) = try Self.pipeEnds()
        isOwned = true
    }

    /// A pipe: what is read from it is written at the other end, of which the number is given, likewise.
    init(readingFrom writer: inout Int32) throws(SystemError) {
        (number, writer) = try Self.pipeEnds()
        isOwned = true
    }

    private static func pipeEnds() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var numbers: [Int32] = [-1, -1]
        // Sound: there is room for both numbers.
        guard unsafe pipe(&numbers) == 0 else { throw SystemError.last }
        for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        return (numbers[0], numbers[1])
    }

    deinit {
        if isOwned { _ = close(number) }
    }

    /// What a file is opened for.
    enum Access {
        case reading
        /// Writing into what is there: a device or a pipe.
        case writing
        /// Writing a file that does not exist yet, with these permissions less what the umask takes.
        case creating(permissions: mode_t)

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .writing: O_WRONLY
            case .creating: O_WRONLY | O_CREAT | O_EXCL
            }
        }

        fileprivate var mode: mode_t {
            if case .creating(let permissions) = self { permissions } else { 0 }
        }
    }

    /// Whether a person reads along.
    var isTerminal: Bool { isatty(number) == 1 }

    /// How large the terminal is; nil for what is none, or does not say.
    var terminalSize: TerminalSize? {
        var size = winsize()
        // Sound: what the system writes for this request is a `winsize`.
        guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// What the system knows of the file.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        // Sound: the system writes a `stat`, for which there is room.
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Waits until nobody else has the file or folder locked, and locks it until it is closed; the system does that, too,
    /// when the process ends in whatever way.
    func lock() throws(SystemError) {
        _ = try Self.repeated { Int(flock(number, LOCK_EX)) }
    }

    /// Locks the file, alone or beside others who share the lock, if that can be done without waiting. Returns whether it
    /// is locked.
    func locksAtOnce(isShared: Bool = false) -> Bool {
        flock(number, (isShared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0
    }

    // MARK: Reading

    /// Everything up to the end of the file, read into place. It may be a pipe, and may grow while it is read.
    ///
    /// - Throws: what the system says; EOVERFLOW where a file is larger than 2 GiB, as one with a hole can be on the
    ///   smallest disk, and where a pipe or a device does not end within 1 GiB.
    func readToEnd() throws(SystemError) -> [UInt8] {
        let status = try status()
        if status.kind == .folder { throw SystemError(code: EISDIR) }
        let limit = status.kind == .regular ? 2 << 30 : 1 << 30
        guard status.size <= limit else { throw .tooLarge }
        // One byte more than the size, so that the read that finds the end needs no larger buffer.
        var capacity = status.kind == .regular ? status.size + 1 : 1 << 16
        var bytes = try read(behind: [], capacity: capacity)
        while bytes.count == capacity {
            guard capacity < limit else { throw .tooLarge }
            capacity = min(2 * capacity, limit)
            bytes = try read(behind: bytes, capacity: capacity)
        }
        return bytes
    }

    /// The next bytes, `count` of them; fewer where the file ends before.
    func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        try read(behind: [], capacity: count)
    }

    /// `start`, and what follows in the file up to `capacity` bytes in all or the end.
    private func read(behind start: [UInt8], capacity: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        // Sound: what comes first fits, as no caller asks for less than `start` has; each piece goes behind the `count`
        // bytes that are written, into the rest of the buffer, and no byte behind `count` becomes part of the array.
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

    /// What is there to be read, `count` bytes at most, once anything is; nothing at the end.
    func readSome(atMost count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        // Sound: no more bytes become part of the array than were received into the buffer.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe receive(into: buffer, &failure) ?? 0
        }
        if let failure { throw failure }
        return bytes
    }

    /// Up to `count` bytes from `offset` on; fewer where the file ends before.
    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // Sound: no more is read than the buffer holds behind what is there.
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

    /// Writes all of `bytes`.
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

    /// Writes as much as there is room for, at least once; none where there is none. The stream is set not to block.
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
        // Sound: there is one request, as the call is told.
        _ = unsafe poll(&request, 1, -1)
    }

    /// Gives the file the owner and the group of another.
    func take(ownerOf other: FileStatus) throws(SystemError) {
        let own = try status()
        if own.user == other.user, own.group == other.group { return }
        _ = try Self.repeated { Int(fchown(number, other.user, other.group)) }
    }

    /// Gives the file the permissions of another: after the owner, as a change of owner takes the set-user-ID bit away.
    ///
    /// - Parameter isOwner: whether the file has the owner of the other one. If not, it gets the group if that can be, and
    ///   nobody may do more with it than with the other one.
    func take(permissionsOf other: FileStatus, isOwner: Bool) throws(SystemError) {
        var permissions = other.permissions
        if !isOwner {
            permissions &= ~mode_t(S_ISUID)
            if fchown(number, uid_t.max, other.group) != 0 {
                // Who was of the group is one of the others now, and the other way round.
                let both = permissions & (permissions >> 3) & 0o7
                permissions = permissions & 0o700 | both << 3 | both
            }
        }
        // Where there is a list of another kind than ours, setting permissions may simplify it.
        if try status().permissions == permissions { return }
        _ = try Self.repeated { Int(fchmod(number, permissions)) }
    }

    /// Waits until the device has what was written.
    func synchronize() throws(SystemError) {
        do throws(SystemError) {
            _ = try Self.repeated { Int(fsync(number)) }
        } catch {
            // Pipes and some file systems have nothing to wait for.
            if error.code != EINVAL, error.code != ENOTSUP, error.code != EROFS { throw error }
        }
    }

    // MARK: The system

    /// The most that Linux and macOS move in one call.
    private static let largestTransfer = 1 << 30

    private static func repeated(_ call: () -> Int) throws(SystemError) -> Int {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw .last }
        }
    }
}

/// `read` of the C library, beside the methods of that name.
private func systemRead(_ number: Int32, into buffer: UnsafeMutablePointer<UInt8>?, _ size: Int) -> Int {
    // Sound: the caller gives the size of the buffer, or less.
    unsafe read(number, buffer, size)
}

/// `write` of the C library, beside the method of that name.
private func systemWrite(_ number: Int32, from buffer: UnsafeRawPointer?, _ size: Int) -> Int {
    // Sound: the caller gives the size of the buffer, or less.
    unsafe write(number, buffer, size)
}
