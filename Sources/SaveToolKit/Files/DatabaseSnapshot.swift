import SaveCodec

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Descriptor {
    /// Returns all bytes of this file, whose path is `path`. A database is read as it was at one moment, including the
    /// contents of its write-ahead log.
    func readSave(at path: String) throws(SystemError) -> [UInt8] {
        let bytes = try readToEnd()
        guard SQLite.begins(bytes), try status().kind == .regular else { return bytes }
        return try DatabaseSnapshot(of: path).read()
    }
}

/// A database as it was at one moment, although other programs may be using it:
///
///     game.db           read as a whole
///     game.db-wal       the log, if it exists; read after the database, because pages that are copied from the log to
///                       the database meanwhile stay in the log; a log that was restarted has other salts
///     game.db-journal   an unfinished transaction, which has to be rolled back first
///
/// No locks are taken, because they would need write access and could make a game fail. Changes by other programs are
/// detected by the change counter in the header of the database and by the salts of the log.
struct DatabaseSnapshot {
    private let path: String

    /// The number of attempts to read a database that keeps changing.
    private static let tries = 3
    /// The time to wait for a transaction to end, in microseconds.
    private static let pause: UInt32 = 50_000

    init(of path: String) {
        // The log and the journal are named after the file that links lead to.
        self.path = FileSystem.resolved(path) ?? path
    }

    /// The parts of the files that change when another program changes the database.
    private struct State: Equatable {
        let header: [UInt8]
        let log: [UInt8]
        let hasJournal: Bool
    }

    func read() throws(SystemError) -> [UInt8] {
        var state = try state()
        for attempt in 1...Self.tries {
            if attempt > 1 {
                usleep(Self.pause)
                state = try self.state()
            }
            if state.hasJournal { continue }
            var bytes = try Descriptor(opening: path, for: .reading).readToEnd()
            let log = try contents(of: Self.log(of: path))
            guard try self.state() == state else { continue }
            do throws(Problem) {
                try SQLite.apply(log: log, to: &bytes)
            } catch {
                throw .database("\(error.message); try to open it with sqlite3")
            }
            return bytes
        }
        let journal = FileName.shown(FileSystem.name(of: path)) + "-journal"
        throw .database(
            state.hasJournal
                ? "\(journal) has an unfinished transaction; if no program is using the database, open it once with "
                    + "sqlite3 to roll the transaction back"
                : "another program keeps changing the file; it changed during each of \(Self.tries) attempts to read it"
        )
    }

    private func state() throws(SystemError) -> State {
        State(
            header: try Descriptor(opening: path, for: .reading).read(at: 0, count: 100),
            log: try beginning(of: Self.log(of: path), count: 32), hasJournal: try hasJournal())
    }

    /// Whether a transaction has to be rolled back. The journal of a finished one is removed, emptied, or begins with
    /// zeros.
    private func hasJournal() throws(SystemError) -> Bool {
        try beginning(of: path + "-journal", count: 8) == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }

    private func beginning(of path: String, count: Int) throws(SystemError) -> [UInt8] {
        guard try FileSystem.status(path)?.kind == .regular else { return [] }
        return try unlessGone { () throws(SystemError) in
            try Descriptor(opening: path, for: .reading).read(at: 0, count: count)
        }
    }

    private func contents(of path: String) throws(SystemError) -> [UInt8] {
        guard try FileSystem.status(path)?.kind == .regular else { return [] }
        return try unlessGone { () throws(SystemError) in try Descriptor(opening: path, for: .reading).readToEnd() }
    }

    /// Runs `read`. Returns no bytes if another program has just removed the file.
    private func unlessGone(_ read: () throws(SystemError) -> [UInt8]) throws(SystemError) -> [UInt8] {
        do throws(SystemError) {
            return try read()
        } catch {
            guard error == .noSuchFile else { throw error }
            return []
        }
    }

    /// Returns the path of a database's write-ahead log.
    static func log(of path: String) -> String { path + "-wal" }
}
