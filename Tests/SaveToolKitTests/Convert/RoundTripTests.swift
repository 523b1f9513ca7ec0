import Foundation
import SaveCodec
import TestSupport
import Testing

@testable import SaveToolKit

@Suite struct RoundTripTests {
    static let folders = ["SAVETOOL_CORPUS", "SAVETOOL_ORACLE_ARCHIVES", "SAVETOOL_REAL_SAVES"]

    /// A round trip changes no value of a readable file. This test takes a sample; the scripts in `Tests/Oracles` check
    /// all files.
    @Test(
        .enabled(if: folders.contains { TestFiles.folder($0) != nil }, "needs a folder of real files"),
        arguments: [nil, Format.json, .xml])
    func keepsRealFiles(via: Format?) throws {
        let workspace = try Workspace()
        var count = 0
        for file in TestScale.one(
            in: 8, of: try Self.folders.compactMap(TestFiles.folder).flatMap(TestFiles.files))
        {
            let invocation = Invocation(
                arguments: [], folder: workspace.folder.path(percentEncoded: false), input: InputChannel([]),
                output: Collector().channel(), standardError: Collector().channel())
            let name = file.url.path(percentEncoded: false)
            guard let save = try? SaveFile(reading: name, FileReadOptions(), invocation) else { continue }
            if case .different(let change, _) = try RoundTrip(via: via, limits: Limits()).outcome(for: save.save) {
                Issue.record("\(file.name): \(change)")
            }
            count += 1
        }
        #expect(count > 12)
    }
}
