import Testing

@testable import SaveCodec

/// Exact JSON reproduces a file byte for byte, notices edits, and refuses envelopes that the writer never makes (the
/// article ExactJSON).
@Suite struct ExactEnvelopeTests {
    static func exact(_ file: [UInt8], _ options: WriteOptions = WriteOptions(isExact: true)) throws -> String {
        return String(decoding: try BinaryPlist.read(file).bytes(as: .json, options: options), as: UTF8.self)
    }

    static func binary(_ json: String) throws -> [UInt8] {
        return try Document.read(Array(json.utf8), as: .json).bytes(as: .binary)
    }

    static let files: [(name: String, objects: [String])] = [
        ("scalar root", ["1005"]),
        ("repeated and other keys", ["d3010102030405", "516b", "1007", "1001", "1002", "1003"]),
        ("shared container", ["a20101", "a102", "1005"]),
        ("looks like an envelope", ["d10102", "59247361766574 6f6f6c", "1001"]),
        ("looks like a tagged value", ["d10102", "542475 6964", "1001"]),
        ("keys out of order", ["d201020304", "5162", "5161", "1001", "1002"]),
    ]

    @Test(arguments: files) func restoresEveryByte(name: String, objects: [String]) throws {
        let file = assembled(objects)
        #expect(try Self.binary(Self.exact(file)) == file)
        let sorted = WriteOptions(keyOrder: .sorted, isCompact: true, isExact: true)
        #expect(try Self.binary(Self.exact(file, sorted)) == file)
    }

    @Test(arguments: [["a101", "1005"], ["a20101", "a102", "1005"]])
    func detectsEdits(objects: [String]) throws {
        let edited = try Self.exact(assembled(objects)).replacing("5\n", with: "6\n")
        let document = try Document.read(Array(edited.utf8), as: .json)
        #expect(document.warnings.map(\.id) == ["exact.layout-dropped"])
        var json = ByteWriter()
        try document.write(as: .json, to: &json, options: WriteOptions(isCompact: true))
        #expect(String(decoding: json.takeBytes(), as: UTF8.self).contains("6"))
    }

    @Test(arguments: [
        (#"{"$savetool":2,"value":1}"#, "exact.version"),
        (#"{"$savetool":1,"value":1,"other":2}"#, "exact.member"),
        (#"{"$savetool":1,"value":1,"value":2}"#, "exact.member"),
        (#"{"$savetool":1,"layout":7,"value":1}"#, "exact.layout"),
        (#"{"$savetool":1,"layout":{"profile":"cf"},"value":1}"#, "exact.layout"),
        (#"{"$savetool":1,"layout":{"profile":"cf","digest":"0","referenceSize":9},"value":1}"#, "exact.layout"),
        (#"{"$savetool":1,"layout":{"profile":"cf","digest":"0","offsetSize":"1"},"value":1}"#, "exact.layout"),
        (#"{"$savetool":1,"layout":{"profile":"raw","bytes":"?"},"value":1}"#, "exact.layout"),
        (#"{"$savetool":1,"layout":{"profile":"raw","bytes":"AAAA"},"value":1}"#, "binary.magic"),
    ])
    func rejectsEnvelopesNotWrittenByTheWriter(json: String, id: String) {
        #expect { try Document.read(Array(json.utf8), as: .json) } throws: { ($0 as? Problem)?.id == id }
    }
}
