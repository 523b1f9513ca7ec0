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
}
