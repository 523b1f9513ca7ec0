import Testing

/// Tests that losses in an archive are reported at the addresses that edit its objects.
@Suite struct ViewAddressLossTests {
    private static let loss = "the string has a character that XML forbids; it would become U+FFFD"
    private static let archive = #"""
        {"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Level": ["Level", "NSObject"]},
        "$top": {"root": [{"$class": "Level", "name": "\u0001"}, {"$class": "Level", "name": "\u0002"}]}}
        """#

    @Test(arguments: [
        (["convert", "--to", "xml", "a.save"], "a.save: /root/1/name: \(loss)\n"),
        (["convert", "--to", "xml", "--raw", "a.save"], "a.save: /$objects/6: \(loss)\n"),
        (["roundtrip", "--via", "xml", "a.save"], "a.save: lost: /root/0/name: \(loss) (and 1 more)\n"),
        (
            [
                "set", "Fixtures/games/swamp.xml.save", "/root/charList/2/type", "\"\\u0001\"", "--change-type",
            ], "Fixtures/games/swamp.xml.save: /root/charList/2/type: \(loss)\n"
        ),
    ]) func addresses(_ arguments: [String], _ line: String) throws {
        let workspace = try Workspace(fixtures: ["games"])
        try workspace.write(Self.archive, to: "a.json")
        #expect(workspace.run(["convert", "--to", "archive", "a.json", "-o", "a.save"]).status == 0)
        let result = workspace.run(arguments)
        #expect(result.status != 0 && (result.output + result.talk).contains(line), "\(result.talk)")
    }
}
