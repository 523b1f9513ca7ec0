import Foundation
import KeyedArchives
import SaveCodec
@testable import SaveInspection
import TestSupport
import Testing

/// Outlines of object graphs: classes, cycles, shared objects, and property lists in data.
@Suite struct ArchiveOutlineTests {
    private static func view(_ name: String) throws -> ObjectView {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        return try ObjectView(
            of: Document.read(bytes, as: .binary), limits: Limits(), isRaw: false, nesting: NestedSaveOptions())
    }

    static let outlines: [(name: String, scope: Outline.Scope, lines: [String])] = [
        (
            "games/friends.save", .init(depth: 3),
            [
                "(root) dictionary opened", "/mybar object opened", "/mybar/foos array opened",
                "/mybar/foos/0 object closed",
                "/mybar/foos/1 object closed", "/mybar/foos/2 object closed", "end array", "end object",
                "/myfoo object opened", "/myfoo/name string", "/myfoo/age integer", "end object", "end dictionary",
            ]
        ),
        (
            "archives-tricky/53-array-in-itself.plist", .init(),
            ["(root) dictionary opened", "/root array opened", "/root/0 repeated /root", "end array", "end dictionary"]
        ),
        (
            "archives-tricky/53-two-arrays-in-each-other.plist", .init(repeatsShared: true),
            [
                "(root) dictionary opened", "/root array opened", "/root/0 array opened", "/root/0/0 repeated /root",
                "end array", "end array", "end dictionary",
            ]
        ),
        (
            "archives-tricky/62-level.plist", .init(nesting: NestedSaveOptions(levels: 1)),
            [
                "(root) dictionary opened", "/root object opened", "/root/fog data, dictionary opened",
                "/root/fog/root object opened", "/root/fog/root/cells array opened", "/root/fog/root/cells/0 string",
                "/root/fog/root/cells/1 string", "end array", "end object", "end dictionary",
                "/root/prefs data, dictionary opened", "/root/prefs/gems integer", "/root/prefs/levels array opened",
                "/root/prefs/levels/0 string", "/root/prefs/levels/1 string", "end array", "end dictionary",
                "/root/motto data, string", "/root/again repeated /root/fog", "/root/map data",
                "/root/broken data, binary.length", "end object", "end dictionary",
            ]
        ),
    ]

    @Test(arguments: outlines)
    func outline(_ name: String, _ scope: Outline.Scope, _ lines: [String]) throws {
        #expect(OutlineTests.lines(try Self.view(name), scope: scope) == lines)
    }

    static let expandable: [(name: String, isExpandable: Bool)] = [
        ("games/friends.save", true), ("archives-tricky/53-parent-and-child.plist", true),
        ("archives-tricky/53-array-in-itself.plist", true), ("archives-tricky/53-40-doublings.plist", false),
    ]

    @Test(arguments: expandable)
    func expandsSharedObjectsWithinLimit(_ name: String, _ isExpandable: Bool) throws {
        let view = try Self.view(name)
        #expect(view.isExpandable(from: view.root, Limits(expansionFloor: 10_000)) == isExpandable)
    }

    static let found: [(name: String, pointer: String, text: String)] = [
        ("games/swamp.save", "/root/charList/0/health", "100"),
        ("archives-tricky/53-parent-and-child.plist", "/root/children/1/children/0/parent/name", "world"),
        ("archives-tricky/59-integer-keys.plist", "/root/~=10", "Keep"),
        ("games/swamp.save", "/root/charList/0/$class", "Player"),
        ("archives-tricky/62-level.plist", "/root/again/root/cells/1", "dense"),
        ("archives-tricky/62-level.plist", "/root/prefs/gems", "7"),
    ]

    @Test(arguments: found)
    func finds(_ name: String, _ pointer: String, _ text: String) throws {
        try LookupTests.expect(text, at: pointer, in: Self.view(name))
    }

    /// Returns a doubly linked list of objects.
    private static func chain(_ length: Int) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<length).map { _ in archive.reserve() }
        for (position, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            archive.contents.add(string: "back")
            archive.refer(to: position > 0 ? nodes[position - 1] : .null)
            archive.contents.add(string: "next")
            archive.refer(to: position + 1 < length ? nodes[position + 1] : .null)
            archive.end()
        }
        archive.addTop(root: nodes[0])
        return ObjectView(try KeyedArchive(try archive.finish()))
    }

    /// Returns a property list of data values below a key of `width` code units.
    private static func nested(_ values: [[UInt8]], width: Int) throws -> ObjectView {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        builder.add(string: String(repeating: "k", count: width))
        builder.open(.array)
        for data in values { builder.add(data: data.span) }
        builder.close()
        builder.close()
        return ObjectView(try builder.finish())
    }

    /// The location of a nested file is not recomputed for every file.
    @Test(.timeLimit(.minutes(15))) func largeKeyAboveManyNestedSaves() throws {
        let values = (0..<10_000).map {
            Array("<?xml version=\"1.0\"?><plist><array><integer>\($0)</integer></array></plist>".utf8)
        }
        let view = try Self.nested(values, width: 200_000)
        var outline = Outline(of: view, scope: Outline.Scope(nesting: NestedSaveOptions()))
        var opened = 0
        while let step = outline.next() {
            guard case .value(let row) = step, case .nested = row.presentation else { continue }
            opened += 1
            if opened == 7 { #expect(outline.address(of: row).tokens.last == Array("6".utf16)) }
        }
        #expect(opened == 10_000)
    }

    /// The shared objects of a nested file are checked once, however often they would be written.
    @Test(.timeLimit(.minutes(15))) func checksNestedSharingOnce() throws {
        let name = "archives-tricky/53-40-doublings.plist"
        let data = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        let view = try Self.nested([data], width: 1)
        let scope = Outline.Scope(repeatsShared: true, nesting: NestedSaveOptions())
        #expect(throws: Never.self) { try Outline(of: view, scope: scope).checkFinite() }
    }

    @Test func longChainTakesLinearTime() throws {
        let length = 20_000
        var outline = Outline(of: try Self.chain(length))
        var (deepest, repeated) = (0, 0)
        while let step = outline.next() {
            deepest = max(deepest, outline.depth)
            guard case .value(let row) = step, case .repeated = row.presentation else { continue }
            repeated += 1
            // The address is given from the root down, as far as it fits on a line.
            if repeated == length - 1 {
                #expect(outline.firstAddress(of: row.id, longest: 15).description == "/root/next/next")
            }
        }
        #expect(deepest == length + 1)
        #expect(repeated == length - 1)
    }

    @Test func rejectsNonFiniteNumbersInObjects() throws {
        var archive = KeyedArchiveBuilder()
        let date = archive.addClass("NSDate", chain: ["NSDate", "NSObject"])
        let day = archive.reserve()
        archive.begin(day, of: date)
        archive.contents.add(string: "NS.time")
        archive.contents.add(real64: .infinity)
        archive.end()
        archive.beginTop()
        archive.contents.add(string: "saved")
        archive.refer(to: day)
        archive.end()
        let view = ObjectView(try KeyedArchive(try archive.finish()))
        #expect(
            throws: Problem(
                "json.not-finite", "the real is inf; JSON has no such number", address: JSONPointer("/saved"))
        ) { try Outline(of: view).checkFinite() }
    }
}
