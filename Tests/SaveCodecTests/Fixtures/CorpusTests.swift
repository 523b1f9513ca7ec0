import SaveCodec
import TestSupport
import Testing

/// Real files that others wrote: what is sound is read and survives every format, what is damaged is refused with its
/// place.
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
            #expect(error.place != nil, "\(error)")
        }
    }

    /// A sample, as the scripts in `Tests/Oracles` go through all of them.
    private static func sound() throws -> [CorpusFile] {
        TestScale.sample(of: try CorpusFile.all().filter { $0.verdict == .read }, isComplete: false)
    }

    @Test(arguments: try sound()) func survivesEveryFormat(_ file: CorpusFile) throws {
        let bytes = try TestFiles.bytes(file.url)
        let document = try Document.read(bytes, as: Format.recognize(bytes))
        #expect(throws: Never.self) { try RoundTrip.check(document) }
    }

    @Test func everyFileIsThere() throws {
        #expect(try CorpusFile.all().count > 400)
    }
}
