import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// The rows of a damaged database come back if their pages do, and rows that were deleted do not.
@Suite struct DatabaseSalvageTests {
    /// The first 16 bytes are the same in every database.
    @Test func restoresTheHeader() throws {
        let original = try TestFiles.bytes(TestFiles.fixtures.appending(path: "databases/monsters.sqlite"))
        for size in [1, 4, 16] {
            let damaged = [UInt8](repeating: 0, count: size) + original.dropFirst(size)
            #expect(try Format.recognizeDamaged(damaged) == .sqlite)
            let salvage = try Format.sqlite.definition.salvage(damaged, limits: Limits())
            #expect(salvage.bytes == original && salvage.isProved)
        }
    }

    @Test func findsLeavesBelowADamagedPage() throws {
        let file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "damaged/root.sqlite"))
        let salvage = try Format.sqlite.definition.salvage(file, limits: Limits())
        let document = salvage.document
        for (table, count) in [("monsters", 60), ("places", 40)] {
            guard case .dictionary(let rows)? = document[table] else {
                Issue.record("\(table) is no table")
                continue
            }
            #expect(rows.count == count, "\(table)")
        }
        let doubts = salvage.losses.filter { $0.message.contains("likely from this table") }
        #expect(!doubts.isEmpty)
        #expect(
            doubts.allSatisfy {
                $0.place == .address(JSONPointer(tokens: [Array("monsters".utf16)])) && $0.kind == .doubtful
            })
    }

    private static func monsters() throws -> [UInt8] {
        try TestFiles.bytes(TestFiles.fixtures.appending(path: "databases/monsters.sqlite"))
    }

    @Test func restoresTheName() throws {
        let original = try Self.monsters()
        let damaged = [UInt8](repeating: 0, count: 16) + original[16...]
        #expect(try Format.recognizeDamaged(damaged) == .sqlite)
        let salvage = try Format.sqlite.definition.salvage(damaged, limits: Limits())
        #expect(salvage.isProved && salvage.bytes == original)
    }

    /// Only the header is lost, so the result is a database with the same tables.
    @Test(arguments: [100, 16])
    func rebuildsTheHeader(_ end: Int) throws {
        let original = try Self.monsters()
        var damaged = original
        for offset in end == 100 ? 0..<100 : 0..<17 { damaged[offset] = 0 }
        #expect(try Format.recognizeDamaged(damaged) == .sqlite)
        let salvage = try Format.sqlite.definition.salvage(damaged, limits: Limits())
        let document = try SQLite.read(original)
        #expect(salvage.format == .sqlite && !salvage.isProved && salvage.losses.isEmpty)
        #expect(salvage.document.valueCount == document.valueCount)
        #expect(salvage.tableCount == 4 && salvage.foundCount == document.rowCount)
    }

    /// The pointers to the entries of the schema are lost, too.
    @Test func findsTheSchemaOnADamagedPage() throws {
        let file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "damaged/header.sqlite"))
        #expect(DamagedDatabase(in: file)?.pageSize == 1024)
        let salvage = try Format.sqlite.definition.salvage(file, limits: Limits())
        #expect(salvage.tableCount == 2 && salvage.foundCount == 30 && salvage.isLostCountUnknown)
        let problem = #expect(throws: Problem.self) { try Format.recognize(file) }
        #expect(problem?.message.hasPrefix("the first 836 bytes are zero; they precede pages of 1,024 bytes") ?? false)
    }

    @Test func refusesADatabaseWithoutASchema() throws {
        var file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "damaged/root.sqlite"))
        // The first page leads to pages that do not exist.
        file[100] = 5
        for offset in 101..<512 { file[offset] = 0 }
        let problem = #expect(throws: Problem.self) {
            try Format.sqlite.definition.salvage(file, limits: Limits())
        }
        #expect(problem?.id == "salvage.schema")
    }

    /// A save in a database is not the file.
    @Test func prefersTheDatabaseToASaveInIt() throws {
        let save = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))
        var file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "damaged/header.sqlite"))
        file += save + [UInt8](repeating: 0, count: 1024 - save.count)
        #expect(try Format.recognizeDamaged(file) == .sqlite)
    }

    /// The number of values in a row tells tables apart.
    @Test func findsTheTableOfAPage() throws {
        var file = try TestFiles.bytes(TestFiles.fixtures.appending(path: "damaged/root.sqlite"))
        let root = try #require(stride(from: 512, to: file.count, by: 512).first { file[$0] == 5 })
        file.replaceSubrange(root..<root + 512, with: [UInt8](repeating: 0, count: 512))
        let salvage = try Format.sqlite.definition.salvage(file, limits: Limits())
        guard case .dictionary(let rows)? = salvage.document["places"] else {
            Issue.record("places is no table")
            return
        }
        #expect(rows.count == 40)
    }

    /// SQLite reads these databases, but its own check refuses them: an index does not list a row, the page of an index
    /// is damaged, or a page belongs to nothing. The name of an index is no condition.
    @Test(arguments: ["lists other rows", "\"a_where\" lists other rows", "is damaged", "they are not free"])
    func doubtsADatabaseThatContradictsItself(_ message: String) throws {
        let original = try Self.monsters()
        #expect(try Format.sqlite.definition.salvage(original, limits: Limits()).isSound)
        var damaged = original
        let size = Int(damaged.bigEndian(at: 16, width: 2))
        switch message {
        case _ where message.hasSuffix("lists other rows"):
            if message.contains("where") {
                let (name, other) = (Array("by_name".utf8), Array("a_where".utf8))
                for start in damaged.indices where damaged[start...].starts(with: name) {
                    damaged.replaceSubrange(start..<start + name.count, with: other)
                }
            }
            // The last of three rows on page 2. A byte with the size of the row precedes the rowid.
            let cell = Int(damaged.bigEndian(at: size + 12, width: 2))
            #expect(damaged[size + cell + 1] == 3)
            damaged[size + cell + 1] = 4
        case "is damaged":
            let index = try #require(
                stride(from: size, to: damaged.count, by: size).reversed().first { damaged[$0] == 10 })
            damaged[index] = 0
        default:
            damaged += [UInt8](repeating: 0, count: 2 * size)
            damaged[31] += 2
        }
        _ = try SQLite.read(damaged)
        let salvage = try Format.sqlite.definition.salvage(damaged, limits: Limits())
        #expect(salvage.bytes == damaged && !salvage.isProved && salvage.contradiction?.id == "salvage.index")
        #expect(salvage.losses.contains { $0.kind == .doubtful && $0.message.contains(message) }, "\(salvage.losses)")
    }
}
