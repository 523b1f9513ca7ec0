import Testing

@testable import SaveCodec

/// White space, key order and spelling of the text that the writer makes.
@Suite struct JSONWriterTests {
    static let pretty: [(String, String)] = [
        ("1", "1\n"), ("[]", "[]\n"), ("{}", "{}\n"), (#"{"$set":[]}"#, "{\"$set\": []}\n"),
        (
            #"{"a":[1,{"b":[]}],"c":{"$real32":0.5}}"#,
            """
            {
              "a": [
                1,
                {
                  "b": []
                }
              ],
              "c": {"$real32": 0.5}
            }

            """
        ),
        (
            #"{"$dict":[["k",1],[{"$uid":1},{"$set":[2]}],["k",{}]]}"#,
            """
            {"$dict": [
              ["k", 1],
              [{"$uid": 1}, {"$set": [
                2
              ]}],
              ["k", {}]
            ]}

            """
        ),
    ]

    @Test(arguments: pretty)
    func prettyPrints(text: String, laidOut: String) throws {
        #expect(try JSONCases.rewrite(text, WriteOptions()) == laidOut)
        #expect(try JSONCases.rewrite(laidOut, WriteOptions()) == laidOut)
        #expect(try JSONCases.rewrite(laidOut) == text + "\n")
    }

    static let sorted: [(String, String)] = [
        (#"{"b":1,"a":{"d":1,"c":2},"B":3,"":4}"#, #"{"":4,"B":3,"a":{"c":2,"d":1},"b":1}"#),
        // By code units a surrogate sorts before U+FF21, by scalar values after it.
        (#"{"Ａ":1,"😀":2,"é":3,"ab":4,"a":5}"#, #"{"a":5,"ab":4,"é":3,"😀":2,"Ａ":1}"#),
        (#"{"$dict":[["b",1],["a",2],["b",0]]}"#, #"{"$dict":[["a",2],["b",1],["b",0]]}"#),
        (#"{"$dict":[["b",1],[1,2],["a",0]]}"#, #"{"$dict":[["a",0],["b",1],[1,2]]}"#),
        (#"{"$set":[2,1]}"#, #"{"$set":[2,1]}"#),
    ]

    @Test(arguments: sorted)
    func sortsKeysByCodeUnits(text: String, sorted: String) throws {
        #expect(try JSONCases.rewrite(text, WriteOptions(keyOrder: .sorted, isCompact: true)) == sorted + "\n")
    }

    @Test func writesOneByteStringsAsLatin1() throws {
        // An array of the one-byte strings 61 E9 80 and 62, as an old writer may store them.
        var image: [UInt8] = Array("bplist00".utf8) + [0xA2, 1, 2, 0x53, 0x61, 0xE9, 0x80, 0x51, 0x62]
        image += [8, 11, 15]
        let document = Document(
            image: image, table: OffsetTable(start: 17, count: 3, offsetSize: 1, referenceSize: 1), root: ObjectID(0),
            facts: Document.Facts(sourceFormat: .binary, sourceSize: image.count, isFile: false))
        #expect(try JSONCases.write(document) == #"["aé\u0080","b"]"# + "\n")
    }

    @Test(arguments: [7, 8, 9, 100, 5000])
    func findsDuplicateKeysByValue(count: Int) throws {
        for repeated in [0, count / 2] {
            var builder = DocumentBuilder()
            builder.open(.dictionary)
            for number in 0..<count {
                builder.add(string: "key\(number)")
                builder.add(integer: 1)
            }
            builder.add(utf8: "key\(repeated)".utf8.span, shared: false)
            builder.add(integer: 2)
            builder.close()
            let text = try JSONCases.write(builder.finish())
            #expect(text.hasPrefix(#"{"$dict":[["key0",1],"#))
            #expect(text.hasSuffix(#",["key\#(repeated)",2]]}"# + "\n"))
        }
    }

    @Test func rejectsExpansionBombBeforeWriting() throws {
        var builder = DocumentBuilder()
        builder.add(string: "boom")
        builder.doubleRoot(levels: 40)
        let document = try builder.finish()
        var output = ByteWriter()
        #expect(throws: Problem.self) { try JSON.write(document, to: &output) }
        #expect(output.count == 0)
    }

    @Test func writesValueAtIndentation() throws {
        let document = try JSONCases.read("[1,[2]]")
        var output = ByteWriter()
        JSONWriter.writeValue(
            of: document, root: document.root, indentation: 1, options: WriteOptions(), to: &output)
        #expect(
            String(decoding: output.takeBytes(), as: UTF8.self) == "[\n    1,\n    [\n      2\n    ]\n  ]")
    }
}
