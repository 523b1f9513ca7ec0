import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Every typedstream that can be read is a sound archive, and its JSON contains the whole graph.
@Suite struct TypedStreamArchiveTests {
    private static func seeds() throws -> [[UInt8]] {
        let folders = ["oldmac", "tricky"]
        return try folders.flatMap(TestFiles.fixtureFiles).map(TestFiles.bytes)
            .filter { (try? Format.recognize($0)) == .typedStream }
    }

    @Test func fixtures() throws {
        let streams = try Self.seeds()
        #expect(!streams.isEmpty)
        for stream in streams {
            try Self.check(try Document.read(stream, as: .typedStream))
        }
    }

    /// Damaged streams. `SAVETOOL_FUZZ_ITERATIONS` sets the number of rounds. `SAVETOOL_FUZZ_KEEP` names a folder that
    /// receives the current file.
    @Test func damagedStreams() throws {
        var mutator = Mutator(seeds: try Self.seeds(), seed: 0x7E57, keepsLength: true)
        var readCount = 0
        for _ in 0..<TestScale.fuzzIterations {
            let bytes = mutator.next()
            if let folder = TestFiles.folder("SAVETOOL_FUZZ_KEEP") {
                try Data(bytes).write(to: folder.appending(path: "fuzz.typedstream"))
            }
            guard let document = try? Document.read(bytes, as: .typedStream) else { continue }
            readCount += 1
            try Self.check(document)
        }
        TestScale.report("fuzz typedstream: \(readCount) of \(TestScale.fuzzIterations) damaged streams read")
        #expect(readCount > 0 && readCount < TestScale.fuzzIterations)
    }

    private static func check(_ document: Document) throws {
        let archive = try KeyedArchive(document)
        #expect(archive.archiver.string == "NSArchiver")
        guard GraphJSON.losses(in: archive).isEmpty, let text = try textUnlessTooDeep(archive) else { return }
        let again = try KeyedArchive(GraphJSON.archive(from: Document.read(text, as: .json)))
        #expect(try json(again) == text)
    }

    /// Returns nil if the types are nested deeper than graph JSON allows.
    private static func textUnlessTooDeep(_ archive: KeyedArchive) throws(Problem) -> [UInt8]? {
        do throws(Problem) {
            return try json(archive)
        } catch {
            guard error.id == "graph.depth" else { throw error }
            return nil
        }
    }

    private static func json(_ archive: KeyedArchive) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try GraphJSON.write(archive, to: &output)
        return output.takeBytes()
    }
}
