import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Each rule makes the expected changes to a stored archive, whose version is at `/v`.
@Suite struct MigrationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var objects = MigrationTests.game
        let rules: [MigrationRule]
        /// The objects that differ, by UID.
        let changes: [Int: String]
        var counts: [Int] = [1]
        var testDescription: String { name }
    }

    static let hero = #"{"name":{"$uid":4},"$class":{"$uid":3},"hp":150,"pet":{"$uid":5}}"#
    static let player = #"{"$classname":"Player","$classes":["Player","Actor","NSObject"],"$more":1}"#
    static let pet = #"{"$class":{"$uid":6},"hp":{"$real32":0.5}}"#
    /// Ada, a Player, and her Pet, which are both Actors; "Player" is also Ada's name.
    static let game = [
        hero, #"{"$classname":"Actor","$classes":["Actor","NSObject"]}"#, player, #""Player""#, pet,
        #"{"$classname":"Pet","$classes":["Pet","Actor","NSObject"],"$classhints":["Player"]}"#,
    ]

    static func archive(_ objects: [String], top: String = #"{"root":{"$uid":1},"v":1}"#) throws -> ObjectView {
        let list = ([#""$null""#] + objects).joined(separator: ",")
        let json = #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":\#(top),"$objects":[\#(list)]}"#
        return ObjectView(try KeyedArchive(BinaryPlist.read(DraftText.binary(JSON.readTyped(Array(json.utf8))))))
    }

    static func units(_ text: String) -> [UInt16] { Array(text.utf16) }

    /// Returns a migration whose rules refer to values by position: 0 is the version, and `valueTexts` follow.
    static func migration(
        from: SaveVersion? = .integer(1), to: SaveVersion = .integer(2), at address: String = "/v",
        _ rules: [MigrationRule], name: String = "r"
    ) throws -> Migration {
        let text: String
        if case .text(let units) = to {
            text = "\"\(String(decoding: units, as: UTF16.self))\""
        } else {
            text = "\(to)"
        }
        let values = try JSON.readTyped(Array("[\(text)\(valueTexts.map { ",\($0)" }.joined())]".utf8))
        return Migration(
            name: name, Migration.Versions(from: from, to: to, at: try #require(JSONPointer(address))),
            rules: rules.map { rule in
                switch rule {
                case .addField(let name, of: let owner, let value):
                    .addField(name, of: owner, value: values.elements[value.index])
                case .replace(let address, with: let value): .replace(address, with: values.elements[value.index])
                default: rule
                }
            }, values: values, version: values.elements[0])
    }

    static let valueTexts = ["7", "[1,\"x\"]", "\"Ada\"", "0.25", #"{"$class":["Sword","NSObject"],"edge":2}"#]

    @Test(arguments: cases) func appliesRule(_ row: Case) throws {
        let view = try Self.archive(row.objects)
        let result = try Migration.apply([Self.migration(row.rules)], to: view)
        #expect(result.counts == [row.counts])
        let document = try #require(result.edited?.document)
        var expected = row.objects
        for (uid, text) in row.changes.sorted(by: { $0.key < $1.key }) {
            if uid > expected.count { expected.append(text) } else { expected[uid - 1] = text }
        }
        let text = try DraftText.json(document)
        let top = text.contains(#""game""#) ? #"{"game":{"$uid":1},"v":2}"# : #"{"root":{"$uid":1},"v":2}"#
        #expect(try text == DraftText.json(Self.archive(expected, top: top).document))
    }

    static let player2 = #"{"$classname":"Hero","$classes":["Hero","Actor","NSObject"],"$more":1}"#

    static let cases = [
        Case(
            name: "a class, in its record and in hints, while a string of that name stays",
            rules: [.rename(.class(units("Player"), to: units("Hero")))],
            changes: [
                3: player2, 6: #"{"$classname":"Pet","$classes":["Pet","Actor","NSObject"],"$classhints":["Hero"]}"#,
            ], counts: [2]),
        Case(
            name: "a class in the chains of others",
            rules: [.rename(.class(units("Actor"), to: units("Being")))],
            changes: [
                2: #"{"$classname":"Being","$classes":["Being","NSObject"]}"#,
                3: #"{"$classname":"Player","$classes":["Player","Being","NSObject"],"$more":1}"#,
                6: #"{"$classname":"Pet","$classes":["Pet","Being","NSObject"],"$classhints":["Player"]}"#,
            ], counts: [3]),
        Case(
            name: "two classes become one, and keep their records",
            rules: [.rename(.class(units("Player"), to: units("Actor")))],
            changes: [
                3: #"{"$classname":"Actor","$classes":["Actor","NSObject"],"$more":1}"#,
                6: #"{"$classname":"Pet","$classes":["Pet","Actor","NSObject"],"$classhints":["Actor"]}"#,
            ], counts: [2]),
        Case(
            name: "a module, in names, chains and hints of both spellings",
            objects: [
                hero, #"{"$classname":"Game.Actor","$classes":["Game.Actor","NSObject"]}"#,
                #"{"$classname":"_TtCC4Game5Level6Player","$classes":["_TtCC4Game5Level6Player","Game.Actor","NSObject"]}"#,
                #""Game.Player""#, pet,
                #"{"$classname":"_TtGC4Game3PetCS_4Imp2_","$classes":["_TtGC4Game3PetCS_4Imp2_","Kit.Pet","Game.Pet"],"$classhints":["_TtC4Game3Pet","Games.Pet","Game"]}"#,
            ],
            rules: [.rename(.module(units("Game"), to: units("Kit")))],
            changes: [
                2: #"{"$classname":"Kit.Actor","$classes":["Kit.Actor","NSObject"]}"#,
                3:
                    #"{"$classname":"_TtCC3Kit5Level6Player","$classes":["_TtCC3Kit5Level6Player","Kit.Actor","NSObject"]}"#,
                6:
                    #"{"$classname":"_TtGC3Kit3PetCS_4Imp2_","$classes":["_TtGC3Kit3PetCS_4Imp2_","Kit.Pet"],"$classhints":["_TtC3Kit3Pet","Games.Pet","Game"]}"#,
            ], counts: [3]),
        Case(
            name: "a class by the name that Swift prints, and its field",
            objects: [
                hero, #"{"$classname":"Actor","$classes":["Actor","NSObject"]}"#,
                #"{"$classname":"_TtCC4Game5Level6Player","$classes":["_TtCC4Game5Level6Player","NSObject"]}"#,
                #""Game.Level.Player""#, pet, #"{"$classname":"Pet","$classes":["Pet","Actor","NSObject"]}"#,
            ],
            rules: [
                .rename(.class(units("Game.Level.Player"), to: units("Kit.Stage.Hero"))),
                .renameField(units("hp"), of: units("Kit.Stage.Hero"), to: units("life")),
            ],
            changes: [
                1: #"{"name":{"$uid":4},"$class":{"$uid":3},"life":150,"pet":{"$uid":5}}"#,
                3: #"{"$classname":"_TtCC3Kit5Stage4Hero","$classes":["_TtCC3Kit5Stage4Hero","NSObject"]}"#,
            ], counts: [1, 1]),
        Case(
            name: "other ancestors, of derived classes, too",
            rules: [.setAncestors(units("Actor"), to: [units("Node"), units("NSObject")])],
            changes: [
                2: #"{"$classname":"Actor","$classes":["Actor","Node","NSObject"]}"#,
                3: #"{"$classname":"Player","$classes":["Player","Actor","Node","NSObject"],"$more":1}"#,
                6: #"{"$classname":"Pet","$classes":["Pet","Actor","Node","NSObject"],"$classhints":["Player"]}"#,
            ], counts: [3]),
        Case(
            name: "a field of a class and of derived ones; a 32-bit real stays one",
            rules: [.renameField(units("hp"), of: units("Actor"), to: units("health"))],
            changes: [
                1: #"{"name":{"$uid":4},"$class":{"$uid":3},"health":150,"pet":{"$uid":5}}"#,
                5: #"{"$class":{"$uid":6},"health":{"$real32":0.5}}"#,
            ], counts: [2]),
        Case(
            name: "a field is dropped",
            rules: [.dropField(units("hp"), of: units("Player"))],
            changes: [1: #"{"name":{"$uid":4},"$class":{"$uid":3},"pet":{"$uid":5}}"#]),
        Case(
            name: "a number is added in place, where it is missing",
            rules: [
                .addField(units("gold"), of: units("Player"), value: ObjectID(1)),
                .addField(units("hp"), of: units("Actor"), value: ObjectID(1)),
            ],
            changes: [1: #"{"name":{"$uid":4},"$class":{"$uid":3},"hp":150,"pet":{"$uid":5},"gold":7}"#],
            counts: [1, 0]),
        Case(
            name: "another unit: an integer stays one, and a 32-bit real, too",
            rules: [.convertField(units("hp"), of: units("Actor"), conversion(factor: .real(0.01)))],
            changes: [
                1: #"{"name":{"$uid":4},"$class":{"$uid":3},"hp":2,"pet":{"$uid":5}}"#,
                5: #"{"$class":{"$uid":6},"hp":{"$real32":0.005}}"#,
            ], counts: [2]),
        Case(
            name: "another type and stored form",
            rules: [.convertField(units("hp"), of: units("Player"), conversion(.real, .real(0.01), .object))],
            changes: [1: #"{"name":{"$uid":4},"$class":{"$uid":3},"hp":{"$uid":7},"pet":{"$uid":5}}"#, 7: "1.5"]),
        Case(
            name: "a root is moved, and a value behind it replaced",
            rules: [
                .moveRoot(units("root"), to: units("game")),
                .replace(JSONPointer(tokens: [units("game"), units("pet"), units("hp")]), with: ObjectID(4)),
            ],
            changes: [5: #"{"$class":{"$uid":6},"hp":{"$real32":0.25}}"#], counts: [1, 1]),
        Case(
            name: "what is not there is not changed",
            rules: [
                .rename(.class(units("Enemy"), to: units("Foe"))), .dropField(units("x"), of: units("Player")),
                .renameField(units("x"), of: units("Player"), to: units("y")), .moveRoot(units("x"), to: units("y")),
                .replace(JSONPointer(tokens: [units("x")]), with: ObjectID(1)),
            ], changes: [:], counts: [0, 0, 0, 0, 0]),
    ]

    static func conversion(
        _ type: FieldConversion.ValueType? = nil, factor: Number? = nil
    ) -> FieldConversion { FieldConversion(type: type, factor: factor, storage: nil) }

    static func conversion(
        _ type: FieldConversion.ValueType?, _ factor: Number?, _ storage: FieldConversion.Storage
    ) -> FieldConversion { FieldConversion(type: type, factor: factor, storage: storage) }

    // MARK: Conversions

    @Test(
        arguments: [
            ("5", "integer", nil, "5"), ("5", "real", nil, "5.0"), ("2.5", "integer", nil, "3"),
            ("true", "integer", nil, "1"), ("0", "boolean", nil, "false"), ("\"12\"", "integer", nil, "12"),
            ("\"2.5\"", "real32", nil, #"{"$real32":2.5}"#), ("12", "string", nil, "\"12\""),
            ("true", "string", nil, "\"true\""), ("\"true\"", "boolean", nil, "true"),
            (#"{"$date":"2001-01-01T00:00:10Z"}"#, "real", nil, "10.0"),
            ("10", "date", nil, #"{"$date":"2001-01-01T00:00:10Z"}"#),
            ("\"2001-01-01T00:00:10Z\"", "date", nil, #"{"$date":"2001-01-01T00:00:10Z"}"#),
            ("\"1.5\"", "real", 2.0, "3.0"), ("null", "integer", 2.0, "null"),
            ("9223372036854775807", "string", nil, "\"9223372036854775807\""),
            ("\"many\"", "integer", nil, nil), ("\"many\"", nil, 2.0, nil), ("[1]", "integer", nil, nil),
            ("1e300", "real32", nil, nil), ("1e300", "integer", nil, nil), ("true", nil, 2.0, nil),
        ] as [(String, String?, Double?, String?)])
    func convertsField(_ text: String, _ type: String?, _ factor: Double?, _ result: String?) throws {
        let conversion = FieldConversion(
            type: type.flatMap { FieldConversion.ValueType(rawValue: $0) }, factor: factor.map { .real($0) },
            storage: nil)
        var draft = Draft(ObjectView(try JSON.readTyped(Array("{\"a\":\(text)}".utf8))))
        let value = try draft.at("/a")
        let new = draft.converted(value, conversion)
        #expect((new == nil) == (result == nil))
        guard let new, let result else { return }
        let root = draft.root
        draft.replace(at: 0, of: root, with: new)
        #expect(try DraftText.json(draft.finish()) == "{\"a\":\(result)}")
    }

    // MARK: Refused rules

    @Test(
        arguments: [
            (
                .renameField(units("hp"), of: units("Player"), to: units("name")),
                "/root/name: rule 1 of r: hp cannot be renamed to name, which already exists"
            ),
            (
                .convertField(units("name"), of: units("Player"), conversion(.integer)),
                #"/root/name: rule 1 of r: found "Player", which cannot be converted to the type integer"#
            ),
            (
                .convertField(units("pet"), of: units("Player"), conversion(factor: .integer(2))),
                "/root/pet: rule 1 of r: found an object of class Pet with 1 field, which cannot be multiplied"
            ),
            (
                .moveRoot(units("root"), to: units("v")),
                "/v: rule 1 of r: root cannot be renamed to v, which already exists"
            ),
        ] as [(MigrationRule, String)])
    func rejectsRule(_ rule: MigrationRule, _ sentence: String) throws {
        let view = try Self.archive(Self.game)
        let problem = #expect(throws: Problem.self) { try Migration.apply([Self.migration([rule])], to: view) }
        #expect(problem.map { "\($0)" } == sentence)
    }

    @Test func rejectsMissingVersionContainer() throws {
        let view = try Self.archive(Self.game)
        let migration = try Self.migration(at: "/game/v", [])
        let problem = #expect(throws: Problem.self) { try Migration.apply([migration], to: view) }
        #expect(problem?.message.hasPrefix("the version cannot be stored: no such value") == true)
    }

    // MARK: Chains

    private static func chain(_ steps: [(SaveVersion?, SaveVersion)]) throws -> MigrationChain {
        try MigrationChain(
            steps.enumerated().map { try migration(from: $1.0, to: $1.1, [], name: "\($0).json") })
    }

    @Test func migratesEveryVersion() throws {
        let text = SaveVersion.text(Self.units("2.0"))
        let chain = try Self.chain([(.integer(2), text), (nil, .integer(2)), (.integer(1), .integer(2))])
        #expect(chain.newest == text)
        #expect(try chain.path(from: nil).map(\.name) == ["1.json", "0.json"])
        #expect(try chain.path(from: .integer(1)).map(\.name) == ["2.json", "0.json"])
        #expect(try chain.path(from: text).isEmpty)
        let problem = #expect(throws: Problem.self) { try chain.path(from: .integer(7)) }
        #expect(
            problem?.message
                == #"no rules migrate saves of version 7; the rules migrate from 2, null, 1; the newest version is "2.0""#
        )
    }

    @Test(
        arguments: [
            (
                [(.integer(1), .integer(2)), (.integer(3), .integer(4))], 0,
                "no rules migrate version 2, but other rules end at version 4"
            ),
            (
                [(.integer(1), .integer(2)), (.integer(1), .integer(3))], 1,
                "0.json already migrates saves of version 1"
            ),
            (
                [(.integer(1), .integer(2)), (.integer(2), .integer(1))], 0,
                "the versions form a cycle; none of them is the newest"
            ),
            ([(.integer(1), .integer(1))], 0, "the versions form a cycle; none of them is the newest"),
            (
                [(nil, .integer(9)), (.integer(2), .integer(1)), (.integer(1), .integer(2))], 1,
                "the versions form a cycle: rules lead from version 1 back to it"
            ),
        ] as [([(SaveVersion?, SaveVersion)], Int, String)])
    func rejectsFaultyChain(_ steps: [(SaveVersion?, SaveVersion)], _ position: Int, _ sentence: String) throws {
        let fault = #expect(throws: MigrationChain.Fault.self) { try Self.chain(steps) }
        #expect(fault?.problem.message == sentence)
        #expect(fault?.position == position)
    }
}

extension Document {
    /// The elements of the array at the root.
    fileprivate var elements: [ObjectID] {
        guard case .array(let elements) = self[root] else { return [] }
        return Array(elements)
    }
}
