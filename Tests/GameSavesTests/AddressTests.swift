@testable import ArchiveCoding
import Foundation
@testable import GameSaves
@testable import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// An address that the library returns leads back to its value, and to no other.
@Suite struct AddressTests {
    private static let maxValues = TestScale.count(150, long: 400)

    /// Returns the fixtures and, if present, a sample of the corpus or all of it.
    private static func files() throws -> [TestFiles.File] {
        let fixtures = try ["games", "tricky", "archives-tricky", "typed-json", "graph-json", "oldmac", "wrapped"]
            .flatMap {
                try TestFiles.files(under: TestFiles.fixtures.appending(path: $0))
            }
        let corpus = try TestFiles.folder("SAVETOOL_CORPUS").map { try TestFiles.files(under: $0) } ?? []
        return fixtures
            + TestScale.sample(of: corpus.filter { !$0.name.hasSuffix(".md") && !$0.name.hasSuffix(".tsv") })
    }

    /// Returns the values below a value, each by its first path.
    private static func values(below root: ArchivedValue) -> [ArchivedValue] {
        var (found, known, next) = ([root], Set([root.id]), 0)
        while next < found.count, found.count < maxValues {
            let value = found[next]
            next += 1
            let parts =
                (try? value.pairs.map(\.value)) ?? (try? value.fields.map(\.value)) ?? (try? value.array) ?? []
            for part in parts {
                found.append(part)
                if !known.insert(part.id).inserted { found.removeLast() }
            }
        }
        return found
    }

    @Test func roundTripsAddresses() throws {
        var count = 0
        for file in try Self.files() {
            guard let save = try? GameSave(TestFiles.bytes(file.url)), let root = save.value() else { continue }
            for value in Self.values(below: root) {
                let address = value.address
                let again = try #require(save.value(at: address), "\(file.name): \(address)")
                #expect(again.id == value.id && again.address == address, "\(file.name): \(address)")
                count += 1
            }
        }
        #expect(count > 1_000)
    }

    /// Setting the number, text or Boolean at an address changes exactly that value.
    @Test func setsExistingValues() throws {
        var count = 0
        for file in try Self.files() {
            guard let save = try? GameSave(TestFiles.bytes(file.url)), let root = save.value() else { continue }
            for value in TestScale.one(in: 7, of: Self.values(below: root)) {
                let new: SaveValue
                if let text = try? value.string {
                    new = .string(text + "!")
                } else if let number = try? value.integer, number < 100, (try? value.bool) == nil {
                    new = .integer(number + 1)
                } else {
                    continue
                }
                // Values that a format or a layer cannot represent are refused; other tests check that.
                guard let changed = try? save.setting(value.address, to: new) else { continue }
                let changes = try save.changes(to: changed)
                #expect(changes.count >= 1, "\(file.name): \(value.address)")
                for change in changes {
                    let side = change.after == nil ? save : changed
                    let value = change.after ?? change.before
                    #expect(value?.id == side.value(at: change.address)?.id, "\(file.name): \(change)")
                }
                let now = try #require(changed.value(at: value.address), "\(file.name): \(value.address)")
                #expect(new.matches(now), "\(file.name): \(value.address): \(now)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    private static let keys =
        #"{"levels": {"$dict": [[5, "five"], ["=5", "string"], ["5", 1], [true, 2], ["~#1", 3], [1.5, 4]]}}"#

    @Test func distinguishesSimilarKeys() throws {
        let save = try GameSave(Array(Self.keys.utf8), as: .json)
        for (address, value) in [
            ("/levels/~=5", "\"five\""), ("/levels/=5", "\"string\""), ("/levels/5", "1"), ("/levels/~=true", "2"),
            ("/levels/~0#1", "3"), ("/levels/~=1.5", "4"), ("/levels/~#0", "\"five\""),
        ] {
            let found = try #require(save.value(at: address))
            #expect("\(found)" == value)
            #expect(found.address == JSONPointer(address))
        }
        let five = try #require(save.value(at: "/levels/~=5"))
        let changed = try save.setting(five.address, to: "FIVE")
        #expect(try save.changes(to: changed).map(\.description) == [#"changed /levels/~=5: "five" → "FIVE""#])
        #expect(
            try #require(save.value(at: "/levels")).pairs.map(\.value.address.description) == [
                "/levels/~=5", "/levels/=5", "/levels/5", "/levels/~=true", "/levels/~0#1", "/levels/~=1.5",
            ])
    }

    /// A duplicate key that is not the effective one, a lone surrogate, a field whose name begins with `$`, and the
    /// root of a nested save.
    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, ["/~#0", "/a"]), (#"{"\ud83d": 1, "\ud83e": 2}"#, [#"/\uD83D"#, #"/\uD83E"#]),
        (#"{"$class": 1, "/": 2, "~": 3, "*": 4}"#, ["/$class", "/~1", "/~0", "/~*"]),
        (
            #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"A":["A"]},"$top":{"$$r":1, "root": {"$class":"A","$$x":5,"b":6}}}"#,
            ["/$r", "/root"]
        ),
    ])
    func specialKeys(text: String, addresses: [String]) throws {
        let save = try GameSave(Array(text.utf8), as: .json)
        let fields = try #require(save.value()).fields
        #expect(fields.map(\.value.address.description) == addresses)
        for (_, value) in fields { #expect(save.value(at: value.address)?.id == value.id) }
    }

    @Test func nestedRootsHaveAddresses() throws {
        let save = try GameSave(TestFiles.bytes(TestFiles.fixtures.appending(path: "games/slots.plist")))
        let root = try #require(save.value(at: "/savedGame/~^"))
        #expect(root.address.description == "/savedGame/~^")
        #expect(try root["root"]["currentLevelName"].address.description == "/savedGame/root/currentLevelName")
        #expect(save.value(at: try root["root"].address)?.id == (try root["root"].id))
    }

    @Test func conflictsAndDecodingErrorsHaveAddresses() throws {
        func save(_ five: String, _ text: String) throws -> GameSave {
            try GameSave(Array(#"{"levels": {"$dict": [[5, \#(five)], ["=5", \#(text)]]}}"#.utf8), as: .json)
        }
        let merge = try GameSave.merge(base: save("1", "1"), ours: save("2", "1"), theirs: save("3", "1"))
        #expect(merge.conflicts.map(\.address) == [JSONPointer("/levels/~=5")])
        #expect(try merge.conflicts.first?.ours?.integer == 2)
        #expect(try merge.save.value(at: merge.conflicts[0].address)?.integer == 2)
        let levels = try #require(save(#""x""#, "1").value(at: "/levels"))
        let problem = #expect(throws: Problem.self) { try levels.pairs[0].value.integer }
        #expect(problem?.address == JSONPointer("/levels/~=5"))
    }
}

extension SaveValue {
    fileprivate func matches(_ value: ArchivedValue) -> Bool {
        switch self {
        case .string(let text): (try? value.string) == text
        case .integer(let number): (try? value.integer) == number
        default: false
        }
    }
}
