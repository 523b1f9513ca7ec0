import SaveCodec
import TestSupport
import Testing

/// Real files from other programs: sound ones are read and survive every format, damaged ones are refused with a
/// location.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil))
struct CorpusTests {
    @Test(arguments: try CorpusFile.all()) func verdict(_ file: CorpusFile) throws {
        let bytes = try TestFiles.bytes(file.url)
        let format = try? Format.recognize(bytes)
        #expect(format != nil || file.verdict != .read)
        guard let format else { return }
        do throws(Problem) {
            _ = try Document.read(bytes, as: format)
            #expect(file.verdict != .refuse, "read")
        } catch {
            #expect(file.verdict != .read, "\(error)")
            #expect(error.location != nil, "\(error)")
        }
    }

    /// Returns a sample of the sound files; the scripts in `Tests/Oracles` check all of them.
    private static func sound() throws -> [CorpusFile] {
        TestScale.one(in: 8, of: try CorpusFile.all().filter { $0.verdict == .read })
    }

    @Test(arguments: try sound()) func survivesEveryFormat(_ file: CorpusFile) throws {
        let bytes = try TestFiles.bytes(file.url)
        let document = try Document.read(bytes, as: Format.recognize(bytes))
        #expect(throws: Never.self) { try RoundTrip.check(document) }
    }

    @Test func findsEveryFile() throws {
        #expect(try CorpusFile.all().count > 400)
    }
}
