@testable import KeyedArchives
@testable import SaveCodec
import Testing

/// Every finding about an archive (the article ArchiveFindings) has the right message, address and severity.
@Suite struct IntegrityTests {
    @Test(arguments: IntegrityCase.all) func problems(_ row: IntegrityCase) throws {
        let document = try JSON.read(Array(row.json.utf8))
        let problems = KeyedArchive.examine(document).problems
        #expect(problems.map { "\($0.severity) \($0)" } == row.problems)
        if row.isRefused {
            #expect(throws: try #require(problems.first)) { try KeyedArchive(document) }
        } else {
            #expect(try KeyedArchive(document).findings == problems)
        }
    }

    /// A key that resembles a numbered element is a field unless its number is a valid position.
    @Test(arguments: ["NS.object.-1", "NS.object.-0", "NS.object.+0", "NS.object.1", "NS.key.-1"])
    func treatsInvalidPositionsAsFields(_ key: String) throws {
        for name in ["NSArray", "NSOrderedSet", "NSDictionary"] {
            let document = try JSON.read(
                Array(
                    """
                    {"$version": 100000, "$archiver": "Other", "$top": {"root": {"$uid": 1}}, "$objects": [
                      "$null", {"$class": {"$uid": 2}, "\(key)": {"$uid": 3}, "NS.object.5": {"$uid": 3}},
                      {"$classname": "\(name)", "$classes": ["\(name)", "NSObject"]}, "x"]}
                    """.utf8))
            let view = ObjectView(try KeyedArchive(document))
            let root = view.item(0, of: view[view.root].contents).id
            guard case .object = view[root].variant else {
                Issue.record("\(name) with \(key) is no object with fields")
                continue
            }
        }
    }
}
