import SaveCodec
import TestSupport
import Testing

@testable import KeyedArchives

@Suite struct FoundationClassTests {
    @Test func classNamesAreUnique() {
        #expect(Set(FoundationClass.all.map(\.name)).count == FoundationClass.all.count)
    }

    /// The chain of a class equals the chains of its ancestors in the table.
    @Test(arguments: FoundationClass.all.map(\.name)) func chainMatchesAncestors(_ name: String) throws {
        let chain = try #require(FoundationClass.named(name)).chain
        #expect(chain.first == name && chain.last == "NSObject")
        for (position, ancestor) in chain.enumerated() {
            guard let known = FoundationClass.named(ancestor) else { continue }
            #expect(known.chain == Array(chain[position...]))
        }
    }

    /// Class chains of the corpus that differ from the table, because they were not written by Foundation.
    private static let others: Set<[String]> = [["NSArray"]]

    @Test(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil)) func chainsMatchCorpus() throws {
        let corpus = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
        var seen: Set<String> = []
        for (name, document) in try ArchiveFile.all(in: corpus) {
            guard let archive = try? KeyedArchive(document) else { continue }
            for record in archive.classes {
                guard let known = record.foundation, let chain = record.chain?.map(\.string),
                    !Self.others.contains(chain)
                else { continue }
                #expect(chain == known.chain, "\(name)")
                seen.insert(known.name)
            }
        }
        #expect(seen.count >= 40)
    }
}
