import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Migrations of archives that are large or that exceed the limits.
@Suite(.serialized) struct HostileMigrationTests {
    private static func units(_ text: String) -> [UInt16] { Array(text.utf16) }

    /// Returns an array of `count` objects of one class, each with a field.
    private static func archive(_ count: Int) throws -> ObjectView {
        let list = (0..<count).map { "{\"$uid\":\($0 + 4)}" }.joined(separator: ",")
        let objects = [
            #"{"NS.objects":[\#(list)],"$class":{"$uid":2}}"#,
            #"{"$classname":"NSArray","$classes":["NSArray","NSObject"]}"#,
            #"{"$classname":"Player","$classes":["Player","NSObject"]}"#,
        ]
        return try MigrationTests.archive(objects + (0..<count).map { #"{"$class":{"$uid":3},"hp":\#($0)}"# })
    }

    @Test func renamesClassOfManyObjectsOnce() throws {
        let view = try Self.archive(1000)
        var draft = Draft(view)
        #expect(draft.rename(.class(Self.units("Player"), to: Self.units("Hero"))) == 1)
        #expect(draft.values.editedContainers.isEmpty)
        let archive = try KeyedArchive(draft.finish())
        let (before, after) = (try #require(view.archive), archive)
        #expect(after.classUses.map(\.count) == before.classUses.map(\.count))
        #expect(after.classUses.last?.record.name.string == "Hero")
    }

    @Test func takesLinearTime() throws {
        let rules: [MigrationRule] = [
            .renameField(Self.units("hp"), of: Self.units("Player"), to: Self.units("life")),
            .convertField(
                Self.units("life"), of: Self.units("Player"),
                FieldConversion(type: .real, factor: .real(0.5), storage: .object)),
            .addField(Self.units("gold"), of: Self.units("Player"), value: ObjectID(2)),
            .dropField(Self.units("life"), of: Self.units("Player")),
        ]
        let migration = try MigrationTests.migration(rules)
        let isLinear = try Growth.isLinear(to: 200) { count in
            let view = try Self.archive(count)
            return { _ = try Migration.apply([migration], to: view) }
        }
        #expect(isLinear)
    }

    @Test func fieldWithManyDuplicates() throws {
        for rule in [
            MigrationRule.renameField(Self.units("hp"), of: Self.units("Player"), to: Self.units("life")),
            .dropField(Self.units("hp"), of: Self.units("Player")),
        ] {
            let migration = try MigrationTests.migration([rule])
            let isLinear = try Growth.isLinear(to: 800) { count in
                let fields = (0..<count).map { #"["hp",\#($0)]"# }.joined(separator: ",")
                let view = try MigrationTests.archive([
                    #"{"$dict":[["$class",{"$uid":2}],\#(fields)]}"#,
                    #"{"$classname":"Player","$classes":["Player","NSObject"]}"#,
                ])
                return { _ = try Migration.apply([migration], to: view) }
            }
            #expect(isLinear)
        }
    }

    @Test func rejectsLargeValueForManyObjects() throws {
        let view = try Self.archive(60)
        let pack = (0..<500).map { "[\($0)]" }.joined(separator: ",")
        let values = try JSON.readTyped(Array("[2,[\(pack)]]".utf8))
        guard case .array(let elements) = values[values.root] else { return }
        let rule = MigrationRule.addField(Self.units("pack"), of: Self.units("Player"), value: elements[1])
        let migration = Migration(
            name: "r", Migration.Versions(from: nil, to: .integer(2), at: try #require(JSONPointer("/v"))),
            rules: [rule],
            values: values, version: elements[0])
        let problem = #expect(throws: Problem.self) {
            try Migration.apply([migration], to: view, limits: Limits(expansionFactor: 1, expansionFloor: 10_000))
        }
        #expect(problem?.id == "limit.expansion")
    }

    @Test func recordsWithSharedLongChains() throws {
        let names = (0..<50).map { "\"C\($0)\"" }.joined(separator: ",")
        let records = (0..<50).map { #"{"$classname":"C\#($0)","$classes":[\#(names)]}"# }
        let view = try MigrationTests.archive([#"{"$class":{"$uid":2},"hp":1}"#] + records)
        let rules = (0..<5).map { MigrationRule.rename(.class(Self.units("C\($0)"), to: Self.units("D"))) }
        let result = try Migration.apply([MigrationTests.migration(rules)], to: view)
        let archive = try KeyedArchive(#require(result.edited?.document))
        #expect(archive.classes.allSatisfy { $0.chain?.count == 46 })
    }
}
