import Foundation
import SaveCodec
import TestSupport
import Testing

/// Every reader returns or throws on damaged files, and an accepted file keeps its value in every format that loses
/// nothing.
///
/// The damage is drawn from a fixed seed. `SAVETOOL_FUZZ_ITERATIONS` sets the number of rounds per format.
/// `SAVETOOL_FUZZ_KEEP` names a folder that receives the current file, so that a crash leaves its cause on disk.
@Suite struct FuzzSmokeTests {
    @Test(arguments: Format.allCases) func damagedFile(_ format: Format) throws {
        let seeds = try FuzzSeeds.all(for: format)
        var mutator = Mutator(seeds: seeds, seed: 0x5EED, keepsLength: format == .binary)
        var readCount = 0
        for iteration in 0..<TestScale.fuzzIterations {
            let bytes = mutator.next()
            try Self.keep(bytes, format)
            guard let document = try? Document.read(bytes, as: format) else { continue }
            readCount += 1
            #expect(throws: Never.self, "iteration \(iteration), \(bytes.count) bytes") {
                try RoundTrip.check(document)
            }
        }
        TestScale.report("fuzz \(format.rawValue): \(readCount) of \(TestScale.fuzzIterations) damaged files read")
        #expect(readCount > 0 && readCount < TestScale.fuzzIterations)
    }

    private static func keep(_ bytes: [UInt8], _ format: Format) throws {
        guard let folder = TestFiles.folder("SAVETOOL_FUZZ_KEEP") else { return }
        try Data(bytes).write(to: folder.appending(path: "fuzz.\(format.rawValue)"))
    }

    @Test func recognitionOfDamagedFiles() throws {
        var mutator = Mutator(seeds: try Format.allCases.flatMap { try FuzzSeeds.all(for: $0) }, seed: 0xF0)
        var recognized: Set<Format> = []
        // Few of the files are databases.
        for _ in 0..<4 * TestScale.fuzzIterations {
            if let format = try? Format.recognize(mutator.next()) { recognized.insert(format) }
        }
        #expect(recognized == Set(Format.allCases))
    }
}
