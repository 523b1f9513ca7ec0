import Foundation
import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// A pattern that matches nothing gets a suggestion of a similar one that does.
@Suite struct NearestPatternSearchTests {
    private static func view(_ json: String) throws -> ObjectView {
        ObjectView(try JSON.readTyped(Array(json.utf8)))
    }

    private static func addresses(in view: ObjectView) -> [JSONPointer] {
        var addresses: [JSONPointer] = []
        var pending = [(JSONPointer.root, view.root)]
        while let (address, id) = pending.popLast() {
            addresses.append(address)
            let contents = view[id].contents
            for position in 0..<contents.count {
                let item = view.item(position, of: contents)
                var next = address
                if let key = item.key.flatMap(view.text) { next.append(key: key) } else { next.append(index: position) }
                pending.append((next, item.id))
            }
        }
        return addresses
    }

    /// Whether a pattern matches an address, according to the documentation.
    private static func matches(_ pattern: ArraySlice<[UInt16]>, _ address: ArraySlice<[UInt16]>) -> Bool {
        guard let first = pattern.first else { return address.isEmpty }
        let rest = pattern.dropFirst()
        if first == Array("**".utf16) {
            return (address.startIndex...address.endIndex).contains { matches(rest, address[$0...]) }
        }
        guard let token = address.first, first == Array("*".utf16) || first == token else { return false }
        return matches(rest, address.dropFirst())
    }

    /// A random pattern leads somewhere if and only if it matches an existing address, and a suggested pattern always
    /// does.
    @Test func random() throws {
        let view = try Self.view(
            #"{"ab": {"cd": [1, {"ef": 2}], "abc": {"ab": {}}}, "list": [[{"cd": 1}], 5], "*": {"**": 1}}"#)
        let addresses = Self.addresses(in: view)
        var random = SeededGenerator(seed: 14)
        let words = ["ab", "cd", "ef", "list", "lst", "abx", "*", "**", "0", "1", "7"]
        var counts = (matched: 0, near: 0)
        for _ in 0..<600 {
            let steps = (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            let pattern = try PointerPattern(steps.map { "/" + $0 }.joined())
            let isThere = addresses.contains { Self.matches(pattern.address.tokens[...], $0.tokens[...]) }
            #expect(pattern.leadsSomewhere(in: view) == isThere, "\(steps)")
            if isThere {
                counts.matched += 1
                continue
            }
            let advice = pattern.advice(in: [view])
            guard advice.hasPrefix("; did you mean ") else { continue }
            counts.near += 1
            let nearest = try PointerPattern(String(advice.dropFirst("; did you mean ".count).dropLast()))
            #expect(addresses.contains { Self.matches(nearest.address.tokens[...], $0.tokens[...]) }, "\(steps)")
        }
        #expect(counts.matched > 60 && counts.near > 30, "\(counts)")
    }

    /// The closest name is suggested, regardless of the order in the file.
    @Test(arguments: [
        ("/healt", "/health"), ("/HEALTH", "/health"), ("/ehalth", "/health"), ("/wealht", "/wealth"),
        ("/a/b/health", ""), ("/x", ""), ("/deep/valu", "/deep/value"), ("/dep/value", "/deep/value"),
        ("/de", "/deep"), ("/Größe", "/größe"), ("/value", "/deep/value"), ("/values", "/deep/values"),
    ])
    func nearest(_ mistyped: String, _ expected: String) throws {
        let view = try Self.view(#"{"wealth": 1, "health": 2, "deep": {"value": 3, "values": 4}, "größe": 5}"#)
        guard case .missing(let missing) = view.find(try #require(JSONPointer(mistyped))) else {
            Issue.record("something is at \(mistyped)")
            return
        }
        #expect(missing.probable?.description ?? "" == expected)
    }

    /// Several tokens may be meant for one key with dots or slashes in it.
    @Test(arguments: [
        ("/a/b/c", "/a.b.c"), ("/x/y/z", "/x~1y/z"), ("/deep/p/q", "/deep/~1p~1q"), ("/a/b/d", ""), ("/a/b", ""),
        ("/a/b/c/d", ""), ("/x/y/w", ""), ("/deep/p/q/r", ""),
    ])
    func splitKeys(_ split: String, _ expected: String) throws {
        let view = try Self.view(#"{"a.b.c": 1, "x/y": {"z": 2}, "deep": {"/p/q": 3}}"#)
        guard case .missing(let missing) = view.find(try #require(JSONPointer(split))) else {
            Issue.record("something is at \(split)")
            return
        }
        #expect(missing.isSplitKey == !expected.isEmpty)
        if missing.isSplitKey { #expect(missing.probable?.description == expected) }
    }

    /// The cost of a visit does not depend on the length of the pattern.
    @Test func longPattern() throws {
        let isLinear = try Growth.isLinear(to: 8_000) { size in
            let members = (0..<size).map { "\"k\($0)\": {\"v\": 1}" }.joined(separator: ",")
            let view = try Self.view("{\(members)}")
            let pattern = try PointerPattern("/**" + String(repeating: "/x", count: size))
            return {
                #expect(!pattern.leadsSomewhere(in: view))
                #expect(pattern.advice(in: [view]).isEmpty)
            }
        }
        #expect(isLinear)
    }

    /// Shared containers are searched once, and cycles end.
    @Test func sharedAndCyclic() throws {
        let doublings = try Document.read(
            TestFiles.bytes(TestFiles.fixtures.appending(path: "archives-tricky/53-40-doublings.plist")), as: .binary)
        let ring = try HostileView.ring(1000) { $0 }
        for view in [ObjectView(try KeyedArchive(doublings)), ring] {
            for text in ["/**/none", "/**/*/**/*/none", "/root/**/next/vale/none"] {
                let pattern = try PointerPattern(text)
                #expect(!pattern.leadsSomewhere(in: view))
                _ = pattern.advice(in: [view])
            }
        }
        #expect(try PointerPattern("/**/vale").advice(in: [ring]) == "; did you mean /**/value?")
    }

    /// A long list does not use up the search limit, so names below it are still suggested.
    @Test func longList() throws {
        let view = try HostileView.list(20_000) { $0 }
        #expect(try PointerPattern("/root/*/vale").advice(in: [view]) == "; did you mean /root/*/value?")
        #expect(try PointerPattern("/**/VALUE").advice(in: [view]) == "; did you mean /**/value?")
    }

    /// Among more keys than are compared, a key that differs only in case is found, and no other is suggested.
    @Test(arguments: [("/K19999", "/k19999"), ("/k1x999", "")]) func manyKeys(_ mistyped: String, _ expected: String)
        throws
    {
        let members = (10_000..<30_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let view = try Self.view("{\(members)}")
        guard case .missing(let missing) = view.find(try #require(JSONPointer(mistyped))) else {
            Issue.record("something is at \(mistyped)")
            return
        }
        #expect(missing.probable?.description ?? "" == expected)
    }

    /// Searching for a missing name takes time linear in the size of the file.
    @Test func growth() throws {
        #expect(
            try Growth.isLinear(to: 40_000) { size in
                let view = try HostileView.list(size) { $0 }
                let pattern = try PointerPattern("/**/*/nowhere/**")
                return { _ = (pattern.leadsSomewhere(in: view), pattern.advice(in: [view])) }
            })
    }
}
