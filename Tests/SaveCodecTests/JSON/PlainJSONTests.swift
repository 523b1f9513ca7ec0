import Testing

@testable import SaveCodec

/// Plain JSON, in which no object is a tagged value.
@Suite struct PlainJSONTests {
    @Test(arguments: [
        #"{"$data": {"type": "string"}}"#, #"{"$data": "3q0="}"#, #"{"$set": true}"#, #"{"$dict": [[1, 2]]}"#,
        #"{"a": [{"$uid": -1}, {"$real": "nan"}]}"#, #"{"$savetool": 1, "value": {"$date": 0}}"#,
        #"{"$archiver": "NSKeyedArchiver", "$top": {"root": {"$uid": 1}}}"#,
    ])
    func readsTagsAsKeys(_ text: String) throws {
        let document = try JSON.readPlain(Array(text.utf8))
        #expect(!document.isGraphJSON)
        guard case .dictionary(let pairs) = document[document.root] else {
            Issue.record("no object")
            return
        }
        let name = pairs.first.flatMap { document.text($0.key) }?.string
        #expect(name.map { text.hasPrefix("{\"\($0)\"") } == true)
    }

    /// JSON whose contents show that it is plain is written unchanged, and its objects become dictionaries in a binary
    /// file.
    @Test(arguments: [
        #"{"$set":255}"#, #"{"$data":5}"#, #"{"a":{"$date":{"$numberLong":"5"}}}"#, #"{"$set":{"a":1}}"#,
        #"{"_id":{"$oid":"50"},"when":{"$date":"2020-01-01T00:00:00Z"}}"#, #"{"a":{"$dict":[["k"]]}}"#,
        #"[{"$date":"2020-01-01T00:00:00Z"},{"$date":"soon"}]"#, #"{"$archiver":5,"$top":7}"#,
        #"{"$savetool":"x"}"#, #"{"$schema":"x","a":{"$ref":"y"}}"#, #"{"$archiver":"zip","$top":[1]}"#,
    ])
    func recognizesPlainJSON(_ text: String) throws {
        let document = try JSON.read(Array(text.utf8))
        #expect(!document.isGraphJSON)
        let options = WriteOptions(isCompact: true)
        #expect(String(decoding: try document.bytes(as: .json, options: options), as: UTF8.self) == text + "\n")
        let plain = try JSON.readPlain(Array(text.utf8))
        #expect(document.hasSameTree(as: plain))
        let binary = try Document.read(document.bytes(as: .binary), as: .binary)
        let back = try JSON.read(binary.bytes(as: .json))
        #expect(try back.bytes(as: .binary) == document.bytes(as: .binary))
    }

    /// A list of pairs, which the writer makes of duplicate keys and of objects that resemble an envelope, is itself a
    /// tagged value. No other name next to it may begin like a tag.
    @Test(arguments: [
        #"{"a":{"$oid":5},"b":1,"b":2}"#, #"{"$savetool":1,"value":[],"a":{"$id":1}}"#,
    ])
    func recognizesTaggedPairLists(_ text: String) throws {
        let plain = try JSON.readPlain(Array(text.utf8))
        let binary = try Document.read(plain.bytes(as: .binary), as: .binary)
        #expect(try JSON.read(binary.bytes(as: .json)).hasSameTree(as: binary))
        guard !text.contains("$savetool") else { return }
        let document = try JSON.read(Array(text.utf8))
        #expect(try JSON.read(document.bytes(as: .json)).hasSameTree(as: plain))
    }

    /// An envelope is typed JSON, so plain JSON in it is written as typed JSON.
    @Test func plainJSONInEnvelope() throws {
        let document = try JSON.read(Array(#"{"a":{"$date":"soon"},"b":{"$data":"3q0="}}"#.utf8))
        let exact = try document.bytes(as: .json, options: WriteOptions(isExact: true))
        #expect(try JSON.read(exact).hasSameTree(as: document))
    }

    /// A text in the form of typed JSON, graph JSON or exact JSON is read as such, so that mistakes in an envelope are
    /// reported.
    @Test(arguments: [
        #"{"$archiver":"NSKeyedArchiver","$top":{"root":{"$date":"soon"}}}"#,
        #"{"$savetool":1,"value":{"$date":"soon"}}"#, #"{"$savetool":2,"value":5}"#,
    ])
    func reportsMistakesInEnvelopes(_ text: String) {
        #expect(throws: Problem.self) { try JSON.read(Array(text.utf8)) }
    }

    @Test(arguments: [
        (#"{"$archiver":"NSKeyedArchiver","$top":5}"#, true), (#"{"$archiver":5,"$top":{},"$version":100000}"#, true),
        (#"{"$archiver":"A","$top":{}}"#, true), (#"{"$archiver":"A","$top":5}"#, false),
        (#"{"$archiver":5,"$top":{}}"#, false),
    ])
    func recognizesGraphJSON(_ text: String, _ isGraph: Bool) throws {
        #expect(try JSON.read(Array(text.utf8)).isGraphJSON == isGraph)
    }

    @Test(arguments: [
        (#"{"$data": }"#, #"1:11: found "}"; expected a value"#),
        (#"{"$set": [1,]}"#, "1:13: nothing follows the comma; expected another value, or no comma"),
    ])
    func reportsInvalidTags(_ text: String, _ sentence: String) {
        let problem = #expect(throws: Problem.self) { try JSON.readPlain(Array(text.utf8)) }
        #expect(problem?.description == sentence)
    }
}
