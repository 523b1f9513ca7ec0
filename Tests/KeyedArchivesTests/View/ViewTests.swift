import KeyedArchives
@testable import SaveCodec
import Testing

/// The object view shows archives and plain documents as a game's programmer would expect.
@Suite struct ViewTests {
    private static func view(_ objects: String..., top: String = #"{"root":{"$uid":1}}"#) throws -> ObjectView {
        ObjectView(try KeyedArchive(ArchiveFile.json(objects, top: top)))
    }

    private static func root(of view: ObjectView) -> ViewID {
        view.item(0, of: view[view.root].contents).id
    }

    @Test func cycle() throws {
        let view = try Self.view(
            #"{"child":{"$uid":2},"$class":{"$uid":3}}"#, #"{"$class":{"$uid":3},"parent":{"$uid":1}}"#,
            AnnotationTests.record("Node"))
        let parent = Self.root(of: view)
        let child = view.item(0, of: view[parent].contents)
        #expect(child.key.flatMap(view.text)?.string == "child")
        #expect(view[parent].contents.count == 1 && view[child.id].contents.count == 1)
        #expect(view.item(0, of: view[child.id].contents).id == parent)
        #expect(view.uid(parent)?.index == 1 && view.uid(child.id)?.index == 2)
    }

    @Test func shared() throws {
        let view = try Self.view(
            #"{"$class":{"$uid":2},"NS.objects":[{"$uid":3},{"$uid":3},{"$uid":4}]}"#,
            AnnotationTests.record("NSArray"),
            #""Swamp""#, #""Swamp""#)
        let contents = view[Self.root(of: view)].contents
        let ids = (0..<contents.count).map { view.item($0, of: contents).id }
        #expect(ids[0] == ids[1] && ids[0] != ids[2])
        #expect(ids.map { view.text($0)?.string } == ["Swamp", "Swamp", "Swamp"])
    }

    /// Numbered elements and pairs, which archivers other than NSKeyedArchiver write, are shown by number, not in file
    /// order.
    @Test func numbered() throws {
        let view = try Self.view(
            #"{"NS.object.1":{"$uid":4},"$class":{"$uid":2},"NS.object.0":{"$uid":3}}"#,
            AnnotationTests.record("NSOrderedSet"),
            #""a""#,
            #"{"NS.object.1":{"$uid":3},"NS.key.1":{"$uid":6},"NS.key.0":{"$uid":3},"NS.object.0":{"$uid":6},"$class":{"$uid":5}}"#,
            AnnotationTests.record("NSDictionary"), #""b""#)
        #expect(outline(view) == ["array NSOrderedSet", " a", " dictionary NSDictionary", "  a: b", "  b: a"])
    }

    @Test func nonStringKeys() throws {
        let view = try Self.view(
            #"{"NS.keys":[{"$uid":3},{"$uid":4}],"NS.objects":[{"$uid":5},{"$uid":5}],"$class":{"$uid":2}}"#,
            AnnotationTests.record("NSDictionary"), "7", "true", #""x""#)
        #expect(outline(view) == ["dictionary NSDictionary", " 7: x", " true: x"])
    }

    @Test func nullValues() throws {
        let view = try Self.view(
            #"{"a":{"$uid":0},"b":{"$uid":3},"c":{"$uid":4},"$class":{"$uid":2}}"#, AnnotationTests.record("Map"),
            #""$null""#,
            #"{"$class":{"$uid":5}}"#, AnnotationTests.record("NSNull"))
        #expect(outline(view) == ["object Map", " a: null", " b: null", " c: null NSNull"])
    }

    @Test func fieldsWithoutNames() throws {
        let view = try Self.view(
            #"{"$0":5,"$1":{"$uid":3},"$$class":1,"$class":{"$uid":2}}"#, AnnotationTests.record("NSHashTable"), #""a""#
        )
        #expect(outline(view) == ["object NSHashTable", " $0: 5", " $1: a", " $$class: 1"])
    }

    @Test func rootStoredInPlace() throws {
        let view = try Self.view(#""Swamp""#, top: #"{"$0":5,"level":{"$uid":1},"list":[{"$uid":1},true]}"#)
        #expect(
            outline(view, view.root) == ["dictionary", " $0: 5", " level: Swamp", " list: array", "  Swamp", "  true"])
    }

    @Test(arguments: [
        ("NSMutableString", #""NS.string":"a""#, "a NSMutableString"),
        ("NSMutableData", #""NS.data":{"$data":"AQI="}"#, "data 2 NSMutableData"),
        ("NSMutableData", #""NS.bytes":{"$data":"AQI="}"#, "data 2 NSMutableData"),
        ("NSDate", #""NS.time":1.5"#, "date 1.5 NSDate"),
        ("NSNumber", #""NS.intval":5"#, "5 NSNumber"),
        ("NSNumber", #""NS.dblval":0.5"#, "0.5 NSNumber"),
        ("NSNumber", #""NS.boolval":true"#, "true NSNumber"),
        // Broken objects show their stored fields.
        ("NSMutableString", #""NS.string":5"#, "object NSMutableString\n NS.string: 5"),
        ("NSMutableString", #""NS.string":"a","x":1"#, "object NSMutableString\n NS.string: a\n x: 1"),
        ("NSDate", #""NS.time":{"$real32":1.5}"#, "object NSDate\n NS.time: 1.5"),
        ("NSArray", "\"NS.objects\":[5]", "object NSArray\n NS.objects: array\n  5"),
        ("NSArray", "\"x\":1", "object NSArray\n x: 1"),
    ]) func scalar(className: String, field: String, expected: String) throws {
        let view = try Self.view(#"{"$class":{"$uid":2},\#(field)}"#, AnnotationTests.record(className))
        #expect(outline(view).joined(separator: "\n") == expected)
    }

    /// A collection without elements is shown as empty only if its archiver numbers elements.
    @Test(arguments: [("SCNKeyedArchiver", true), ("NSKeyedArchiver", false)])
    func emptyCollectionWithoutNumberedElements(archiver: String, isCollection: Bool) throws {
        var builder = KeyedArchiveBuilder(archiver: archiver)
        let record = builder.addClass("NSDictionary", chain: ["NSDictionary", "NSObject"])
        let object = builder.reserve()
        builder.begin(object, of: record)
        builder.end()
        builder.addTop(root: object)
        let archive = try KeyedArchive(builder.finish())
        #expect(outline(ObjectView(archive)) == [isCollection ? "dictionary NSDictionary" : "object NSDictionary"])
        #expect(archive.findings.isEmpty == isCollection)
    }

    @Test func plainDocument() throws {
        let view = ObjectView(try JSON.read(Array(#"{"a":[1,{"$uid":5}],"b":null}"#.utf8)))
        #expect(outline(view, view.root) == ["dictionary", " a: array", "  1", "  UID 5", " b: null"])
        #expect(view.archive == nil && view.uid(view.root) == nil)
    }

    // MARK: An outline of a view

    /// Returns one line per value below `id`; the view must not contain cycles.
    private func outline(_ view: ObjectView, _ id: ViewID? = nil, key: String = "", depth: Int = 0) -> [String] {
        let id = id ?? Self.root(of: view)
        let value = view[id]
        let indent = String(repeating: " ", count: depth)
        let className = value.classPosition.flatMap { view.archive?.classes[$0].name.string }.map { " " + $0 } ?? ""
        let contents = (0..<value.contents.count).map { view.item($0, of: value.contents) }
        return [indent + key + describe(value.variant) + className]
            + contents.flatMap { item in
                outline(
                    view, item.id, key: item.key.map { describe(view[$0].variant) + ": " } ?? "", depth: depth + 1)
            }
    }

    private func describe(_ form: ViewValue.Variant) -> String {
        switch form {
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .object: "object"
        case .scalar(.string(let text)): text.string
        case .scalar(.integer(let integer)): integer.value.description
        case .scalar(.real64(let value)): value.description
        case .scalar(.real32(let value)): value.description
        case .scalar(.boolean(let value)): value.description
        case .scalar(.date(let seconds)): "date \(seconds)"
        case .scalar(.data(let bytes)): "data \(bytes.count)"
        case .scalar(.uid(let uid)): "UID \(uid.value)"
        case .scalar(.null): "null"
        case .scalar: "container"
        }
    }
}
