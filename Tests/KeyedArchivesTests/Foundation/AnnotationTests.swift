import KeyedArchives
import SaveCodec
import Testing

/// Objects of known classes get the right annotation. The tested object is object 1, its class record object 2, and
/// others follow.
@Suite struct AnnotationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let className: String
        let ancestors: [String]
        let fields: String
        let others: [String]
        let annotation: String?

        var testDescription: String { "\(className) {\(fields)}" }

        init(
            _ className: String, chain ancestors: [String] = [], _ fields: String, _ others: String...,
            is annotation: String?
        ) {
            self.className = className
            self.ancestors = ancestors
            self.fields = fields
            self.others = others
            self.annotation = annotation
        }

        var document: Document {
            get throws {
                let members = fields.isEmpty ? "" : "," + fields
                return try ArchiveFile.json(
                    [#"{"$class":{"$uid":2}\#(members)}"#, AnnotationTests.record(className, ancestors)] + others)
            }
        }
    }

    @Test(arguments: AnnotationCases.all) func annotation(_ row: Row) throws {
        let view = ObjectView(try KeyedArchive(row.document))
        #expect(view.annotation(of: view.item(0, of: view[view.root].contents).id) == row.annotation)
    }

    /// SceneKit stores vectors as data, which only the name of the field shows.
    @Test(arguments: [
        ("SCNNode", "position", "AAAAAAAAwD8AAEDA", "{0, 1.5, -3}"),
        ("SCNNode", "rotation", "AAAAAAAAgD8AAAAAAAAgQA==", "{0, 1, 0, 2.5}"),
        ("SCNNode", "position", "AAAAAAAAwD8AAEDAAA==", nil),
        ("SCNNode", "geometry", "AAAAAAAAwD8AAEDA", nil),
        ("MyNode", "position", "AAAAAAAAwD8AAEDA", nil),
    ]) func vector(className: String, field: String, data: String, annotation: String?) throws {
        let row = Row(className, #""\#(field)":{"$data":"\#(data)"}"#, is: annotation)
        let view = ObjectView(try KeyedArchive(row.document))
        let node = view.item(0, of: view[view.root].contents)
        let item = view.item(0, of: view[node.id].contents)
        #expect(view.annotation(of: item.id, under: try #require(item.key), in: node.id) == annotation)
        #expect(view.annotation(of: item.id) == nil)
    }

    /// An object with hundreds of fields gets no annotation, so that many references to a large object do not each
    /// search it.
    @Test(arguments: [(200, "enemy"), (20_000, nil)]) func manyFields(count: Int, annotation: String?) throws {
        let others = (0..<count).map { #""f\#($0)":0"# }.joined(separator: ",")
        let row = Row("NSLocale", others + #","NS.identifier":{"$uid":3}"#, #""enemy""#, is: annotation)
        let view = ObjectView(try KeyedArchive(row.document))
        #expect(view.annotation(of: view.item(0, of: view[view.root].contents).id) == annotation)
    }

    /// Whether an object represents a scalar is decided by its class and field count, before its fields are read.
    @Test(arguments: [
        ("NSMutableString", #""NS.string":"enemy""#, NodeText.string("enemy")),
        ("NSMutableString", #""NS.string":5"#, nil),
        ("NSNull", "", .null), ("NSNull", #""more":1"#, nil), ("NSArray", #""NS.objects":[]"#, nil),
        ("Player", #""health":5"#, nil),
    ]) func scalar(className: String, fields: String, expected: NodeText?) throws {
        let view = ObjectView(try KeyedArchive(Row(className, fields, is: nil).document))
        let id = view.item(0, of: view[view.root].contents).id
        #expect(view.scalar(id).flatMap(NodeText.init) == expected)
        #expect(view.text(id)?.string == expected?.string)
    }

    /// A scalar of a view, for comparison.
    enum NodeText: Sendable, Equatable {
        case null
        case string(String)

        init?(_ node: Node) {
            switch node {
            case .null: self = .null
            case .string(let text): self = .string(text.string)
            default: return nil
            }
        }

        var string: String? {
            guard case .string(let text) = self else { return nil }
            return text
        }
    }

    static func record(_ name: String, _ ancestors: String...) -> String {
        record(name, ancestors)
    }

    private static func record(_ name: String, _ ancestors: [String]) -> String {
        let chain = ([name] + ancestors + ["NSObject"]).map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"$classname":"\#(name)","$classes":[\#(chain)]}"#
    }
}
