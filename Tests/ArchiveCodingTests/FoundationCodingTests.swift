#if canImport(Foundation)
    import ArchiveCoding
    import Foundation
    import KeyedArchives
    import SaveCodec
    import Testing

    /// Foundation reads the encoder's archives, and the decoder reads Foundation's.
    @Suite struct FoundationCodingTests {
        private func unarchive(_ bytes: [UInt8], _ key: String, _ classes: [String: AnyClass]) throws -> Any? {
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
            unarchiver.requiresSecureCoding = false
            for entry in classes { unarchiver.setClass(entry.value, forClassName: entry.key) }
            return unarchiver.decodeObject(forKey: key)
        }

        @Test(arguments: KeyedArchiveEncoder.OutputFormat.allCases)
        func foundationReadsTheSwamp(_ format: KeyedArchiveEncoder.OutputFormat) throws {
            let encoder = KeyedArchiveEncoder()
            encoder.format = format
            let root = try unarchive(
                encoder.encode(Games.swamp), "root", ["Map": MapObject.self, "Player": PlayerObject.self])
            #expect((root as? MapObject)?.map == Games.swamp)
        }

        @Test func foundationReadsHighScores() throws {
            let encoder = KeyedArchiveEncoder()
            try encoder.encode(Games.scores, forKey: "HighScores")
            let root = try unarchive(encoder.finish(), "HighScores", ["HighScoreRecord": RecordObject.self])
            #expect((root as? [RecordObject])?.map(\.record) == Games.scores)
        }

        @Test func foundationReadsCollections() throws {
            struct Bag: Codable {
                @Mutable var list: [String] = ["a", "b"]
                var table = [1: "one", 2: "two"]
                var tags: Set<String> = ["x", "y"]
                var data = Data([1, 2, 3])
            }
            let root = try unarchive(KeyedArchiveEncoder().encode(Bag()), "root", ["Bag": BagObject.self])
            #expect(
                (root as? BagObject)?.parts == [
                    NSMutableArray(array: ["a", "b"]), NSDictionary(dictionary: [1: "one", 2: "two"]),
                    NSSet(array: ["x", "y"]), NSData(data: Data([1, 2, 3])),
                ])
        }

        /// A date is an NSDate wherever it is stored.
        @Test func foundationReadsDates() throws {
            let seconds = 100.0
            let (date, object) = (
                Date(timeIntervalSinceReferenceDate: seconds), NSDate(timeIntervalSinceReferenceDate: seconds)
            )
            let cases: [(any Encodable, NSObject)] = [
                (date, object), (Boxed(wrappedValue: date), object), ([date], NSArray(array: [object])),
                ([date, nil] as [Date?], NSArray(array: [object, NSNull()])),
                (Mutable(wrappedValue: [date]), NSMutableArray(array: [object])),
                (["a": date], NSDictionary(dictionary: ["a": object])), (Set([date]), NSSet(array: [object])),
                ([date: 1], NSDictionary(dictionary: [object: 1])),
            ]
            for (value, expected) in cases {
                let bytes = try KeyedArchiveEncoder().encode(value)
                #expect(try unarchive(bytes, "root", [:]) as? NSObject == expected)
            }
        }

        @Test func rejectsValuesWithoutClass() throws {
            struct Clock: Codable { var zone = TimeZone.gmt }
            let problem = #expect(throws: Problem.self) { try KeyedArchiveEncoder().encode([Clock()]) }
            #expect(
                problem?.description
                    == "/root/0/zone: Foundation's TimeZone cannot be archived as an object; use setClassName(_:for:), "
                    + "or encode its parts"
            )
            let encoder = KeyedArchiveEncoder()
            encoder.setClassName("TimeZone", for: TimeZone.self)
            let archive = try KeyedArchive(encoder.encode([Clock()]))
            #expect(try archive.root().array[0]["zone"].className == "TimeZone")
            // The object of a template that was read as the type is kept, but a new one is refused.
            let clocks = try KeyedArchiveDecoder().decode([Clock].self, from: archive.root())
            let template = KeyedArchiveEncoder(like: archive)
            #expect(try template.encode(clocks) == archive.document.bytes(as: .binary))
            #expect(template.warnings.isEmpty)
            let refused = #expect(throws: Problem.self) { try template.encode(clocks + [Clock()]) }
            #expect(refused?.description.hasPrefix("/root/1/zone: Foundation's TimeZone cannot") ?? false)
        }

        /// A struct of C is encoded as the program defines.
        @Test func archivesStructsOfC() throws {
            let bytes = try KeyedArchiveEncoder().encode([timespec(tv_sec: 1, tv_nsec: 2)])
            #expect(try KeyedArchive(bytes).root().array[0].fields.map(\.name) == ["seconds"])
            #expect(try KeyedArchiveDecoder().decode([timespec].self, from: bytes)[0].tv_sec == 1)
        }

        /// An error names the type, instead of the value that the type requests.
        @Test func namesTypesInErrors() throws {
            func check<Wanted: Codable>(_ type: Wanted.Type, _ value: some Encodable, _ expected: String) throws {
                let bytes = try KeyedArchiveEncoder().encode([value])
                let problem = #expect(throws: Problem.self) {
                    try KeyedArchiveDecoder().decode([Wanted].self, from: bytes)
                }
                #expect(problem?.description == "/root/0: " + expected)
            }
            try check(UUID.self, 5, "found an integer; expected a UUID")
            try check(URL.self, "a:b", "found a string; expected a URL")
            try check(Data.self, [1, 2], "found an array; expected data")
            try check(Date.self, "soon", "found a string; expected a date")
            try check(Double.self, Date(timeIntervalSinceReferenceDate: 5), "found a date; expected a number")
            // A game may store the seconds as a number.
            let date = try KeyedArchiveDecoder().decode(Date.self, from: KeyedArchiveEncoder().encode(5.5))
            #expect(date == Date(timeIntervalSinceReferenceDate: 5.5))
        }

        @Test func readsArchivesOfFoundation() throws {
            let archiver = NSKeyedArchiver(requiringSecureCoding: false)
            archiver.setClassName("Map", for: MapObject.self)
            archiver.setClassName("Player", for: PlayerObject.self)
            archiver.encode(MapObject(Games.swamp), forKey: "root")
            archiver.encode(NSDate(timeIntervalSinceReferenceDate: 0.5), forKey: "saved")
            archiver.encode(NSDictionary(dictionary: [3: "three"]), forKey: "names")
            archiver.finishEncoding()
            let decoder = KeyedArchiveDecoder()
            // Foundation on Linux ignores custom class names.
            decoder.register(Map.self, forClass: "ArchiveCodingTests.MapObject")
            decoder.register(Player.self, forClass: "ArchiveCodingTests.PlayerObject")
            try decoder.open([UInt8](archiver.encodedData))
            #expect(try decoder.decode(Map.self, forKey: "root") == Games.swamp)
            #expect(try decoder.decode(Date.self, forKey: "saved") == Date(timeIntervalSinceReferenceDate: 0.5))
            #expect(try decoder.decode([Int: String].self, forKey: "names") == [3: "three"])
        }
    }

    extension timespec: @retroactive Codable {
        private enum Key: CodingKey { case seconds }

        init(from decoder: any Decoder) throws {
            self.init(tv_sec: try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .seconds), tv_nsec: 0)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(tv_sec, forKey: .seconds)
        }
    }

    // Foundation on Linux archives only top-level classes.

    final class MapObject: NSObject, NSCoding {
        let map: Map

        init(_ map: Map) { self.map = map }

        init?(coder: NSCoder) {
            guard let players = coder.decodeObject(forKey: "charList") as? [PlayerObject] else { return nil }
            map = Map(
                currentLevelName: coder.decodeObject(forKey: "currentLevelName") as? String,
                eventCount: (coder.decodeObject(forKey: "eventList.count") as? NSNumber)?.intValue,
                charList: players.map(\.player))
        }

        func encode(with coder: NSCoder) {
            coder.encode(map.currentLevelName.map { NSString(string: $0) }, forKey: "currentLevelName")
            coder.encode(map.eventCount.map { NSNumber(value: $0) }, forKey: "eventList.count")
            coder.encode(NSArray(array: (map.charList ?? []).map(PlayerObject.init)), forKey: "charList")
        }
    }

    final class PlayerObject: NSObject, NSCoding {
        let player: Player

        init(_ player: Player) { self.player = player }

        init?(coder: NSCoder) {
            guard let type = coder.decodeObject(forKey: "type") as? NSNumber else { return nil }
            player = Player(
                type: type.intValue, x: coder.decodeFloat(forKey: "position.x"),
                y: coder.decodeFloat(forKey: "position.y"), health: coder.decodeInteger(forKey: "health"))
        }

        func encode(with coder: NSCoder) {
            coder.encode(NSNumber(value: player.type), forKey: "type")
            coder.encode(player.x, forKey: "position.x")
            coder.encode(player.y, forKey: "position.y")
            coder.encode(player.health, forKey: "health")
        }
    }

    final class RecordObject: NSObject, NSCoding {
        let record: HighScoreRecord

        init?(coder: NSCoder) {
            guard let name = coder.decodeObject(forKey: "Name") as? String,
                let score = coder.decodeObject(forKey: "TotalScore") as? NSNumber,
                let date = coder.decodeObject(forKey: "DateRecorded") as? NSDate
            else { return nil }
            record = HighScoreRecord(
                name: name, totalScore: score.intValue,
                dateRecorded: ArchivedDate(secondsSince2001: date.timeIntervalSinceReferenceDate))
        }

        func encode(with coder: NSCoder) {}
    }

    final class BagObject: NSObject, NSCoding {
        let parts: [NSObject?]
        init?(coder: NSCoder) {
            parts = ["list", "table", "tags", "data"].map { coder.decodeObject(forKey: $0) as? NSObject }
        }
        func encode(with coder: NSCoder) {}
    }
#endif
