@testable import KeyedArchives
import SaveCodec
import Testing

/// Values of a property list that graph JSON cannot represent are reported as losses before they are dropped.
@Suite struct UnwritableTests {
    private static func losses(_ text: String, _ format: Format = .json) throws -> [String] {
        let document = try Document.read(Array(text.utf8), as: format)
        return try GraphJSON.losses(in: KeyedArchive(document)).map(\.message)
    }

    private static func text(root members: String = "", record: String = #""$classname":"A""#) -> String {
        let objects = #"["$null",{"$class":{"$uid":2}},{"$dict":[\#(record)]}]"#
        return
            #"{"$dict":[["$version",100000],["$archiver","A"],["$top",{"root":{"$uid":1}}],["$objects",\#(objects)]\#(members)]}"#
    }

    @Test(arguments: [
        ("", #"["$classname","A"]"#, [String]()),
        (#",["x",1]"#, #"["$classname","A"]"#, [#""x" is not an archive member"#]),
        (",[5,1]", #"["$classname","A"]"#, ["an integer as a key is not an archive member"]),
        ("", #"["$classname","A"],[5,1]"#, ["the class record has members other than its name, chain and hints"]),
    ])
    func members(_ members: String, _ record: String, _ expected: [String]) throws {
        #expect(try Self.losses(Self.text(root: members, record: record)) == expected)
    }

    @Test func repeatedMember() throws {
        let losses = try Self.losses(Self.text(root: #",["$archiver","B"]"#, record: #"["$classname","A"]"#))
        #expect(losses.first == "$archiver is a duplicate key; readers keep one value")
    }

    @Test func repeatedNameInRecord() throws {
        let losses = try Self.losses(Self.text(record: #"["$classname","A"],["$classname","B"]"#))
        #expect(losses.first == "the class record has a duplicate key; readers keep one value")
    }

    /// A duplicate field is a loss: its last value is effective in XML, but its first would be in the rebuilt archive.
    @Test func repeatedField() throws {
        let top = "<dict><key>h</key><integer>1</integer><key>h</key><integer>2</integer></dict>"
        let text =
            "<plist><dict><key>$version</key><integer>100000</integer><key>$archiver</key><string>A</string>"
            + "<key>$top</key>\(top)<key>$objects</key><array><string>$null</string></array></dict></plist>"
        #expect(
            try Self.losses(text, .xml)
                == [#"duplicate key "h"; text formats keep its last value, binary files the first"#])
    }

    /// A class record that occurs under several UIDs is one class; a rebuilt archive keeps only one copy.
    @Test func recordAtManyNumbers() throws {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: "$archiver")
        builder.add(string: "A")
        builder.add(string: "$version")
        builder.add(integer: 100_000)
        builder.add(string: "$top")
        builder.open(.dictionary)
        builder.add(string: "root")
        builder.add(StoredUID(3))
        builder.close()
        builder.add(string: "$objects")
        builder.open(.array)
        builder.add(string: "$null")
        builder.open(.dictionary)
        builder.add(string: "$classname")
        builder.add(string: "C")
        let record = builder.close()
        builder.add(record)
        builder.open(.dictionary)
        builder.add(string: "$class")
        builder.add(StoredUID(2))
        builder.close()
        builder.close()
        builder.close()
        let archive = try KeyedArchive(builder.finish())
        #expect(archive.classes.map(\.uid.index) == [1])
        #expect(archive.findings.map(\.id) == ["archive.class-renamed", "archive.class-twice"])
        let again = try KeyedArchive(archive.renumbered())
        #expect(again.count == 3)
        #expect(again.classes.map(\.uid.index) == [2])
    }
}
