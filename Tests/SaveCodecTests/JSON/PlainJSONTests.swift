import Testing

@testable import SaveCodec

/// Plain JSON, in which no object is a tagged value.
@Suite struct PlainJSONTests {
    @Test(arguments: [
        #"{"$data": {"type": "string"}}"#, #"{"$data": "3q0="}"#, #"{"$set": true}"#, #"{"$dict": [[1, 2]]}"#,
        #"{"a": [{"$uid": -1}, {"$real": "nan"}]}"#, #"{"$savetool": 1, "value": {"$date": 0}}"#,
        #"{"$archiver": "NSKeyedArchiver", "$top": {"root": {"$uid": 1}}}"#,
    ])
    func tagsAreNames(_ text: String) throws {
        let document = try JSON.readPlain(Array(text.utf8))
        #expect(!document.isGraphJSON)
        guard case .dictionary(let pairs) = document[document.root] else {
            Issue.record("no object")
            return
        }
        let name = pairs.first.flatMap { document.text($0.key) }?.string
        #expect(name.map { text.hasPrefix("{\"\($0)\"") } == true)
    }

    @Test(arguments: [
        (#"{"$data": }"#, #"1:11: found "}", expected a value"#),
        (#"{"$set": [1,]}"#, "1:13: nothing follows the comma; expected another value, or no comma"),
    ])
    func faultsAreFound(_ text: String, _ sentence: String) {
        let problem = #expect(throws: Problem.self) { try JSON.readPlain(Array(text.utf8)) }
        #expect(problem?.description == sentence)
    }
}
