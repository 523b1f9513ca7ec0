import Testing

@testable import SaveCodec

/// Nesting is limited and does not consume the stack.
@Suite struct JSONDepthTests {
    /// The text that opens and closes one container, and the column at which the 513th begins.
    static let nests: [(open: String, close: String, column: Int)] = [
        ("[", "]", 513), (#"{"k":"#, "}", 2561), (#"{"$set":["#, "]}", 4609), (#"{"$dict":[[1,"#, "]]}", 6657),
    ]

    private static func text(_ nest: (open: String, close: String, column: Int), depth: Int, core: String = "1")
        -> String
    {
        String(repeating: nest.open, count: depth) + core + String(repeating: nest.close, count: depth)
    }

    @Test(arguments: nests.indices)
    func reads512NestedContainers(nest: Int) throws {
        let text = Self.text(Self.nests[nest], depth: 512)
        #expect(try JSONCases.rewrite(text) == text + "\n")
    }

    @Test(arguments: nests.indices)
    func rejectsDeeperNesting(nest: Int) {
        let nest = Self.nests[nest]
        for depth in [513, 100_000] {
            let problem = #expect(throws: Problem.self) { try JSONCases.read(Self.text(nest, depth: depth)) }
            #expect(problem?.description == "1:\(nest.column): containers are nested more than 512 levels deep")
        }
    }

    @Test(arguments: nests.indices)
    func acceptsHigherLimit(nest: Int) throws {
        let text = Self.text(Self.nests[nest], depth: 20_000)
        let document = try JSONCases.read(text, limits: Limits(maxDepth: 20_000))
        #expect(try JSONCases.write(document) == text + "\n")
    }

    @Test func rejectsUnclosedBrackets() {
        let problem = #expect(throws: Problem.self) { try JSONCases.read(String(repeating: "[", count: 100_000)) }
        #expect(problem?.description == "1:513: containers are nested more than 512 levels deep")
    }

    @Test func envelopeDoesNotCountAsLevel() throws {
        let inner = Self.text(Self.nests[0], depth: 512)
        #expect(throws: Never.self) { try JSONCases.read(#"{"$savetool":1,"value":\#(inner)}"#) }
        #expect(throws: Problem.self) { try JSONCases.read(#"{"savetool":1,"value":\#(inner)}"#) }
    }
}
