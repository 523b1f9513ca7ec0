import ArchiveCoding
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// An archive that does not match the program's types is refused with the exact problem and address.
@Suite struct DecodingProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let expected: String
        let decode: @Sendable () throws -> Void
        var testDescription: String { expected }
    }

    struct Loose: Codable {
        var name: Int?
        var hitpoints: String?
        var ratio: Double?
    }

    /// Encodes a value under a class name and decodes it as `type`.
    private static func read<Value: Decodable>(
        _ type: Value.Type, _ value: some Encodable, as name: String = "GameObject",
        _ prepare: (KeyedArchiveDecoder) -> Void = { _ in }
    ) throws {
        let encoder = KeyedArchiveEncoder()
        encoder.setClassName(name, for: Loose.self)
        let decoder = KeyedArchiveDecoder()
        prepare(decoder)
        _ = try decoder.decode(type, from: encoder.encode(value))
    }

    struct Narrow: Codable { var health: Int8 }
    struct Choice: Codable { var level: CodingTests.Everything.Level }

    static let cases = [
        Case(expected: "/root: GameObject has no hitpoints") {
            try read(Hits.self, Loose())
        },
        Case(expected: "/root/name: found an integer; expected a string") {
            try read(GameObject.self, Loose(name: 5, hitpoints: "x"))
        },
        Case(expected: "/root/0/hitpoints: found a string; expected an integer") {
            try read([Hits].self, [Loose(hitpoints: "x")])
        },
        Case(expected: "/root/health: found 300; expected an integer from -128 to 127") {
            try read(Narrow.self, ["health": 300])
        },
        Case(expected: "/root/ratio: found 1.5; expected an integer from -9223372036854775808 to 9223372036854775807") {
            try read(Ratio.self, Loose(ratio: 1.5))
        },
        Case(expected: "/root: found an array; expected an object") { try read(GameObject.self, [1]) },
        Case(expected: "/root: found an object of class Player; expected an array") {
            try read([Int].self, Loose(), as: "Player")
        },
        Case(expected: "/root: found an integer; expected a dictionary") { try read([String: Int].self, 5) },
        Case(expected: "/root/a: found a string; expected an integer") {
            try read([String: Int].self, ["a": "b"])
        },
        Case(expected: "/root/1: found nil; expected an integer") { try read([Int].self, [1, nil, 3] as [Int?]) },
        Case(expected: "/root: found an object of class Villain; allowed classes: GameObject, Map") {
            try read(Loose.self, Loose(), as: "Villain") { $0.allowedClasses = ["Map", "GameObject"] }
        },
        Case(expected: "/root/0: found an object of class Vil\\nlain; allowed classes: none") {
            try read([Loose].self, [Loose()], as: "Vil\nlain") { $0.allowedClasses = [] }
        },
        Case(expected: "/root/level: Cannot initialize Level from invalid Int value 9") {
            try read(Choice.self, ["level": 9])
        },
        Case(expected: "(root): no root \"mine\"; the archive has root") {
            _ = try KeyedArchiveDecoder().decode(Int.self, from: KeyedArchiveEncoder().encode(5), forKey: "mine")
        },
        Case(expected: "no archive was opened") { _ = try KeyedArchiveDecoder().decode(Int.self, forKey: "root") },
        Case(expected: "$archiver is missing; every archive needs it") {
            do throws(Problem) {
                _ = try KeyedArchiveDecoder().decode(Int.self, from: Array("{\"a\": 1}".utf8))
            } catch {
                throw Problem(error.id, error.message)
            }
        },
    ]

    struct Hits: Codable, ArchivedClass {
        static let archivedClassName = "GameObject"
        var hitpoints: Int
    }
    struct Ratio: Codable, ArchivedClass {
        static let archivedClassName = "GameObject"
        var ratio: Int
    }

    @Test(arguments: cases) func problemsNameLocationAndKind(_ row: Case) throws {
        let problem = #expect(throws: Problem.self) { try row.decode() }
        #expect(problem?.description == row.expected)
    }

    // MARK: Bounds

    final class Link: Codable {
        var next: Link?
        /// Releases the chain iteratively; a recursive release would overflow the stack.
        deinit {
            var rest = next
            next = nil
            while isKnownUniquelyReferenced(&rest) {
                let after = rest?.next
                rest?.next = nil
                rest = after
            }
        }
    }

    struct Tree: Codable {
        var parts: [Tree]
    }

    /// Returns an archive of a list of `count` links, built without recursion.
    private static func list(of count: Int) throws -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let record = builder.addClass("Link", chain: ["Link", "NSObject"])
        let links = (0..<count).map { _ in builder.reserve() }
        for (position, link) in links.enumerated() {
            builder.begin(link, of: record)
            builder.contents.add(string: "next")
            builder.refer(to: position + 1 < count ? links[position + 1] : .null)
            builder.end()
        }
        return try finish(&builder, root: links[0])
    }

    private static func finish(_ builder: inout KeyedArchiveBuilder, root: UID) throws -> [UInt8] {
        builder.addTop(root: root)
        var finished = KeyedArchiveBuilder()
        swap(&finished, &builder)
        return try finished.finish().bytes(as: .binary)
    }

    @Test func rejectsDeepArchivesButReadsThemManually() throws {
        let length = TestScale.count(10_000, long: 100_000)
        let bytes = try Self.list(of: length)
        let problem = #expect(throws: Problem.self) { try KeyedArchiveDecoder().decode(Link.self, from: bytes) }
        #expect(problem?.message == "values are nested more than 128 levels deep")
        #expect(problem?.address?.tokens.count == 129)
        #expect(try KeyedArchiveDecoder().decode(Link.self, from: Self.list(of: 128)).next?.next != nil)
        var link = try KeyedArchive(Document.read(bytes, as: .binary)).root()
        var count = 1
        while let next = link.field("next") {
            link = next
            count += 1
        }
        #expect(count == length)
    }

    private static let ancestors = TestScale.count(2_000, long: 8_000)

    /// A long chain of ancestors is checked once per class, not once per object.
    @Test(.timeLimit(.minutes(15)), arguments: [("Class\(ancestors - 1)", true), ("Class\(ancestors)", false)])
    func manyObjectsOfAClassWithManyAncestors(allowed: String, isRead: Bool) throws {
        var builder = KeyedArchiveBuilder()
        let record = builder.addClass("Class0", chain: (0..<Self.ancestors).map { "Class\($0)" })
        let objects = (0..<Self.ancestors / 4).map { _ in builder.reserve() }
        for object in objects {
            builder.begin(object, of: record)
            builder.end()
        }
        let array = builder.reserve()
        let arrayRecord = builder.addClass("NSArray", chain: ["NSArray", "NSObject"])
        builder.begin(array, of: arrayRecord)
        builder.addCollection(objects)
        builder.end()
        let decoder = KeyedArchiveDecoder()
        decoder.allowedClasses = [allowed]
        decoder.register(Link.self, forClass: "Class\(Self.ancestors - 2)")
        let bytes = try Self.finish(&builder, root: array)
        let read = Result { try decoder.decode([Link].self, from: bytes).count }
        #expect((try? read.get()) == (isRead ? objects.count : nil))
    }

    /// The chains of many classes are one shared list; checking it for each class would take quadratic time.
    @Test func limitsWorkOnSharedChains() throws {
        let count = 50
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "$archiver")
        builder.add(string: "NSKeyedArchiver")
        builder.add(string: "$version")
        builder.add(integer: 100_000)
        builder.add(string: "$top")
        builder.open(.dictionary)
        builder.add(string: "root")
        builder.add(StoredUID(1))
        builder.close()
        builder.add(string: "$objects")
        builder.open(.array)
        builder.add(string: "$null")
        // 1: the array; 2: its class; then the objects, followed by their classes.
        Self.addArray(count, to: &builder)
        for number in 0..<count {
            builder.open(.dictionary)
            builder.add(string: "$class")
            builder.add(StoredUID(UInt32(3 + count + number)))
            builder.close()
        }
        var chain: ObjectID?
        for number in 0..<count {
            builder.open(.dictionary)
            builder.add(string: "$classname")
            builder.add(string: "Class\(number)")
            builder.add(string: "$classes")
            if let chain {
                builder.add(chain)
            } else {
                builder.open(.array)
                for number in 0..<count { builder.add(string: "Ancestor\(number)") }
                builder.add(string: "Loose")
                chain = builder.close()
            }
            builder.close()
        }
        builder.close()
        builder.close()
        let archive = try KeyedArchive(builder.finish())
        let decoder = KeyedArchiveDecoder()
        decoder.open(archive)
        #expect(try decoder.decode([Loose].self, forKey: "root").count == count)
        decoder.limits.expansionFactor = 1
        decoder.limits.expansionFloor = 1_000
        decoder.open(archive)
        let problem = #expect(throws: Problem.self) { try decoder.decode([Loose].self, forKey: "root") }
        #expect(problem?.id == "decode.expansion")
    }

    private static func addArray(_ count: Int, to builder: inout DocumentBuilder) {
        builder.open(.dictionary)
        builder.add(string: "$class")
        builder.add(StoredUID(2))
        builder.add(string: "NS.objects")
        builder.open(.array)
        for number in 0..<count { builder.add(StoredUID(UInt32(3 + number))) }
        builder.close()
        builder.close()
        builder.open(.dictionary)
        builder.add(string: "$classname")
        builder.add(string: "NSArray")
        builder.add(string: "$classes")
        builder.open(.array)
        for name in ["NSArray", "NSObject"] { builder.add(string: name) }
        builder.close()
        builder.close()
    }

    @Test func rejectsDeepValues() throws {
        var list = Link()
        for _ in 0..<100_000 {
            let link = Link()
            link.next = list
            list = link
        }
        let problem = #expect(throws: Problem.self) { try KeyedArchiveEncoder().encode(list) }
        #expect(problem?.message == "values are nested more than 128 levels deep")
    }

    @Test func limitsCopiesOfSharedValues() throws {
        var builder = KeyedArchiveBuilder()
        let record = builder.addClass("Tree", chain: ["Tree", "NSObject"])
        let arrays = builder.addClass("NSArray", chain: ["NSArray", "NSObject"])
        var tree: UID?
        for _ in 0..<64 {
            let (parts, next) = (builder.reserve(), builder.reserve())
            builder.begin(parts, of: arrays)
            builder.addCollection(tree.map { Array(repeating: $0, count: 10) } ?? [])
            builder.end()
            builder.begin(next, of: record)
            builder.contents.add(string: "parts")
            builder.refer(to: parts)
            builder.end()
            tree = next
        }
        let bytes = try Self.finish(&builder, root: tree ?? .null)
        let decoder = KeyedArchiveDecoder()
        decoder.limits.expansionFloor = 10_000
        let problem = #expect(throws: Problem.self) { try decoder.decode(Tree.self, from: bytes) }
        #expect(problem?.message == "copying the shared objects would make too many values")
    }

    @Test(arguments: [
        ("root", "/root: the value is encoded in two ways; expected fields, elements or a single value"),
        ("$x", "/$$x: the value is encoded in two ways; expected fields, elements or a single value"),
    ]) func rejectsValuesOfTwoKinds(_ key: String, _ expected: String) throws {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: CodingTests.Keeper.CodingKeys.self)
                _ = encoder.unkeyedContainer()
            }
        }
        let problem = #expect(throws: Problem.self) { try KeyedArchiveEncoder().encode(Both(), forKey: key) }
        #expect(problem?.description == expected)
    }
}
