import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// The committed frames of a write-ahead log are applied. `Fixtures/databases/logged.sqlite` is `monsters.sqlite` with
/// the change to `later.sqlite` in its log.
@Suite struct WriteAheadLogTests {
    private let database: [UInt8]
    private let log: [UInt8]

    init() throws {
        let folder = TestFiles.fixtures.appending(path: "databases")
        database = try TestFiles.bytes(folder.appending(path: "logged.sqlite"))
        log = try TestFiles.bytes(folder.appending(path: "logged.sqlite-wal"))
    }

    private func applied(_ log: [UInt8]) throws -> [UInt8] {
        var bytes = database
        try SQLite.apply(log: log, to: &bytes)
        return bytes
    }

    @Test func appliesCommittedFrames() throws {
        let bytes = try applied(log)
        #expect(bytes != database)
        _ = try SQLite.read(bytes)
    }

    /// A truncated log yields exactly the transactions that were committed before the cut.
    @Test func truncatedLog() throws {
        let pageSize = Int(log.bigEndian(at: 8, width: 4))
        var states: [[UInt8]] = [database]
        for count in 0...log.count {
            let bytes = try applied(Array(log[..<count]))
            guard bytes != states.last else { continue }
            #expect((count - 32).isMultiple(of: 24 + pageSize), "\(count)")
            _ = try SQLite.read(bytes)
            states.append(bytes)
        }
        #expect(states.count > 1)
        #expect(try states.last == applied(log))
    }

    /// A changed byte yields an earlier state: a frame whose checksum does not match is ignored, and so are all later
    /// frames.
    @Test func damagedLog() throws {
        let states = Set(try (0...log.count).map { try applied(Array(log[..<$0])) })
        for position in log.indices {
            var changed = log
            changed[position] ^= 0x40
            #expect(try states.contains(applied(changed)), "\(position)")
        }
    }

    /// A log with another page size than the database is refused unless it contains the first page.
    @Test func otherPageSize() throws {
        var bytes = database
        bytes.replaceSubrange(16..<18, with: [0x10, 0x00])
        #expect(throws: Problem.self) { try SQLite.apply(log: log, to: &bytes) }
        // A log without committed frames is ignored.
        let before = bytes
        try SQLite.apply(log: Array(log.prefix(100)), to: &bytes)
        #expect(bytes == before)
    }
}
