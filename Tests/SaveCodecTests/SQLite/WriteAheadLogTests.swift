import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// What of the log beside a database counts: `Fixtures/databases/logged.sqlite`, which is `monsters.sqlite` with the change
/// to `later.sqlite` in its log.
@Suite struct WriteAheadLogTests {
    private let database: [UInt8]
    private let log: [UInt8]

    init() throws {
        let folder = TestFiles.fixtures.appending(path: "databases")
        database = try TestFiles.bytes(folder.appending(path: "logged.sqlite"))
        log = try TestFiles.bytes(folder.appending(path: "logged.sqlite-wal"))
    }

    private func applied(_ log: [UInt8]) -> [UInt8] {
        var bytes = database
        SQLite.apply(log: log, to: &bytes)
        return bytes
    }

    @Test func whatIsCommittedCounts() throws {
        let bytes = applied(log)
        #expect(bytes != database)
        _ = try SQLite.read(bytes)
    }

    /// A log that is cut off holds what was committed up to there, and nothing else.
    @Test func cutOffAnywhere() throws {
        let pageSize = Int(log.bigEndian(at: 8, width: 4))
        var states: [[UInt8]] = [database]
        for count in 0...log.count {
            let bytes = applied(Array(log[..<count]))
            guard bytes != states.last else { continue }
            #expect((count - 32).isMultiple(of: 24 + pageSize), "\(count)")
            _ = try SQLite.read(bytes)
            states.append(bytes)
        }
        #expect(states.count > 1)
        #expect(states.last == applied(log))
    }

    /// Bytes that have changed leave a state from before: no frame counts whose sum does not fit, nor any behind it.
    @Test func changedAnywhere() {
        let states = Set((0...log.count).map { applied(Array(log[..<$0])) })
        for position in log.indices {
            var changed = log
            changed[position] ^= 0x40
            #expect(states.contains(applied(changed)), "\(position)")
        }
    }

    /// SQLite passes over the log of a database whose pages have another size.
    @Test func otherPageSize() {
        var other = database
        other.replaceSubrange(16..<18, with: [0x10, 0x00])
        var bytes = other
        SQLite.apply(log: log, to: &bytes)
        #expect(bytes == other)
    }
}
