import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// An archive that contradicts itself is opened without the objects that cannot be read, and never called complete.
@Suite struct UnsoundArchiveTests {
    private static func archive(_ objects: [String], archiver: String = ##""NSKeyedArchiver""##) throws -> [UInt8] {
        let text =
            ##"{"$version":100000,"$archiver":\##(archiver),"$top":{"root":{"$uid":1}},"$objects":["$null","##
            + objects.joined(separator: ",") + "]}"
        return try SalvagedSaveTests.binary(text)
    }

    @Test func losesObjectsThatCannotBeRead() throws {
        let bytes = try Self.archive([
            ##"{"$class":{"$uid":4},"NS.objects":[{"$uid":2},{"$uid":3}]}"##, ##""Ada""##, ##"[{"$uid":2}]"##,
            ##"{"$classname":"NSArray","$classes":["NSArray","NSObject"]}"##,
        ])
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem == nil && salvaged.confidence == .partial)
        let loss = try #require(salvaged.losses.first { $0.loss.kind == .value })
        #expect(loss.address?.description == "/root/1")
    }

    /// A finding about the list of numbers does not remove it.
    @Test func keepsObjectsWithFindings() throws {
        let bytes = try Self.archive([
            ##"{"$class":{"$uid":5},"a":{"$uid":2},"b":{"$uid":3}}"##, ##"{"$class":{"$uid":6},"NSRangeCount":-5}"##,
            ##"[{"$uid":4}]"##, ##""Ada""##, ##"{"$classname":"Game","$classes":["Game","NSObject"]}"##,
            ##"{"$classname":"NSIndexSet","$classes":["NSIndexSet","NSObject"]}"##,
        ])
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem == nil)
        let addresses = salvaged.losses.map(\.address?.description)
        #expect(addresses.contains("/root/b") && !addresses.contains { $0?.hasPrefix("/root/a") ?? false })
    }

    /// Two objects are read as `$objects`, so nothing can be repaired.
    @Test func doubtsAnArchiveThatIsNotSound() throws {
        let bytes = try SalvagedSaveTests.binary(##"{"$objects":{},"$top":{},"$version":100000}"##)
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem != nil && salvaged.confidence == .partial)
        #expect(salvaged.losses.first?.address == .root)
    }

    /// The roots do not reach "Bea", because a reference of an object with a wrong class was changed.
    @Test func doubtsTheRootIfObjectsAreOutsideIt() throws {
        let objects = [
            ##"{"$class":{"$uid":2},"NS.objects":[{"$uid":2}]}"##, ##""Ada""##, ##""Bea""##,
            ##"{"$classname":"NSArray","$classes":["NSArray","NSObject"]}"##,
        ]
        let salvaged = try SalvagedSave(try Self.archive(objects), ReadOptions())
        #expect(salvaged.losses.contains { $0.loss.kind == .doubtful && $0.address == .root })
    }

    /// A reference is not a value, so a doubtful one has the address of the slot that holds it.
    @Test func givesTheAddressesOfReferences() throws {
        let bytes = SalvagedSaveTests.fixture("games/swamp.save")
        var count = 0
        for offset in stride(from: 40, to: bytes.count - 120, by: 7) {
            var damaged = bytes
            for position in offset..<offset + 24 { damaged[position] = 0xEE }
            let salvaged = try SalvagedSave(damaged, ReadOptions())
            let document = salvaged.save.source
            for loss in salvaged.losses where loss.loss.kind == .doubtful {
                guard case .object(let id) = loss.loss.place, document.object(id).kind == .uid else { continue }
                if loss.address != nil { count += 1 }
            }
        }
        #expect(count > 0)
    }
}
