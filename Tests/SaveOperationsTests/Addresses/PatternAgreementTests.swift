import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// A pattern matches the same addresses in every component that uses patterns.
@Suite struct PatternAgreementTests {
    private static let json = """
        {"$dict": [["a", {"$dict": [["x", 1], ["=5", 2], [5, 3], ["0", [4, {"x": 5}]], [true, {"a": 6}]]}],
         ["b", [[7, {"a": 8}], {"$set": [9, 10]}]], ["*", {"x": 11, "**": {"x": 12}}], ["~", 13], ["01", {"-": 14}]]}
        """

    /// Returns the addresses that the pattern matcher of diff and merge accepts.
    private static func matched(_ pattern: PointerPattern, in view: ObjectView) -> Set<JSONPointer> {
        var options = DifferenceOptions()
        options.identities = [.init(pattern, key: "is matched")]
        var matcher = PointerPatternMatcher(options)
        var matched: Set<JSONPointer> = []
        var pending = [(address: JSONPointer.root, id: view.root, state: PointerPatternMatcher.start)]
        while let (address, id, state) = pending.popLast() {
            if matcher[state].identity != nil { matched.insert(address) }
            let contents = view[id].contents
            for position in 0..<contents.count {
                let item = view.item(position, of: contents)
                let token = view.token(of: PathStep(key: item.key, position: position))
                var next = address
                next.append(token)
                let pair = item.key.map { _ in position }
                pending.append((next, item.id, matcher.next(state, by: token, pair: pair)))
            }
        }
        return matched
    }

    @Test func random() throws {
        let view = ObjectView(try JSON.readTyped(Array(Self.json.utf8)))
        var random = SeededGenerator(seed: 7)
        let words = [
            "a", "x", "=5", "~=5", "~=true", "0", "1", "01", "-", "~#0", "~#2", "~#9", "b", "~0", "*", "**", "~*",
            "~**",
        ]
        var count = 0
        for _ in 0..<2000 {
            let steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            let pattern = try PointerPattern(steps.map { "/" + $0 }.joined())
            var matches = PatternMatches(pattern, in: view)
            var found: Set<JSONPointer> = []
            while try matches.next() != nil { found.insert(try matches.address()) }
            #expect(Self.matched(pattern, in: view) == found, "\(pattern.address)")
            #expect(pattern.leadsSomewhere(in: view) == !found.isEmpty, "\(pattern.address)")
            if !pattern.hasWildcards, case .found = view.find(pattern.address) { #expect(found.count == 1) }
            count += found.count
        }
        #expect(count > 1000)
    }
}
