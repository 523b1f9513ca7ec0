import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// A repaired archive can be shown as its objects, and each loss has an address at which its placeholder is.
@Suite struct SalvagedSaveTests {
    private static func fixture(_ name: String) -> [UInt8] {
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: name))) ?? []
    }

    private static let saves = ["games/swamp.save", "games/friends.save", "games/gameobject.save"]

    @Test(arguments: saves) func repairedArchivesAreSound(_ name: String) throws {
        let bytes = Self.fixture(name)
        #expect(!bytes.isEmpty)
        for offset in TestScale.sample(of: Array(bytes.indices)) {
            for mask in [0x01, 0x20, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[offset] ^= mask
                guard let salvaged = try? SalvagedSave(damaged, ReadOptions()) else { continue }
                let what = "byte \(offset) ^ \(mask)"
                // Lost envelopes stay lost, but no such archive is called whole.
                let problem = salvaged.archiveProblem
                #expect(problem == nil || salvaged.confidence != .proved, "\(what): \(problem?.message ?? "")")
                try check(salvaged, what)
            }
        }
    }

    @Test(arguments: saves) func cutArchivesAreSound(_ name: String) throws {
        let bytes = Self.fixture(name)
        for count in TestScale.sample(of: Array(16..<bytes.count)) {
            guard let salvaged = try? SalvagedSave(Array(bytes[..<count]), ReadOptions()) else { continue }
            // Without the objects, there is no archive to show.
            if case .array(let objects)? = salvaged.salvage.document["$objects"], !objects.isEmpty {
                #expect(salvaged.archiveProblem == nil, "\(count) bytes: \(salvaged.archiveProblem?.message ?? "")")
            }
            try check(salvaged, "\(count) bytes")
        }
    }

    private func check(_ salvaged: SalvagedSave, _ what: String) throws {
        #expect((salvaged.confidence == .partial) == !salvaged.losses.isEmpty, "\(what)")
        let view = salvaged.save.view
        for loss in salvaged.losses where loss.loss.kind == .value || loss.loss.kind == .missing {
            guard let address = loss.address else { continue }
            let walk = view.walk(address, from: view.root)
            guard case .found = walk.end else {
                Issue.record("\(what): nothing is at \(address)")
                continue
            }
        }
    }

    @Test func showsObjectsOfALostClass() throws {
        // The name of Player in its class record is damaged. It follows the list of its ancestors, which has the name, too.
        var bytes = Self.fixture("games/swamp.save")
        let name = try #require(bytes.indices.last { bytes[$0...].starts(with: [0x56] + Array("Player".utf8)) })
        bytes[name] = 0x54
        let salvaged = try SalvagedSave(bytes, ReadOptions())
        #expect(salvaged.archiveProblem == nil)
        #expect(salvaged.losses.contains { $0.loss.kind == .className })
        let names = salvaged.save.view.archive?.classes.map { $0.name.string } ?? []
        #expect(names.contains(SalvageLoss.className) && names.contains("Map"))
    }
}
