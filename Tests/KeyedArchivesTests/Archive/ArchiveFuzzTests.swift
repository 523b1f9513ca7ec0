import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// A damaged archive is either refused or can be traversed completely.
///
/// `SAVETOOL_FUZZ_ITERATIONS` sets the number of rounds. `SAVETOOL_FUZZ_KEEP` names a folder that receives the current
/// file.
@Suite struct ArchiveFuzzTests {
    /// Returns objects of every annotated class and the archives among the fixtures, limited to small files because
    /// damage to large ones seldom has an effect.
    private static func seeds() throws -> [[UInt8]] {
        let files = try ArchiveFile.all(in: TestFiles.fixtures).map(\.document)
        let objects = try AnnotationCases.all.map { try $0.document }
        return try (files + objects).map { try $0.bytes(as: .binary) }.filter { $0.count <= 4_096 }
    }

    @Test func damagedArchives() throws {
        var mutator = Mutator(seeds: try Self.seeds(), seed: 0xA2C41, keepsLength: true)
        var readCount = 0
        var annotationCount = 0
        for _ in 0..<TestScale.fuzzIterations {
            let bytes = mutator.next()
            if let folder = TestFiles.folder("SAVETOOL_FUZZ_KEEP") {
                try Data(bytes).write(to: folder.appending(path: "fuzz.archive"))
            }
            guard let document = try? Document.read(bytes, as: .binary), let archive = try? KeyedArchive(document)
            else {
                continue
            }
            readCount += 1
            annotationCount += Self.annotationCount(of: archive)
        }
        TestScale.report(
            "fuzz archive: \(readCount) of \(TestScale.fuzzIterations) damaged archives read, \(annotationCount) annotations"
        )
        #expect(readCount > 0 && readCount < TestScale.fuzzIterations && annotationCount > 0)
    }

    /// Visits the first values of a view, breadth first, and all objects of the archive.
    ///
    /// - Returns: The number of annotations.
    private static func annotationCount(of archive: KeyedArchive) -> Int {
        let view = ObjectView(archive)
        var queue = [view.root]
        var seen: Set<ViewID> = [view.root]
        var count = 0
        var next = 0
        while next < queue.count, next < 1_000 {
            let contents = view[queue[next]].contents
            for position in 0..<min(contents.count, 1_000) {
                let item = view.item(position, of: contents)
                let vector = item.key.flatMap { view.annotation(of: item.id, under: $0, in: queue[next]) }
                if (view.annotation(of: item.id) ?? vector) != nil { count += 1 }
                if seen.insert(item.id).inserted { queue.append(item.id) }
            }
            next += 1
        }
        return count
    }
}
