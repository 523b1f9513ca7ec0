import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import SaveCodec
@testable import SaveOperations

/// Addresses are mapped to the right locations in texts of every format.
@Suite struct FileLocationsTests {
    static let xml = """
        <plist>
        <dict>
            <key>a</key>
            <array>
                <string>é</string> <integer>1</integer>
            </array>
            <key>b</key> <true/>
            <key>a~/</key>
            <dict/>
            <key>b</key>
            <false/>
        </dict>
        </plist>
        """
    static let json =
        "{\r\n \"a\": [\"é\", {\"$date\": 1}],\r\n \"d\": {\"$dict\": [[5, 6], [true, 7],\r\n  [\"x\", [8]]]},\r\n \"\": {}}"
    static let openStep = "/* x */\n\"a b\" = (1,\n {c;});\n'd' = <0f>;"

    static let rows: [(text: String, format: Format, address: String, value: String, key: String?)] = [
        (xml, .xml, "", "2:1", nil), (xml, .xml, "/a", "4:5", "3:5"), (xml, .xml, "/a/0", "5:9", nil),
        (xml, .xml, "/a/1", "5:28", nil), (xml, .xml, "/b", "11:5", "10:5"), (xml, .xml, "/a~0~1", "9:5", "8:5"),
        (xml, .xml, "/~#1", "7:18", "7:5"), (xml, .xml, "/c", "2:1", "2:1"), (xml, .xml, "/a/2/x", "4:5", "4:5"),
        (json, .json, "/a/1", "2:13", nil), (json, .json, "/a", "2:7", "2:2"), (json, .json, "/d", "3:7", "3:2"),
        (json, .json, "/d/~=5", "3:22", "3:19"), (json, .json, "/d/~=true", "3:33", "3:27"),
        (json, .json, "/d/x/0", "4:10", nil), (json, .json, "/", "5:6", "5:2"), (json, .json, "/d/~=6", "3:7", "3:7"),
        (openStep, .openStep, "", "1:1", nil), (openStep, .openStep, "/a b", "2:9", "2:1"),
        (openStep, .openStep, "/a b/1", "3:2", nil), (openStep, .openStep, "/a b/1/c", "3:3", "3:3"),
        (openStep, .openStep, "/d", "4:7", "4:1"),
    ]

    @Test(arguments: rows)
    func stored(text: String, format: Format, address: String, value: String, key: String?) throws {
        let pointer = try #require(JSONPointer(address))
        let places = FileLocations(in: Array(text.utf8), as: format, limits: Limits())
            .locations(of: [FileLocations.Target(pointer), FileLocations.Target(pointer, isKey: true)], in: nil)
        #expect(places.map { $0?.description } == [value, key ?? value])
    }

    // MARK: Archives

    static let archives = [
        "games/swamp.save", "games/friends.save", "games/highscores.archive", "games/options.save",
    ]

    /// The text at the location of each scalar of an archive is that scalar.
    @Test(arguments: archives, [Format.xml, .json])
    func scalarsOfArchives(file: String, format: Format) throws {
        let archive = try KeyedArchive(
            try Document.read(TestFiles.bytes(TestFiles.fixtures.appending(path: file)), as: .binary))
        var output = ByteWriter()
        if format == .json {
            try GraphJSON.write(archive, to: &output)
        } else {
            try archive.document.write(as: format, to: &output)
        }
        let text = output.takeBytes()
        let read = try Document.read(text, as: format)
        let view = ObjectView(try KeyedArchive(format == .json ? GraphJSON.archive(from: read) : read))
        let scalars = Self.scalars(in: view)
        let places = FileLocations(in: text, as: format, limits: Limits())
            .locations(of: scalars.map { FileLocations.Target($0.address) }, in: view)
        #expect(!scalars.isEmpty)
        for ((address, node), place) in zip(scalars, places) {
            let found = try #require(place.flatMap { Self.scalar(at: $0, in: text, format) }, "\(address)")
            #expect(found == ScalarForm(node), "\(address) at \(place.debugDescription)")
        }
    }

    static let odd: [(top: String, address: String, place: String)] = [
        (#"{"$raw": {"$elements": "abc", "$fields": 7}}"#, "/root/0", "1:53"),
        (#"{"$raw": {"$elements": "abc", "x": 7}}"#, "/root/x", "1:88"),
        (#"{"$raw": {"$entries": [[1], 2]}}"#, "/root/$entries/0/0", "1:77"),
        (#"{"$raw": {"$elements": [7, {"$$a": 8}]}}"#, "/root/$elements/1/$$a", "1:88"),
        (#"[{"$raw": {"$ref": 1}}, {"$class": "NSURL", "$id": 1, "a": 7}]"#, "/root/0/$ref", "1:72"),
        (
            #"[{"$raw": {"$id": 1}}, {"$class": "NSURL", "$id": 1, "a": 7}, {"$ref": 1}, {"$raw": {"$id": 1, "b": 2}}]"#,
            "/root/2/a", "1:111"
        ),
        (#"{"$class": "NSURL", "$fields": [["a", {"$inline": []}], ["$$a", 9]]}"#, "/root/$a", "1:117"),
        (
            #"{"$class": "NSSet", "$elements": [{"$class": "NSSet", "$id": 1, "$elements": [{"$ref": 1}]}]}"#,
            "/root/0/0/0/x", "1:87"
        ),
        (
            #"{"$class": "NSMutableDictionary", "$entries": [["$$a", {"$object": 5}], [{"$object": 6}, "b"]]}"#,
            "/root/~=6", "1:142"
        ),
        (#"{"$class": "NSMutableDictionary", "$entries": {"$$a": {"$object": 5}}}"#, "/root/$a", "1:107"),
        (#"[{"$ref": 1}, [{"$class": "NSURL", "$id": 1, "a": 7}]]"#, "/root/0/a", "1:103"),
        (#"{"$class": "NSArray", "NS.objects": {"$inline": ["a", {"x": 1}]}}"#, "/root/1/x", "1:53"),
        (#"[{"$class": "NSURL", "a": {"$inline": [{"$inline": [7]}]}}]"#, "/root/0/a/0/0", "1:105"),
        (#"[{"$class": "NSURL", "a": 7}]"#, "/root/0/$class", "1:65"),
        (
            #"[{"$class": "NSDictionary", "$entries": [[{"$ref": 1}, 2]]}, [[{"$class": "NSURL", "$id": 1, "a": 7}]]]"#,
            "/root/1/0/0/a", "1:151"
        ),
        (#"[["$class"]]"#, "/root/0/$class", "1:54"),
        (#"{"$ref": 2}}, "$unreferenced": [{"$class": "NSURL", "$id": 2, "a": 7}], "$classes": {"#, "/root/a", "1:120"),
        (#"[{"$ref": 1}]}, "$shared": {"1": {"$date": 5}, "2": {"$date": 5}"#, "/root/0", "1:86"),
    ]

    /// Field names that resemble the keywords of graph JSON, sets that contain themselves, and keys of all kinds.
    @Test(arguments: odd)
    func graphJSON(top: String, address: String, place: String) throws {
        let text = Array(#"{"$archiver": "NSKeyedArchiver", "$top": {"root":   \#(top)}}"#.utf8)
        let view = ObjectView(try KeyedArchive(GraphJSON.archive(from: Document.read(text, as: .json))))
        let places = FileLocations(in: text, as: .json, limits: Limits())
        #expect(places.line(of: try #require(JSONPointer(address)), in: view)?.description == place)
    }

    /// Returns the scalars at their first addresses, except for dates, for which XML uses an object.
    private static func scalars(in view: ObjectView) -> [(address: JSONPointer, node: Node)] {
        var found: [(JSONPointer, Node)] = []
        var open = [(JSONPointer.root, view.root)]
        var seen: Set<ViewID> = []
        while let (address, id) = open.popLast() {
            if let node = view.scalar(id) {
                if ScalarForm(node) != nil { found.append((address, node)) }
                continue
            }
            guard seen.insert(id).inserted else { continue }
            let contents = view[id].contents
            for position in 0..<contents.count {
                let item = view.item(position, of: contents)
                open.append((address.appending(view.step(.init(key: item.key, position: position))), item.id))
            }
        }
        return found
    }

    /// Returns the scalar that begins at a location.
    private static func scalar(at location: SaveCodec.SourceLocation, in text: [UInt8], _ format: Format) -> ScalarForm?
    {
        guard case .line(let line, let column) = location else { return nil }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = String(decoding: lines[line - 1], as: UTF8.self).unicodeScalars.dropFirst(column - 1)
        var piece = String(String.UnicodeScalarView(rest))
        while piece.last == "," || piece.last == "]" || piece.last == " " { piece.removeLast() }
        for _ in 0..<4 {
            if let document = try? Document.read(Array(piece.utf8), as: format) {
                var node = document[document.root]
                if case .dictionary(let pairs) = node, let pair = pairs.first { node = document[pair.value] }
                return ScalarForm(node)
            }
            if piece.isEmpty { return nil }
            piece.removeLast()
        }
        return nil
    }
}

/// A scalar, reduced to the distinctions that both XML and graph JSON make.
private enum ScalarForm: Equatable {
    case text(String)
    case number(Double)
    case boolean(Bool)

    init?(_ node: Node) {
        switch node {
        case .string(let text): self = .text(text.string)
        case .integer(let integer): self = .number(Double(integer.value))
        case .real32(let value): self = .number(Double(value))
        case .real64(let value): self = .number(value)
        case .boolean(let value): self = .boolean(value)
        default: return nil
        }
    }
}
