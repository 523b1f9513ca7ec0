import Foundation
import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveCodec
@testable import SaveOperations

/// Nested archives in a JSON text, written in place of the data that holds them.
@Suite struct NestedArchiveTests {
    private static let graph =
        #"{"$archiver":"NSKeyedArchiver","$classes":{"Player":["Player","NSObject"]},"#
        + #""$top":{"root":{"$class":"Player","health":100,"name":"Ada"}}}"#

    private static func read(_ text: String) throws -> Document {
        try Document.readSave(Array(text.utf8), as: .json)
    }

    private static func text(at address: String, in document: Document) throws -> String? {
        let view = try ObjectView(of: document, limits: Limits(), isRaw: false, nesting: NestedSaveOptions())
        guard case .found(let id, in: let place) = view.find(try #require(JSONPointer(address))) else { return nil }
        return place.text(id)?.string
    }

    @Test(arguments: ["$bplist", "$xplist"])
    func readsGraphAsArchive(tag: String) throws {
        let file = try #require(tag == "$bplist" ? Format.binary : .xml)
        let archive = try Self.read(Self.graph).resolvingGraphJSON()
        let plain = try Self.read(#"{"save":{"\#(tag)":\#(Self.graph)}}"#)
        guard case .data(let bytes)? = plain["save"] else {
            Issue.record("the graph is no data")
            return
        }
        #expect(try Array(bytes) == archive.bytes(as: file, options: WriteOptions(keyOrder: .stored)))
        #expect(try Self.text(at: "/save/root/name", in: plain) == "Ada")
        let field = #""health":100"#
        let inGraph = try Self.read(Self.graph.replacing(field, with: #""in":{"\#(tag)":\#(Self.graph)}"#))
        #expect(try Self.text(at: "/root/in/root/name", in: inGraph) == "Ada")
    }

    /// A program that opens an archive from its bytes gets nested saves as data.
    @Test func otherProgramsReadNestedForm() throws {
        let text = Self.graph.replacing(#""health":100"#, with: #""in":{"$bplist":\#(Self.graph)}"#)
        let archive = try KeyedArchive(Array(text.utf8))
        #expect(archive.top.count == 1)
    }

    /// A name that begins with `$` gets another `$` in graph JSON.
    @Test func keepsFieldNamedLikeTag() throws {
        let text = Self.graph.replacing("name", with: "$$bplist")
        #expect(try Self.text(at: "/root/$bplist", in: Self.read(text)) == "Ada")
    }

    @Test func invalidGraphsHaveAddress() throws {
        let text = #"{"save":{"$bplist":\#(Self.graph.replacing("100", with: #"{"$ref":9}"#))}}"#
        let place = try #require(text.range(of: #"{"$ref":9}"#)).lowerBound
        let problem = #expect(throws: Problem.self) { try Self.read(text) }
        let column = text.distance(from: text.startIndex, to: place) + 1
        #expect(problem?.description == "1:\(column): /save/root/health: no object has the $id 9")
        let lossy = #"{"save":{"$xplist":\#(Self.graph.replacing("100", with: #""\u0001""#))}}"#
        let loss = #expect(throws: Problem.self) { try Self.read(lossy) }
        #expect(loss?.id == "loss.character")
        #expect(loss?.address?.description == "/save/root/health")
        #expect(loss?.location == problem?.location)
    }
}
