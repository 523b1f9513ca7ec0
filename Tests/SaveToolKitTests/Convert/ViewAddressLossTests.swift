import Testing

/// Losses of an archive have the addresses by which its objects are edited.
@Suite struct ViewAddressLossTests {
    private static let swamp = "Fixtures/games/swamp.save"
    private static let loss = "XML has no reals of 32 bits; this one would become one of 64"

    @Test(arguments: [
        (["convert", "--to", "xml", swamp], "\(swamp): /root/charList/1/position.y: \(loss)\n"),
        (["convert", "--to", "xml", "--raw", swamp], "\(swamp): /$objects/8/position.y: \(loss)\n"),
        (["roundtrip", "--via", "xml", swamp], "\(swamp): lost: /root/charList/0/position.x: \(loss) (and 5 more)\n"),
        (
            ["set", "Fixtures/games/swamp.xml.save", "/root/charList/2/type", "{\"$real32\": 0.5}", "--change-type"],
            "Fixtures/games/swamp.xml.save: /root/charList/2/type: \(loss)\n"
        ),
    ]) func addresses(_ arguments: [String], _ line: String) throws {
        let result = try Workspace(fixtures: ["games"]).run(arguments)
        #expect(result.status != 0 && (result.output + result.talk).contains(line), "\(result.talk)")
    }
}
