@testable import SaveCodec
import TestSupport
import Testing

@testable import KeyedArchives
@testable import SaveOperations
@testable import SaveToolKit

/// Tests that `set --unshare` changes the value at its address only, even if other objects refer to parts of it.
@Suite struct UnsharedEditTests {
    private static func archive(_ graph: String) throws -> Workspace {
        let workspace = try Workspace()
        let classes = #""$classes":{"G":["G","NSObject"],"R":["R","NSObject"]}"#
        try workspace.write(
            #"{"$archiver":"NSKeyedArchiver",\#(classes),"$top":{"root":\#(graph)}}"#, to: "graph.json")
        let result = workspace.run(["convert", "--to", "binary", "-o", "a.plist", "graph.json"])
        #expect(result.status == 0, "\(result.talk)")
        return workspace
    }

    /// Sets a value to the changed output of `get`. Returns the new output of `get`.
    private static func edit(
        _ workspace: Workspace, _ address: String, _ change: (String) -> String, format: String = "typed"
    ) -> String {
        let text = change(workspace.run(["get", "-f", format, "a.plist", address]).output)
        let result = workspace.run(
            ["set", "--unshare", "-o", "b.plist", "a.plist", address, "--json-file", "-"], input: Array(text.utf8))
        #expect(result.status == 0, "\(result.talk)")
        #expect(result.talk == "")
        return workspace.run(["get", "-f", format, "b.plist", address]).output
    }

    private static func value(_ address: String, of workspace: Workspace) -> String {
        workspace.run(["get", "-f", "json", "--compact", "b.plist", address]).output
    }

    @Test(arguments: ["typed", "json"]) func objectWithin(_ format: String) throws {
        let workspace = try Self.archive(
            #"{"$class":"G","scores":[{"$class":"R","$id":1,"name":"Ada"},{"$class":"R","name":"Bob"}],"last":{"$ref":1}}"#
        )
        let now = Self.edit(workspace, "/root/scores", { $0.replacing("Ada", with: "Eve") }, format: format)
        #expect(now.contains("Eve"))
        #expect(Self.value("/root/last/name", of: workspace) == #""Ada""# + "\n")
        // Bob did not change, so he is still one shared object.
        let count = workspace.run(["get", "-f", "typed", "b.plist", "/root"]).output
        #expect(count.split(separator: "Bob").count == 2)
    }

    /// The owner of a split object refers to the copy, and is split itself if it is shared.
    @Test func chain() throws {
        let workspace = try Self.archive(
            #"{"$class":"G","a":{"$class":"G","mid":{"$class":"G","$id":1,"leaf":{"$class":"R","$id":2,"name":"Ada"}}},"#
                + #""b":{"$ref":1},"c":{"$ref":2}}"#)
        let now = Self.edit(workspace, "/root/a", { $0.replacing("Ada", with: "Eve") })
        #expect(now.contains("Eve"))
        #expect(Self.value("/root/b/leaf/name", of: workspace) == #""Ada""# + "\n")
        #expect(Self.value("/root/c/name", of: workspace) == #""Ada""# + "\n")
    }

    /// A split object keeps its own internal sharing, even though only one of its slots is edited.
    @Test func twiceWithin() throws {
        let workspace = try Self.archive(
            #"{"$class":"G","a":{"$class":"G","$id":1,"a":{"$class":"R","$id":2,"v":1},"b":{"$ref":2}},"b":{"$ref":1}}"#
        )
        let result = workspace.run(["set", "--unshare", "-o", "b.plist", "a.plist", "/root/b/a/v", "500"])
        #expect(result.status == 0, "\(result.talk)")
        #expect(Self.value("/root/b/a/v", of: workspace) == "500\n")
        for address in ["/root/b/b/v", "/root/a/a/v", "/root/a/b/v"] {
            #expect(Self.value(address, of: workspace) == "1\n", "\(address)")
        }
    }

    /// A circle through a split object leads back to the copy.
    @Test func circle() throws {
        let workspace = try Self.archive(
            #"{"$class":"G","a":[{"$class":"G","$id":1,"name":"Ada","child":{"$class":"G","$id":2,"parent":{"$ref":1}}}],"#
                + #""b":{"$ref":1},"c":{"$ref":2}}"#)
        let now = Self.edit(workspace, "/root/a", { $0.replacing("Ada", with: "Eve") })
        #expect(now.contains("Eve"))
        for (address, name) in [("a/0", "Eve"), ("a/0/child/parent", "Eve"), ("b", "Ada"), ("c/parent", "Ada")] {
            #expect(Self.value("/root/\(address)/name", of: workspace) == "\"\(name)\"\n")
        }
    }

    // MARK: All other addresses

    /// A random archive of objects that refer to each other, also in circles.
    private struct RandomGraph {
        var generator: SeededGenerator
        var met: Set<Int> = []
        let count: Int

        init(_ seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            count = Int.random(in: 3...9, using: &generator)
        }

        mutating func text(_ number: Int = 0) -> String {
            guard met.insert(number).inserted else { return #"{"$ref":\#(number + 1)}"# }
            var fields = [#""$class":"R","$id":\#(number + 1),"name":"n\#(number)""#]
            for field in ["left", "right"] where Bool.random(using: &generator) {
                fields.append(#""\#(field)":\#(text(Int.random(in: 0..<count, using: &generator)))"#)
            }
            if Bool.random(using: &generator) {
                let kids = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    text(Int.random(in: 0..<count, using: &generator))
                }
                fields.append(#""kids":[\#(kids.joined(separator: ","))]"#)
            }
            return "{\(fields.joined(separator: ","))}"
        }
    }

    @Test(arguments: 0..<100) func everyOtherPlace(_ seed: UInt64) throws {
        var graph = RandomGraph(seed)
        let workspace = try Self.archive(graph.text())
        let before = try Self.view("a.plist", workspace)
        let address = Self.place(in: before, &graph.generator)
        let change = { (text: String) in
            (0..<graph.count).reduce(text) { text, number in
                Bool.random(using: &graph.generator)
                    ? text.replacing("\"n\(number)\"", with: "\"changed \(number)\"") : text
            }
        }
        let format = Bool.random(using: &graph.generator) ? "typed" : "json"
        _ = Self.edit(workspace, address, change, format: format)
        let after = try Self.view("b.plist", workspace)
        let pointer = try #require(JSONPointer(address))
        let path = try #require(ResolvedAddress(pointer, in: after))
        guard case .slot(let position) = path.end, let last = path.containers.last else { return }
        let difference = Self.difference(before, after, without: position, of: last)
        #expect(difference == nil, "\(address) in \(format), seed \(seed)")
    }

    private static func view(_ name: String, _ workspace: Workspace) throws -> ObjectView {
        ObjectView(try KeyedArchive(BinaryPlist.read(try workspace.bytes(of: name))))
    }

    /// Returns the address of a random container, on a path without circles.
    private static func place(in view: ObjectView, _ generator: inout SeededGenerator) -> String {
        var address = JSONPointer(tokens: [Array("root".utf16)])
        guard case .found(var id, _) = view.find(address) else { return "/root" }
        var met: Set = [id]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let contents = view[id].contents
            let positions = (0..<contents.count).filter { position in
                let item = view.item(position, of: contents).id
                return view.scalar(item) == nil && !met.contains(item)
            }
            guard let position = positions.randomElement(using: &generator) else { break }
            let item = view.item(position, of: contents)
            view.append(PathStep(key: item.key, position: position), to: &address)
            id = item.id
            met.insert(id)
        }
        return address.description
    }

    /// Returns the address of the first difference between two views, ignoring one slot of the second, or nil if they
    /// are equal.
    private static func difference(
        _ a: ObjectView, _ b: ObjectView, without position: Int, of container: ViewID
    ) -> String? {
        var met: Set<[ViewID]> = []
        var pending = [(a.root, b.root, "")]
        while let (first, second, address) = pending.popLast() {
            guard met.insert([first, second]).inserted else { continue }
            if let x = a.scalar(first) {
                guard let y = b.scalar(second), x.isIdentical(to: y) else { return address }
                continue
            }
            let (own, other) = (a[first].contents, b[second].contents)
            guard b.scalar(second) == nil, own.count == other.count else { return address }
            for slot in 0..<own.count where second != container || slot != position {
                pending.append((a.item(slot, of: own).id, b.item(slot, of: other).id, "\(address)/\(slot)"))
            }
        }
        return nil
    }
}
