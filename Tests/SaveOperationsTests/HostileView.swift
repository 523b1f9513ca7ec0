import KeyedArchives
import SaveCodec

/// Views that are designed to be slow to process.
enum HostileView {
    static func array(_ values: some Sequence<Int>) throws -> ObjectView {
        var builder = DocumentBuilder()
        builder.open(.array)
        for value in values { builder.add(integer: Int128(value)) }
        builder.close()
        return ObjectView(try builder.finish())
    }

    /// Returns an array of `length` objects, each with a value.
    static func list(_ length: Int, value: (Int) -> Int) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let root = archive.reserve()
        let nodes = (0..<length).map { _ in archive.reserve() }
        for (position, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            archive.contents.add(string: "value")
            archive.contents.add(integer: Int128(value(position)))
            archive.end()
        }
        archive.begin(root, of: archive.addClass("NSArray", chain: ["NSArray", "NSObject"]))
        archive.addCollection(nodes)
        archive.end()
        archive.addTop(root: root)
        return ObjectView(try KeyedArchive(archive.finish()))
    }

    /// Returns a ring of `length` objects, each with a value.
    static func ring(_ length: Int, value: (Int) -> Int) throws -> ObjectView {
        var archive = KeyedArchiveBuilder()
        let node = archive.addClass("Node", chain: ["Node", "NSObject"])
        let nodes = (0..<length).map { _ in archive.reserve() }
        for (position, uid) in nodes.enumerated() {
            archive.begin(uid, of: node)
            archive.contents.add(string: "next")
            archive.refer(to: nodes[(position + 1) % length])
            archive.contents.add(string: "value")
            archive.contents.add(integer: Int128(value(position)))
            archive.end()
        }
        archive.addTop(root: nodes[0])
        return ObjectView(try KeyedArchive(archive.finish()))
    }
}
