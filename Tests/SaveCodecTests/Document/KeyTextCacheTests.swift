import Testing

@testable import SaveCodec

/// Records with equal keys reuse the written keys of the first record, and the output must not differ.
@Suite struct KeyTextCacheTests {
    static let records = [
        #"{"b":1,"a":{"b":2,"a":[{"b":3,"a":4},{"b":5,"a":6}]}}"#,
        #"{"b<é\"":null}"#,
        "{\"long\":1,\"\(String(repeating: "k", count: 5000))\":2}",
        "{\((0..<63).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}",
        "{\((0..<64).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}",
        "{}",
    ]

    @Test(arguments: records, [WriteOptions.KeyOrder.stored, .sorted])
    func jsonOfSharedKeysMatchesEachRecord(record: String, order: WriteOptions.KeyOrder) throws {
        let options = WriteOptions(keyOrder: order)
        let single = try JSONCases.rewrite(record, options).split(separator: "\n").map { "  \($0)" }
        let all = try JSONCases.rewrite("[\(record),\(record),\(record),\(record)]", options)
        let expected = repeatElement(single.joined(separator: "\n"), count: 4).joined(separator: ",\n")
        #expect(all == "[\n\(expected)\n]\n")
        let compact = WriteOptions(keyOrder: order, isCompact: true)
        let row = try JSONCases.rewrite(record, compact).dropLast()
        #expect(try JSONCases.rewrite("[\(record),\(record),\(record)]", compact) == "[\(row),\(row),\(row)]\n")
    }

    @Test(arguments: records, [WriteOptions.KeyOrder.stored, .sorted])
    func xmlOfSharedKeysMatchesEachRecord(record: String, order: WriteOptions.KeyOrder) throws {
        let single = try lines(record, order).map { "\t\($0)" }
        let all = try lines("[\(record),\(record),\(record),\(record)]", order)
        #expect(all == ["<array>"] + single + single + single + single + ["</array>"])
    }

    /// A duplicate key is written once, so there are fewer labels than stored pairs.
    @Test func labelsMatchWrittenPairs() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        for number in 0..<4 {
            builder.open(.dictionary)
            for key in ["b", "a", "b"] {
                builder.add(string: key)
                builder.add(integer: Int128(number))
            }
            builder.close()
        }
        builder.close()
        let single = ["\t<dict>", "\t\t<key>a</key>", "\t\t<key>b</key>", "\t</dict>"]
        let found = try lines(builder.finish(), .sorted).filter { !$0.contains("<integer>") }
        #expect(found == ["<array>"] + single + single + single + single + ["</array>"])
    }

    private func lines(_ text: String, _ order: WriteOptions.KeyOrder) throws -> [String] {
        try lines(JSONCases.read(text), order)
    }

    /// Returns the lines between the `<plist>` tags.
    private func lines(_ document: Document, _ order: WriteOptions.KeyOrder) throws -> [String] {
        var output = ByteWriter()
        try XMLPlist.write(document, to: &output, options: WriteOptions(keyOrder: order))
        let text = String(decoding: output.takeBytes(), as: UTF8.self)
        return text.split(separator: "\n").dropFirst(3).dropLast().map(String.init)
    }
}
