import Testing

@testable import SaveToolKit

/// Tests file names in reports that have no URI for them.
@Suite struct DistinctNameTests {
    /// A byte that is not UTF-8 and the four characters that show it are different names.
    @Test func distinguishesBytesFromTheirEscapes() {
        let byte = FileName.text(Array("caf".utf8) + [0xE9])
        #expect(FileName.distinct(byte) == #"caf\xE9"#)
        #expect(FileName.distinct(#"caf\xE9"#) == #"caf\x5CxE9"#)
        #expect(FileName.distinct(#"caf\x5CxE9"#) == #"caf\x5Cx5CxE9"#)
    }

    @Test(arguments: ["café.json", #"a\b"#, #"a\x"#, #"a\xe9"#, #"a\"#]) func others(_ name: String) {
        #expect(FileName.distinct(name) == name)
    }
}
