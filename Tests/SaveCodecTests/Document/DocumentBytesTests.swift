import SaveCodec
import Testing

/// The convenience API that reads a document from bytes and writes it back.
@Suite struct DocumentBytesTests {
    @Test(arguments: Format.written) func roundTripsInEveryFormat(_ format: Format) throws {
        let document = try Document(Array(#"{"name": "Ada", "map": {"level": "Swamp"}, "name": "Bo"}"#.utf8))
        let copy = try Document(document.bytes(as: format))
        guard case .dictionary(let map) = copy["map"], case .string(let level) = map["level"] else {
            throw Problem("test", "no level")
        }
        #expect(level.string == "Swamp")
        #expect(map["name"] == nil)
        #expect(copy["level"] == nil)
    }

    /// The effective value of a duplicate key is the one that Foundation's reader of the format takes.
    @Test func usesEffectiveValueOfDuplicateKey() throws {
        guard case .string(let name) = try Document(Array(#"{"name": "Ada", "name": "Bo"}"#.utf8))["name"] else {
            throw Problem("test", "no name")
        }
        #expect(name.string == "Bo")
    }

    @Test func nonDictionariesHaveNoKeys() throws {
        #expect(try Document(Array("[1, 2]".utf8))["0"] == nil)
        #expect(throws: Problem.self) { try Document([]) }
        #expect(throws: Problem.self) { try Document(Array("[[[]]]".utf8), limits: Limits(maxDepth: 2)) }
    }
}
