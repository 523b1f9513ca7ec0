import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveCodec
@testable import SaveInspection
@testable import SaveOperations

/// Saves in values, inside gzip, zlib and Base64.
@Suite struct LayeredValueTests {
    private static let gzip = Layer.gzip(Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 11], trailer: []))
    private static let zlib = Layer.zlib(Zlib(header: [0x78, 0x9C], trailer: []))

    private static func base64(_ text: String = "-_-_") throws -> Layer {
        .base64(try Base64Form.decode(Array(text.utf8)).form)
    }

    private static func binary(_ json: String) throws -> [UInt8] {
        try JSON.read(Array(json.utf8)).bytes(as: .binary)
    }

    private static func file(_ value: [UInt8], isString: Bool, count: Int = 1) throws -> [UInt8] {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        for number in 0..<count {
            builder.add(string: count == 1 ? "save" : "save\(number)")
            if isString { builder.add(utf8: value.span) } else { builder.add(data: value.span) }
        }
        _ = builder.close()
        return try builder.finish().bytes(as: .binary)
    }

    private static func save(_ bytes: [UInt8], _ limits: Limits = Limits()) throws -> Save {
        try Save(bytes, ReadOptions(limits: limits))
    }

    /// A value holds the layers of one row around a save; an edit of the save puts them back.
    @Test(
        arguments: [
            (["zlib"], false), (["gzip"], false), (["gzip", "zlib"], false), (["base64"], false), (["base64"], true),
            (["base64", "gzip"], true), (["base64", "zlib"], false), (["base64", "gzip", "base64", "zlib"], true),
            ([], false), ([], true),
        ] as [([String], Bool)])
    func layersArePutBack(_ names: [String], _ isString: Bool) throws {
        let layers = try names.map { try ["zlib": Self.zlib, "gzip": Self.gzip, "base64": Self.base64()][$0]! }
        let json = "{\"gems\": 7, \"name\": \"Ada\"}"
        for inner in [isString && names.isEmpty ? nil : try Self.binary(json), Array(json.utf8)].compacted() {
            let value = layers.reversed().reduce(inner) { $1.wrap($0) }
            let save = try Self.save(Self.file(value, isString: isString))
            let address = try #require(JSONPointer("/save/gems"))
            let entrance = try #require(save.view.entrance(on: address))
            #expect(entrance.save.bytes == inner)
            let title = names.isEmpty ? "data" : Phrase.series(layers.map(\.name)) + " data"
            #expect(entrance.save.layers.title == title)
            let isBinary = inner.starts(with: "bplist".utf8)
            #expect(entrance.save.isAlwaysOpen == (!names.contains("base64") && !(isBinary && isString)))
            let other = try isBinary ? Self.binary("{\"gems\": 8, \"name\": \"Ada\"}") : Array("{\"gems\": 8}".utf8)
            let changed = try entrance.save.value(holding: other)
            let expected = layers.reversed().reduce(other) { $1.wrap($0) }
            if isString {
                #expect(changed.text(changed.root)?.utf8Bytes == expected)
            } else {
                let isEqual =
                    if case .data(let bytes) = changed[changed.root] { bytes.elementsEqual(expected) } else { false }
                #expect(isEqual)
            }
        }
    }

    /// Compressed values without a save are ordinary data.
    @Test(arguments: ["kS38,1_40_2_125;1,1,2,15,3,15;", "", "12345", "YES", "QUJD", "[", "x{}"])
    func otherCompressedValuesAreData(_ text: String) throws {
        for layer in [Self.gzip, Self.zlib] {
            let save = try Self.save(Self.file(layer.wrap(Array(text.utf8)), isString: false))
            let id = try #require(save.view.found("/save"))
            #expect(try save.view.nestedSave(in: id) == nil)
            if text != "[" { #expect(try save.view.nestedSave(enteredAt: id) == nil) }
        }
    }

    @Test func damagedLayersAreReported() throws {
        let value = Self.zlib.wrap(try Self.binary("{\"gems\": 7, \"name\": \"Ada\"}"))
        let save = try Self.save(Self.file(Array(value.dropLast(2)), isString: false))
        let id = try #require(save.view.found("/save"))
        let problem = #expect(throws: Problem.self) { try save.view.nestedSave(in: id) }
        #expect(problem?.message.hasPrefix("the zlib layer is damaged: truncated") ?? false)
        let findings = Validation().report(on: try Self.file(Array(value.dropLast(2)), isString: false)).findings
        #expect(findings.contains { $0.problem.id == "zlib.truncated" && $0.problem.severity == .error })
    }

    /// The contents of all compressed values of a file share one budget, also if they are damaged.
    @Test func bombsAreBounded() throws {
        let bomb = Self.zlib.wrap(Array("bplist00".utf8) + [UInt8](repeating: 0, count: 100_000))
        var room = 50_000
        let alone = #expect(throws: Problem.self) {
            try NestedSaveOptions().open(NestedSaveCandidate(bytes: bomb[...], isString: false), room: &room)
        }
        #expect(alone?.id == "limit.nested")
        #expect(room == 0)
        let nesting = NestedSaveOptions().opened(for: 0)
        _ = try nesting.within(64 << 20 - 150_000)
        let damaged = #expect(throws: Problem.self) { try nesting.save(in: bomb.dropLast(), .json) }
        #expect(damaged?.id == "zlib.truncated")
        let second = #expect(throws: Problem.self) { try nesting.save(in: bomb[...], .json) }
        #expect(second?.id == "limit.nested")
    }
}

extension ObjectView {
    fileprivate func found(_ address: String) -> ViewID? {
        guard let address = JSONPointer(address), case .found(let id, in: _) = find(address) else { return nil }
        return id
    }
}

extension Array {
    fileprivate func compacted<Wrapped>() -> [Wrapped] where Element == Wrapped? { compactMap(\.self) }
}
